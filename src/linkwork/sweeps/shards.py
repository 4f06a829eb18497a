"""A shard of a sweep: some consecutive runs, computed by one worker. What a run gives depends on its numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.header import Array
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.variants import variant
from linkwork.quantities.formulas import ENDINGS
from linkwork.quantities.joints import Coordinate, coordinates_between
from linkwork.quantities.model import ran_with
from linkwork.quantities.of_results import OfResult, of_curve, of_variables
from linkwork.result import Result
from linkwork.run.later import LaterResult
from linkwork.status import Status
from linkwork.sweeps.batch import Batch, new_room, run_batch
from linkwork.sweeps.columns import body_numbers, is_derived, is_force, joint_of
from linkwork.sweeps.derived import Curves, Variables
from linkwork.sweeps.task import IN_LANES, Task, Work
from linkwork.verdict import ORDER

Made = Callable[[], Result]  # when it is asked for
Words = tuple[int, dict[int, tuple[str, ...]]]  # number of a shard's first run, and messages of judged ones, by number
PART_BYTES = 5e5  # of samples that quantities are worked out of at once: they stay in the processor's cache
BATCH_BYTES, ON_DEVICE = 8e6, 1e9  # of samples that a batch holds; that one on a device holds
FAILED = -1  # a run that an error ended, whatever its status


@dataclass(frozen=True)
class Shard:
    """What came of consecutive runs. arrays : name -> (n, ...). status (n,) : 0 or what failed. errors : by run. said :
    messages of judged runs, by run."""

    first: int
    arrays: Mapping[str, Array]
    time: Array
    status: NDArray[np.int64]
    errors: Mapping[int, str]
    said: Mapping[int, tuple[str, ...]]


class Recorded:
    """One run. quantities : of it, found when they are asked for; judged : makes the run once more, as a result that is
    judged."""

    def __init__(self, quantities: Callable[[], OfResult], judged: Made) -> None:
        self._quantities, self._judged = quantities, judged

    @cached_property
    def quantities(self) -> OfResult:
        """Quantities of the run."""
        return self._quantities()

    @cached_property
    def result(self) -> Result:
        """The run as a result, which is judged when that is asked of it."""
        return self._judged()


class Several:
    """The samples of several runs as formulas ask for them, in the order of the runs.

    motion (runs, nt, m) : those of the bodies' numbers that are asked for. one : makes the k-th run by itself.
    lowered : in which joints stand. derived, forces : variables, and curves of a force element, of a part of the runs;
    None where each has to be asked.
    """

    def __init__(
        self,
        work: Work,
        time: Array,
        motion: Array,
        one: Callable[[int], Recorded],
        lowered: Callable[[], Lowered] | None = None,
        derived: Callable[[slice], Variables] = lambda part: None,
        forces: Callable[[str, slice], Curves] = lambda name, part: None,
    ) -> None:
        self.work, self.time, self.motion, self._one, self._derived = work, time, motion, one, derived
        self._lowered, self._forces = lowered, forces
        self._made: dict[int, Recorded] = {}
        self._elements: dict[str, list[Curves]] = {}
        self._joints: dict[str, list[dict[str, Coordinate]]] = {}
        step = max(1, int(PART_BYTES / max(motion[:1].nbytes, 1)))
        self._parts = [slice(k, k + step) for k in range(0, len(motion), step)]

    def run(self, k: int) -> Recorded:
        """One of them."""
        if k not in self._made:
            self._made[k] = self._one(k)
        return self._made[k]

    def quantity(self, path: tuple[str, ...]) -> Array:
        """A quantity over time, of all runs."""
        lowered = self.work.lowered
        place = body_numbers(lowered, path)
        if place is not None:
            body, low, high = place
            found = self.work.columns.of(self.motion, body, low, high)
            return found[..., 0] if len(path) == 3 else found
        if not is_derived(lowered, path):
            return self._coordinate(*path)
        if is_force(lowered, path):
            curve = self._curve(path[0], path[1])
            if curve is not None:
                return of_curve(curve, path)
        elif self._variables is not None:
            return of_variables(lowered, path, self._variables)
        return np.stack([self.run(k).quantities.curve(path) for k in range(len(self.motion))])

    @cached_property
    def _variables(self) -> Variables:
        found: dict[str, list[Array]] = {}
        for part in self._parts:
            derived = self._derived(part)
            if derived is None:
                return None
            for name, values in derived.items():
                found.setdefault(name, []).append(values)
        return {name: np.concatenate(values) for name, values in found.items()}

    def _curve(self, name: str, curve: str) -> Array | None:
        """Of a force element, of all runs; None where each has to be asked."""
        if name not in self._elements:
            self._elements[name] = [self._forces(name, part) for part in self._parts]
        found = [part[curve]() for part in self._elements[name] if part is not None]
        return np.concatenate(found) if len(found) == len(self._parts) else None

    def _coordinate(self, name: str, curve: str) -> Array:
        if name not in self._joints:
            self._joints[name] = [self._coordinates(name, part) for part in self._parts]
        coordinate = next(one for one in self._joints[name][0] if curve.removeprefix(one) in ENDINGS)
        which = ENDINGS.index(curve.removeprefix(coordinate))
        return np.concatenate([part[coordinate].parts[which]() for part in self._joints[name]])

    def _coordinates(self, name: str, part: slice) -> dict[str, Coordinate]:
        joint = joint_of(self.work.lowered if self._lowered is None else self._lowered(), name)
        one, other = (self.work.columns.moving(self.motion[part], body) for body in (joint.body_i, joint.body_j))
        return coordinates_between(one, other, self.time, joint)


def compute(task: Task, first: int, values: Array) -> Shard:
    """The runs with these numbers, (n, names); the first is number `first` of the plan. Other threads run beside their
    compiled code."""
    work, n = task.work, len(values)
    arrays = {
        one.name: np.full((n, *((work.samples,) if one.over_time else ()), *one.shape), np.nan) for one in work.kept
    }
    if task.judge:
        arrays["judgement"] = np.full(n, np.nan)
    if task.lanes:
        arrays[IN_LANES] = np.zeros(n)
    time = np.full(work.samples, np.nan)
    status, errors, said = np.zeros(n, dtype=np.int64), dict[int, str](), dict[int, tuple[str, ...]]()
    todo = np.arange(n)
    if work.plain is not None:  # those that are judged are run as results, once; in lanes again, as they may differ
        judged = np.zeros(n, dtype=bool) if task.lanes or not task.judge else (first + todo) % task.judge == 0
        left = _in_batches(work, values, arrays, time, (first, said), todo[~judged])
        todo = np.sort(np.concatenate([todo[judged], left]))
    for k in todo.tolist():
        given = dict(zip(task.names, values[k].tolist(), strict=True))
        try:
            several = alone(work, given)
            _keep(work, several, arrays, [k], (first, said))
            time[:] = several.time
        except LinkworkError as error:
            status[k] = getattr(getattr(error, "result", None), "status", FAILED)
            errors[first + k] = str(error)
    return Shard(first, arrays, time, status, errors, dict(sorted(said.items())))


def _in_batches(
    work: Work, values: Array, arrays: Mapping[str, Array], time: Array, shard: Words, which: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Of these runs those whose numbers are plain, as instances of one; which have to be done alone."""
    assert work.plain is not None
    rows, good = work.plain.rows(values[which])
    plain, alone_ones = np.flatnonzero(good), [which[~good]]
    held, columns, rows_kept = work.batches.borrow(), work.columns.which, work.rows_kept
    most = ON_DEVICE if work.task.gpu else BATCH_BYTES
    size = max(1, int(most / (8.0 * held.run.samples * max(len(columns) + rows_kept, 1))))
    room, units = new_room(held, min(size, max(len(plain), 1)), columns, rows_kept), held.run.total
    for start in range(0, len(plain), size):
        part = plain[start : start + size]
        batch = Batch(work.plain.spots, rows[part], units)
        where = run_batch(held, batch, room, lanes=work.lanes, gpu=work.lanes and work.task.gpu)
        well = room.status[: len(part)] == Status.OK
        alone_ones.append(which[part[~well]])
        if not well.any():
            continue
        part, these = part[well], which[part[well]]
        motion, multiplier = room.motion[: len(well)], room.multiplier[: len(well)]
        if not well.all():
            motion, multiplier = motion[well], multiplier[well]
        if IN_LANES in arrays:
            arrays[IN_LANES][these] = where[well]
        time[:] = room.time if work.time is None else work.time
        one = partial(_one_of, work, values[these], room.time, motion, multiplier)
        derived = partial(_variables_of, work, rows[part], room.time, motion, multiplier)
        forces = partial(_curves_of, work, rows[part], room.time, motion)
        _keep(work, Several(work, room.time, motion, one, None, derived, forces), arrays, these.tolist(), shard)
    work.batches.hand_back(held)
    return np.concatenate(alone_ones)


def _one_of(work: Work, values: Array, time: Array, motion: Array, multiplier: Array, k: int) -> Recorded:
    """The k-th of some runs, with its numbers (n, names), motion (n, nt, m) and multipliers (n, nt, rows)."""
    given = dict(zip(work.numbers, values[k].tolist(), strict=True))
    judged = partial(work.model.run, work.task.t_end, work.task.step, parameters=given)
    return Recorded(partial(work.deriving.quantities, given, time, motion[k], multiplier[k]), judged)


def _variables_of(work: Work, rows: Array, time: Array, motion: Array, multiplier: Array, part: slice) -> Variables:
    return work.deriving.several(work.derived, rows[part], time, motion[part], multiplier[part])


def _curves_of(work: Work, rows: Array, time: Array, motion: Array, name: str, part: slice) -> Curves:
    return work.deriving.curves(name, rows[part], time, motion[part])


def alone(work: Work, given: Mapping[str, float]) -> Several:
    """One run by itself, whatever it meets on its way."""
    task = work.task
    numbers = {name: given[name] for name in work.numbers}
    state: dict[str, Any] = {}
    for name in work.coordinates:
        joint, rate = name.removesuffix("_rate"), name.endswith("_rate")
        value, *rates = state.get(joint, (None,))
        state[joint] = (value, given[name]) if rate else (given[name], *rates)
    result = work.model.run(task.t_end, task.step, parameters=numbers, state=state or None)
    if not isinstance(result, LaterResult) and not result.completed:
        raise LinkworkError(result.message)
    plain = work.span.plain(work.numbers) if numbers else None
    lowered = None if not numbers or (plain is not None and plain.rows_stay) else partial(_lowered, work, numbers)
    flat = result.lowered if isinstance(result, LaterResult) else None
    if flat is not None:  # nothing is lowered again
        lowered = partial(_as_it_is, flat)
        ran_with(result, work.model.mechanism, flat)
    parts = [result[name] for name in ("position", "rotation", "velocity", "angular_velocity", "acceleration")]
    parts.append(result["angular_acceleration"])
    nt, nb = parts[0].shape[:2]
    motion = np.concatenate([part.reshape(nt, nb, -1) for part in parts], axis=2).reshape(nt, -1)
    one = Recorded(partial(OfResult, result), lambda: result)
    return Several(work, result.time, motion[None, :, work.columns.which], lambda _: one, lowered)


def _as_it_is(lowered: Lowered) -> Lowered:
    return lowered


def _lowered(work: Work, numbers: Mapping[str, float]) -> Lowered:
    return variant(work.model.mechanism, numbers).lower()


def _keep(work: Work, several: Several, arrays: Mapping[str, Array], rows: list[int], shard: Words) -> None:
    """Write what is kept of runs into these rows, and what judged ones say."""
    first, said = shard
    for one in work.kept:
        arrays[one.name][rows] = one.of(several, len(rows))
    if work.task.judge:
        for j, k in enumerate(rows):
            if (first + k) % work.task.judge == 0:
                result = several.run(j).result
                arrays["judgement"][k] = ORDER.index(result.judgement)
                if result.messages:
                    said[first + k] = tuple(result.messages)
