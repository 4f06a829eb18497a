"""A comparison in words, for reading at a terminal: a table, who agrees with whom, what to know."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.comparison import Comparison, most_accurate
from linkwork.studies.comparison.measures import DONE, Proof, Row
from linkwork.verdict import WRONG

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
    "judged",
    "iter/step",
    "us/step",
    "us per s",
    "memory MB",
)


def number(value: float | None, form: str = ".1e") -> str:
    """A number in a few digits, a dash for none."""
    return "-" if value is None or math.isnan(value) else format(value, form)


def amount(value: float) -> str:
    """A number of everyday size, without powers of ten."""
    return number(value, ",.0f" if value >= 1000.0 else ".3g")


def cells(row: Row, comparison: Comparison) -> tuple[str, ...]:
    """One run that got through, in the columns of `columns`."""
    case = row.case
    return (
        case.formulation,
        case.integrator if row.accuracy is None else row.accuracy.chosen,
        _fine(case),
        number(row.digits, ".1f"),
        number(row.pose_error),
        number(row.rate_error),
        number(row.energy_drift),
        number(row.position_violation),
        row.judgement.upper() if row.judgement == WRONG else row.judgement or "-",
        number(row.iterations_per_step, ".2f"),
        amount(row.us_per_step),
        amount(row.us_per_second),
        number(None if row.peak_memory is None else row.peak_memory / 1e6, ".0f"),
        *(number((row.operations or {}).get(name), ".0f") for name in counted(comparison)),
    )


def _fine(case: Case) -> str:
    """Step, tolerance or accuracy in a column."""
    if case.accuracy is not None:
        return f"asked {case.accuracy:.2g}"
    return f"h {case.step:.3g} s" if case.step is not None else f"rtol {case.rtol:.0e}"


def columns(comparison: Comparison) -> tuple[str, ...]:
    """The headings; operations where they were counted."""
    return (*COLUMNS, *(f"{name}/eval" for name in counted(comparison)))


def counted(comparison: Comparison) -> list[str]:
    """Names of the operations that were counted."""
    return list(dict.fromkeys(name for row in comparison.done for name in row.operations or ()))


def chosen(comparison: Comparison, *, every_run: bool = False) -> list[Row]:
    """The rows to show: all that got through, or the most accurate of each pair and every planned one."""
    if every_run:
        return list(comparison.done)
    pairs: dict[str, list[Row]] = {}
    for row in comparison.done:
        one = row.case.pair if row.case.accuracy is None else row.case.label  # each accuracy is a question of its own
        pairs.setdefault(one, []).append(row)
    return [most_accurate(some) for some in pairs.values()]


@dataclass(frozen=True)
class Shortfall:
    """Runs of a formulation that did not get through for one and the same reason, but for numbers in it.

    reason : that of the last of them, which is the finest.
    """

    status: str
    formulation: str
    integrator: str
    fineness: str
    reason: str
    code: str

    def __str__(self) -> str:
        return f"{self.status}: {self.formulation} ({self.integrator}, {self.fineness}): {self.reason} [{self.code}]"


def shortfalls(comparison: Comparison) -> list[Shortfall]:
    """What did not get through, in order."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in comparison.rows:
        if row.status != DONE:
            kind = re.sub(r"'[^']*'|[-+\d.e]*\d", "", row.reason)
            found.setdefault((row.status, row.case.formulation, row.code, kind), []).append(row)
    return [_shortfall(rows) for rows in found.values()]


def _shortfall(rows: Sequence[Row]) -> Shortfall:
    last = rows[-1]
    integrators = list(dict.fromkeys(row.case.integrator for row in rows))
    fine = last.case.fineness if len(rows) == 1 else f"{len(rows)} runs"
    return Shortfall(last.status, last.case.formulation, " ".join(integrators), fine, last.reason, last.code)


def table(comparison: Comparison, *, every_run: bool = False) -> list[tuple[str, ...]]:
    """The rows of the table: what got through, then what did not, in place of whose numbers stand status and code."""
    rows = [cells(row, comparison) for row in chosen(comparison, every_run=every_run)]
    empty = len(columns(comparison)) - 5
    return rows + [
        (one.formulation, one.integrator, one.fineness, one.status, one.code, *("" for _ in range(empty)))
        for one in shortfalls(comparison)
    ]


def against(comparison: Comparison, *, every_run: bool = False) -> list[str]:
    """What is said against the runs that are shown."""
    rows = chosen(comparison, every_run=every_run)
    return [f"{row.judgement}: {row.case.label}: {' '.join(row.verdicts)}" for row in rows if row.verdicts]


def accuracies(comparison: Comparison) -> list[str]:
    """Of each planned run that got through: what was asked, what it says of itself, and what the reference says."""
    return [_accuracy(row, row.accuracy) for row in comparison.done if row.accuracy is not None]


def _accuracy(row: Row, said: Proof) -> str:
    measured = "" if math.isnan(row.pose_error) else f", {row.pose_error:.2g} by the reference"
    if said.missed:
        verdict = "MISSED, though the run says that it is reached"
    else:
        verdict = (
            "reached" if said.reached else f"NOT reached, as the run says: {said.reason} (kept to {said.until:g} s)"
        )
    times = "1 run" if said.runs == 1 else f"{said.runs} runs"
    return (
        f"accuracy of {said.asked:.2g} asked: {verdict}; estimated {said.estimate:.2g}{measured}; "
        f"{said.chosen}, {times} in all."
    )


def remarks(comparison: Comparison) -> list[str]:
    """What to know of the figures."""
    lines = accuracies(comparison)
    if comparison.reference is not None:
        lines.append(f"reference: {comparison.reference.how}")
    if comparison.energy_kind:
        lines.append(f"energy drift: {comparison.energy_kind}.")
    lines += [f"note: {note}." for note in comparison.notes]
    if comparison.facts.get("timing"):
        lines.append(f"timing: {comparison.facts['timing']}.")
    if comparison.facts.get("kept_from_before"):
        lines.append(f"kept from before: {comparison.facts['kept_from_before']} runs, reference included.")
    return lines


def text(comparison: Comparison, *, every_run: bool = False) -> str:
    """All of it as plain text."""
    rows = [columns(comparison), *table(comparison, every_run=every_run)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [heading(comparison), ""]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    said = [*map(str, shortfalls(comparison)), *against(comparison, every_run=every_run), *remarks(comparison)]
    lines += ["", *wrapped(said)]
    return "\n".join(lines) + "\n"


def heading(comparison: Comparison) -> str:
    """What was compared, in a line."""
    done, count = len(comparison.done), len(comparison.rows)
    planned = max(count, comparison.planned)
    refused = count - done - len(comparison.failures)
    parts = [f"{done} of {planned} runs"]
    if refused:
        parts.append(f"{refused} refused")
    if comparison.failures:
        parts.append(f"{len(comparison.failures)} failed")
    if comparison.short:
        parts.append(f"{len(comparison.short)} short of the accuracy asked for")
    if not comparison.complete:
        parts.append("interrupted")
    return f"{comparison.mechanism}, {comparison.t_end:g} s: {', '.join(parts)}"


def wrapped(lines: Sequence[str]) -> list[str]:
    """Long lines broken to a page's width."""
    out: list[str] = []
    for line in lines:
        out += textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    return out
