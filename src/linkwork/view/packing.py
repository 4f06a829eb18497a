"""Numbers as a page holds them: whole numbers of a stated step, predicted from frame to frame, deflated, base64.

A block is n channels of whole numbers over the frames. Each channel is told as itself, by differences, or by second
differences, whichever is smallest; a number's sign goes to its last bit; all lowest bytes come first, then the next.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.header import Array

Ints = NDArray[np.int64]
POSITION_ERROR = 3.0e-6  # of the mechanism's size
QUATERNION_BITS = 19  # of each of three quaternion components, in [-1/sqrt 2, 1/sqrt 2]
CHANNELS = 256  # that are looked at together
FINEST = 2**28  # steps in the range of a position


class Poses(NamedTuple):
    """Poses as whole numbers, what turns them back, and the largest error of a point of a body, m."""

    block: dict[str, Any]
    origin: list[float]
    step: float
    error: float


def packed(channels: Ints) -> dict[str, Any]:
    """A block of channels (n, frames)."""
    n, frames = channels.shape
    out = np.empty((n, frames), dtype=np.uint64)
    orders = np.zeros(n, dtype=np.int64)
    for start in range(0, n, CHANNELS):
        part = slice(start, start + CHANNELS)
        orders[part], out[part] = _told(channels[part])
    most = int(out.max(initial=0))
    planes = max(1, (most.bit_length() + 7) // 8)
    data = b"".join(((out >> np.uint64(8 * p)) & np.uint64(255)).astype(np.uint8).tobytes() for p in range(planes))
    return {
        "n": n, "frames": frames, "planes": planes, "orders": "".join(map(str, orders.tolist())),
        "data": base64.b64encode(zlib.compress(data, 6)).decode("ascii"),
    }  # fmt: skip


def _told(values: Ints) -> tuple[Ints, NDArray[np.uint64]]:
    """How many differences are taken of each channel, and the numbers with their sign in the last bit."""
    rest, least = values, np.full(len(values), np.inf)
    orders, best = np.zeros(len(values), dtype=np.int64), np.zeros(values.shape, dtype=np.uint64)
    for order in range(3):
        if order:
            rest = np.diff(rest, prepend=0, axis=1)
        told = np.where(rest < 0, -2 * rest - 1, 2 * rest)
        cost = np.log2(told[:, order:] + 1.0).sum(axis=1) + 24.0 * min(order, told.shape[1])
        better = cost < least
        orders[better], least[better], best[better] = order, cost[better], told[better]
    return orders, best


def unpacked(block: dict[str, Any]) -> Ints:
    """The channels of a block: what the page does."""
    n, frames, planes = block["n"], block["frames"], block["planes"]
    data = np.frombuffer(zlib.decompress(base64.b64decode(block["data"])), dtype=np.uint8)
    told = np.zeros(n * frames, dtype=np.int64)
    for p in range(planes):
        told += data[p * n * frames : (p + 1) * n * frames].astype(np.int64) << (8 * p)
    out = np.where(told & 1, -(told + 1) // 2, told // 2).reshape(n, frames)
    for k, order in enumerate(block["orders"]):
        for _ in range(int(order)):
            out[k] = np.cumsum(out[k])
    return out


def poses(position: Array, quaternion: Array, size: float, reach: Array) -> Poses:
    """Poses (n, nb, 3), (n, nb, 4) as a block: per body x, y, z, the number of the largest quaternion component, and
    the other three with that one positive.

    reach : (nb,) m, how far points of each body are from its origin; for the error.
    """
    nt, nb = position.shape[:2]
    low, high = position.min(axis=(0, 1), initial=np.inf), position.max(axis=(0, 1), initial=-np.inf)
    if not nb or not nt:
        low = high = np.zeros(3)
    step = max(2.0 * POSITION_ERROR * size / np.sqrt(3.0), float((high - low).max()) / FINEST)
    whole = np.rint((position - low) / step).astype(np.int64)
    most = np.argmax(np.abs(quaternion), axis=-1)
    sign = np.where(np.take_along_axis(quaternion, most[..., None], -1) < 0.0, -1.0, 1.0)
    others = np.sort((most[..., None] + np.arange(1, 4)) % 4, axis=-1)
    three = np.take_along_axis(quaternion * sign, others, -1)
    scale = (2**QUATERNION_BITS - 1) / np.sqrt(2.0)
    turned = np.rint(three * scale).astype(np.int64)
    channels = np.concatenate([whole, most[..., None], turned], axis=-1)  # (nt, nb, 7)
    block = packed(np.ascontiguousarray(channels.transpose(1, 2, 0)).reshape(7 * nb, nt))
    back = turned / scale
    last = np.sqrt(np.maximum(0.0, 1.0 - (back**2).sum(axis=-1)))
    again = np.empty_like(quaternion)
    np.put_along_axis(again, others, back, -1)
    np.put_along_axis(again, most[..., None], last[..., None], -1)
    shift = np.linalg.norm(low + whole * step - position, axis=-1).max(initial=0.0)
    chord = np.linalg.norm(again - quaternion * sign, axis=-1)
    turn = (2.0 * chord * reach).max(initial=0.0)
    return Poses(block, low.tolist(), step, float(shift + turn))


def curve(values: Array, log: bool = False, steps: int = 65_534) -> dict[str, Any]:
    """A block of curves (n, frames) with the lowest and highest number of each; not finite ones are the last step.

    log : the logarithm is taken to base ten, zeros being 1e-18.
    """
    values = np.asarray(values, dtype=float)
    with np.errstate(all="ignore"):
        told = np.log10(np.maximum(np.abs(values), 1e-18)) if log else values
    good = np.isfinite(told)
    low = np.where(good, told, np.inf).min(axis=1, initial=np.inf)
    high = np.where(good, told, -np.inf).max(axis=1, initial=-np.inf)
    low, high = (np.where(np.isfinite(x), x, 0.0) for x in (low, high))
    span = np.where(high > low, high - low, 1.0)
    whole = np.where(good, np.rint((np.where(good, told, 0.0) - low[:, None]) / span[:, None] * steps), steps + 1)
    block = packed(whole.astype(np.int64))
    return block | {"low": low.tolist(), "high": high.tolist(), "steps": steps, "log": log}
