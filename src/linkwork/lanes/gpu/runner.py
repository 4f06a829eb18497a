"""Instances of a sweep on a device; those that leave the recorded path in lanes of this processor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import DeviceMemoryError, UsageError
from linkwork.lanes.gpu.batch import GpuBatch
from linkwork.lanes.gpu.device import device
from linkwork.lanes.gpu.newton_batch import NewtonGpuBatch
from linkwork.lanes.gpu.text import WARP
from linkwork.lanes.runner import Instances, Room, give_up, new_recorded, run_in_lanes, run_lanes
from linkwork.lanes.traced.newton_batch import Held
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.status import Status

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
IN_LANES, ON_DEVICE = 1, 2  # where an instance went
OnDevice = GpuBatch | NewtonGpuBatch
_made: WeakKeyDictionary[Any, dict[Any, OnDevice | str]] = WeakKeyDictionary()  # or why there is none


class Some(NamedTuple):
    """Some of the instances (`runner.Instances`)."""

    spots: Any
    values: Floats
    units: int


class SomeRoom(NamedTuple):
    """Their samples (`runner.Room`)."""

    time: Floats
    motion: Floats
    columns: Ints
    multiplier: Floats
    status: Ints


def device_name() -> str:
    """The device that instances would run on. Raises UsageError where there is none."""
    return device().name


def why_off_device(held: Held, instances: Instances) -> str:
    """Why none of these instances goes on a device, in words; nothing where some may."""
    found = batch_or_why(held, instances)
    return found if isinstance(found, str) else ""


def run_gpu(held: Held, instances: Instances, room: Room) -> Ints | None:
    """All instances into `room`: on a device, and those that leave the recorded path in lanes. Where each went; None,
    and nothing done, if neither can carry them. Any other status than OK is that of an instance that has to be run by
    who can recover it."""
    batch, n = batch_or_why(held, instances), len(instances.values)
    if isinstance(batch, str):
        return np.full(n, IN_LANES) if run_lanes(held, instances, room) else None
    where = np.full(n, ON_DEVICE)
    left = _explicit(batch, instances, room) if isinstance(batch, GpuBatch) else _implicit(batch, instances, room)
    if left:
        where[left] = IN_LANES
        some = Some(instances.spots, instances.values[left], instances.units)
        parts = SomeRoom(room.time, room.motion[left], room.columns, room.multiplier[left], room.status[left])
        if run_lanes(held, some, parts):
            room.motion[left], room.multiplier[left], room.status[left] = parts.motion, parts.multiplier, parts.status
        else:
            give_up(left, room)
    return where


def in_parts(n: int, most: int, carry: Callable[[int, int], list[int]]) -> list[int]:
    """Instances 0 to n by `carry`(first, end), at most so many at once: half as many from where a device has no room
    for them, down to a warp. What they come to does not depend on it. All that `carry` returns. Raises
    DeviceMemoryError where there is none for a warp either."""
    found, first = list[int](), 0
    while first < n:
        end = min(first + most, n)
        try:
            found += carry(first, end)
        except DeviceMemoryError:
            if end - first <= WARP:
                raise
            most = max(WARP, (end - first) // 2 // WARP * WARP)
        else:
            first = end
    return found


def _explicit(batch: GpuBatch, instances: Instances, room: Room) -> list[int]:
    """Returns those that left the recorded path."""

    def carry(first: int, end: int) -> list[int]:
        part, rows = slice(first, end), room.multiplier.shape[-1]
        time, motion, multiplier, strayed = batch.carry_out(instances.values[part], instances.units, room.columns, rows)
        room.time[:] = time
        room.motion[part] = motion.transpose(2, 0, 1)
        if rows:
            room.multiplier[part] = multiplier.transpose(2, 0, 1)
        room.status[part] = int(Status.OK)
        return [first + int(k) for k in np.flatnonzero(strayed)]

    return in_parts(len(instances.values), batch.most(), carry)


def _implicit(batch: NewtonGpuBatch, instances: Instances, room: Room) -> list[int]:
    """Returns those that left the recorded path."""

    def carry(first: int, end: int) -> list[int]:
        batch.alter(instances.values[first:end])
        return run_in_lanes(batch, instances, list(range(first, end)), room)

    return in_parts(len(instances.values), batch.width, carry)


def batch_or_why(held: Held, instances: Instances) -> OnDevice | str:
    """The kernels of a held run for instances that differ in these spots, made once; or why there are none. Raises
    UsageError where there is no device, DeviceError where it does not take them."""
    key = (tuple((spot.array, spot.at) for spot in instances.spots), instances.units)
    known = _made.setdefault(held, {})
    if key not in known:
        held.placed.restore(held.run)
        on = device()  # whoever has none computes nothing: others' bits may differ
        try:
            known[key] = new_recorded(held, instances, partial(GpuBatch, on), partial(NewtonGpuBatch, on))
        except NotTracedError as error:
            known[key] = f"steps are not recorded: {error.reason}"
        except UsageError as error:
            known[key] = error.message
    return known[key]
