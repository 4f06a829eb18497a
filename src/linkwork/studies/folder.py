"""The folder a study writes to: three files per item and a page for all, whole or not at all, none replaced unasked.

The page is derived from the rest: one that linkwork made is made anew, with what was found before still in it.
"""

from __future__ import annotations

import csv
import json
import math
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.attached import attached
from linkwork.errors import OutputExistsError, ResultFileError
from linkwork.io.results.atomic import writing
from linkwork.studies.finding import Columns, Finding, Verdict
from linkwork.studies.paper import Item

PAGE = "report.html"
OURS = '<meta name="generator" content="linkwork">'


class Folder:
    """Where findings go: `figure-2.png` (or .svg, .pdf), `figure-2.csv` and `figure-2.json` for "figure 2".

    Raises UsageError for a kind of picture that does not exist, OutputExistsError for a file that is there already
    and may not be replaced, ResultFileError where the folder cannot be written to: all before anything runs.
    """

    def __init__(
        self, path: str | PathLike[str], items: tuple[Item, ...], *, pictures: str = "png", force: bool = False
    ) -> None:
        self.path, self.force = Path(path), force
        self.ending = attached("Folder.ending")(f"picture.{pictures.lstrip('.')}")
        for item in items:
            for file in self.files(item).values():
                if file.exists() and not force:
                    raise OutputExistsError(
                        "exists already.",
                        file=str(file),
                        remedy="Use force (--force) to replace it, or another folder.",
                    )
        check_page(self.page, force=force)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ResultFileError(f"the folder cannot be made: {reason}.", file=str(self.path)) from error

    @property
    def page(self) -> Path:
        """The report."""
        return self.path / PAGE

    def files(self, item: Item) -> dict[str, Path]:
        """picture, data and verdict of an item."""
        endings = {"picture": self.ending, "data": ".csv", "verdict": ".json"}
        return {what: self.path / f"{item.slug}{ending}" for what, ending in endings.items()}

    def write(self, item: Item, finding: Finding) -> dict[str, Path]:
        """All three files of an item."""
        files = self.files(item)
        attached("Folder.draw")(finding.panels, files["picture"], title=item.title, force=self.force)
        write_csv(finding.data or finding.table, files["data"], force=self.force)
        said = {"item": item.name, "title": item.title, **finding.to_dict()}
        with writing(files["verdict"], force=self.force) as temporary:
            temporary.write_text(json.dumps(plain(said), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return files

    def before(self, item: Item) -> tuple[Finding, dict[str, Path]] | None:
        """What an earlier run has found out about an item, without its curves, and the files of it that are there."""
        files = {what: path for what, path in self.files(item).items() if path.exists()}
        try:
            said = json.loads(files["verdict"].read_text(encoding="utf-8"))
            words = {name: said[name] for name in ("claim", "measured", "why", "source", "numbers", "table")}
            return Finding(verdict=Verdict(said["verdict"]), panels=(), **words), files
        except (OSError, KeyError, ValueError, TypeError):
            return None


def check_page(path: Path, *, force: bool) -> None:
    """A page that linkwork made may be made anew; another may not be replaced unasked. Raises OutputExistsError."""
    if path.exists() and not force and OURS not in path.read_text(encoding="utf-8", errors="replace"):
        raise OutputExistsError("exists already.", file=str(path), remedy="Use another folder.")


def write_csv(columns: Columns, path: Path, *, force: bool = False) -> None:
    """A line of column names with units, then the values, numbers exact to the bit."""
    lists = [np.asarray(values).tolist() for values in columns.values()]
    with writing(path, force=force) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(zip(*lists, strict=True))


def plain(data: Any) -> Any:
    """The data as JSON has it: numbers that are not finite become null."""
    if isinstance(data, dict):
        return {name: plain(value) for name, value in data.items()}
    if isinstance(data, list):
        return [plain(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
