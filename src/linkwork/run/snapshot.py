"""Where a run stands: every array that it changes, and its plain numbers, so that another process can go on from there
to the same bits.

Compiled code keeps nothing of its own: what it does next is told by the arrays that it was given, which hang on the
run and on its problem. They are found by walking through the fields of these objects; nothing is listed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import compress
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ResultFileError
from linkwork.integrators.tableaux.tableau import Tableau
from linkwork.io.results.snapshot import Arrays
from linkwork.kernels.records import standing
from linkwork.system import CompiledMechanism

ADDRESSES = (
    "context",
    "_table",
    "_begin",
    "_measured",
)  # fields with tables of addresses, which hold in one process only
PLAIN = (bool, int, float)
NUMBERS = {type(None), *PLAIN, str, Fraction}  # the same for the many that are just these
HOLDS_NONE = (*PLAIN, str, bytes, type, ModuleType, CompiledMechanism, Tableau)  # where no array is looked for


def arrays_in(thing: Any, *, frozen: bool = False) -> Arrays:
    """Every array that can change within an object, by place: ``problem.work.motion``. Not copied.

    A mechanism's own tables do not change and are left out; so are tables of addresses, and columns of arrays that are
    there.
    frozen : those that cannot be written into, too.
    """
    found: Arrays = {}
    kind: Any = type(thing)
    parts_of = _parts_of(kind)
    if parts_of is not None:
        _walk(parts_of(thing), "", found, {id(thing)}, frozen)
    return found


def _walk(parts: Iterable[tuple[str, Any]], place: str, found: Arrays, seen: set[int], frozen: bool) -> None:
    """Arrays within named parts of an object. place : what their places begin with, empty or with a dot at its end."""
    for name, part in parts:
        kind: Any = type(part)
        if kind is np.ndarray:
            if id(part) in seen or name in ADDRESSES:
                continue
            if (frozen or part.flags.writeable) and part.dtype.kind in "fiub":
                seen.add(id(part))
                found[place + name] = part
        elif kind not in NUMBERS and name not in ADDRESSES and id(part) not in seen:
            if (parts_of := _parts_of(kind)) is None:
                continue
            seen.add(id(part))
            _walk(parts_of(part), f"{place}{name}.", found, seen, frozen)


@cache
def _parts_of(kind: type) -> Callable[[Any], Iterable[tuple[str, Any]]] | None:
    """How the fields of an object of ours, of a tuple, list or mapping are read; None where no array is looked for."""
    if issubclass(kind, HOLDS_NONE):
        return None
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names: tuple[str, ...] = kind._fields
        whole = _standing(kind)  # columns are parts of an array that stands beside them
        if all(whole):
            return lambda thing: zip(names, thing, strict=True)
        return lambda thing: compress(zip(names, thing, strict=True), whole)
    if issubclass(kind, (tuple, list)):
        return lambda thing: ((str(k), part) for k, part in enumerate(thing))
    if issubclass(kind, Mapping):
        return lambda thing: ((str(key), part) for key, part in thing.items())
    if is_dataclass(kind):
        declared = [one.name for one in fields(kind)]
        return lambda thing: ((name, getattr(thing, name)) for name in declared)
    if "__call__" in dir(kind):
        return None
    return lambda thing: () if hasattr(thing, "address") else getattr(thing, "__dict__", {}).items()  # compiled code


def _standing(kind: Any) -> tuple[bool, ...]:
    """`standing`; all fields of a tuple of descriptions, whose annotations need not name what is there at run time."""
    try:
        return standing(kind)
    except NameError:
        return (True,) * len(kind._fields)


def copies(arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The same, as they are now."""
    return {name: array.copy() for name, array in arrays.items()}


def restore(arrays: Mapping[str, NDArray[Any]], kept: Mapping[str, NDArray[Any]], file: str) -> None:
    """Write what was kept into the arrays. Raises ResultFileError, with nothing written, where they do not match."""
    same = arrays.keys() == kept.keys() and all(
        array.shape == kept[name].shape and array.dtype == kept[name].dtype for name, array in arrays.items()
    )
    if not same:
        raise ResultFileError(
            "the state that was kept does not fit the run that it belongs to.",
            file=file,
            remedy="Go on with the version of linkwork that began it, or run it again.",
        )
    for name, array in arrays.items():
        array[...] = kept[name]


def numbers_of(thing: Any) -> dict[str, Any]:
    """The plain numbers among an object's attributes, by name; named tuples have none that change."""
    return {name: value for name, value in getattr(thing, "__dict__", {}).items() if isinstance(value, PLAIN)}


def call_of(arguments: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    """What a function was asked for, from its `locals()` at the start: arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None and name not in left_out}
