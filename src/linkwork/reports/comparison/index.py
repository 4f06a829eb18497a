"""The page that leads to the reports of a study of several mechanisms, and says which formulation is cheapest where."""

from __future__ import annotations

import math
from collections.abc import Mapping

from linkwork.errors import LinkworkError
from linkwork.reports.comparison.page import ACCURATE, findings
from linkwork.reports.page import Badge, Page, Section, Table
from linkwork.studies.comparison.comparison import Comparison
from linkwork.studies.comparison.study import Study
from linkwork.studies.comparison.writing import NAMES

Outcome = Comparison | LinkworkError
CHEAPEST = (
    f"Processor time, µs per simulated second, of the cheapest run with an error below {ACCURATE:g}; a dash where "
    "there is none:"
)


def index(study: Study, outcomes: Mapping[str, Outcome]) -> Page:
    """One section per mechanism, by the name of its folder, and a table over all."""
    return Page(
        study.name,
        lead=[*([study.description] if study.description else []), CHEAPEST],
        tables=[cheapest(outcomes)],
        sections=[_section(name, outcomes.get(name), study) for name in study.parts()],
    )


def cheapest(outcomes: Mapping[str, Outcome]) -> Table:
    """A row per formulation, a column per mechanism: processor time of its cheapest accurate run."""
    done = {name: found for name, found in outcomes.items() if isinstance(found, Comparison)}
    formulations = list(dict.fromkeys(row.case.formulation for found in done.values() for row in found.rows))
    columns = {name: [_price(found, formulation) for formulation in formulations] for name, found in done.items()}
    return Table({"formulation": formulations, **columns})


def _price(found: Comparison, formulation: str) -> float:
    return min(
        (
            row.us_per_second
            for row in found.done
            if row.case.formulation == formulation and row.timed and row.error <= ACCURATE
        ),
        default=math.nan,
    )


def _section(name: str, found: Outcome | None, study: Study) -> Section:
    if found is None:
        return Section(name, Badge("not done yet"))
    if not isinstance(found, Comparison):
        return Section(name, Badge("failed", "bad"), words=[("why", str(found))])
    first, *rest = findings(found)
    more = [("found", " ".join(rest))] if rest else []
    return Section(
        name,
        _badge(found),
        words=[("runs", first), *more, *(("note", f"{note}.") for note in found.notes)],
        files=[(NAMES[what], f"{name}/{NAMES[what]}") for what in study.outputs],
    )


def _badge(found: Comparison) -> Badge:
    if not found.complete:
        return Badge("interrupted", "fair")
    if found.short:
        return Badge("an accuracy is not reached", "bad" if found.missed else "fair")
    return Badge("some runs failed", "fair") if found.failures else Badge("done", "good")
