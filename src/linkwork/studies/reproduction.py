"""Reproduce a paper: choose items, run each, write its files, and report, in words and as plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from linkwork.attached import attached
from linkwork.errors import LinkworkError, RunInterruptedError
from linkwork.studies.finding import Finding
from linkwork.studies.folder import Folder
from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers import PAPERS
from linkwork.studies.runs import Runs
from linkwork.studies.timing import quick as few_rounds

SOME_FAILED = 6


@dataclass(frozen=True)
class Entry:
    """One item's outcome: its finding and files, or the error that kept it from one."""

    item: Item
    finding: Finding | None = None
    files: dict[str, Path] = field(default_factory=dict)
    error: LinkworkError | None = None
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        said: dict[str, Any] = {"item": self.item.name, "title": self.item.title}
        if self.finding is not None:
            said |= self.finding.to_dict()
        if self.error is not None:
            said["error"] = self.error.to_dict()
        said["seconds"] = round(self.seconds, 3)
        return said | {"files": {what: str(path) for what, path in self.files.items()}}


@dataclass(frozen=True)
class Report:
    """What reproducing a paper came to."""

    paper: Paper
    entries: tuple[Entry, ...]

    page: Path | None = None

    @property
    def exit_status(self) -> int:
        """0, or 6 where some item could not be run. A verdict that differs is an answer, not a failure."""
        return SOME_FAILED if any(entry.error for entry in self.entries) else 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        paper = self.paper
        return {
            "paper": paper.key,
            "citation": paper.citation,
            "title": paper.title,
            "page": None if self.page is None else str(self.page),
            "items": [entry.to_dict() for entry in self.entries],
        }


def reproduce(
    paper: str,
    items: Iterable[str] | None = None,
    out: str | PathLike[str] | None = None,
    *,
    pictures: str = "png",
    force: bool = False,
    quick: bool = False,
    tell: Callable[[Entry], None] | None = None,
    begin: Callable[[Item], None] | None = None,
) -> Report:
    """Carry out the items of a paper.

    Parameters
    ----------
    paper : a name of `linkwork.studies.papers.PAPERS`.
    items : names such as "figure 2"; all of the paper's if None.
    out : the folder for pictures, data, verdicts and a page that gathers them; nothing is written if None.
    pictures : ``png``, ``svg`` or ``pdf``.
    force : replace files that are there already.
    quick : take times in few rounds, and of small mechanisms where their growth is asked, which leaves more verdicts on
        them open; nothing else changes.
    begin, tell : called when an item begins and with its entry when it is done.

    Returns the report; an item that fails is an entry with an error, and the others go on. Raises UsageError,
    OutputExistsError, ResultFileError before anything runs; RunInterruptedError, with what was done before written.
    """
    study: Paper = PAPERS.load(paper)
    chosen = study.chosen(items)
    folder = None if out is None else Folder(out, chosen, pictures=pictures, force=force)
    runs, entries = Runs(), []
    try:
        for item in chosen:
            if begin is not None:
                begin(item)
            with few_rounds(quick):
                entry = carry_out(item, runs, folder)
            entries.append(entry)
            if tell is not None:
                tell(entry)
    finally:
        page = None if folder is None or not entries else write_page(study, entries, folder)
    return Report(study, tuple(entries), page)


def carry_out(item: Item, runs: Runs, folder: Folder | None) -> Entry:
    """Run one item and write what it found."""
    begun = time.perf_counter()
    try:
        finding = item.run(runs)
        files = folder.write(item, finding) if folder is not None else {}
        return Entry(item, finding, files, seconds=time.perf_counter() - begun)
    except RunInterruptedError:
        raise
    except LinkworkError as error:
        return Entry(item, error=error, seconds=time.perf_counter() - begun)


def write_page(study: Paper, entries: Iterable[Entry], folder: Folder) -> Path:
    """One page of all items in the folder: those of this run, and those that were there before."""
    done = {entry.item.name: entry for entry in entries}
    for item in study.items:
        if item.name not in done and (found := folder.before(item)) is not None:
            done[item.name] = Entry(item, *found)
    report = Report(study, tuple(done[item.name] for item in study.items if item.name in done))
    attached("Report.write")(report, folder.page, attached("Report.svg"))
    return folder.page
