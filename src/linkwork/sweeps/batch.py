"""A batch of instances: the same structure, other numbers. In: what each has instead of the base; out: their samples.

`run_batch` is the one door. Instances are carried out one after the other, other threads computing meanwhile; or, where
that is asked for and possible, several at once in the lanes of vector registers (`linkwork.lanes`). One that leaves the
common path is marked by its status; whoever asked runs it alone, from the beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.attached import attached
from linkwork.run.held import Held, Spot
from linkwork.run.span import initialised
from linkwork.status import Status

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEFT = int(Status.NEWTON_DIVERGED)  # for an instance that has to be done alone, whatever the reason


class Batch(NamedTuple):
    """n instances. spots : p places in the arrays of a held run; values (n, p) : what instances have there.

    units : of progress to go, steps of one size or samples.
    """

    spots: tuple[Spot, ...]
    values: Floats
    units: int


class Room(NamedTuple):
    """Where the samples of n instances go, ns of each. status : of each, OK where all is there and finite.

    columns (m,) : which numbers of the bodies' motion (nb, 24) are kept, in order. multiplier : of all rows, or, where
    nobody asks for them, without any.
    """

    time: Floats  # (ns,)
    motion: Floats  # (n, ns, m)
    status: Ints  # (n,)
    columns: Ints
    multiplier: Floats  # (n, ns, nc or 0)


def new_room(held: Held, instances: int, columns: Ints, rows: int = 0) -> Room:
    """Room for so many instances of a held run. rows : of which multipliers are kept, all or none."""
    ns = held.run.samples
    motion, multiplier = np.zeros((instances, ns, len(columns))), np.zeros((instances, ns, rows))
    return Room(np.zeros(ns), motion, np.zeros(instances, dtype=np.int64), columns, multiplier)


def one_by_one(held: Held, batch: Batch, room: Room) -> bool:
    """Each instance alone, by the integrator's own compiled loop."""
    run, arrays = held.run, [held.arrays[spot.array].flat for spot in batch.spots]
    for k, row in enumerate(batch.values):
        held.placed.restore(run)
        for array, spot, value in zip(arrays, batch.spots, row, strict=True):
            array[spot.at] = value
        room.status[k] = _carried_out(held, batch.units, room, k) if initialised(held) else LEFT
    return True


def _carried_out(held: Held, units: int, room: Room, k: int) -> int:
    run, n = held.run, 0
    block: Any = run.first()
    while True:
        count = len(block["time"])
        room.time[n : n + count] = block["time"]
        motion = block["motion"].reshape(count, -1)
        room.motion[k, n : n + count] = motion[:, room.columns]
        if room.multiplier.shape[-1]:
            room.multiplier[k, n : n + count] = block["multiplier"]
        if not np.isfinite(motion).all():
            return LEFT
        n += count
        if run.done >= units:
            return int(Status.OK) if n == len(room.time) else LEFT
        status, block = run.advance(units - run.done)
        if status != Status.OK:
            return int(status)


RUNNERS: list[Callable[[Held, Batch, Room], bool]] = [one_by_one]


def run_batch(held: Held, batch: Batch, room: Room, *, lanes: bool = False, gpu: bool = False) -> Ints:
    """Run all instances, by the first runner that can. lanes : several at once, if possible; gpu : on a device, if
    possible, else in lanes. Where each went: 0 alone, 1 in lanes, 2 on the device."""
    n = len(batch.values)
    if gpu:
        where: Ints | None = attached("run_gpu")(held, batch, room)
        if where is not None:
            return where
    elif lanes and attached("run_lanes")(held, batch, room):
        return np.ones(n, dtype=np.int64)
    for runner in RUNNERS:
        if runner(held, batch, room):
            break
    return np.zeros(n, dtype=np.int64)
