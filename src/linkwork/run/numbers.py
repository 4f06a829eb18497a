"""Where the numbers of a description go: so that changing one writes a few numbers and builds nothing.

A number is *plain* where everything that a placed run has of it are copies: of the number itself, or of what a formula
of parameters in the description comes to (a spring's stiffness `2*k`, a mass, an input). Which these are is found by
building the run with other numbers, a few times, and looking at every array: each place that differs must hold, bit by
bit, what one of the formulas comes to. What changes anything else (a length: poses are assembled; an inertia that is
computed from a shape) is not plain, and such a run is built as usual. Numbers keep their sign, where it may decide what
is built: zero is another mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import SMALLEST
from linkwork.mechanism.expressions.kinks import has_kinks
from linkwork.mechanism.expressions.of_time import may_change_fast
from linkwork.run.copied import TRIALS, AsGiven, copies_of, described_number, trials
from linkwork.run.held import Held, Spot
from linkwork.run.worked import Values, Worked
from linkwork.status import Status
from linkwork.system.kinks import formulas

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
EXTREME = (1e6, 1e-6)  # times the number itself: where it becomes the largest of all, or the least
SIGNED = (
    "tables.load",
    "tables.program_args",
    "bare.load",
    "bare.program_args",
    "run.problem.work.operands",
)  # places where any sign will do
ROWS = "tables.row", "tables.row_int", "tables.program_args", "tables.curve"  # what constraints are made of
BODY = 10  # columns of `Tables.body`, the first of them the mass
OF_FORMULAS = ".program_args", ".curve"
FEW = 3  # units that trials run
LARGEST = 1e100  # beyond it descriptions are refused


@dataclass(frozen=True)
class Plain:
    """Plain numbers of a run: every spot that they go to, and what stands there as a function of them.

    rows_stay : whether constraint rows, and where and how bodies start, are the same with any of them. holds : whether
    a run with these numbers, by name, is built as this one is; not asked where that is always so.
    """

    names: tuple[str, ...]
    spots: tuple[Spot, ...]
    values: Values
    described: Array  # (spots,) what stands there without these numbers
    signs: Array  # (spots,) that they must have: of what is described, plus where that is zero; 0 where any will do
    rows_stay: bool = False
    holds: Callable[[Mapping[str, float]], bool] | None = None

    def rows(self, given: Array) -> tuple[Array, Flags]:
        """What the spots hold with each row of numbers (n, names): (n, spots); and whether these rows are plain (n,).
        They are not where a number is beyond bounds, or of another sign."""
        found, good = self.values(given)
        good &= self._within(found, self.described, self.signs)
        for k in np.flatnonzero(good) if self.holds is not None else ():
            good[k] = self._holds(dict(zip(self.names, given[k].tolist(), strict=True)))
        return found, good

    def _holds(self, given: Mapping[str, float]) -> bool:
        return self.holds is None or self.holds(given)

    @staticmethod
    def _within(found: Array, described: Array, signs: Array) -> Flags:
        kept = (signs == 0.0) | (found * signs > 0.0) | (found == described)
        size = np.abs(found)
        some = (size >= SMALLEST) | (size == 0.0) | (found == described)  # what is smaller may be refused
        within: Flags = np.all((size < LARGEST) & some & kept, axis=1)
        return within

    def row(self, given: Mapping[str, float]) -> Array | None:
        """What the spots hold with these numbers; None where they are not plain."""
        found, good = self.rows(np.array([[given[name] for name in self.names]]))
        return found[0] if good[0] else None

    def write(self, held: Held, given: Mapping[str, float]) -> bool:
        """Write these numbers into a placed run. False where they are not plain."""
        worked = self.values if isinstance(self.values, Worked) else None
        values = self.values if worked is None else worked.values
        if isinstance(values, AsGiven):
            numbers = values.of(given)
            if numbers is None or not all(_stays(numbers[k], was, sign) for k, was, sign in self._asked):
                return False
        else:
            found, good = values(np.array([[given[name] for name in self.names]]))
            copies = list(range(len(self.spots))) if worked is None else worked.copies
            if not (good & self._within(found, self.described[copies], self.signs[copies]))[0]:
                return False
            numbers = found[0].tolist()
        if worked is None:
            for (memory, at), value in zip(held.places(self.spots), numbers, strict=True):
                memory[at] = value
        elif not worked.write(held, numbers):
            return False
        return self._holds(given)

    @cached_property
    def _asked(self) -> list[tuple[int, float, float]]:
        """Of numbers as they are given: one that stands in each kind of spots, what is described there, its sign."""
        worked = self.values if isinstance(self.values, Worked) else None
        values = self.values if worked is None else worked.values
        copies = list(range(len(self.spots))) if worked is None else worked.copies
        described, signs = self.described[copies].tolist(), self.signs[copies].tolist()
        chosen = values.chosen if isinstance(values, AsGiven) else ()
        alike = dict(zip(zip(chosen, described, signs, strict=True), range(len(copies)), strict=True))
        return [(k, was, sign) for (_, was, sign), k in alike.items()]


def _stays(number: float, described: float, sign: float) -> bool:
    """`Plain._within` of one number."""
    if number == described:
        return abs(number) < LARGEST
    kept, size = sign == 0.0 or number * sign > 0.0, abs(number)
    return kept and size < LARGEST and (size >= SMALLEST or size == 0.0)


def plain_numbers(
    mech: Mechanism, names: Sequence[str], held: Held, other: Callable[[Mapping[str, float]], Held]
) -> Plain | None:
    """Where these numbers go in a held run, None if they are not plain.

    other : the held run with other numbers; raises LinkworkError where there is none.
    """
    base = {name: described_number(mech, name) for name in names}
    if any(value is None for value in base.values()):
        return None
    told, helds = [{name: float(value or 0.0) for name, value in base.items()}], [held]
    try:
        for trial, one in trials(mech, names, other):
            told.append(trial)
            helds.append(one)
    except LinkworkError:
        return None
    spots = _differing(helds)
    if spots is None or (_moves_kinks(held) and any(spot.array.endswith(OF_FORMULAS) for spot in spots)):
        return None
    of_bodies = any(spot.array.endswith(".body") for spot in spots)
    if of_bodies:
        for trial in _extremes(mech, told[0]):
            try:
                helds.append(other(trial))
            except LinkworkError:
                if any(spot.array.endswith(".body") and spot.at % BODY == 0 for spot in spots):
                    return None
                continue  # no inertia is the largest or the least of all to anything
            told.append(trial)
        spots = _differing(helds)
        if spots is None:
            return None
    chosen, values = copies_of(mech, names, told, [[_at(one, spot) for one in helds] for spot in spots])
    described = np.array([_at(held, spot) for spot in spots])
    any_sign = [k not in chosen or spot.array in SIGNED for k, spot in enumerate(spots)]
    signs = np.where(any_sign, 0.0, np.copysign(1.0, described))
    if len(chosen) < len(spots) or (of_bodies and held.run.problem.renew is not None):
        values = Worked(helds[1], spots, list(chosen), values)
    rows_stay = all(_same_rows(one, held) for one in helds)
    made = Plain(tuple(names), tuple(spots), values, described, signs, rows_stay)
    wanted_rows = [np.array([_at(one, spot) for spot in spots]) for one in helds]
    for trial, row in zip(told, wanted_rows, strict=True):
        found = made.row(trial)
        if found is None or found.tobytes() != row.tobytes():
            return None
    if not _nothing_unseen(mech, made, [name for name in names if name not in chosen.values()], told[0], held, other):
        return None
    last = len(TRIALS)
    return made if _runs_alike(held, made.spots, wanted_rows[last], helds[last]) else None


def _moves_kinks(held: Held) -> bool:
    """Whether steps end where formulas of time have kinks, or change fast, which other numbers of these may move into
    the run, or out of it: trials with numbers beside them need not show that."""
    run = held.run
    roots = () if run.whole_steps else (formula.root for formula in formulas(run.problem.mechanism))
    return any(has_kinks(root) or may_change_fast(root) for root in roots)


def _nothing_unseen(
    mech: Mechanism,
    made: Plain,
    idle: Sequence[str],
    base: Mapping[str, float],
    held: Held,
    other: Callable[[Mapping[str, float]], Held],
) -> bool:
    """Whether numbers that no spot is a copy of do nothing that trials with numbers alike do not show, as the length
    of an axis' vector does: with another sign the axis is another, and of no length it is refused. Where such a number
    stands in an element it is not said to be plain; of parameters, both are tried."""
    for name in idle:
        if name not in mech.parameters:
            return False
        for value in (-base[name], 0.0):
            trial = {**base, name: value}
            row = made.row(trial)
            if row is None:
                continue
            try:
                one = other(trial)
            except LinkworkError:
                return False
            if row.tobytes() != np.array([_at(one, spot) for spot in made.spots]).tobytes():
                return False
            spots = _differing([held, one])
            if spots is None or not set(spots) <= set(made.spots):
                return False
    return True


def _extremes(mech: Mechanism, base: Mapping[str, float]) -> Iterator[dict[str, float]]:
    """One of these numbers far from what it is, within the bounds of parameters."""
    for name, value in base.items():
        bound = mech.parameters.get(name)
        least = -math.inf if bound is None or bound.min is None else bound.min
        most = math.inf if bound is None or bound.max is None else bound.max
        for factor in EXTREME:
            yield {**base, name: min(max((value or 1.0) * factor, least), most)}


def _runs_alike(held: Held, spots: Sequence[Spot], row: Array, other: Held) -> bool:
    """Whether a held run with these numbers in these spots moves as another one that was built with them."""
    found: list[tuple[Any, Mapping[str, Any]]] = []
    for one, values in ((held, row.tolist()), (other, [])):
        one.placed.restore(one.run)
        for spot, value in zip(spots, values, strict=False):
            one.arrays[spot.array].flat[spot.at] = value
        status = one.run.initialise()
        found.append(one.run.advance(min(FEW, one.run.total)) if status == Status.OK else (status, {}))
    (status, block), (expected, wanted) = found
    return status == expected and all(np.array_equal(block[name], wanted[name], equal_nan=True) for name in wanted)


def _same_rows(one: Held, other: Held) -> bool:
    """Whether their constraint rows are the same, and poses and velocities of all bodies."""
    a, b = (run.problem.mechanism for run in (one.run, other.run))
    pairs = [(getattr(a, name), getattr(b, name)) for name in ("r", "A", "v", "w")]
    pairs += [(one.placed.arrays[name], other.placed.arrays[name]) for name in ROWS]
    return all(np.array_equal(x, y) for x, y in (*pairs, *zip(a.couplings, b.couplings, strict=True)))


def _at(held: Held, spot: Spot) -> float:
    return float(held.placed.arrays[spot.array].reshape(-1)[spot.at])


def _differing(helds: Sequence[Held]) -> list[Spot] | None:
    """Every place in which these runs differ; None where they differ in more than floats."""
    first, found = helds[0].placed.arrays, []
    if any(one.placed.arrays.keys() != first.keys() for one in helds[1:]):
        return None
    if any([n for _, n in one.placed.facts] != [n for _, n in helds[0].placed.facts] for one in helds[1:]):
        return None
    lengths = {one.run.problem.mechanism.length for one in helds}
    if len(lengths) > 1 or any(one.placed.remarks != helds[0].placed.remarks for one in helds[1:]):
        return None
    for place in helds[0].placed.owners:
        array = first[place]
        others = [one.placed.arrays[place] for one in helds[1:]]
        if any(one.shape != array.shape or one.dtype != array.dtype for one in others):
            return None
        where: set[int] = set()
        for one in others:
            same = (one == array) | ((one != one) & (array != array)) if array.dtype.kind == "f" else one == array
            where |= set(np.flatnonzero(~same.reshape(-1)).tolist())
        if where and array.dtype.kind != "f":
            return None
        found += [Spot(place, index) for index in sorted(where)]
    return found
