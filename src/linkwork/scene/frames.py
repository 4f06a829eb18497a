"""Which samples of a run are shown, and how they are read: evenly in time, no more than a page can hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.header import BLOCK, Array
from linkwork.result import Result

MOST_FRAMES = 25_000
MOST_POSES = 2_500_000  # frames times bodies


def frames_of(result: Result, most: int | None = None) -> tuple[NDArray[np.int64], str]:
    """Numbers of the samples that are shown, and what is said about those left out, or ''.

    Samples behind the first that is not finite are left out; so are samples between those nearest to even times
    where there are more than `most` (as many as a page can hold, if None).
    """
    count, said = result.time.size, []
    poses = max(1, len(result.bodies))
    if most is None:
        most = max(2, min(MOST_FRAMES, MOST_POSES // poses))
    good = finite_until(result)
    if good < count:
        said.append(f"samples from number {good} on are not finite and are not shown")
    if good <= most:
        index = np.arange(good)
    else:
        time = result.time[:good]
        even = np.linspace(float(time[0]), float(time[-1]), most)
        right = np.clip(np.searchsorted(time, even), 1, good - 1)
        nearer_left = even - time[right - 1] < time[right] - even
        index = np.unique(right - nearer_left)
        said.append(f"{index.size} of {good} samples are shown")
    return index, "; ".join(said)


def finite_until(result: Result) -> int:
    """How many samples there are before the first whose poses are not finite."""
    for start in range(0, result.time.size, BLOCK):
        position, rotation = (result.read(name, start, start + BLOCK) for name in ("position", "rotation"))
        unusable = ~(np.isfinite(position).all(axis=(1, 2)) & np.isfinite(rotation).all(axis=(1, 2, 3)))
        if unusable.any():
            return start + int(np.argmax(unusable))
    return int(result.time.size)


def taken(result: Result, name: str, index: NDArray[np.int64]) -> Array:
    """A variable at these samples, read in blocks."""
    parts = []
    for start in range(0, max(int(result.time.size), 1), BLOCK):
        here = index[(index >= start) & (index < start + BLOCK)] - start
        if here.size:
            parts.append(result.read(name, start, start + BLOCK)[here])
    if parts:
        return np.concatenate(parts)
    return np.asarray(result.read(name, 0, 0))


def joined(values: list[Any]) -> str:
    """Notes in one line."""
    return "; ".join(text for text in values if text)
