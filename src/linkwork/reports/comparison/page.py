"""The page: what it says, in the order in which it is read."""

from __future__ import annotations

import math
from typing import Any

from markupsafe import Markup

from linkwork.reports.comparison import pictures
from linkwork.reports.comparison.charts import mark
from linkwork.reports.moving import moving
from linkwork.reports.render import render
from linkwork.studies.comparison import words
from linkwork.studies.comparison.case import AS_CHOSEN, PLANNED
from linkwork.studies.comparison.comparison import Comparison, most_accurate
from linkwork.studies.comparison.measures import Row
from linkwork.studies.comparison.reference import floor_of
from linkwork.studies.motion import digits

ACCURATE = 1e-6  # what the cheapest run is sought for


def page(comparison: Comparison) -> str:
    """The whole report as HTML."""
    looks = pictures.Looks.of(comparison)
    return render(
        "comparison.html",
        c=comparison,
        hiding=hiding(looks),
        findings=findings(comparison),
        ref_digits=digits(floor_of(comparison.reference)),
        named=[len(set(names) - {PLANNED, AS_CHOSEN}) for names in (looks.formulations, looks.integrators)],
        legend_formulations=[(k, name, looks.colour(name)) for k, name in enumerate(looks.formulations)],
        legend_integrators=[(k, name, mark(k, "#444")) for k, name in enumerate(looks.integrators)],
        charts=charts(comparison, looks),
        agreement=agreement(comparison),
        columns=[name.replace("/", "/\N{ZERO WIDTH SPACE}") for name in words.columns(comparison)],  # may break there
        chosen=[_row(comparison, row, looks) for row in words.chosen(comparison)],
        failed=[{**vars(one), "colour": looks.colour(one.formulation)} for one in words.shortfalls(comparison)],
        orders=orders(comparison),
        rows=[_row(comparison, row, looks) for row in comparison.done],
        facts=facts(comparison),
        scenes=[] if comparison.shown is None else [moving(comparison.shown, comparison.mechanism)],
    )


def _row(comparison: Comparison, row: Row, looks: pictures.Looks) -> tuple[Row, tuple[str, ...], str]:
    return row, words.cells(row, comparison), looks.colour(row.case.formulation)


def facts(comparison: Comparison) -> list[tuple[str, str]]:
    """How this was made: names and what they mean or are."""
    found = []
    if comparison.reference is not None:
        found.append(("reference", comparison.reference.how))
    found.append(
        (
            "error",
            f"The largest difference from the reference, over bodies and samples ({comparison.interval:g} s apart): of "
            f"poses (distance over the mechanism's length, {comparison.length:.3g} m, or angle in rad), and velocities "
            "(as a share of the largest speed), whichever is larger. Digits are minus its decimal logarithm.",
        )
    )
    if comparison.energy_kind:
        found.append(("energy drift", f"The largest {comparison.energy_kind}."))
    found += [
        ("violation", "The largest absolute residual of the position-level constraint rows."),
        ("judged", "Whether the run itself gives reason for doubt: good, doubtful or wrong."),
        (
            "memory",
            "Peak physical memory of the process that timed a formulation, interpreter and compiled code included.",
        ),
        *((name.replace("_", " "), str(value)) for name, value in comparison.facts.items()),
    ]
    return found


def hiding(looks: pictures.Looks) -> Markup:
    """Rules by which the boxes of the legend hide lines."""
    rules = [f"body:has(#f{k}:not(:checked)) svg .f{k}" for k in range(len(looks.formulations))]
    rules += [f"body:has(#i{k}:not(:checked)) svg .i{k}" for k in range(len(looks.integrators))]
    return Markup(",".join(rules) + "{display:none}" if rules else "")


def charts(comparison: Comparison, looks: pictures.Looks) -> list[tuple[str, str, Markup]]:
    """(title, caption, picture) of every chart that there is something to show in."""
    found: list[tuple[str, str, Markup | None]] = []
    known = comparison.reference is not None and bool(comparison.done)
    if known and any(row.timed for row in comparison.done):
        found.append(
            (
                "Work and precision",
                "Down and to the left is better. Colours are formulations, marks are integrators; joined points are "
                "one pair with finer and finer steps (dashed: tolerances).",
                pictures.work_precision(comparison, looks),
            )
        )
    if known and pictures.groups(comparison.done, fixed=True):
        found.append(
            (
                "Error over step",
                "The slope is the order of the method, until rounding or the reference ends it.",
                pictures.error_over_step(comparison, looks),
            )
        )
    usual = "The most accurate run of each formulation with its first integrator."
    drift = f"{usual} Energy: {comparison.energy_kind}." if comparison.energy_kind else usual
    found += [
        ("Error over time", usual, pictures.over_time(comparison, looks, "error", "error over time", "error")),
        ("Energy drift", drift, pictures.over_time(comparison, looks, "energy", "energy drift", "energy, J")),
        (
            "Constraint drift",
            f"{usual} The largest residual of the position-level rows.",
            pictures.over_time(comparison, looks, "position_violation", "constraint drift", "residual"),
        ),
    ]
    return [(title, caption, picture) for title, caption, picture in found if picture is not None]


def findings(comparison: Comparison) -> list[str]:
    """What the study says, in sentences."""
    said = [f"{words.heading(comparison)}."]
    rows = comparison.done
    table = comparison.agreement
    pairs = [(table.digits[i][j], table.cases[i], table.cases[j]) for i in range(len(table.cases)) for j in range(i)]
    if pairs:
        worst, a, b = min(pairs, key=lambda pair: pair[0])
        said.append(
            f"The most accurate runs of all {len(table.cases)} formulations agree to at least {worst:.1f} digits in "
            f"poses ({a.label}, and {b.label}, agree least)."
        )
    known = [row for row in rows if math.isfinite(row.error)]
    if known:
        best = most_accurate(known)
        said.append(f"Least error: {best.case.label}, {best.digits:.1f} digits{_price(best)}.")
        good = [row for row in known if row.error <= ACCURATE and row.timed]
        if good:
            cheap = min(good, key=lambda row: row.us_per_second)
            said.append(
                f"Cheapest run with an error below {ACCURATE:g}: {cheap.case.label}, {cheap.digits:.1f} "
                f"digits{_price(cheap)}."
            )
    said += [f"{line[0].upper()}{line[1:]}" for line in words.accuracies(comparison)]
    if not comparison.complete:
        said.append("The study was interrupted: runs that had not been done are not here.")
    return said


def _price(row: Row) -> str:
    return f", {words.amount(row.us_per_second)} µs per simulated second" if row.timed else ""


def agreement(comparison: Comparison) -> dict[str, Any]:
    """The table of agreement: names, and cells of (text, shade 0 to 10)."""
    names = [case.formulation for case in comparison.agreement.cases]
    cells = [
        [("", 0) if math.isinf(value) else (f"{value:.1f}", round(min(max(value, 0.0), 15.0) / 1.5)) for value in row]
        for row in comparison.agreement.digits
    ]
    return {"names": names, "rows": list(zip(comparison.agreement.cases, cells, strict=True))}


def orders(comparison: Comparison) -> dict[str, str]:
    """Observed orders by pair, as text."""
    floor = floor_of(comparison.reference)
    found = {}
    for rows in pictures.groups(comparison.done, fixed=True):
        slope = pictures.order(rows, floor)
        if math.isfinite(slope):
            found[rows[0].case.pair] = f"{slope:.1f}"
    return found
