"""A report in words, for reading at a terminal."""

from __future__ import annotations

import textwrap
from typing import Any

from linkwork.studies.finding import Columns
from linkwork.studies.reproduction import Entry

WIDTH = 110


def entry_text(entry: Entry) -> str:
    """One item: claim, measurement, verdict, reason, table, files."""
    item, finding = entry.item, entry.finding
    lines = [f"{item.name}: {item.title}"]
    if entry.error is not None:
        lines += _labelled("failed", str(entry.error))
    if finding is not None:
        lines += _labelled(finding.whose, finding.claim)
        lines += _labelled("measured", finding.measured)
        lines += _labelled("verdict", str(finding.verdict))
        if finding.source:
            lines += _labelled("source", finding.source)
        if finding.why:
            lines += _labelled("why", finding.why)
        lines += [f"  {line}" for line in table_lines(finding.table)]
    if entry.files:
        lines += _labelled("files", ", ".join(str(path) for path in entry.files.values()))
    return "\n".join(lines) + "\n"


def table_lines(columns: Columns) -> list[str]:
    """A table with aligned columns; numbers in four digits."""
    if not columns:
        return []
    cells = [[name, *(_cell(value) for value in values)] for name, values in columns.items()]
    widths = [max(len(cell) for cell in column) for column in cells]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*cells, strict=True)
    ]


def _cell(value: Any) -> str:
    """A word, or a number in four digits; a dash for none."""
    if isinstance(value, str):
        return value
    return "-" if value != value else f"{value:.4g}"


def _labelled(label: str, text: str) -> list[str]:
    first = f"  {label + ':':<10}"
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)
