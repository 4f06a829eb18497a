"""What formulas of the state do along a motion, between its samples too: a bump of a road, a stop that is touched.

Steps see a formula at their stages alone. What rises and falls within one acts on nothing, and no error estimate tells
of it. A motion that passed over a bump passes by it nevertheless: along its samples, and between them by what
formulas measure and its rate, the bump is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.sensing import Sensing
from linkwork.judgement.between_steps import Missed
from linkwork.judgement.defects import Defect, StepsAgain, largest_again, largest_defect, rates_of
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.of_time import PLACES, Change, changes_of, may_change_fast_with_state
from linkwork.mechanism.expressions.on_arrays import on_arrays
from linkwork.mechanism.expressions.state import operand_node
from linkwork.mechanism.expressions.tree import Node
from linkwork.mechanism.lowered import LoweredSensor, Operand
from linkwork.result import Result
from linkwork.system import CompiledMechanism
from linkwork.system.kinks import named_formulas
from linkwork.system.operands import operands_of

Array = NDArray[np.float64]
LEAST = 0.1  # of a formula's range: what rises above both sides by less is none
PARTS = 8  # of the places: arrays that stay near the processor
PASSES, HALVINGS = 64, 50  # of zeros that are looked for
MOTION = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
MOST_NUMBERS = 2_000_000  # of samples that are looked at, times bodies


class Excursion(NamedTuple):
    """Where a formula rises above, or falls below, what it is before and after. begin, middle, end : s. size : of its
    range over the motion."""

    owner: str
    formula: Expression
    begin: float
    middle: float
    end: float
    size: float

    @property
    def lasts(self) -> float:
        """s."""
        return self.end - self.begin


class Samples(NamedTuple):
    """What is kept of n of them: s; m/s and rad/s of bodies, and how fast these change; what sensors read, by name."""

    time: Array  # (n,)
    speeds: Array  # (n, 6 nb)
    rates: Array  # (n, 6 nb)
    readings: dict[str, Array]


class AlongMotion:
    """Formulas of the state along one motion, whose samples are told in order of time. takes : which ones."""

    def __init__(
        self, mechanism: CompiledMechanism, takes: Callable[[Node], bool] = may_change_fast_with_state
    ) -> None:
        every = dict.fromkeys(named_formulas(mechanism.lowered))
        self.formulas = [(owner, f) for owner, f in every if takes(f.root)]
        self._numbers, self._length = 0, mechanism.extent
        self._blocks: list[Samples] = []
        if self.formulas:
            self._tables = {table.name: np.array(table.pieces) for table in mechanism.lowered.tables}
            self._operands = list(dict.fromkeys(one for _, f in self.formulas for one in operands_of(f)))
            rates = [one._replace(rate=True) for one in self._operands if one.quantity is not None and not one.rate]
            read = dict.fromkeys((*self._operands, *rates))
            self._names = {one: str(k) for k, one in enumerate(read)}
            sensors = (LoweredSensor(name, "", "", Expression(operand_node(one))) for one, name in self._names.items())
            self._sensing = Sensing(replace(mechanism.lowered, sensors=tuple(sensors)))

    def look(self, block: Mapping[str, Array]) -> None:
        """Samples, `Block` by name."""
        time, motion = block["time"], block["motion"]
        self._numbers += motion.shape[0] * motion.shape[1]
        if not self.formulas or not len(time) or self._numbers > MOST_NUMBERS:
            return
        n, nb = motion.shape[:2]
        r, A, v, w = (np.ascontiguousarray(one) for one in np.split(motion[:, :, :18], (3, 12, 15), axis=2))
        readings = self._sensing.read(time, r, A.reshape(n, nb, 3, 3), v, w, None, None)
        self._blocks.append(Samples(np.array(time), *rates_of(motion), readings))

    def look_at(self, result: Result) -> None:
        """The samples of a result; of many every so many."""
        n, nb = result.time.size, len(result.bodies)
        every = slice(None, None, 1 + n * nb // MOST_NUMBERS)
        motion = [np.reshape(result[one], (n, nb, -1))[every] for one in MOTION]
        self.look({"time": result.time[every], "motion": np.concatenate(motion, axis=2)})

    @property
    def looked(self) -> bool:
        """Whether there are samples: not where no formula can change fast, nor of too many."""
        return bool(self._blocks) and self._numbers <= MOST_NUMBERS

    def defect(self, every: int, again: StepsAgain | None, enough: float) -> Defect | None:
        """The largest, of steps of one size with a sample at every so many. again : takes steps again from a sample,
        where not each is recorded, until a fraction is above `enough`."""
        if not self.looked:
            return None
        time, speeds, rates, _ = self.samples
        if every == 1:
            return largest_defect(time, speeds, rates, self._length)
        return None if again is None else largest_again(time, speeds, rates, self._length, every, again, enough)

    def excursions(self) -> list[Excursion]:
        """All that were found, of all formulas."""
        if not self.looked:
            return []
        time = self.samples.time
        if len(time) < 3 or not time[-1] > time[0]:
            return []
        return [one for owner, f in self.formulas for one in self._of(owner, f)]

    def passed_over(self, steps: int, step: float | None) -> Missed | None:
        """The largest of what steps did not see; None where there is nothing. steps : how many there were. step : their
        size [s] where they have one; others are taken to have passed over what is short beside them, on average, and
        left velocities as they were."""
        every = self.excursions()
        if not every or not steps:
            return None
        time = self.samples.time
        size = step or 0.5 * float(time[-1] - time[0]) / steps
        short = (one for one in every if one.lasts < size)
        if step is None:
            found = [self._missed(one, one.begin, one.end) for one in short if not self.felt(one)]
        else:
            begins = [(one, time[0] + step * np.floor((one.middle - time[0]) / step)) for one in short]
            found = [self._missed(one, begin, min(begin + step, time[-1])) for one, begin in begins]
        return max(found, key=lambda one: one.difference, default=None)

    def _missed(self, one: Excursion, begin: float, end: float) -> Missed:
        before, inside, after = self.at(one.formula, np.array([begin, one.middle, end]))
        beyond = max(inside - max(before, after), min(before, after) - inside)
        return Missed(one.owner, one.middle, float(beyond / one.size), one.lasts)

    def at(self, formula: Expression, times: Array) -> Array:
        """(n,) what one comes to at these times [s], from what it reads at samples and how fast that changes."""
        return np.broadcast_to(on_arrays(formula.root, times, self._read(formula, times), self._tables), times.shape)

    def around(self, formula: Expression, time: float) -> Iterator[dict[Operand, float]]:
        """What a formula reads at a time [s], with rates as they are then, at the sample before and at the one after:
        between these rates may have turned round."""
        at = self.samples.time
        k = int(np.clip(np.searchsorted(at, time, side="right") - 1, 0, len(at) - 2))
        then = self._read(formula, np.array([time]))
        for sides in (then, *(self._read(formula, at[[j]]) for j in (k, k + 1))):
            yield {one: float((sides if one.rate else then)[one][0]) for one in then}

    def _read(self, formula: Expression, times: Array) -> dict[Operand, Array]:
        time, _, _, readings = self.samples
        k = np.clip(np.searchsorted(time, times, side="right") - 1, 0, len(time) - 2)
        h = time[k + 1] - time[k]
        s = (times - time[k]) / h
        operands: dict[Operand, Array] = {}
        for one in operands_of(formula):
            x = readings[self._names[one]]
            found = x[k] + s * (x[k + 1] - x[k])
            if one.quantity is not None and not one.rate:
                rate = readings[self._names[one._replace(rate=True)]]
                across = x[k + 1] - x[k]
                found = found + s * (1.0 - s) * ((1.0 - s) * (h * rate[k] - across) - s * (h * rate[k + 1] - across))
            operands[one] = found
        return operands

    def zeros(self, formula: Expression) -> list[float]:
        """Times [s] at which one passes zero, but for the ends of the motion: some dozens at most."""
        time = self.samples.time
        places = np.linspace(time[0], time[-1], PLACES)
        signs = np.sign(np.concatenate([self.at(formula, part) for part in np.split(places, PARTS)]))
        met = places[1:-1][signs[1:-1] == 0.0][:1]
        (first,) = np.nonzero(signs[1:-2] * signs[2:-1] < 0.0)
        first = first[:PASSES] + 1
        low, high = places[first], places[first + 1]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            before = np.sign(self.at(formula, middle)) == signs[first]
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        return sorted([*met.tolist(), *high.tolist()])

    def felt(self, one: Excursion) -> bool:
        """Whether velocities after it differ from those before by more than accelerations before and after tell, beside
        what they differ by in a time as long before it and after it."""
        time, speeds, rates, _ = self.samples
        first = max(int(np.searchsorted(time, one.begin, side="right")) - 1, 0)
        last = min(int(np.searchsorted(time, one.end)), len(time) - 1)

        def left(i: int, j: int) -> float:
            if i < 0 or j >= len(time) or i >= j:
                return np.inf
            change = speeds[j] - speeds[i] - 0.5 * (time[j] - time[i]) * (rates[i] + rates[j])
            return float(np.max(np.abs(change), initial=0.0))

        span = time[last] - time[first]
        before = int(np.searchsorted(time, time[first] - span, side="right")) - 1
        after = int(np.searchsorted(time, time[last] + span))
        usual = min(left(before, first), left(last, after))
        return left(first, last) > 10.0 * usual + 1e-9 * float(np.max(np.abs(speeds[[first, last]]), initial=0.0))

    @property
    def samples(self) -> Samples:
        """All of them, in one block."""
        if len(self._blocks) > 1:
            self._blocks = [self._joined()]
        (block,) = self._blocks
        return block

    def _joined(self) -> Samples:
        times, speeds, rates, readings = zip(*self._blocks, strict=True)
        every = {name: np.concatenate([one[name] for one in readings]) for name in self._names.values()}
        return Samples(np.concatenate(times), np.concatenate(speeds), np.concatenate(rates), every)

    def _of(self, owner: str, formula: Expression) -> Iterator[Excursion]:
        time = self.samples.time
        places = np.linspace(time[0], time[-1], PLACES)
        values = np.concatenate([self.at(formula, part) for part in np.split(places, PARTS)])
        changes = changes_of(places, values)
        if not changes:
            return
        size = float(np.ptp(values))
        between = [Change(one.begin, 0.5 * (one.end + other.begin), other.end) for one, other in pairwise(changes)]
        for begin, middle, end in sorted((*changes, *between)):
            before, inside, after = self.at(formula, np.array([begin, middle, end]))
            if max(inside - max(before, after), min(before, after) - inside) > LEAST * size:
                yield Excursion(owner, formula, begin, middle, end, size)
