"""Times at which drivers, loads and other formulas of a mechanism are not smooth, or change at once beside the span, as
far as time alone tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.kinks import kinks_of, passings_of
from linkwork.mechanism.expressions.of_time import at_one_state, fast_changes
from linkwork.mechanism.expressions.on_arrays import on_arrays
from linkwork.mechanism.expressions.state import nodes_of
from linkwork.mechanism.expressions.tree import Node
from linkwork.mechanism.lowered import Lowered
from linkwork.system.compiled import CompiledMechanism

NEAR = 1e-10  # of the span: two that are one
MOST = 10_000
FEW = 200  # kinks of a formula that are looked at
GAPS = 1e-7, 1e-8  # of the span: how far on either side
LEAST = 1e-6  # of what a formula comes to: a jump


def kink_times(mechanism: CompiledMechanism, begin: float, end: float) -> NDArray[np.float64]:
    """(n,) ascending, between begin and end [s]; the first `MOST` of them. Where a smooth part of a formula changes
    fast beside the span, begin, middle and end of that are among them."""
    knots, found = _knots(mechanism.lowered), list[float]()
    for formula in set(formulas(mechanism)):
        found += kinks_of(formula.root, knots, begin, end)
        found += fast_changes(formula.root, begin, end)
    if not found:
        return np.zeros(0)
    near = NEAR * (end - begin)
    times = np.unique([t for t in found if begin + near < t < end - near])
    kept = np.concatenate([[True], np.diff(times) > near])[: len(times)]
    return np.asarray(times[kept][:MOST])


class Passing(NamedTuple):
    """A number that time alone tells, at whose zeros a formula has a kink. owner : what the formula belongs to."""

    owner: str
    formula: Expression
    number: Node


def passings(lowered: Lowered) -> list[Passing]:
    """Of all formulas, in an order that is the same of all mechanisms that differ by numbers."""
    knots = _knots(lowered)
    every = named_formulas(lowered)
    return [Passing(owner, formula, one) for owner, formula in every for one in passings_of(formula.root, knots)]


def time_jumps(mechanism: CompiledMechanism, begin: float, end: float) -> list[tuple[str, float]]:
    """Formulas whose values jump where time alone tells it, between begin and end [s], in turn: what each belongs to,
    and when; of each the first `FEW`."""
    lowered = mechanism.lowered
    knots, tables, found = _knots(lowered), _tables(lowered), list[tuple[str, float]]()
    for owner, formula in dict.fromkeys(named_formulas(lowered)):
        kinks = sorted(kinks_of(formula.root, knots, begin, end))[:FEW]
        told = at_one_state(formula.root) if kinks else None
        if told is not None:
            middles = np.array([0.5 * (a + b) for a, b in pairwise([begin, *kinks, end])])
            size = float(np.max(np.abs(on_arrays(told, middles, {}, tables))))
            found += [(owner, t) for t in kinks if _jumps(told, tables, t, end - begin, LEAST * size)]
    return sorted(found, key=lambda one: one[1])


def jumping_with_state(lowered: Lowered) -> str | None:
    """What the first formula belongs to whose value may jump where the state tells it (``sign``, ``if``); None where
    there is none."""
    every = ((owner, one) for owner, one in named_formulas(lowered) if one.needs_state)
    return next((owner for owner, one in every if any(n.name in ("sign", "if") for n in nodes_of(one.root))), None)


def may_jump_at(lowered: Lowered, formula: Expression, t: float, span: float) -> bool:
    """Whether the value of a formula jumps at a time [s], or nobody knows that."""
    told, tables = at_one_state(formula.root), _tables(lowered)
    if told is None:
        return True
    sides = np.array([t - GAPS[0] * span, t + GAPS[0] * span])
    size = float(np.max(np.abs(on_arrays(told, sides, {}, tables))))
    return _jumps(told, tables, t, span, LEAST * size)


def _jumps(told: Node, tables: dict[str, Any], t: float, span: float, least: float) -> bool:
    """Whether what stands on both sides differs by more, however close they are."""
    sides = [t + gap * span * side for gap in GAPS for side in (1.0, -1.0)]
    above, below, closer_above, closer_below = on_arrays(told, np.array(sides), {}, tables) * np.ones(4)
    far, near = abs(above - below), abs(closer_above - closer_below)
    return bool(near > max(0.5 * far, least))


def _tables(lowered: Lowered) -> dict[str, NDArray[np.float64]]:
    return {table.name: np.array(table.pieces) for table in lowered.tables}


def _knots(lowered: Lowered) -> Callable[[str], list[float]]:
    """Where the pieces of a table meet, by its name."""
    return {table.name: [float(row[0]) for row in table.pieces[1:]] for table in lowered.tables}.__getitem__


def formulas(mechanism: CompiledMechanism) -> Iterator[Expression]:
    """All formulas that a run evaluates."""
    return (formula for _, formula in named_formulas(mechanism.lowered))


def named_formulas(lowered: Lowered) -> Iterator[tuple[str, Expression]]:
    """The same, each with the name of what it belongs to."""
    every: list[tuple[str, Any]] = [(f"driver '{row.owner}'", row.f) for row in lowered.rows]
    every += [(f"force '{load.name}'", component) for load in lowered.loads for component in load.components]
    every += [(f"force '{element.name}'", element.actuator) for element in lowered.elements]
    every += [(f"force '{effort.name}'", effort.f) for effort in lowered.efforts]
    every += [(f"coupling '{coupling.name}'", coupling.f) for coupling in lowered.couplings]
    yield from ((name, value) for name, value in every if isinstance(value, Expression))
