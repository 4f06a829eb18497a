"""What a study found: a verdict in sentences, the numbers behind it, data for a table and curves for a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Columns = Mapping[str, Any]  # name with unit -> values, all columns equally long


def columns(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
    """A table given row by row, as columns."""
    turned = list(zip(*rows, strict=True))
    return {name: list(column) for name, column in zip(names, turned, strict=True)}


class Verdict(StrEnum):
    """How what we measure stands to what the paper says."""

    AGREES = "agrees"
    PARTLY = "agrees in part"
    DIFFERS = "differs"
    OWN = "not in the paper"
    NOISE = "within the noise"  # times lie too close to what decides, for how they scatter


@dataclass(frozen=True)
class Curve:
    """One line of a panel. dots: mark the points, for few of them; guide: a quiet line to compare with."""

    label: str
    x: Array
    y: Array
    dots: bool = False
    guide: bool = False


@dataclass(frozen=True)
class Panel:
    """One pair of axes: title, labels with units, curves, and which axes are logarithmic ('', 'x', 'y', 'xy').

    names : what stands at x = 1, 2, ..., where x counts things; points are not joined then.
    """

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    log: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The outcome of one item.

    claim : what the paper shows or says; for items of our own, what the question is.
    source : where the paper says so.
    measured : what we measure, with its numbers.
    why : the reason, where verdict is not 'agrees' or something calls for one.
    numbers : the measured values by name, SI units.
    table : a short table to read; columns of numbers or words.
    data : what the picture shows, for the CSV file; the table itself if empty.
    """

    claim: str
    measured: str
    verdict: Verdict
    panels: tuple[Panel, ...]
    why: str = ""
    source: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    table: Columns = field(default_factory=dict)
    data: Columns = field(default_factory=dict)

    @property
    def whose(self) -> str:
        """Whose the claim is: the paper's ("paper"), or a question of ours ("asked"), which has no source."""
        return "asked" if self.verdict is Verdict.OWN and not self.source else "paper"

    @classmethod
    def judged(cls, agrees: bool | None, *, otherwise: Verdict = Verdict.DIFFERS, **parts: Any) -> Finding:
        """A finding whose verdict is 'agrees' if the measured numbers say so; None: they scatter too much to say."""
        return cls(verdict=Verdict.NOISE if agrees is None else Verdict.AGREES if agrees else otherwise, **parts)

    def to_dict(self) -> dict[str, Any]:
        """Everything but curves, as plain data."""
        return {
            "verdict": str(self.verdict),
            "claim": self.claim,
            "source": self.source,
            "measured": self.measured,
            "why": self.why,
            "numbers": {name: float(value) for name, value in self.numbers.items()},
            "table": {name: np.asarray(values).tolist() for name, values in self.table.items()},
        }
