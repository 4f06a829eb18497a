"""Runs with rows that depend on others: each tries first without room for them, and goes on with it where that fails.

Whether it fails is a matter of rounding, and depends on numbers. So a run that is placed with room for dependent rows
stands for one that is built only where the first attempt, placed with the same numbers, fails as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from linkwork.mechanism import Mechanism
from linkwork.run.held import Held
from linkwork.run.numbers import Plain, plain_numbers
from linkwork.status import Status


class FirstAttempt:
    """A run without room for dependent rows, placed.

    held : it, which nobody else uses. other : the same with other numbers; raises LinkworkError where there is none.
    """

    def __init__(
        self, mech: Mechanism, names: Sequence[str], held: Held, other: Callable[[Mapping[str, float]], Held]
    ) -> None:
        self.held, self._lock = held, Lock()
        self.plain: Plain | None = plain_numbers(mech, names, held, other)

    def fails(self, given: Mapping[str, float]) -> bool:
        """Whether it does with these numbers, as far as they are plain."""
        if self.plain is None:
            return False
        with self._lock:
            self.held.placed.restore(self.held.run)
            return self.plain.write(self.held, given) and self.held.run.initialise() != Status.OK
