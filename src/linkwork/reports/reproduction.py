"""The page of a reproduced paper: verdicts at the top, then every item, what is printed beside what is measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.io.formats.loading import load
from linkwork.mechanisms import shipped
from linkwork.reports.moving import moving
from linkwork.reports.page import Badge, Figure, Page, Section, Table
from linkwork.reports.page import write as write_page
from linkwork.source import __version__, source_hash
from linkwork.studies.finding import Verdict

if TYPE_CHECKING:
    from linkwork.studies.finding import Finding, Panel
    from linkwork.studies.reproduction import Entry, Report

Draw = Callable[["Panel"], str]  # SVG text of a panel

BADGES = {
    Verdict.AGREES: Badge("agrees", "good"),
    Verdict.PARTLY: Badge("agrees in part", "fair"),
    Verdict.DIFFERS: Badge("differs", "bad"),
    Verdict.OWN: Badge("not in the paper", "plain"),
    Verdict.NOISE: Badge("within the noise", "plain"),
}
FAILED = Badge("failed", "bad")
MOST_NUMBERS = 40  # single values shown where an item has no table; the JSON file has all


def write(report: Report, path: Path, draw: Draw) -> None:
    """Write the page of a paper, in place of an earlier one."""
    write_page(page(report, draw), path, force=True)


def page(report: Report, draw: Draw) -> Page:
    """The page of a paper."""
    paper = report.paper
    seconds = sum(entry.seconds for entry in report.entries)
    return Page(
        f"{paper.key}, reproduced",
        subtitle=named(report),
        lead=[
            summary(report.entries),
            *([f"What the paper leaves open. {' '.join(paper.doubts)}"] if paper.doubts else []),
        ],
        sections=[section(entry, draw) for entry in report.entries],
        facts=facts() | ({"computing": f"{seconds:.0f} s in all"} if seconds >= 0.5 else {}),
        scenes=[moving(load(name), name) for name in shipped() if name.startswith(f"{paper.key}_")],
    )


def named(report: Report) -> str:
    """Authors and title in a sentence."""
    title = report.paper.title
    return f"{report.paper.citation}. {title}{'' if title.endswith('?') else '.'}"


def summary(entries: Iterable[Entry]) -> str:
    """The outcome in a sentence or two, what is missed by name."""
    found = {entry.item.name: entry.finding.verdict if entry.finding is not None else None for entry in entries}
    papers = [name for name, verdict in found.items() if verdict is not Verdict.OWN]
    agrees = [name for name in papers if found[name] is Verdict.AGREES]
    said = f"{len(agrees)} of {len(papers)} items of the paper agree."
    told = {Verdict.PARTLY: "In part", Verdict.DIFFERS: "Different", Verdict.NOISE: "Within the noise"}
    for verdict, words in (*told.items(), (None, "Not carried out")):
        names = [name for name in papers if found[name] is verdict]
        said += f" {words}: {', '.join(names)}." if names else ""
    ours = len(found) - len(papers)
    return said + (f" {ours} more are questions of ours." if ours else "")


def section(entry: Entry, draw: Draw) -> Section:
    """One item."""
    title = f"{entry.item.name}: {entry.item.title}"
    files = [(what, path.name) for what, path in entry.files.items()]
    if entry.finding is None:
        return Section(title, FAILED, [("why", str(entry.error))])
    finding = entry.finding
    words = [
        (finding.whose, finding.claim),
        ("source", finding.source),
        ("measured", finding.measured),
        ("why" if finding.verdict in (Verdict.PARTLY, Verdict.DIFFERS) else "remark", finding.why),
    ]
    return Section(
        title,
        BADGES[finding.verdict],
        [(label, text) for label, text in words if text],
        figures(entry, finding, draw),
        tables(finding),
        files,
    )


def figures(entry: Entry, finding: Finding, draw: Draw) -> list[Figure]:
    """A picture per panel; of an item of an earlier run, whose curves are not at hand, its file."""
    if finding.panels:
        return [Figure(draw(panel), caption(panel)) for panel in finding.panels]
    picture = entry.files.get("picture")
    if picture is None or picture.suffix not in (".png", ".svg"):
        return []
    source = picture.read_bytes() if picture.suffix == ".png" else picture.read_text(encoding="utf-8")
    return [Figure(source, entry.item.title, full_width=True)]


def caption(panel: Panel) -> str:
    """What is drawn over what, for people who do not see it."""
    return f"{panel.title}: {panel.y}{f' over {panel.x}' if panel.x else ''}"


def tables(finding: Finding) -> list[Table]:
    """The finding's table, or its numbers."""
    if finding.table:
        return [Table(finding.table)]
    numbers = list(finding.numbers.items())[:MOST_NUMBERS]
    return (
        [Table({"quantity": [name for name, _ in numbers], "value": [value for _, value in numbers]})]
        if numbers
        else []
    )


def facts() -> dict[str, str]:
    """What made the page."""
    return {
        "linkwork": f"{__version__} (sources {source_hash()})",
        "Python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "date": date.today().isoformat(),
    }


def index(reports: Iterable[Report]) -> Page:
    """One page that leads to those of several papers."""
    done = list(reports)
    return Page(
        "Papers, reproduced",
        sections=[
            Section(
                report.paper.key,
                words=[
                    ("paper", named(report)),
                    ("outcome", summary(report.entries)),
                ],
                tables=[
                    Table(
                        {
                            "item": [entry.item.name for entry in report.entries],
                            "what it shows": [entry.item.title for entry in report.entries],
                            "verdict": [
                                "failed" if entry.finding is None else str(entry.finding.verdict)
                                for entry in report.entries
                            ],
                            "seconds": [round(entry.seconds, 1) for entry in report.entries],
                        }
                    )
                ],
                files=[("report", f"{report.paper.key}/{report.page.name}")] if report.page is not None else [],
            )
            for report in done
        ],
        facts=facts()
        | {"computing": f"{sum(entry.seconds for report in done for entry in report.entries):.0f} s in all"},
    )
