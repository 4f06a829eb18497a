"""Keeping the account of an XML file while it is read: whatever nobody spoke for is refused in the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from linkwork.errors import ModelError, UnsupportedElementError
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import APPROXIMATED, MAPPED, REFUSED, Account, AccountEntry
from linkwork.mechanism.elements import LARGEST, shown

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism
    from linkwork.mechanism.validation_errors import Locate

UNKNOWN = "nothing that linkwork knows of in this place"
SHOWN = 12  # refusals that an error lists
NOTED = 3  # and a note


class Ledger:
    """Reads values out of nodes and notes what became of each; made once per file."""

    def __init__(self, format: str, file: str, root: Node) -> None:
        self.format, self.file, self.root = format, file, root
        self.notes: list[str] = []  # what a person should look at, though it is valid
        self._said: dict[tuple[int, str], tuple[str, str]] = {}

    def mapped(self, node: Node, *attributes: str, how: str = "") -> None:
        """This element, or these of its attributes, are in the mechanism."""
        self._say(node, attributes, MAPPED, how)

    def approximated(self, node: Node, *attributes: str, how: str) -> None:
        """Something else stands for it, or the motion does without it."""
        self._say(node, attributes, APPROXIMATED, how)

    def note(self, node: Node, text: str) -> None:
        """Something about an element that a person should look at."""
        self.notes.append(f"line {node.line}, {node.path()}: {text}")

    def refused(self, node: Node, *attributes: str, how: str) -> None:
        """linkwork cannot represent it."""
        self._say(node, attributes, REFUSED, how)

    def below(self, node: Node, outcome: str, how: str) -> None:
        """An element with all its attributes and all that is in it, as far as nothing was said about these."""
        for one in node.walk():
            for name in ("", *one.attributes):
                self._said.setdefault((id(one), name), (outcome, how))

    def again(self, node: Node, outcome: str, how: str) -> None:
        """`below`, whatever was said before."""
        for one in node.walk():
            self._said.update({(id(one), name): (outcome, how) for name in ("", *one.attributes)})

    def without_effect(self, node: Node, how: str) -> None:
        """`below`, for what no motion depends on in linkwork."""
        self.below(node, APPROXIMATED, how)

    def _say(self, node: Node, attributes: Iterable[str], outcome: str, how: str) -> None:
        for name in attributes or ("",):
            self._said[id(node), name] = (outcome, how)

    def close(self) -> Account:
        """The account: one entry for each element and attribute that the file has."""
        entries = []
        for node in self.root.walk():
            path = node.path()
            for name in ("", *node.attributes):
                said = self._said.get((id(node), name))
                if said is None and (name == "xmlns" or name.startswith("xmlns:")):
                    said = (MAPPED, "a namespace")
                outcome, how = said or (REFUSED, UNKNOWN)
                value = node.attributes.get(name, "")[:200]
                entries.append(AccountEntry(f"{path}@{name[:60]}" if name else path, node.line, outcome, how, value))
        return Account(self.format, self.file, tuple(entries))

    # values ---------------------------------------------------------------------------------------------------

    def wrong(self, node: Node, message: str, remedy: str | None = None) -> ModelError:
        """The error of an element, to be raised."""
        return ModelError(message, file=self.file, element=f"line {node.line}, {node.path()}", remedy=remedy)

    def text(self, node: Node, name: str) -> str:
        """An attribute that must be there."""
        if name not in node.attributes:
            raise self.wrong(node, f"needs the attribute {name!r}, which is missing.")
        self.mapped(node, name)
        return node.attributes[name]

    def number(self, node: Node, name: str, default: float | None = None) -> float:
        """An attribute that is one number."""
        if name not in node.attributes and default is not None:
            return default
        return self.numbers(node, name, 1)[0]

    def numbers(self, node: Node, name: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """An attribute that is `count` numbers between blanks."""
        if name not in node.attributes and default is not None:
            return default
        return self.parsed(node, self.text(node, name), f"{name}=", count)

    def parsed(self, node: Node, text: str, what: str, count: int) -> tuple[float, ...]:
        """`count` finite numbers in a text."""
        words = text.split()
        wanted = "a number" if count == 1 else f"{count} numbers"
        try:
            values = tuple(float(word) for word in words)
        except ValueError:
            raise self.wrong(node, f"{what}{shown(text)} must be {wanted}.") from None
        if len(values) != count or "_" in text:
            raise self.wrong(node, f"{what}{shown(text)} must be {wanted}.")
        if not all(math.isfinite(x) and abs(x) <= LARGEST for x in values):
            raise self.wrong(node, f"{what}{shown(text)} must be finite.")
        return values

    def only(self, node: Node, tag: str) -> Node | None:
        """The child of a tag that may stand once."""
        found = node.all(tag)
        if len(found) > 1:
            raise self.wrong(
                found[1], f"is the second <{tag}> here; there may be one (the first: line {found[0].line})."
            )
        return found[0] if found else None


def lines_of(document: Mapping[str, Any], *roots: Node) -> Locate:
    """Where each element of a document stands in the files that it was made of: the line of the node that has its name,
    or of which its name tells by beginning with it ('knee armature')."""
    lines: dict[str, int] = {}
    for root in roots:
        for node in root.walk():
            if name := node.attributes.get("name"):
                lines.setdefault(name, node.line)

    def locate(path: tuple[str | int, ...]) -> int | None:
        try:
            name: str = document[str(path[0])][path[1]]["name"]
        except (KeyError, IndexError, TypeError):
            return None
        return lines.get(max((one for one in lines if name.startswith(one)), key=len, default=""))

    return locate


def strict(account: Account, file: str) -> None:
    """Raise UnsupportedElementError where anything was refused, naming it."""
    refused = account.of(REFUSED)
    if not refused:
        return
    groups = account.groups(REFUSED)
    lines = [
        f"{f'line {e.line}, ' if e.line else ''}{e.element}{f' (and {n - 1} more)' if n > 1 else ''}: {how}"
        for how, n, e in groups
    ]
    more = f"; and {len(lines) - SHOWN} reasons more" if len(lines) > SHOWN else ""
    raise UnsupportedElementError(
        f"{len(refused)} elements or attributes cannot be represented: {'; '.join(lines[:SHOWN])}{more}.",
        file=file,
        remedy='on_unsupported="report" (on the command line --on-unsupported report) goes on without them.',
    )


def keep_account(
    mechanism: Mechanism, account: Account, file: str, on_unsupported: str, notes: Iterable[str] = ()
) -> None:
    """The account goes with the mechanism, and so do a reader's notes; what is refused is an error, or ('report') a
    note. Raises as `strict`."""
    mechanism.reading_notes += notes
    if on_unsupported == "error":
        strict(account, file)
    mechanism.account = account
    refused = account.groups(REFUSED)
    if refused:
        reasons = "; ".join(f"{how} ({n})" for how, n, _ in refused[:NOTED])
        more = f"; {len(refused) - NOTED} reasons more in the account" if len(refused) > NOTED else ""
        number = account.counts[REFUSED]
        mechanism.reading_notes.append(f"left out of {file}: {number} elements or attributes: {reasons}{more}")
