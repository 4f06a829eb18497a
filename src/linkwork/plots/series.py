"""Long series made short enough to draw, keeping every peak."""

from __future__ import annotations

import itertools

import numpy as np

from linkwork.header import BLOCK, Array
from linkwork.result import Result

MOST = 4000  # points per line: more than a page has dots


def thin(time: Array, values: Array, most: int = MOST) -> tuple[Array, Array]:
    """The smallest and largest value of each of most/2 equal spans, in their order, with their times.

    A series of at most `most` samples comes back as it is. NaNs are passed over where a span has other values.
    """
    if values.size <= most:
        return time, values
    spans = most // 2
    edges = np.linspace(0, values.size, spans + 1).astype(int)
    keep = [0, values.size - 1]
    for start, stop in itertools.pairwise(edges):
        part = values[start:stop]
        if np.isnan(part).all():
            keep.append(start)
        else:
            keep += [start + int(np.nanargmin(part)), start + int(np.nanargmax(part))]
    index = np.unique(keep)
    return time[index], values[index]


def magnitudes(result: Result, name: str) -> Array:
    """Lengths of a vector variable, (nt, n), read in blocks."""
    parts = [
        np.linalg.norm(result.read(name, start, start + BLOCK), axis=-1)
        for start in range(0, max(result.time.size, 1), BLOCK)
    ]
    out: Array = np.concatenate(parts)
    return out


def strided(result: Result, name: str, most: int = MOST) -> Array:
    """Every so many-th sample of a variable, at most about `most`, the last one included."""
    count = result.time.size
    step = max(1, -(-count // most))
    index = np.unique(np.append(np.arange(0, count, step), count - 1)) if count else np.zeros(0, dtype=int)
    parts = []
    for start in range(0, max(count, 1), BLOCK):
        here = index[(index >= start) & (index < start + BLOCK)] - start
        parts.append(result.read(name, start, start + BLOCK)[here])
    out: Array = np.concatenate(parts)
    return out
