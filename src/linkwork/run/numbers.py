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
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.expressions.tree import NodeError
from linkwork.mechanism.naming import NamedValues
from linkwork.mechanism.parameters import value_of, values_of
from linkwork.run.held import Held
from linkwork.run.worked import Values, Worked
from linkwork.status import Status

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
TRIALS = (1.0857362047581296, 0.9186650126139152, 1.2094757077012089)  # times the number itself
FROM_ZERO = (0.3719370943, 0.7213940512, 0.1893478205)  # where it is zero
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
FEW = 3  # units that trials run
LARGEST = 1e100  # beyond it descriptions are refused
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class Spot(NamedTuple):
    """A number in a placed run: which array, and where in it."""

    array: str
    at: int


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
        within: Flags = np.all((np.abs(found) < LARGEST) & kept, axis=1)
        return within

    def row(self, given: Mapping[str, float]) -> Array | None:
        """What the spots hold with these numbers; None where they are not plain."""
        found, good = self.rows(np.array([[given[name] for name in self.names]]))
        return found[0] if good[0] else None

    def write(self, held: Held, given: Mapping[str, float]) -> bool:
        """Write these numbers into a placed run. False where they are not plain."""
        if not isinstance(self.values, Worked):
            row = self.row(given)
            if row is None:
                return False
            for spot, value in zip(self.spots, row.tolist(), strict=True):
                held.arrays[spot.array].flat[spot.at] = value
            return True
        copies = self.values.copies
        found, good = self.values.values(np.array([[given[name] for name in self.names]]))
        good &= self._within(found, self.described[copies], self.signs[copies])
        return bool(good[0]) and self.values.write(held, found[0].tolist()) and self._holds(given)


def plain_numbers(
    mech: Mechanism, names: Sequence[str], held: Held, other: Callable[[Mapping[str, float]], Held]
) -> Plain | None:
    """Where these numbers go in a held run, None if they are not plain.

    other : the held run with other numbers; raises LinkworkError where there is none.
    """
    base = {name: described_number(mech, name) for name in names}
    if any(value is None for value in base.values()):
        return None
    formulas = dict(_formulas(mech, names))
    trials, helds = [{name: float(value or 0.0) for name, value in base.items()}], [held]
    for trial in _trials(trials[0]):
        try:
            helds.append(other(trial))
        except LinkworkError:
            return None
        trials.append(trial)
    spots = _differing(helds)
    if spots is None:
        return None
    of_bodies = any(spot.array.endswith(".body") for spot in spots)
    if of_bodies:
        for trial in _extremes(mech, trials[0]):
            try:
                helds.append(other(trial))
            except LinkworkError:
                if any(spot.array.endswith(".body") and spot.at % BODY == 0 for spot in spots):
                    return None
                continue  # no inertia is the largest or the least of all to anything
            trials.append(trial)
        spots = _differing(helds)
        if spots is None:
            return None
    known = [_evaluated(mech, formulas, trial) for trial in trials]
    chosen: dict[int, str] = {}
    for k, spot in enumerate(spots):
        seen = [_at(one, spot) for one in helds]
        fitting = (name for name in formulas if all(_same(k.get(name), x) for k, x in zip(known, seen, strict=True)))
        if (name := next(fitting, None)) is not None:
            chosen[k] = name
    described = np.array([_at(held, spot) for spot in spots])
    any_sign = [k not in chosen or spot.array in SIGNED for k, spot in enumerate(spots)]
    signs = np.where(any_sign, 0.0, np.copysign(1.0, described))
    wanted, names_of = {name: formulas[name] for name in chosen.values()}, list(chosen.values())
    values = (
        _by_formula(mech, names, names_of, wanted)
        if _others_follow(mech, names, wanted)
        else _as_given(mech, names, names_of)
    )
    if len(chosen) < len(spots) or (of_bodies and held.run.problem.renew is not None):
        values = Worked(helds[1], spots, list(chosen), values)
    rows_stay = all(_same_rows(one, held) for one in helds)
    made = Plain(tuple(names), tuple(spots), values, described, signs, rows_stay)
    wanted_rows = [np.array([_at(one, spot) for spot in spots]) for one in helds]
    for trial, row in zip(trials, wanted_rows, strict=True):
        found = made.row(trial)
        if found is None or found.tobytes() != row.tobytes():
            return None
    last = len(TRIALS)
    return made if _runs_alike(held, made.spots, wanted_rows[last], helds[last]) else None


def trials(mech: Mechanism, names: Sequence[str]) -> Iterator[dict[str, float]]:
    """Other numbers of these names, a few; none where something is no number."""
    base = {name: described_number(mech, name) for name in names}
    if names and None not in base.values():
        yield from _trials({name: float(value or 0.0) for name, value in base.items()})


def _trials(base: Mapping[str, float]) -> Iterator[dict[str, float]]:
    """Other numbers, a few."""
    for k in range(len(TRIALS)):
        yield {
            name: value * TRIALS[(k + j) % 3] if value else FROM_ZERO[(k + j) % 3] * (1 + j)
            for j, (name, value) in enumerate(base.items())
        }


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


def _others_follow(mech: Mechanism, names: Sequence[str], wanted: Mapping[str, str | None]) -> bool:
    """Whether anything besides these numbers follows from them: formulas that are wanted, other parameters."""
    texts = (one.value for name, one in mech.parameters.items() if name not in names)
    return any(text is not None for text in wanted.values()) or any(
        not set(names).isdisjoint(WORD.findall(text)) for text in texts if isinstance(text, str)
    )


def _by_formula(
    mech: Mechanism, names: Sequence[str], chosen: Sequence[str], wanted: Mapping[str, str | None]
) -> Values:
    """Row by row, with all formulas."""

    def values(given: Array) -> tuple[Array, Flags]:
        found, good = np.zeros((len(given), len(chosen))), np.zeros(len(given), dtype=bool)
        for k, row in enumerate(given.tolist()):
            one = _evaluated(mech, wanted, dict(zip(names, row, strict=True)))
            good[k] = one.keys() >= wanted.keys()
            if good[k]:
                found[k] = [one[name] for name in chosen]
        return found, good

    return values


def _as_given(mech: Mechanism, names: Sequence[str], chosen: Sequence[str]) -> Values:
    """What stands in each spot is one of the numbers themselves, and nothing else depends on them."""
    columns = [names.index(name) for name in chosen]
    bounds = [mech.parameters.get(name) for name in names]
    least = np.array([-math.inf if one is None or one.min is None else one.min for one in bounds])
    most = np.array([math.inf if one is None or one.max is None else one.max for one in bounds])

    def values(given: Array) -> tuple[Array, Flags]:
        return given[:, columns], ~np.any((given < least) | (given > most), axis=1)

    return values


def _same_rows(one: Held, other: Held) -> bool:
    """Whether their constraint rows are the same, and poses and velocities of all bodies."""
    a, b = (run.problem.mechanism for run in (one.run, other.run))
    pairs = [(getattr(a, name), getattr(b, name)) for name in ("r", "A", "v", "w")]
    pairs += [(one.placed.arrays[name], other.placed.arrays[name]) for name in ROWS]
    return all(np.array_equal(x, y) for x, y in (*pairs, *zip(a.couplings, b.couplings, strict=True)))


def _at(held: Held, spot: Spot) -> float:
    return float(held.placed.arrays[spot.array].reshape(-1)[spot.at])


def _same(a: float | None, b: float) -> bool:
    return a is not None and a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def described_number(mech: Mechanism, name: str) -> float | None:
    """The number as it is described."""
    if name in mech.parameters:
        return mech.parameter_values[name]
    if name in mech.inputs:
        return float(mech.inputs[name].default)
    from linkwork.mechanism.variants import place_of

    place = place_of(mech, name)
    if place is None:
        return None
    at: Any = getattr(mech, str(place.keys[0]))[int(place.keys[1])]
    key: Any
    for key in place.keys[2:]:
        try:
            at = at[key] if isinstance(at, tuple | list) else getattr(at, str(key))
        except (AttributeError, IndexError, TypeError):
            return None
    return float(at) if isinstance(at, float | int) else None


def _formulas(mech: Mechanism, names: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Formulas of parameters that the description has, and the numbers themselves (None)."""
    yield from ((name, None) for name in names)
    if mech.parameters:
        yield from ((name, name) for name in mech.parameters if name not in names)
        for text in _texts({key: value for key, value in mech.to_dict().items() if key != "parameters"}):
            if text not in names and not set(WORD.findall(text)).isdisjoint(mech.parameters):
                yield (text, text)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value)


def _evaluated(mech: Mechanism, formulas: Mapping[str, str | None], given: Mapping[str, float]) -> dict[str, float]:
    """What these formulas come to; those that are none, and values beyond a parameter's bounds, are left out."""
    found = {name: given[name] for name, text in formulas.items() if text is None and name in given}
    wanted = {name: value for name, value in given.items() if name in mech.parameters}
    if not mech.parameters:
        return found
    if wanted:
        changed = {
            name: one.model_copy(update={"value": wanted[name]}) if name in wanted else one
            for name, one in mech.parameters.items()
        }
        values, errors = values_of(changed)
        if errors:
            return {}
    else:
        values = mech.parameter_values
    scope = NamedValues(values)
    for name, text in formulas.items():
        if text is not None:
            try:
                found[name] = values[text] if text in values else value_of(text, scope)
            except (NodeError, LinkworkError):
                continue
    return found


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
