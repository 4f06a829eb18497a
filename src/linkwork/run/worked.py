"""Numbers of a placed run that are worked out of masses and inertias: inverses, momenta, weights.

`Run.renew` works them out as building does, from tables into which other masses have been written. This is done in a
held run of its own, and what comes out is handed on as numbers, as all others are (`run.numbers`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.run.held import Held, Spot
from linkwork.solvers.admission import with_inertia
from linkwork.system.packed import bodies_of

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Values = Callable[[Array], tuple[Array, Flags]]  # of rows of numbers (n, names): (n, spots), and which rows are good
INERTIA = range(1, 10)  # columns of `Tables.body`


class Worked:
    """What stands in all spots. held : a run that nobody else uses. copies : which spots hold copies of formulas, and
    `values` what they come to.

    Rows in which a body gets an inertia about some axis, or loses it, are not good: another mechanism is built of them.
    """

    def __init__(self, held: Held, spots: Sequence[Spot], copies: Sequence[int], values: Values) -> None:
        self.held, self.values = held, values
        self.copies, self.others = list(copies), sorted(set(range(len(spots))) - set(copies))
        self.copied = [spots[k] for k in self.copies]
        self._read = [(held.arrays[spots[k].array].flat, spots[k].at) for k in self.others]
        turned = any(spot.array.endswith(".body") and spot.at % 10 in INERTIA for spot in spots)
        self._inertias = None
        if turned and held.run.problem.renew is not None:
            self._inertias = with_inertia(bodies_of(held.run.problem.mechanism.bare.tables))
        self._lock = Lock()
        held.placed.restore(held.run)

    def __call__(self, given: Array) -> tuple[Array, Flags]:
        copied, good = self.values(given)
        found = np.zeros((len(given), len(self.copies) + len(self.others)))
        found[:, self.copies] = copied
        with self._lock:
            for k in np.flatnonzero(good):
                good[k] = self.write(self.held, copied[k].tolist())
                if good[k]:
                    found[k, self.others] = [array[at] for array, at in self._read]
        return found, good

    def write(self, held: Held, copied: Sequence[float]) -> bool:
        """What is copied, into a placed run, and there work out the rest. False where it is not good."""
        for (memory, at), value in zip(held.places(self.copied), copied, strict=True):
            memory[at] = value
        bodies = held.bodies
        try:
            if self._inertias is not None and not np.array_equal(with_inertia(bodies), self._inertias):
                return False
            held.run.renew(bodies)
        except (np.linalg.LinAlgError, LinkworkError):  # the formulation takes no such bodies: building tells why
            return False
        return True
