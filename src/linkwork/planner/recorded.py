"""A pilot run with all its samples, handed over without taking its steps once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from linkwork.integrators.contract import Block, Run
from linkwork.kernels.tables import Floats
from linkwork.status import Status


@dataclass(frozen=True)
class Recorded:
    """What a run that came to its end recorded: the start and all samples, and what the run then said of itself.

    settings : how it was made. seconds, processor_seconds : that its steps took.
    """

    block: Block
    settings: dict[str, Any]
    counts: dict[str, int]
    notices: list[str]
    seconds: float
    processor_seconds: float

    def thinned(self, every: int) -> Block:
        """Every so many samples, and the last one."""
        last = len(self.block["time"]) - 1
        picked = np.append(np.arange(0, last, every), last) if last % every else slice(None, None, every)
        return {name: values[picked] for name, values in self.block.items()}


class Replayed(Run[Any]):
    """A run that has been made, for a session to record and judge. run : it, wherever it stands now; recorded : what
    came of it.

    A session that writes into a file needs where a run stands after every sample, which is not kept."""

    def __init__(self, run: Run[Any], recorded: Recorded) -> None:
        self.run, self.recorded, self.problem, self.remarks = run, recorded, run.problem, run.remarks
        self._done = 0

    @property
    def settings(self) -> Mapping[str, Any]:
        """As of the run, when it was made."""
        return self.recorded.settings

    @property
    def total(self) -> int:
        """All samples after the start."""
        return len(self.recorded.block["time"]) - 1

    @property
    def done(self) -> int:
        """How many of them were given."""
        return self._done

    @property
    def samples(self) -> int:
        """The start included."""
        return self.total + 1

    @property
    def time(self) -> float:
        """Of the last sample given [s]."""
        return float(self.recorded.block["time"][self._done])

    @property
    def whole_steps(self) -> bool:
        """As of the run."""
        return self.run.whole_steps

    @property
    def counts(self) -> dict[str, int]:
        """What the run had cost at its end."""
        return self.recorded.counts

    @property
    def spent(self) -> tuple[float, float]:
        """What its steps took."""
        return self.recorded.seconds, self.recorded.processor_seconds

    @property
    def notices(self) -> list[str]:
        """At its end."""
        return self.recorded.notices

    def begin_at(self, time: float, counted_angles: Floats | None = None) -> None:
        """It has begun."""
        self.run.begin_at(time, counted_angles)

    def initialise(self) -> Status:
        """It is."""
        return self.run.initialise()

    def first(self) -> Block:
        """All at once: there is nothing to wait for."""
        self._done = self.total
        return self.recorded.block

    def sample(self) -> Block:
        """The one that was given last."""
        return self._given(self._done, self._done + 1)

    def advance(self, units: int) -> tuple[Status, Block]:
        """Nothing more: `first` gave all."""
        return Status.OK, self._given(0, 0)

    def stepper(self) -> tuple[Any, Callable[[], tuple[int, int]]]:
        """Of the run, from its start."""
        return self.run.stepper()

    def take_over(self, other: Self) -> None:
        """Of the run."""
        self.run.take_over(other.run)

    def _given(self, first: int, beyond: int) -> Block:
        return {name: values[first:beyond] for name, values in self.recorded.block.items()}
