"""Kernels that select, while a record is made: without a guard, or with one that is no stricter than it has to be."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from threading import RLock, local
from typing import Any

import numpy

from linkwork.equations import described_kernels
from linkwork.formulations.recursive import measured_links
from linkwork.kernels import curves, quaternion, sincos, so3
from linkwork.kernels.dependence import take_row
from linkwork.kernels.jets import Jet, jet_scale
from linkwork.kernels.needed import needed, passed_over
from linkwork.kernels.state_formula import jet_abs as plain_jet_abs
from linkwork.kernels.state_formula import select as plain_select
from linkwork.lanes.traced import dependent_rows, pieces
from linkwork.lanes.traced.numbers import Condition, Traced, selected, sign, value_of
from linkwork.lanes.traced.rotations import arc_quotient, of_rotation
from linkwork.problems import entry
from linkwork.problems.step_state import NOTHING, flush

RECORDING = RLock()  # names in modules are others while a record is made: nothing is compiled then
# these copy names of modules as they are loaded (`jit.exactly`), which they must not do during a record
LOADED_BEFORE = described_kernels, measured_links


def largest(*several: Any, **further: Any) -> Any:
    """`max`, of recorded numbers without a guard."""
    return _extreme(builtins.max, "max", several, further)


def smallest(*several: Any, **further: Any) -> Any:
    """`min`, of recorded numbers without a guard."""
    return _extreme(builtins.min, "min", several, further)


def _extreme(plain: Any, operation: str, several: tuple[Any, ...], further: dict[str, Any]) -> Any:
    if further or len(several) < 2 or not any(isinstance(one, Traced) for one in several):
        return plain(*several, **further)
    found, *others = several
    for one in others:
        graph = next((x.graph for x in (found, one) if isinstance(x, Traced)), None)
        found = plain(found, one) if graph is None else graph.two(operation, found, one)
    return found


def _needed(condition: Any) -> bool:
    return isinstance(condition, Condition) or bool(condition)


def _passed_over(size: Any, limit: Any, least: Any, kept: float) -> bool:
    if value_of(size) < value_of(limit):
        for x in (size, limit):
            if isinstance(x, Traced):
                x.graph.chosen = True
        return True
    return not size >= largest(kept * limit, least)


def _flush(x: Any) -> Any:
    return selected(abs(x) < NOTHING, 0.0, x)


class RecordedNumpy:
    """NumPy as kernels find it while a record is made: its functions of two numbers know a recorded second one."""

    def __init__(self) -> None:
        vars(self).update(vars(numpy))
        self.arctan2 = _arctan2

    def __getattr__(self, name: str) -> Any:
        return getattr(numpy, name)


def _arctan2(y: Any, x: Any) -> Any:
    graph = next((one.graph for one in (y, x) if isinstance(one, Traced)), None)
    return numpy.arctan2(y, x) if graph is None else graph.two("atan2", y, x)


class _Kinks(local):
    """Whether formulas' `abs`, `min`, `max` and `if` leave no guard in what this thread records."""

    selected = False


_KINKS = _Kinks()


def kinks_are_selected() -> bool:
    """Whether this is within `kinks_selected`."""
    return _KINKS.selected


@contextmanager
def kinks_selected() -> Iterator[None]:
    """Within, `abs`, `min`, `max` and `if` of formulas are recorded with both sides. Their slopes are all worked out
    then: of a side that is not taken, too, where there may be none."""
    before, _KINKS.selected = _KINKS.selected, True
    try:
        yield
    finally:
        _KINKS.selected = before


def _select(which: Any, v: Jet, u: Jet) -> Jet:
    if not (_KINKS.selected and isinstance(which, Condition)):
        return plain_select(which, v, u)
    a, b, c = (selected(which, x, y) for x, y in zip(v, u, strict=True))
    return a, b, c


def _jet_abs(u: Jet) -> Jet:
    if not (_KINKS.selected and isinstance(u[0], Traced)):
        return plain_jet_abs(u)
    return jet_scale(selected(u[0] < 0.0, -1.0, 1.0), u)


# kernels that leave no guard: what modules call by these names while a record is made
SELECTIONS = {
    "chosen": (sincos.chosen, selected), "signed": (sincos.signed, sign),
    "needed": (needed, _needed), "passed_over": (passed_over, _passed_over),
    "arc_quotient": (so3.arc_quotient, arc_quotient), "of_rotation": (quaternion.of_rotation, of_rotation),
    "flush": (flush, _flush), "take_row": (take_row, dependent_rows.take_row), "np": (numpy, RecordedNumpy()),
    "jet_curve": (curves.jet_curve, pieces.jet_curve),
    "select": (plain_select, _select), "jet_abs": (plain_jet_abs, _jet_abs),
}  # fmt: skip


def nothing_made() -> AbstractContextManager[Any]:
    """Within, no other thread compiles: it would find the recording functions in the place of `max` and `min`."""
    return entry._MAKING


@contextmanager
def selections_recorded() -> Iterator[None]:
    """`max`, `min` and selections of kernels leave no guard. Of plain numbers they are what they always are."""
    with RECORDING, nothing_made():
        yield from _with(SELECTIONS)


@contextmanager
def small_kept(instead: Mapping[str, tuple[Any, Any]]) -> Iterator[None]:
    """The same, and numbers next to nothing stay what they are: their tangents are none of nothing. instead : name ->
    further kernel, and what is recorded in its place."""
    with RECORDING, nothing_made():
        yield from _with({**SELECTIONS, "flush": (flush, _kept), **instead})


def _kept(x: Any) -> Any:
    return x


def _with(selections: Mapping[str, tuple[Any, Any]]) -> Iterator[None]:
    loaded: list[tuple[str, Any]] = list(sys.modules.items())  # None where an import is forbidden
    modules = [
        module
        for name, module in loaded
        if name.startswith("linkwork.")
        and module is not None
        and "max" not in vars(module)
        and "min" not in vars(module)
    ]
    called = [
        (vars(module), name, kernel, recording)
        for name, (kernel, recording) in selections.items()
        for module in modules
        if vars(module).get(name) is kernel
    ]
    for module in modules:
        vars(module)["max"], vars(module)["min"] = largest, smallest
    for names, name, _, recording in called:
        names[name] = recording
    try:
        yield
    finally:
        for module in modules:
            vars(module).pop("max", None)
            vars(module).pop("min", None)
        for names, name, kernel, _ in called:
            names[name] = kernel
