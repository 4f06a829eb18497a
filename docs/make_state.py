"""Makes docs/state.md, a table of every record that kernels share: python docs/make_state.py."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from linkwork.kernels.records import Columns, Field, Length, fields_of, is_record

PAGE = Path(__file__).with_name("state.md")
ROOMS = ("system", "problems", "integrators", "analysis", "equations", "solvers", "formulations", "kernels")
KINDS = {"f": "float", "i": "int", "h": "int32", "u": "uint32"}
HEAD = """# State: the arrays of a run

Made by `docs/make_state.py` from the annotations of the records themselves (`kernels/records.py`); do not edit.

Everything that compiled code reads and writes is in these arrays. A record is a named tuple; its arrays stand in
the order below in the [table of addresses](architecture.md#entries) that entries receive. Extents are `nb` bodies, `nc`
rows of constraints, or explained where they stand.
"""


def records() -> Iterator[type]:
    """All records of the package, room by room, in the order of modules."""
    for room in ROOMS:
        package = import_module(f"linkwork.{room}")
        for found in sorted(pkgutil.walk_packages(package.__path__, package.__name__ + "."), key=lambda one: one.name):
            if found.name.rpartition(".")[2].startswith("compiled"):
                continue
            module = import_module(found.name)
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__ == found.name and is_record(value):
                    yield value


def shape_of(one: Field) -> str:
    """Type and shape of a field, or what it is instead."""
    if isinstance(one.kind, Columns):
        return f"column of `{one.kind.of}`" if one.kind.many is None else f"{one.kind.many} columns of `{one.kind.of}`"
    if isinstance(one.kind, Length):
        return f"length of `{one.kind.of}`" if one.kind.of else "number"
    if isinstance(one.kind, tuple):
        extents = ", ".join(map(str, one.kind))
        return f"{KINDS[one.letter]} ({extents}{',' if len(one.kind) == 1 else ''})"
    return f"`{one.kind.__name__}`" if is_record(one.kind) else "entry"


def table_of(record: type) -> str:
    """One record's part of the page."""
    said = (record.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")
    lines = [f"### {record.__name__}", "", f"`{record.__module__.removeprefix('linkwork.')}`. {said}", ""]
    lines += ["| field | shape | unit | what it is |", "|---|---|---|---|"]
    for one in fields_of(record):
        *unit, meaning = one.about or ("",)
        words = (one.name, shape_of(one), " ".join(unit), meaning)
        lines.append("| " + " | ".join(word.replace("|", "\\|") for word in (f"`{words[0]}`", *words[1:])) + " |")
    return "\n".join(lines)


def page() -> str:
    """The page."""
    parts, room = [HEAD], ""
    for record in records():
        now = record.__module__.split(".")[1]
        if now != room:
            parts.append(f"## {now}\n")
            room = now
        parts.append(table_of(record) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
