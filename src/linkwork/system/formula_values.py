"""Which formula is to blame where a value is not finite any more: what each gives, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.efforts import effort_now
from linkwork.kernels.formula import evaluate_program
from linkwork.kernels.quantities.table import measure
from linkwork.kernels.state_formula import evaluate_state_program
from linkwork.mechanism.expressions import build_programs
from linkwork.mechanism.lowered import LoweredEffort
from linkwork.system.operands import OperandPlaces

if TYPE_CHECKING:
    from linkwork.system.compiled import CompiledMechanism

Array = NDArray[np.float64]
IMMENSE = 1e12  # in SI units: what no force, angle or length of a mechanism is
DERIVATIVES = ("value", "rate", "second derivative")


class Told(NamedTuple):
    """One formula in words, with what it gives: its value, of drivers its two time derivatives as well."""

    words: str
    values: tuple[float, ...]

    @property
    def value(self) -> float:
        """Without its derivatives."""
        return self.values[0]

    def at(self, t: float) -> str:
        """What is wrong with it at a time [s], '' if nothing."""
        for what, value in zip(DERIVATIVES, self.values, strict=False):
            if not np.isfinite(value):
                return f"the formula of {self.words} has no finite {what} at t = {t:.6g} s (it is {value:g})"
            if abs(value) > IMMENSE:
                part = "" if what == DERIVATIVES[0] else f"{what} of the "
                return f"the {part}formula of {self.words} is {value:.3g} at t = {t:.6g} s"
        return ""


def formula_without_value(
    mechanism: CompiledMechanism,
    operands: Any,
    t: float,
    before: tuple[float, Array] | None = None,
    angles: Array | None = None,
) -> str:
    """Which formula has no finite value at operands measured last and a time [s], or an immense one; '' if none.

    Those of time come first: where one of them spoils the motion, others have no value either. A formula of the state
    is not blamed where what it reads is spoiled already; if all that have no value are like that, they are asked again
    at `before`, the time [s] and motion (nb, 24) of the last sample, with counted `angles` [rad].
    """
    now = np.array(np.real(operands), dtype=float)
    with np.errstate(all="ignore"):
        wrong = [text for one in _of_time(mechanism, t) if (text := one.at(t))]
        if wrong:
            return wrong[0]
        some = list(_of_state(mechanism, t, now))
        if found := _first(some, t):
            return found
        spoiled = any(not sound for sound, _ in some)
        if spoiled and before is not None and angles is not None:
            last, motion = before
            _measure(mechanism, motion, np.nan_to_num(angles, nan=0.0), now)
            earlier = list(_of_state(mechanism, t, now))
            if found := _first(earlier, t):
                return found
            loads = [one for one in _of_time(mechanism, t) if one.words.startswith("force")]
            largest = max([*loads, *(one for _, one in earlier)], key=lambda one: abs(one.value))
            return (
                "what formulas of forces read is not finite there; the largest of them at the motion of "
                f"t = {last:.6g} s is that of {largest.words}, {largest.value:.3g}"
            )
        return ""


def _first(some: list[tuple[bool, Told]], t: float) -> str:
    """What is wrong with formulas that read what is sound; those without a value before those with immense ones."""
    wrong = [one for sound, one in some if sound and one.at(t)]
    return min(wrong, key=lambda one: bool(np.isfinite(one.value))).at(t) if wrong else ""


def _of_state(mechanism: CompiledMechanism, t: float, operands: Array) -> Iterator[tuple[bool, Told]]:
    """Each force by formula of the state, and whether all that it reads is finite and not immense."""
    system, stack = mechanism.system, _stack(mechanism)
    efforts, uses = system.efforts, mechanism.system.uses
    for k, effort in enumerate(mechanism.lowered.efforts):
        read = operands[uses[efforts.first[k] : efforts.first[k] + efforts.reads[k]]]
        value, _ = effort_now(system, k, t, operands, -1, stack)
        label = effort.label if np.isfinite(value) else _part_without_value(mechanism, effort, t, operands)
        part = f" ({label})" if label else ""
        yield bool(np.all(np.abs(read) <= IMMENSE)), Told(f"force '{effort.name}'{part}", (value,))


def _part_without_value(mechanism: CompiledMechanism, effort: LoweredEffort, t: float, operands: Array) -> str:
    """Which field of an element has no finite value, as it was written; the effort's label where none has."""
    places, curves = OperandPlaces(mechanism.lowered), mechanism.system.curves
    try:
        programs = build_programs(effort.parts.values(), places)
    except KeyError:  # reads what the whole does not, as it is multiplied by zero there
        return effort.label
    stack = np.zeros((int(programs.depth[0]) + 1, 3))
    for k, name in enumerate(effort.parts):
        if not np.isfinite(evaluate_state_program(programs, curves, k, t, operands, -1, stack)[0]):
            return name
    return effort.label


def _of_time(mechanism: CompiledMechanism, t: float) -> Iterator[Told]:
    """What formulas of time alone give: of loads, force elements, and of drivers with their derivatives."""
    system, lowered, stack = mechanism.system, mechanism.lowered, _stack(mechanism)
    for load, programs in zip(lowered.loads, system.loads.program, strict=True):
        for axis, program in zip("xyz", programs, strict=True):
            if program >= 0:
                value = evaluate_program(system.programs, program, t, stack)[:1]
                yield Told(f"force '{load.name}' ({axis})", value)
    for element, program in zip(lowered.elements, system.elements.program, strict=True):
        if program >= 0:
            yield Told(f"force '{element.name}'", evaluate_program(system.programs, program, t, stack)[:1])
    for row, program in zip(lowered.rows, system.rows.program, strict=True):
        if program >= 0:
            what = f"driver '{row.owner}'" if row.driver else f"row '{row.name}'"
            yield Told(what, evaluate_program(system.programs, program, t, stack))


def _measure(mechanism: CompiledMechanism, motion: Array, angles: Array, operands: Array) -> None:
    """Value and rate of every quantity in a motion (nb, 24), into `operands`."""
    nb, q = mechanism.nb, mechanism.system.quantities
    r, A, v, w = (np.array(part) for part in (mechanism.r, mechanism.A, np.zeros((nb + 1, 3)), np.zeros((nb + 1, 3))))
    r[:nb], A[:nb], v[:nb], w[:nb] = np.split(motion[:nb, :18], (3, 12, 15), axis=1)
    measure(q, r, A, v, w, angles, len(angles) - len(q.kind), operands)


def _stack(mechanism: CompiledMechanism) -> Array:
    """Work space of programs."""
    return np.zeros((int(mechanism.system.programs.depth[0]) + 1, 3))
