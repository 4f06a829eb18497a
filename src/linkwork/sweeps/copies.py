"""Which numbers of arrays are those that stand in a placed run's spots, found by a few trials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from linkwork.header import Array


class Copy(NamedTuple):
    """A number in what derives, and the spot of a placed run that holds the same."""

    array: str
    at: int
    spot: int


def copies_of_rows(of_each: list[dict[str, Array]], rows: Array) -> list[Copy] | None:
    """The numbers that differ between these arrays (trials), and the columns of `rows` (trials, spots) that are the
    same."""
    columns = {column.tobytes(): spot for spot, column in reversed([*enumerate(rows.T.copy())])}
    found: list[Copy] = []
    for name, at, values in _differing(of_each):
        spot = columns.get(values.tobytes())
        if spot is None:
            return None
        found.append(Copy(name, at, spot))
    return found


def _differing(of_each: list[dict[str, Array]]) -> Iterator[tuple[str, int, Array]]:
    """(array, index, number of each) wherever these arrays differ; an index of -1 where they do in shape."""
    first, *others = of_each
    for name, array in first.items():
        same_shape = all(name in one and one[name].shape == array.shape for one in others)
        if not same_shape or len({*map(len, of_each)}) > 1:
            yield name, -1, np.zeros(0)
            continue
        flat = np.array([one[name].reshape(-1) for one in of_each])
        for at in np.flatnonzero(np.any(flat != flat[0], axis=0) & ~np.all(np.isnan(flat), axis=0)):
            yield name, int(at), flat[:, at].astype(float)
