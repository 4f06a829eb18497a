"""What a paper prints, from its data file `published.yaml`: claims, settings and numbers, each with its place.

The one source of published numbers: studies, tests and benchmarks read them here. What was measured for this project
with the software that a paper's authors published stands in `measured.yaml` beside it, in the same form. A file names
the paper, what in it is open to doubt, and its items:

    table 8:
      where: "Table 8, section 4.3"     # in the paper
      claim: what it shows or says, in our words
      unit: "1, speed relative to rp"   # of the values; with them, so is `by`
      settings: {step_s: 1.0e-3}        # numbers that the paper states, unit in the name
      by: [mechanism, formulation]      # what the keys of `values` are, outermost first
      values: {kissel2021_four_link: {rA: 2.38}}
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from linkwork.errors import ModelError
from linkwork.io.formats.linkwork_yaml import parse_yaml
from linkwork.io.formats.text import read_text

NAME, MEASURED = "published.yaml", "measured.yaml"
TOP = {"paper", "citation", "doubts", "settings", "items"}
OF_AN_ITEM = {"where", "claim", "unit", "settings", "by", "values"}


@dataclass(frozen=True)
class Published:
    """One item: where it stands, what it says, settings and numbers."""

    where: str
    claim: str
    unit: str = ""
    settings: Mapping[str, float] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def told(self) -> dict[str, Any]:
        """The paper's side of a finding."""
        return {"claim": self.claim, "source": self.where}

    def value(self, *keys: str) -> float:
        """A number by all its keys. Raises KeyError."""
        found: Any = self.values
        for key in keys:
            found = found[key]
        return float(found)

    def rows(self) -> list[tuple[Any, ...]]:
        """Every number behind its keys, one row each, as printed from top to bottom."""
        return list(_leaves(self.values, ()))


@dataclass(frozen=True)
class Publication:
    """All that is taken from a paper."""

    paper: str
    citation: str
    doubts: tuple[str, ...]
    settings: Mapping[str, float]
    items: Mapping[str, Published]

    def __getitem__(self, item: str) -> Published:
        return self.items[item]


@cache
def published(paper: str) -> Publication:
    """The data file of a paper of this package."""
    return read(Path(__file__).parent / "papers" / paper / NAME)


@cache
def measured(paper: str) -> Publication:
    """The data file of what was measured here with a paper's published software."""
    return read(Path(__file__).parent / "papers" / paper / MEASURED)


def read(path: Path) -> Publication:
    """A data file. Raises ModelError naming the place of the first thing that is wrong."""
    data = parse_yaml(read_text(path), path)
    check = Check(str(path))
    check.keys(data, "", TOP, {"paper", "citation", "items"})
    items = check.mapping(data["items"], "items")
    return Publication(
        check.text(data["paper"], "paper"),
        check.text(data["citation"], "citation"),
        tuple(check.text(said, f"doubts[{k}]") for k, said in enumerate(data.get("doubts", []))),
        check.numbers(data.get("settings", {}), "settings"),
        {name: check.item(content, f"items.{name}") for name, content in items.items()},
    )


@dataclass(frozen=True)
class Check:
    """Makes typed parts from what a file holds, or says which place in it is wrong."""

    file: str

    def item(self, data: Any, place: str) -> Published:
        """One item."""
        self.keys(data, place, OF_AN_ITEM, {"where", "claim"})
        values, by = data.get("values", {}), data.get("by", [])
        if len({"values" in data, "by" in data, "unit" in data}) > 1:
            raise self.wrong(place, "needs all of `values`, `by` and `unit`, or none")
        if values:
            if not isinstance(by, list) or not by or len(set(map(str, by))) < len(by):
                raise self.wrong(f"{place}.by", "must be a list of different names")
            self.table(values, f"{place}.values", len(by))
        return Published(
            self.text(data["where"], f"{place}.where"),
            self.text(data["claim"], f"{place}.claim"),
            self.text(data["unit"], f"{place}.unit") if "unit" in data else "",
            self.numbers(data.get("settings", {}), f"{place}.settings"),
            tuple(self.text(name, f"{place}.by") for name in by),
            values,
        )

    def table(self, values: Any, place: str, depth: int) -> None:
        """Nested mappings of one depth, numbers at their ends; rows of one table have the same columns."""
        for key, below in self.mapping(values, place).items():
            if depth > 1:
                self.table(below, f"{place}.{key}", depth - 1)
            else:
                self.number(below, f"{place}.{key}")
        if depth == 2 and len({tuple(below) for below in values.values()}) > 1:
            raise self.wrong(place, "has rows with different columns")

    def keys(self, data: Any, place: str, known: set[str], needed: set[str]) -> None:
        """A mapping with these keys and no others."""
        self.mapping(data, place or "the file")
        for key in data:
            if key not in known:
                raise self.wrong(place or "the file", f"has no {key!r}; known: {', '.join(sorted(known))}")
        for key in sorted(needed - set(data)):
            raise self.wrong(place or "the file", f"lacks {key!r}")

    def mapping(self, data: Any, place: str) -> dict[str, Any]:
        """A mapping from names."""
        if not isinstance(data, dict) or not data or not all(isinstance(key, str) for key in data):
            raise self.wrong(place, "must map names to something")
        return data

    def numbers(self, data: Any, place: str) -> dict[str, float]:
        """Named numbers."""
        return {name: self.number(value, f"{place}.{name}") for name, value in (data or {}).items()}

    def number(self, value: Any, place: str) -> float:
        """A finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.wrong(place, f"must be a finite number, not {value!r}")
        return float(value)

    def text(self, value: Any, place: str) -> str:
        """Some words."""
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(place, "must be text")
        return " ".join(value.split())

    def wrong(self, place: str, what: str) -> ModelError:
        """The error."""
        return ModelError(f"{what}.", file=self.file, element=place)


def _leaves(values: Any, keys: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(values, Mapping):
        for key, below in values.items():
            yield from _leaves(below, (*keys, key))
    else:
        yield (*keys, float(values))
