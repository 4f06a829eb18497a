"""The charts of a comparison: work and precision, error over step, error and drift over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from linkwork.reports.comparison.charts import Series, chart
from linkwork.studies.comparison.comparison import Comparison, most_accurate
from linkwork.studies.comparison.measures import Row
from linkwork.studies.comparison.reference import floor_of

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#6B6B6B", "#7B3FA0", "#8B4513", "#1B7837",
    "#E7298A", "#3B3B98", "#B2182B", "#66A61E", "#00868B", "#B8860B", "#9E7BC4", "#F46D43", "#4D6B1E", "#000000",
)  # fmt: skip
MOST_POINTS = 240  # of a curve over time


@dataclass(frozen=True)
class Looks:
    """Which colour a formulation has and which mark an integrator."""

    formulations: tuple[str, ...]
    integrators: tuple[str, ...]

    @classmethod
    def of(cls, comparison: Comparison) -> Looks:
        """In the order in which they first come."""
        cases = [row.case for row in comparison.rows]
        return cls(
            tuple(dict.fromkeys(case.formulation for case in cases)),
            tuple(dict.fromkeys(case.integrator for case in cases)),
        )

    def colour(self, formulation: str) -> str:
        """Its colour."""
        return COLOURS[self.formulations.index(formulation) % len(COLOURS)]

    def mark(self, integrator: str) -> int:
        """Its mark."""
        return self.integrators.index(integrator)

    def classes(self, row: Row) -> str:
        """CSS classes by which the legend hides a run."""
        return f"f{self.formulations.index(row.case.formulation)} i{self.mark(row.case.integrator)}"


def groups(rows: Sequence[Row], *, fixed: bool | None = None) -> list[list[Row]]:
    """Runs of one pair and kind of step together, coarse to fine. fixed : only those of fixed, or adaptive, steps."""
    found: dict[tuple[str, bool, str], list[Row]] = {}
    for row in rows:
        is_fixed = row.case.step is not None
        if fixed is None or fixed == is_fixed:
            found.setdefault((row.case.pair, is_fixed, str(sorted(row.case.options.items()))), []).append(row)
    return list(found.values())


def work_precision(comparison: Comparison, looks: Looks) -> Markup:
    """Error over microseconds per simulated second."""
    return _precision(
        comparison, looks, lambda row: row.us_per_second, None, "work and precision", "µs per simulated second"
    )


def error_over_step(comparison: Comparison, looks: Looks) -> Markup:
    """Error over fixed steps."""
    return _precision(comparison, looks, lambda row: row.case.step or math.nan, True, "error over step", "step, s")


def _precision(
    comparison: Comparison, looks: Looks, x: Callable[[Row], float], fixed: bool | None, title: str, label: str
) -> Markup:
    series = []
    for rows in groups(comparison.done, fixed=fixed):
        case = rows[0].case
        series.append(
            Series(
                [x(row) for row in rows],
                [row.error for row in rows],
                looks.colour(case.formulation),
                looks.classes(rows[0]),
                looks.mark(case.integrator),
                dashed=case.step is None,
                tips=[_tip(row) for row in rows],
            )
        )
    return chart(series, title=title, x=label, y="error", log_x=True, floor=floor_of(comparison.reference))


def _tip(row: Row) -> str:
    price = f", {row.us_per_second:,.0f} µs per s" if row.timed else ""
    return f"{row.case.label}: error {row.error:.2g}{price}"


def usual(comparison: Comparison) -> list[Row]:
    """Of each formulation, the most accurate run of the integrator that comes first."""
    first: dict[str, list[Row]] = {}
    for row in comparison.done:
        rows = first.setdefault(row.case.formulation, [])
        if not rows or (rows[0].case.integrator, rows[0].case.step is None) == (
            row.case.integrator,
            row.case.step is None,
        ):
            rows.append(row)
    return [most_accurate(rows) for rows in first.values()]


def over_time(comparison: Comparison, looks: Looks, what: str, title: str, label: str) -> Markup | None:
    """A curve of the usual runs over time; None where no run has one. what : an attribute of Curves."""
    series = []
    for row in usual(comparison):
        curve = comparison.curves[row.key]
        values = getattr(curve, what)
        if values is None or not len(values):
            continue
        part = np.unique(np.linspace(0, len(values) - 1, min(MOST_POINTS, len(values))).round().astype(int))
        series.append(
            Series(
                curve.time[part].tolist(),
                np.abs(values[part]).tolist(),
                looks.colour(row.case.formulation),
                looks.classes(row),
                tips=[row.case.label],
            )
        )
    if not any(v > 0.0 for one in series for v in one.y):
        return None
    return chart(
        series, title=title, x="time, s", y=label, floor=floor_of(comparison.reference) if what == "error" else math.nan
    )


def order(rows: Sequence[Row], floor: float) -> float:
    """The observed order: the slope between the two finest steps whose errors are above what is known; NaN if none."""
    known = [row for row in rows if row.error > max(1e-12, 20.0 * floor if math.isfinite(floor) else 0.0)]
    known = [row for row in known if row.error < 0.1]
    if len(known) < 2:
        return math.nan
    a, b = sorted(known, key=lambda row: -(row.case.step or 0.0))[-2:]
    assert a.case.step is not None
    assert b.case.step is not None
    return math.log(a.error / b.error) / math.log(a.case.step / b.case.step)
