"""The account that a reader of a foreign format gives: what became of every element and attribute of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAPPED, APPROXIMATED, REFUSED = "mapped", "approximated", "refused"
OUTCOMES = (MAPPED, APPROXIMATED, REFUSED)
GROUPS = 60  # reasons that a result keeps


@dataclass(frozen=True)
class AccountEntry:
    """One element or attribute of the file.

    element : such as ``robot/link 'arm'/inertial/mass@value``. line : in the file, 0 where there is none.
    outcome : 'mapped' (it is in the mechanism), 'approximated' (`how`: what stands for it, or why the motion does
    without it) or 'refused' (`how`: why linkwork cannot represent it). value : of an attribute, as the file has it.
    """

    element: str
    line: int
    outcome: str
    how: str = ""
    value: str = ""

    def __str__(self) -> str:
        at = f"line {self.line}: " if self.line else ""
        value = f"={self.value!r}" if self.value else ""
        return f"{at}{self.element}{value}: {self.outcome}{': ' if self.how else ''}{self.how}"


@dataclass(frozen=True)
class Account:
    """What became of a file: one entry for every element and every attribute, none left out.

    format : of the file. file : its name. entries : in the order of the file.
    """

    format: str
    file: str
    entries: tuple[AccountEntry, ...] = ()

    def __iter__(self) -> Iterator[AccountEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def of(self, outcome: str) -> tuple[AccountEntry, ...]:
        """The entries with one outcome: 'mapped', 'approximated' or 'refused'."""
        return tuple(entry for entry in self.entries if entry.outcome == outcome)

    @property
    def counts(self) -> dict[str, int]:
        """How many entries have each outcome."""
        return {outcome: len(self.of(outcome)) for outcome in OUTCOMES}

    def groups(self, outcome: str) -> list[tuple[str, int, AccountEntry]]:
        """What entries of an outcome have in common, in the order of the file: (how, how many, the first of them)."""
        first: dict[str, AccountEntry] = {}
        number: dict[str, int] = {}
        for entry in self.of(outcome):
            first.setdefault(entry.how, entry)
            number[entry.how] = number.get(entry.how, 0) + 1
        return [(how, number[how], entry) for how, entry in first.items()]

    def summary(self) -> str:
        """One line."""
        counts = ", ".join(f"{number} {outcome}" for outcome, number in self.counts.items())
        return f"{self.format} account of {self.file}: {counts}"

    def text(self, *, everything: bool = False) -> str:
        """The account in words: what was approximated and refused, alike ones once; or every entry by itself."""
        lines = [self.summary()]
        if everything:
            return "\n".join([*lines, *(f"  {entry}" for entry in self.entries)])
        for outcome in (REFUSED, APPROXIMATED):
            for how, number, entry in self.groups(outcome):
                more = f" (and {number - 1} more like it)" if number > 1 else ""
                at = f"line {entry.line}: " if entry.line else ""
                lines.append(f"  {outcome}: {at}{entry.element}{more}: {how}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the counts, and every entry."""
        entries = [{**vars(one)} for one in self.entries]
        return {"format": self.format, "file": self.file, **self.counts, "entries": entries}

    def brief(self) -> dict[str, Any]:
        """Plain data of bounded size, for results: the counts, and the reasons of what is approximated and refused."""
        said = {
            outcome: [
                {"first": one.element, "line": one.line, "number": n, "how": how} for how, n, one in groups[:GROUPS]
            ]
            for outcome in (REFUSED, APPROXIMATED)
            if (groups := self.groups(outcome))
        }
        return {"format": self.format, "file": self.file, "counts": self.counts, **said}
