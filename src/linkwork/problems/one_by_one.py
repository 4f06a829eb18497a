"""Tables of addresses of runs whose arrays stand one behind the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.problems.layout import WORDS, address_table

Array = NDArray[np.float64]


class OneByOne:
    """The table of addresses of one run after the other. fixed : of what they share; arrays : (runs, ...) of each."""

    def __init__(self, fixed: NDArray[np.int64], arrays: Sequence[Array]) -> None:
        self._first = np.concatenate((fixed, address_table([one[0] for one in arrays])))
        self._at = len(fixed) + WORDS * np.arange(len(arrays))
        self._ahead = np.array([ahead for ahead, *_ in [one.strides for one in arrays]])
        self._alive = arrays

    def table(self, k: int) -> NDArray[np.int64]:
        """Of the k-th run."""
        found = self._first.copy()
        found[self._at] += k * self._ahead
        return found
