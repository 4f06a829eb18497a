"""The tape on which numbers record, and reading it backwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Sown = Sequence[tuple[Ints, Array]]  # places of records (n,), adjoints (functions, n)
WORDS = 3  # of a record: two places in one, two slopes
MOST, LEAST = 2**31 // WORDS, 2**24  # records that there is room for: what is not written to takes no memory
FULL = 0.5  # of it that a part may take


class Tape:
    """Records of one part of a run at a time. leaves : numbers of which records begin."""

    def __init__(self, leaves: int) -> None:
        self.leaves = leaves
        self.words = _room(leaves)
        self.slopes = self.words.view(np.float64)
        self.adjoint = np.zeros(0)

    @property
    def size(self) -> int:
        """Records that there is room for."""
        return len(self.words) // WORDS

    @property
    def count(self) -> int:
        """Records so far, those of the leaves among them."""
        from linkwork.derivatives.dual_tape import HEAD

        return int(HEAD[0])

    def begin(self, places: Ints, active: NDArray[np.bool_]) -> None:
        """Start anew: number k stands at place 1 + k if it is active, nowhere otherwise."""
        from linkwork.derivatives.dual_tape import HEAD

        HEAD[0], HEAD[1] = 1 + self.leaves, self.words.ctypes.data
        places[:] = np.where(active, 1 + np.arange(self.leaves), 0)

    def backwards(self, places: Ints, adjoints: Array, sown: Sown) -> Array:
        """(functions, leaves) adjoints at the beginning, from those at the end and those that come in between.

        places : of each number's record at the end.
        """
        from linkwork.derivatives.dual_tape import BACKWARDS

        if len(self.adjoint) < self.count:
            self.adjoint = np.zeros(self.count + self.count // 4)
        out = np.zeros_like(adjoints)
        known = places != 0
        for f, later in enumerate(adjoints):
            adjoint = self.adjoint
            adjoint[: self.count] = 0.0
            np.add.at(adjoint, places[known], later[known])
            for at, of in sown:
                np.add.at(adjoint, at[at != 0], of[f][at != 0])
            BACKWARDS(self.words, self.slopes, adjoint, 1 + self.leaves, self.count)
            out[f] = adjoint[1 : 1 + self.leaves]
        return out


def _room(leaves: int) -> Ints:
    size = MOST
    while size >= LEAST:
        try:
            return np.empty(WORDS * size, dtype=np.int64)
        except MemoryError:
            size //= 2
    raise UsageError("there is no memory for the adjoint.", remedy='Take mode="tangent".')
