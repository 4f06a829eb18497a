"""A comparison in words, for reading at a terminal: a table, who agrees with whom, what to know."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from linkwork.studies.comparison.comparison import Comparison, finest
from linkwork.studies.comparison.measures import DONE, Row

WIDTH = 118
COLUMNS = (
    "formulation",
    "integrator",
    "step or rtol",
    "digits",
    "pose error",
    "velocity err.",
    "energy drift J",
    "violation",
    "iter/step",
    "us/step",
    "us per s",
    "memory MB",
)


def number(value: float | None, form: str = ".1e") -> str:
    """A number in a few digits, a dash for none."""
    return "-" if value is None or math.isnan(value) else format(value, form)


def cells(row: Row) -> tuple[str, ...]:
    """One run that got through, in the columns above."""
    case = row.case
    fine = f"h {case.step:.3g} s" if case.step is not None else f"rtol {case.rtol:.0e}"
    return (
        case.formulation,
        case.integrator,
        fine,
        number(row.digits, ".1f"),
        number(row.pose_error),
        number(row.rate_error),
        number(row.energy_drift),
        number(row.position_violation),
        number(row.iterations_per_step, ".2f"),
        number(row.us_per_step, ".3g"),
        number(row.us_per_second, ".3g"),
        number(None if row.peak_memory is None else row.peak_memory / 1e6, ".0f"),
    )


def columns(comparison: Comparison) -> tuple[str, ...]:
    """The headings; operations come with the runs that know them."""
    return COLUMNS


def chosen(comparison: Comparison, *, every_run: bool = False) -> list[Row]:
    """The rows to show: all that got through, or the finest of each pair; then nothing of those that did not."""
    if every_run:
        return list(comparison.done)
    pairs: dict[str, list[Row]] = {}
    for row in comparison.done:
        pairs.setdefault(row.case.pair, []).append(row)
    return [finest(some) for some in pairs.values()]


def shortfalls(comparison: Comparison) -> list[str]:
    """Runs that did not get through, one line for all of a pair with the same reason."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in comparison.rows:
        if row.status != DONE:
            found.setdefault((row.status, row.case.formulation, row.reason), []).append(row)
    return [
        f"{status}: {formulation} ({_cases(rows)}): {reason} [{rows[0].code}]"
        for (status, formulation, reason), rows in found.items()
    ]


def _cases(rows: Sequence[Row]) -> str:
    one = rows[0].case
    return f"{one.integrator}, {one.fineness}" if len(rows) == 1 else f"{len(rows)} runs"


def remarks(comparison: Comparison) -> list[str]:
    """What to know of the figures."""
    lines = []
    if comparison.reference is not None:
        lines.append(f"reference: {comparison.reference.how}")
    if comparison.energy_kind:
        lines.append(f"energy drift: {comparison.energy_kind}.")
    lines += [f"note: {note}." for note in comparison.notes]
    if comparison.facts.get("timing"):
        lines.append(f"timing: {comparison.facts['timing']}.")
    return lines


def text(comparison: Comparison, *, every_run: bool = False) -> str:
    """All of it as plain text."""
    rows = [columns(comparison), *(cells(row) for row in chosen(comparison, every_run=every_run))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [heading(comparison), ""]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines += ["", *wrapped(shortfalls(comparison)), *wrapped(remarks(comparison))]
    return "\n".join(lines) + "\n"


def heading(comparison: Comparison) -> str:
    """What was compared, in a line."""
    done, count = len(comparison.done), len(comparison.rows)
    refused = count - done - len(comparison.failures)
    parts = [f"{done} of {count} runs"]
    if refused:
        parts.append(f"{refused} refused")
    if comparison.failures:
        parts.append(f"{len(comparison.failures)} failed")
    return f"{comparison.mechanism}, {comparison.t_end:g} s: {', '.join(parts)}"


def wrapped(lines: Sequence[str]) -> list[str]:
    """Long lines broken to a page's width."""
    out: list[str] = []
    for line in lines:
        out += textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    return out
