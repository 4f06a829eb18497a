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
from linkwork.problems.entry import unlocked
from linkwork.quantities.formulas import ENDINGS
from linkwork.quantities.joints import coordinates_between
from linkwork.quantities.model import Motion, ran_with
from linkwork.quantities.of_results import OfResult
from linkwork.result import Result
from linkwork.run.later import LaterResult
from linkwork.status import Status
from linkwork.sweeps.batch import Batch, new_room, run_batch
from linkwork.sweeps.columns import body_numbers, is_derived, joint_of
from linkwork.sweeps.task import IN_LANES, Task, Work
from linkwork.verdict import ORDER

Made = Callable[[], Result]  # when it is asked for
BATCH_BYTES, ON_DEVICE = 8e6, 1e9  # of samples that a batch holds; that one on a device holds
FAILED = -1  # a run that an error ended, whatever its status


@dataclass(frozen=True)
class Shard:
    """What came of consecutive runs. arrays : name -> (n, ...). status (n,) : 0 or what failed. errors : by run."""

    first: int
    arrays: Mapping[str, Array]
    time: Array
    status: NDArray[np.int64]
    errors: Mapping[int, str]


class Recorded:
    """The samples of one run. motion (nt, m) : those of its bodies' numbers that are asked for.

    result : derives energies, violations and reactions. judged : makes the run once more, as a result that is judged.
    lowered : the mechanism with the run's numbers, where these move joints.
    """

    def __init__(
        self,
        work: Work,
        time: Array,
        motion: Array,
        result: Made,
        judged: Made,
        lowered: Callable[[], Lowered] | None = None,
    ) -> None:
        self.work, self.time, self.motion, self._result, self._judged = work, time, motion, result, judged
        self._lowered = lowered
        self._joints: dict[str, Any] = {}

    @cached_property
    def lowered(self) -> Lowered:
        """The mechanism that coordinates of joints are measured in."""
        return self.work.lowered if self._lowered is None else self._lowered()

    @cached_property
    def result(self) -> Result:
        """What energies, violations and reactions are derived by, made when it is asked for."""
        return self._result()

    @cached_property
    def of_result(self) -> OfResult:
        """Quantities of the result."""
        return OfResult(self.result)

    @property
    def judgement(self) -> str:
        """Of the run, which is judged when this is asked for."""
        return self._judged().judgement

    def quantity(self, path: tuple[str, ...]) -> Array:
        """A quantity over time that is not one of bodies: (nt,) or (nt, 3)."""
        if is_derived(self.work.lowered, path):
            return self.of_result.curve(path)
        return self._coordinate(*path)

    def _coordinate(self, name: str, curve: str) -> Array:
        if name not in self._joints:
            joint = joint_of(self.lowered, name)
            one, other = self._motion(joint.body_i), self._motion(joint.body_j)
            self._joints[name] = coordinates_between(one, other, self.time, joint)
        coordinate = next(one for one in self._joints[name] if curve.removeprefix(one) in ENDINGS)
        found: Array = self._joints[name][coordinate][1][ENDINGS.index(curve.removeprefix(coordinate))]
        return found

    def _motion(self, body: int) -> Motion:
        if body < 0:
            rest = np.zeros((len(self.time), 3))
            return Motion(rest, np.broadcast_to(np.eye(3), (len(self.time), 3, 3)), rest, rest, rest, rest)
        m = np.ascontiguousarray(self.work.columns.of(self.motion, body))
        A = m[:, 3:12].reshape(-1, 3, 3)
        return Motion(m[:, :3], A, m[:, 12:15], m[:, 15:18], m[:, 18:21], m[:, 21:24])


class Several:
    """The samples of several runs as formulas ask for them, in the order of the runs.

    motion (runs, nt, m) : quantities of bodies are taken from it, of all runs at once. one : makes the k-th run's
    samples, for all other quantities.
    """

    def __init__(self, work: Work, time: Array, motion: Array, one: Callable[[int], Recorded]) -> None:
        self.work, self.time, self.motion, self._one = work, time, motion, one
        self._made: dict[int, Recorded] = {}

    def run(self, k: int) -> Recorded:
        """One of them."""
        if k not in self._made:
            self._made[k] = self._one(k)
        return self._made[k]

    def quantity(self, path: tuple[str, ...]) -> Array:
        """A quantity over time, of all runs."""
        place = body_numbers(self.work.lowered, path)
        if place is not None:
            body, low, high = place
            found = self.work.columns.of(self.motion, body, low, high)
            return found[..., 0] if len(path) == 3 else found
        return np.stack([self.run(k).quantity(path) for k in range(len(self.motion))])


@unlocked()
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
    status, errors = np.zeros(n, dtype=np.int64), dict[int, str]()
    todo = np.arange(n)
    if work.plain is not None:  # those that are judged are run as results, once; in lanes again, as they may differ
        judged = np.zeros(n, dtype=bool) if task.lanes or not task.judge else (first + todo) % task.judge == 0
        left = _in_batches(work, values, arrays, time, first, todo[~judged])
        todo = np.sort(np.concatenate([todo[judged], left]))
    for k in todo.tolist():
        given = dict(zip(task.names, values[k].tolist(), strict=True))
        try:
            recorded = alone(work, given)
            several = Several(work, recorded.time, recorded.motion[None], [recorded].__getitem__)
            _keep(work, several, arrays, [k], first)
            time[:] = recorded.time
        except LinkworkError as error:
            status[k] = getattr(getattr(error, "result", None), "status", FAILED)
            errors[first + k] = str(error)
    return Shard(first, arrays, time, status, errors)


def _in_batches(
    work: Work, values: Array, arrays: Mapping[str, Array], time: Array, first: int, which: NDArray[np.int64]
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
        one = partial(_one_of, work, values[these], rows[part], room.time, motion, multiplier)
        _keep(work, Several(work, room.time, motion, one), arrays, these.tolist(), first)
    work.batches.hand_back(held)
    return np.concatenate(alone_ones)


def _one_of(work: Work, values: Array, rows: Array, time: Array, motion: Array, multiplier: Array, k: int) -> Recorded:
    """The k-th of some runs, with its numbers (n, names) and what they come to (n, spots), motion (n, nt, m) and
    multipliers (n, nt, rows)."""
    given = dict(zip(work.numbers, values[k].tolist(), strict=True))
    judged = partial(work.model.run, work.task.t_end, work.task.step, parameters=given)
    result = partial(work.deriving.result, given, rows[k], time, motion[k], multiplier[k])
    return Recorded(work, time, motion[k], result, judged)


def alone(work: Work, given: Mapping[str, float]) -> Recorded:
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
    if flat is not None:  # nothing is lowered again, and no force element is asked
        lowered = partial(_as_it_is, flat)
        if not work.deriving.forces:
            ran_with(result, work.model.mechanism, flat)
    parts = [result[name] for name in ("position", "rotation", "velocity", "angular_velocity", "acceleration")]
    parts.append(result["angular_acceleration"])
    nt, nb = parts[0].shape[:2]
    motion = np.concatenate([part.reshape(nt, nb, -1) for part in parts], axis=2).reshape(nt, -1)
    return Recorded(work, result.time, motion[:, work.columns.which], lambda: result, lambda: result, lowered)


def _as_it_is(lowered: Lowered) -> Lowered:
    return lowered


def _lowered(work: Work, numbers: Mapping[str, float]) -> Lowered:
    return variant(work.model.mechanism, numbers).lower()


def _keep(work: Work, several: Several, arrays: Mapping[str, Array], rows: list[int], first: int) -> None:
    """Write what is kept of runs into these rows; row 0 is number `first` of the plan."""
    for one in work.kept:
        arrays[one.name][rows] = one.of(several, len(rows))
    if work.task.judge:
        for j, k in enumerate(rows):
            if (first + k) % work.task.judge == 0:
                arrays["judgement"][k] = ORDER.index(several.run(j).judgement)
