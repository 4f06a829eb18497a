"""All entries of the package, found where they are declared."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import linkwork
from linkwork.problems.entry import Entry

DECLARED = re.compile(r"^[A-Z][\w, ]* = \w*entr(y|ies)\w*\(", re.MULTILINE)  # X = entry(...), A, B = entries_of(...)


def all_entries() -> list[Entry]:
    """Every entry that a module of linkwork declares, in the order of their modules."""
    found: dict[str, Entry] = {}
    for module in modules():
        for value in vars(import_module(module)).values():
            if isinstance(value, Entry) and value.module == module:
                found[said(value)] = value
    return [found[name] for name in sorted(found)]


def modules() -> list[str]:
    """Modules that declare entries."""
    root = Path(linkwork.__file__).parent
    files = (file for file in sorted(root.rglob("*.py")) if DECLARED.search(file.read_text(encoding="utf-8")))
    return [".".join(("linkwork", *file.relative_to(root).with_suffix("").parts)) for file in files]


def said(entry: Entry) -> str:
    """Module and name of an entry, as the index of a library has it."""
    return f"{entry.module}:{entry.name}"


def symbol(entry: Entry) -> str:
    """Its name in a library."""
    return "lw_" + re.sub(r"\W", "_", said(entry).removeprefix("linkwork."))
