"""Formulas and couplings that have no derivative at a state: there small motions have no linear model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.judgement.along_motion import AlongMotion
from linkwork.kernels.couplings import CURVE, FIRST, QUANTITY, TERMS, law
from linkwork.kernels.efforts import effort_now
from linkwork.kernels.quantities.table import parts_of, times, value_of, velocities
from linkwork.kernels.state_formula import evaluate_state_program
from linkwork.mechanism.expressions import Expression, build_programs, nodes_of
from linkwork.mechanism.expressions.kinks import has_kinks, passing_zero
from linkwork.mechanism.expressions.tree import Node
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import angles_at_start
from linkwork.system.operands import OperandPlaces

Array = NDArray[np.float64]
CHOOSES = "sign", "if", "atan2"  # what makes a formula jump where its first argument passes zero
HALVINGS = 50
KNOTS = 16  # of a table, at which a kink is looked for along a motion
BESIDE = 1e-7  # of what a formula reads, or of 1 in its unit: how far on either side it is looked at
CLOSER = 16.0  # times as close: what is smooth then differs that many times less, what has a kink as much as before
STEP = 1e-30  # of a complex step
ROUNDED = "Take a state beside it, or round the formula off (smoothstep, a table with cubic or pchip)."
LEAST = 1e-9  # of a value or slope, or of 1: differences below are rounding


def need_smooth(mechanism: CompiledMechanism, operands: Array, t: float) -> None:
    """Raise UsageError where a formula of the state jumps or has a kink, by name.

    operands : (2 nq + ni,) what formulas read, measured at the state.
    """
    for k, effort in enumerate(mechanism.lowered.efforts):
        if not is_smooth(mechanism.system, k, operands, t):
            part = f" ({effort.label})" if effort.label else ""
            raise UsageError(
                f"the formula of force '{effort.name}'{part} has a kink or a jump at this state: it has no derivative, "
                "and small motions have no linear model.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy=ROUNDED,
            )


def is_smooth(system: Any, k: int, operands: Array, t: float) -> bool:
    """Whether formula k of the state has neither jump nor kink at these operands, by any that it measures."""
    return not _breaks(system, k, operands, t, slice(None))


def jumps_at(system: Any, k: int, operands: Array, t: float) -> bool:
    """Whether the value of formula k of the state jumps at these operands, by any that it measures."""
    return _breaks(system, k, operands, t, slice(1))


def may_jump(mechanism: CompiledMechanism) -> bool:
    """Whether a formula of the state makes choices at all."""
    return any(next(_choices(effort.f), None) for effort in mechanism.lowered.efforts)


def jumps_between(mechanism: CompiledMechanism, times: Array, operands: Array) -> Iterator[tuple[str, float]]:
    """Forces whose formulas jump at or between samples: name, and time [s]. operands : (samples, 2 nq + ni)."""
    for k, t, read in _passed(mechanism, times, operands, lambda f: (node.args[0] for node in _choices(f))):
        if jumps_at(mechanism.system, k, read, t):
            yield mechanism.lowered.efforts[k].name, t


def jump_along(mechanism: CompiledMechanism, along: AlongMotion) -> tuple[str, float] | None:
    """A force whose formula jumps along a motion, between its samples too, but for its ends: name, and time [s]."""
    return _met_along(mechanism, along, lambda f: (node.args[0] for node in _choices(f)), jumps_at)


def bend_along(mechanism: CompiledMechanism, along: AlongMotion) -> tuple[str, float] | None:
    """A force whose formula has a kink or a jump along a motion, as `jump_along`."""

    def bends(system: Any, k: int, operands: Array, t: float) -> bool:
        return not is_smooth(system, k, operands, t)

    return _met_along(mechanism, along, _passing(mechanism, KNOTS), bends)


def _met_along(
    mechanism: CompiledMechanism,
    along: AlongMotion,
    passing: Callable[[Expression], Iterator[Node]],
    is_met: Callable[[Any, int, Array, float], bool],
) -> tuple[str, float] | None:
    lowered, places = mechanism.lowered, OperandPlaces(mechanism.lowered)
    operands = np.zeros(2 * len(places.quantities) + len(lowered.inputs))
    known = {f for _, f in along.formulas} if along.looked else set()
    for k, effort in enumerate(lowered.efforts):
        if effort.f not in known:
            continue
        for t in (t for node in passing(effort.f) for t in along.zeros(Expression(node))):
            for read in along.around(effort.f, t):
                operands[[places.operand(one) for one in read]] = list(read.values())
                if is_met(mechanism.system, k, operands, t):
                    return effort.name, t
    return None


def may_bend(mechanism: CompiledMechanism) -> bool:
    """Whether a formula of the state may have a kink or a jump at all."""
    return may_jump(mechanism) or any(has_kinks(effort.f.root) for effort in mechanism.lowered.efforts)


def bends_between(mechanism: CompiledMechanism, times: Array, operands: Array) -> Iterator[tuple[str, float]]:
    """Forces whose formulas have a kink at or between samples, as those that `jumps_between` finds."""
    for k, t, read in _passed(mechanism, times, operands, _passing(mechanism)):
        if not is_smooth(mechanism.system, k, read, t):
            yield mechanism.lowered.efforts[k].name, t


def _passing(mechanism: CompiledMechanism, most: int = 0) -> Callable[[Expression], Iterator[Node]]:
    """Gives numbers in a formula at whose zeros it may have a kink or a jump. most : points of a table, about, all
    where that is 0."""
    pieces = {table.name: [float(row[0]) for row in table.pieces[1:]] for table in mechanism.lowered.tables}
    pieces = {name: some[:: 1 + len(some) // most] if most else some for name, some in pieces.items()}

    def passing(f: Expression) -> Iterator[Node]:
        return (one for node in nodes_of(f.root) for one in passing_zero(node, pieces.__getitem__))

    return passing


def _passed(
    mechanism: CompiledMechanism, times: Array, operands: Array, passing: Callable[[Expression], Iterator[Node]]
) -> Iterator[tuple[int, float, Array]]:
    """Where numbers in formulas of the state pass zero: which formula, time and operands there.

    passing : these numbers, of a formula."""
    places = OperandPlaces(mechanism.lowered)
    for k, effort in enumerate(mechanism.lowered.efforts):
        for node in passing(effort.f):
            programs = build_programs([Expression(node)], places)
            for t, read in _zeros(programs, mechanism.system.curves, times, operands):
                yield k, t, read


def _choices(f: Expression) -> Iterator[Node]:
    return (node for node in nodes_of(f.root) if node.name in CHOOSES and node.constant is None)


def _zeros(programs: Any, curves: Any, times: Array, operands: Array) -> Iterator[tuple[float, Array]]:
    """Times and operands, between samples of both, at which a number that they tell is or passes zero."""
    stack = np.zeros((int(programs.depth[0]) + 1, 3))

    def sample(k: int, share: float) -> tuple[float, Array]:
        after = min(k + 1, len(times) - 1)
        return (
            float((1.0 - share) * times[k] + share * times[after]),
            (1.0 - share) * operands[k] + share * operands[after],
        )

    def value(k: int, share: float) -> float:
        t, read = sample(k, share)
        return float(evaluate_state_program(programs, curves, 0, t, read, -1, stack)[0])

    with np.errstate(all="ignore"):
        signs = np.sign([value(k, 0.0) for k in range(len(times))])
        yield from (sample(int(k), 0.0) for k in np.flatnonzero(signs == 0.0))
        for k in map(int, np.flatnonzero(signs[:-1] * signs[1:] < 0.0)):
            low, high = 0.0, 1.0
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if np.sign(value(k, middle)) == signs[k] else (low, middle)
            yield sample(k, high)


def _breaks(system: Any, k: int, operands: Array, t: float, which: slice) -> bool:
    """Whether the value or slopes (`which` of them) differ from one side of an operand to the other, however close."""
    stack = np.zeros((int(system.programs.depth[0]) + 1, 3))
    first = system.efforts.first[k]
    reads = [int(use) for use in system.uses[first : first + system.efforts.reads[k]]]
    for use in (one for one in reads if one < 2 * len(system.quantities.kind)):
        size = BESIDE * max(1.0, abs(float(operands[use])))
        far, near = (_sides(system, k, t, operands, use, reads, stack, h)[:, which] for h in (size, size / CLOSER))
        # without a value on one side: said where the formula is evaluated
        if np.all(np.isfinite(far)) and np.all(np.isfinite(near)) and _jumps(far, near):
            return True
    return False


def _jumps(far: Array, near: Array) -> bool:
    """Whether what stands on two sides (2, n), far and near, differs however close they are."""
    jump, closer = np.abs(far[0] - far[1]), np.abs(near[0] - near[1])
    scale = LEAST * np.maximum(1.0, np.abs(far).max(axis=0))
    return bool(np.any((jump > scale) & (closer > 0.5 * jump)))


def _sides(system: Any, k: int, t: float, operands: Array, use: int, reads: list[int], stack: Array, h: float) -> Array:
    """(2, 1 + reads): value and slopes by all operands, h above and below one of them."""
    out = np.zeros((2, 1 + len(reads)))
    for side, sign in enumerate((1.0, -1.0)):
        moved = operands.copy()
        moved[use] += sign * h
        with np.errstate(all="ignore"):
            found = [effort_now(system, k, t, moved, seed, stack) for seed in reads]
        out[side] = [found[0][0], *(slope for _, slope in found)]
    return out


def need_smooth_couplings(mechanism: CompiledMechanism) -> None:
    """Raise UsageError where the table of a coupling has a kink at the state, by name.

    Small motions take two derivatives of its curve, and the third where it moves: a cubic table has none at its points.
    """
    couplings, q, at = mechanism.couplings, mechanism.system.quantities, mechanism
    angles = angles_at_start(mechanism)
    first = len(angles) - len(q.kind)
    for k, (begin, terms) in enumerate(couplings.about[:, [FIRST, TERMS]]):
        for m in range(begin, begin + terms):
            if couplings.term_about[m, CURVE] < 0:
                continue
            n = couplings.term_about[m, QUANTITY]
            here = float(value_of(q.kind[n], q, n, at.r, at.A, angles[first + n]))
            rate = float(times(parts_of(q.kind[n], q, n, at.r, at.A), velocities(q, n, at.v, at.w)))
            size, most = BESIDE * max(1.0, abs(here)), 3 if abs(rate) > LEAST else 2
            far, near = (_bends(mechanism, m, here, h)[:, :most] for h in (size, size / CLOSER))
            if _jumps(far, near):
                raise UsageError(
                    f"the table of coupling '{mechanism.lowered.couplings[k].name}' has a point at this state, at "
                    f"{here:.6g}: its {'third' if most == 3 else 'second'} derivative jumps there, which small motions "
                    "need, and there is no linear model.",
                    element=f"mechanism {mechanism.lowered.name!r}",
                    remedy="Take a state beside it, or a table without a point there.",
                )


def _bends(mechanism: CompiledMechanism, m: int, here: float, h: float) -> Array:
    """(2, 3): three derivatives of term m, h above and below a value; the third by a complex step."""
    out = np.zeros((2, 3))
    for side, x in enumerate((here + h, here - h)):
        _, slope, bend = law(mechanism.system, mechanism.couplings, m, complex(x, STEP))
        out[side] = slope.real, bend.real, bend.imag / STEP
    return out
