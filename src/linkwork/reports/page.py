"""What a page says, as plain data, and the page itself: sections with a badge, words, pictures and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from linkwork.io.results.atomic import writing
from linkwork.reports.moving import Moving
from linkwork.reports.render import render

TONES = ("good", "fair", "bad", "plain")  # green, amber, red, grey; the badge's words say it, too


@dataclass(frozen=True)
class Badge:
    """A word or two that sum up a section, and one of `TONES`."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True)
class Table:
    """Columns: heading with unit -> values, all equally long; numbers are shown in four digits."""

    columns: Mapping[str, Sequence[Any]]
    caption: str = ""

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """Row by row."""
        return list(zip(*self.columns.values(), strict=True))


@dataclass(frozen=True)
class Figure:
    """A picture: SVG as text, or PNG as bytes; the caption also speaks to people who do not see it."""

    source: str | bytes
    caption: str
    full_width: bool = False  # takes the page's whole width


@dataclass(frozen=True)
class Section:
    """One thing that the page tells.

    words : (label, text) pairs. files : (name, relative address) of what lies beside the page.
    """

    title: str
    badge: Badge | None = None
    words: Sequence[tuple[str, str]] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    files: Sequence[tuple[str, str]] = ()

    @property
    def anchor(self) -> str:
        """The title as an address within the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "section"


@dataclass(frozen=True)
class Page:
    """A title, a line under it, what to know first, a summary of all sections, the sections, and how it was made."""

    title: str
    subtitle: str = ""
    lead: Sequence[str] = ()  # paragraphs
    sections: Sequence[Section] = ()
    tables: Sequence[Table] = ()  # above the sections
    figures: Sequence[Figure] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)  # made by whom, when, on what
    scenes: Sequence[Moving] = ()  # mechanisms to look at, below the sections

    @property
    def counts(self) -> list[tuple[Badge, int]]:
        """How many sections have each badge, the most frequent first."""
        return Counter(section.badge for section in self.sections if section.badge is not None).most_common()


def html(page: Page) -> str:
    """The whole page, a document of its own.

    The same page gives the same text. Raises ValueError for a picture that is neither SVG nor PNG, and for columns
    that are not equally long.
    """
    return render("page.html", page=page, scenes=list(page.scenes))


def write(page: Page, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write the page whole or not at all. Raises OutputExistsError, ResultFileError."""
    text = html(page)
    with writing(path, force=force) as temporary:
        temporary.write_text(text, encoding="utf-8")
