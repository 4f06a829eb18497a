"""Tables of a description that stand in a file of their own, `{file: tyre.csv, x: travel, y: force}`: read into it.

The file lies in the folder of the description, or below it; a path that leads out is not followed. What is read stands
in the mechanism as if it had been given inline, so that results and saved files need no other file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from linkwork.errors import ModelError
from linkwork.io.formats.text import read_text
from linkwork.mechanism.elements import LARGEST, did_you_mean, shown

LARGEST_FILE = 8 * 2**20  # bytes
MOST_POINTS = 20_000
Column = tuple[list[float], list[int]]  # numbers, and the lines that they stand in


def with_tables(data: Any, path: Path) -> Any:
    """The document with the points of its files in it. Raises ModelError naming the table, the file and the line."""
    tables = data.get("tables") if isinstance(data, Mapping) else None
    if not isinstance(tables, Mapping) or not any(isinstance(t, Mapping) and "file" in t for t in tables.values()):
        return data
    found = {name: _inline(name, said, path) for name, said in tables.items()}
    return {**data, "tables": found}


def _inline(name: Any, said: Any, path: Path) -> Any:
    if not isinstance(said, Mapping) or "file" not in said:
        return said
    where = f"tables.{name}"
    if not isinstance(said["file"], str):
        raise ModelError(f"names a file by {shown(said['file'])}, not by text.", file=str(path), element=where)
    file = _place(said["file"], path, where)
    header, rows = _rows(file, where)
    x, lines = _column(said.get("x", 1), header, rows, file, where)
    y, _ = _column(said.get("y", 2), header, rows, file, where)
    for k, (one, two) in enumerate(pairwise(x)):
        if not two > one:
            raise _wrong(file, lines[k + 1], f"x = {two:g} follows {one:g}: x must be ascending", where)
    return {**{key: value for key, value in said.items() if key != "file"}, "x": x, "y": y}


def _place(said: str, path: Path, where: str) -> Path:
    """The file, in the folder of the description or below it."""
    here = path.resolve().parent
    try:
        file = (here / said).resolve()
    except (OSError, ValueError, RuntimeError):
        raise ModelError(f"names {shown(said)}, which is no path.", file=str(path), element=where) from None
    if not file.is_relative_to(here):
        text = f"names the file {shown(said)}, which lies outside the folder of the description."
        raise ModelError(text, file=str(path), element=where, remedy="Put it beside the description.")
    if not file.is_file():
        raise ModelError(f"names the file {shown(said)}, which does not exist.", file=str(path), element=where)
    return file


def _rows(file: Path, where: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Column names, if the first row has any, and rows of cells with the line that they stand in."""
    rows: list[tuple[int, list[str]]] = []
    separator: str | None = None
    for number, line in enumerate(read_text(file, LARGEST_FILE).splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if not rows:
            separator = next((mark for mark in (";", "\t", ",") if mark in text), None)
        cells = [cell.strip().strip('"').strip() for cell in (text.split(separator) if separator else text.split())]
        if rows and len(cells) != len(rows[0][1]):
            raise _wrong(file, number, f"{len(cells)} cells, where the first row has {len(rows[0][1])}", where)
        rows.append((number, cells))
        if len(rows) > MOST_POINTS + 1:
            raise _wrong(file, number, f"more than {MOST_POINTS} rows; a table holds no more", where)
    header = rows.pop(0)[1] if rows and not all(map(_is_number, rows[0][1])) else []
    if len(rows) < 2:
        raise _wrong(file, rows[-1][0] if rows else 1, "a table needs two rows of numbers at least", where)
    return header, rows


def _column(said: Any, header: list[str], rows: list[tuple[int, list[str]]], file: Path, where: str) -> Column:
    """A column by its name, or by its number from 1 on."""
    if isinstance(said, str):
        if said not in header:
            text = (
                f"no column is called {shown(said)}{did_you_mean(said, header)}" if header else "columns have no names"
            )
            raise _wrong(file, 1, text, where)
        at = header.index(said)
    elif isinstance(said, int) and not isinstance(said, bool) and 1 <= said <= len(rows[0][1]):
        at = said - 1
    else:
        raise _wrong(file, rows[0][0], f"there is no column {shown(said)}, of {len(rows[0][1])}", where)
    numbers = []
    for line, cells in rows:
        if not _is_number(cells[at]):
            raise _wrong(file, line, f"{shown(cells[at])} is no number", where)
        numbers.append(float(cells[at]))
        if abs(numbers[-1]) > LARGEST:
            raise _wrong(file, line, f"{shown(cells[at])} is too large", where)
    return numbers, [line for line, _ in rows]


NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")


def _is_number(cell: str) -> bool:
    return len(cell) < 100 and NUMBER.match(cell) is not None and math.isfinite(float(cell))


def _wrong(file: Path, line: int, text: str, where: str) -> ModelError:
    return ModelError(f"line {line}: {text}", file=str(file), element=where)
