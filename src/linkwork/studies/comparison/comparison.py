"""What a study found: a row and curves per run, the reference, who agrees with whom, in how many digits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

from linkwork.result import Result
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.measures import DONE, FAILED, Curves, Row
from linkwork.studies.comparison.reference import Reference
from linkwork.studies.comparison.study import Study

if TYPE_CHECKING:
    import xarray

FORMAT = "linkwork comparison"
FORMAT_VERSION = 1
SOME_FAILED = 6
ALIKE = 1.5  # times as large: errors that are the same but for rounding


@dataclass(frozen=True)
class Agreement:
    """Digits to which each formulation's most accurate runs agree in poses: digits[i][j], infinite on the diagonal."""

    cases: tuple[Case, ...] = ()
    digits: tuple[tuple[float, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"runs": [case.label for case in self.cases], "digits": [list(row) for row in self.digits]}

    def __repr__(self) -> str:
        names = ", ".join(case.formulation for case in self.cases)
        known = [value for row in self.digits for value in row if math.isfinite(value)]
        return f"<Agreement of {names or 'nothing'}{f': {min(known):.1f} digits or more' if known else ''}>"


@dataclass(frozen=True)
class Comparison:
    """A finished study.

    rows : one per run, in order. curves : by a row's key, of those that got through. reference : None where there is
    none; reference_tried : rows of the runs that it is made of. length : typical of the mechanism [m], which distances
    are divided by. energy_kind : what energy_drift is. interval : s, between compared times. notes : what else people
    should know. facts : versions, machine, how it was timed. complete : False where it was interrupted; planned : runs
    that it was to have. shown : a run to look at, the reference's where there is one.
    """

    study: Study
    mechanism: str
    description: str
    bodies: int
    joints: int
    t_end: float
    interval: float
    length: float
    rows: tuple[Row, ...]
    curves: Mapping[str, Curves]
    reference: Reference | None
    reference_tried: tuple[Row, ...]
    agreement: Agreement
    energy_kind: str = ""
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
    planned: int = 0
    shown: Result | None = field(default=None, repr=False, compare=False)

    @property
    def done(self) -> tuple[Row, ...]:
        """Rows of runs that got through."""
        return tuple(row for row in self.rows if row.status == DONE)

    @property
    def failures(self) -> tuple[Row, ...]:
        """Rows of runs that should have got through and did not."""
        return tuple(row for row in self.rows if row.status == FAILED)

    @property
    def short(self) -> tuple[Row, ...]:
        """Rows of planned runs whose accuracy is not reached, by their own account or by the reference's."""
        return tuple(
            row for row in self.done if row.accuracy is not None and (row.accuracy.missed or not row.accuracy.reached)
        )

    @property
    def missed(self) -> bool:
        """Whether a planned run says that its accuracy is reached where the reference says that it is not."""
        return any(row.accuracy is not None and row.accuracy.missed for row in self.done)

    @property
    def exit_status(self) -> int:
        """0, or 6 where some runs failed, or an accuracy that was asked for is not reached.

        A formulation that was not asked for by name may refuse a mechanism.
        """
        return SOME_FAILED if self.failures or self.short else 0

    def row(self, formulation: str, integrator: str | None = None) -> Row:
        """The most accurate run of a formulation (and integrator). Raises KeyError if there is none."""
        found = [row for row in self.done if row.case.formulation == formulation]
        found = [row for row in found if integrator in (None, row.case.integrator)]
        if not found:
            raise KeyError(formulation)
        return most_accurate(found)

    def to_dict(self) -> dict[str, Any]:
        """Everything but curves, as plain data."""
        reference = self.reference
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "study": self.study.to_dict(),
            "mechanism": self.mechanism,
            "t_end": self.t_end,
            "interval": self.interval,
            "length": self.length,
            "complete": self.complete,
            "planned": self.planned,
            "energy_drift_is": self.energy_kind,
            "reference": None
            if reference is None
            else {
                "how": reference.how,
                "uncertainty": reference.uncertainty,
                "rate_uncertainty": reference.rate_uncertainty,
            },
            "reference_runs": [row.to_dict() for row in self.reference_tried],
            "runs": [row.to_dict() for row in self.rows],
            "agreement": self.agreement.to_dict(),
            "notes": list(self.notes),
            "facts": dict(self.facts),
        }

    @property
    def dataset(self) -> xarray.Dataset:
        """Rows along ``run`` and curves along ``run`` and ``time``, with units (imports xarray)."""
        from linkwork.io.comparisons import dataset

        return dataset(self)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write a file; its ending chooses: ``.nc``, ``.json`` or ``.html``. Refuses to overwrite without `force`."""
        from linkwork.studies.comparison.writing import save

        save(self, path, force=force)

    def table(self) -> str:
        """The comparison as a table in plain text."""
        from linkwork.studies.comparison.words import text

        return text(self)

    def __repr__(self) -> str:
        return f"<Comparison of {self.mechanism!r}: {len(self.done)} of {len(self.rows)} runs>"


def most_accurate(rows: Sequence[Row]) -> Row:
    """The run with the least error, and of those that do not differ in it but for rounding the one with least work.

    Where errors are not known, the one with the tightest step or tolerance.
    """
    known = [row for row in rows if math.isfinite(row.error)]
    if not known:
        return min(rows, key=_fineness)
    least = min(row.error for row in known)
    return min((row for row in known if row.error <= ALIKE * least), key=lambda row: (_work(row), -_fineness(row)))


def _fineness(row: Row) -> float:
    case = row.case
    return case.step if case.step is not None else case.rtol or case.accuracy or 0.0


def _work(row: Row) -> int:
    return next((row.counts[name] for name in ("evaluations", "iterations", "steps") if name in row.counts), 0)
