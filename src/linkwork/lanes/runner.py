"""Many instances of one run, W at a time; those that leave the others' path once more, each in lanes of its own.

So what an instance comes to does not depend on which others it is run with: a lane that is no stray holds what any lane
would, and a stray is run again with itself in all lanes, which never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.lanes.batch import Batch, why_no_lanes, why_not
from linkwork.lanes.memory import finite_lanes
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.implicit import why_not_newton
from linkwork.lanes.traced.newton_batch import Held, NewtonBatch, Place
from linkwork.lanes.traced.newton_step import FIRST_STEPS
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.selections import RECORDING
from linkwork.status import Status

Floats = NDArray[np.float64]
SAMPLES = 256  # of all lanes that are kept before they are handed out


class Spot(Protocol):
    """An entry of one of the run's arrays: the array's place and the entry's flat index."""

    @property
    def array(self) -> str: ...
    @property
    def at(self) -> int: ...


class Instances(Protocol):
    """Instances of it: values (n, spots) that stand in these spots; and how many steps they take."""

    @property
    def spots(self) -> Sequence[Spot]: ...
    @property
    def values(self) -> Floats: ...
    @property
    def units(self) -> int: ...


class Room(Protocol):
    """Samples, instance by instance: motion (n, samples, m), those of a body's (nb, 24) numbers that are asked for,
    columns (m,); multiplier (n, samples, rows), no rows where they are not asked for; time (samples,); status (n,)."""

    @property
    def time(self) -> Floats: ...
    @property
    def motion(self) -> Floats: ...
    @property
    def columns(self) -> NDArray[np.int64]: ...
    @property
    def multiplier(self) -> Floats: ...
    @property
    def status(self) -> NDArray[np.int64]: ...


_batches: WeakKeyDictionary[Any, Batch | None] = WeakKeyDictionary()
Recorded = TracedBatch | NewtonBatch
A = TypeVar("A")
B = TypeVar("B")
Explicit = Callable[[Any, Sequence[int]], A]  # of a run and the addresses of the numbers that differ
Implicit = Callable[[Held, Sequence[Place]], B]  # of a held run and their places
_recorded: WeakKeyDictionary[Any, dict[Any, Recorded | str]] = WeakKeyDictionary()  # or why there is none
OFF_ITS_PATH = "the run as it is described branches on its way otherwise than at its start"


def batch_of(held: Held) -> Batch | None:
    """The lanes of a held run, made once; None if there are none."""
    if held not in _batches:
        try:
            with RECORDING:
                _batches[held] = None if why_not(held.run) else Batch(held.run)
        except UsageError:
            _batches[held] = None
    return _batches[held]


def why_one_by_one(held: Held, instances: Instances) -> str:
    """Why none of these instances goes in lanes, in words; nothing where some may. An instance that leaves the path of
    the run as it is described goes alone in any case. instances : their spots and units; values are not read."""
    found = recorded_or_why(held, instances)
    if not isinstance(found, str):
        return ""
    compiled = why_not(held.run)
    return found if compiled else ""


def run_lanes(held: Held, instances: Instances, room: Room) -> bool:
    """All instances into `room`; False, and nothing done, if lanes cannot carry them. Any other status than OK is that
    of an instance which has to be run by who can recover it."""
    left = run_recorded(held, instances, room)
    if left is not None and not left:
        return True
    batch = batch_of(held)
    if batch is None:
        return give_up(left, room)
    places = places_of(batch, held, instances.spots)
    if np.any(places < 0):
        return give_up(left, room)
    held.placed.restore(held.run)
    batch.keep(0)
    todo, again = range(len(instances.values)) if left is None else left, list[int]()
    for first in range(0, len(todo), batch.width):
        several = list(todo[first : first + batch.width])
        batch.alter(instances.values[several], places)
        again += run_in_lanes(batch, instances, several, room)
    for one in again:
        batch.alter(instances.values[[one]], places)
        run_in_lanes(batch, instances, [one], room)
    return True


def run_recorded(held: Held, instances: Instances, room: Room) -> list[int] | None:
    """All instances by code that was recorded (`lanes.traced`). Those that branch otherwise; None if it cannot be."""
    batch = recorded_batch(held, instances)
    if batch is None:
        return None
    left: list[int] = []
    for first in range(0, len(instances.values), batch.width):
        several = list(range(first, min(first + batch.width, len(instances.values))))
        batch.alter(instances.values[several])
        left += run_in_lanes(batch, instances, several, room)
    return left


def recorded_batch(held: Held, instances: Instances) -> Recorded | None:
    """The recorded code of a held run for instances that differ in these spots, made once. None if there is none, or
    if the run itself, as it is described, would branch otherwise on its way than at its start: others would, too."""
    found = recorded_or_why(held, instances)
    return None if isinstance(found, str) else found


def recorded_or_why(held: Held, instances: Instances) -> Recorded | str:
    """`recorded_batch`, or why there is none, in words."""
    key = (tuple((spot.array, spot.at) for spot in instances.spots), instances.units)
    known = _recorded.setdefault(held, {})
    if key not in known:
        known[key] = OFF_ITS_PATH
        held.placed.restore(held.run)
        described = np.array([[held.arrays[spot.array].reshape(-1)[spot.at] for spot in instances.spots]])
        try:
            batch = new_recorded(held, instances, TracedBatch, NewtonBatch)
        except NotTracedError as error:
            known[key] = f"steps are not recorded: {error.reason}"
        except UsageError as error:
            known[key] = error.message
        else:
            if batch.keeps_its_path(described, instances.units):
                known[key] = batch
    return known[key]


def new_recorded(held: Held, instances: Instances, explicit: Explicit[A], implicit: Implicit[B]) -> A | B:
    """Recorded code of a run that is placed. explicit, implicit : make it. Raises UsageError for a method that is not
    recorded, NotTracedError."""
    if not isinstance(held.run, ImplicitRun):
        if why := why_no_lanes(held.run):
            raise UsageError(why)
        if any(held.arrays[spot.array].dtype != np.float64 for spot in instances.spots):
            raise NotTracedError("whole numbers that differ")
        return explicit(held.run, [address_of(held.arrays[spot.array], spot.at) for spot in instances.spots])
    if instances.units <= FIRST_STEPS:
        raise UsageError(f"runs of implicit methods of no more than {FIRST_STEPS} steps")
    if why := why_not_newton(held.run):
        raise UsageError(why)
    return implicit(held, [(spot.array, spot.at) for spot in instances.spots])


def address_of(array: Any, at: int) -> int:
    """Where an entry of an array stands, by its flat index."""
    place = zip(np.unravel_index(at, array.shape), array.strides, strict=True)
    return int(array.__array_interface__["data"][0] + sum(int(k) * step for k, step in place))


def give_up(left: list[int] | None, room: Room) -> bool:
    """Instances that recorded code has left go to whoever runs them one by one. Whether any were run at all."""
    if left is None:
        return False
    room.status[left] = int(Status.NEWTON_DIVERGED)
    return True


def places_of(batch: Batch, held: Held, spots: Sequence[Spot]) -> NDArray[np.int64]:
    """Where lanes have these entries, -1 where they have none."""
    found = [batch.places(held.arrays[spot.array], np.array([spot.at])) for spot in spots]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def run_in_lanes(batch: Batch | Recorded, instances: Instances, several: list[int], room: Room) -> list[int]:
    """Instances into lanes, from start to end. Returns those that left the others' path."""
    batch.begin(len(several))
    status, good = batch.find_slopes(), np.ones(len(several), dtype=bool)
    at = 0
    if status == Status.OK:
        at = put(room, several, 0, batch.sample())
    for steps in chunks(instances.units, batch.every, getattr(batch, "samples_at_once", SAMPLES)):
        if status != Status.OK:
            break
        status, block = batch.advance(steps)
        at = put(room, several, at, block)
        if isinstance(batch, Batch):  # of the others these are strays
            good &= finite_lanes(block["motion"])
    room.status[several] = np.where(good, int(status), int(status) or int(Status.NEWTON_DIVERGED))
    return [several[lane] for lane in batch.strays]


def chunks(units: int, every: int, samples: int) -> Iterator[int]:
    """Steps in parts that record so many samples."""
    while units > 0:
        steps = min(units, every * samples)
        yield steps
        units -= steps


def put(room: Room, several: list[int], at: int, block: Mapping[str, Floats]) -> int:
    """Samples of lanes as samples of instances, from sample `at` on. Where the next ones belong."""
    count = len(block["time"])
    if count:
        room.time[at : at + count] = block["time"][:, 0]
        motion = block["motion"]
        chosen = motion.reshape(count, -1, motion.shape[-1])[:, room.columns]
        in_a_row = several[-1] - several[0] + 1 == len(several)
        rows = slice(several[0], several[-1] + 1) if in_a_row else several
        room.motion[rows, at : at + count] = chosen.transpose(2, 0, 1)
        if room.multiplier.shape[-1]:
            room.multiplier[rows, at : at + count] = block["multiplier"].transpose(2, 0, 1)
    return at + count
