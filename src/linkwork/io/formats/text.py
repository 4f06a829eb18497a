"""Getting text and plain data out of files that may be anything: every failure is one clear ModelError."""

from __future__ import annotations

import json
import math
import re
import stat
from pathlib import Path
from typing import Any

from linkwork.errors import LinkworkError, ModelError
from linkwork.io.sources import reads
from linkwork.mechanism.elements import shown

LARGEST_FILE = 64 * 2**20  # bytes
DEEPEST = 50  # levels of nesting


def read_text(path: Path, largest: int = LARGEST_FILE, *, looking: bool = False) -> str:
    """The file's text. Raises ModelError if there is none to be had.

    looking : to see what it is; it does not count as read by a command (`io.sources`) until it is `reads`.
    """
    file = str(path)
    try:
        if not looking:
            reads(path)
        if path.is_dir():
            raise ModelError("is a folder, not a model file.", file=file)
        status = path.stat()
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):  # reading a pipe or a device need never end
            raise ModelError("is a pipe, a device or a socket, not a file.", file=file, remedy="Save it to a file.")
        if size > largest:
            remedy = "Large mechanisms are kept as JSON." if largest < LARGEST_FILE else None
            message = f"is too large for such a model file ({size} bytes; at most {largest})."
            raise ModelError(message, file=file, remedy=remedy)
        with path.open("rb") as stream:
            data = stream.read(largest + 1)
        if len(data) > largest:  # it grew, or does not know its size
            raise ModelError(f"is too large for such a model file (more than {largest} bytes).", file=file)
    except FileNotFoundError:
        raise ModelError("does not exist.", file=file, remedy="Check the path, or see `linkwork models`.") from None
    except OSError as error:
        raise ModelError(f"cannot be read ({error.strerror or error}).", file=file) from None
    except ValueError as error:  # a path with a null character
        raise ModelError(f"is not a path ({error}).", file=repr(file)) from None
    if not data.strip():
        raise ModelError("is empty.", file=file)
    if b"\0" in data[:8192]:
        raise ModelError("is not text: a binary file, or text that is not UTF-8.", file=file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        remedy = "Save it as UTF-8."
        raise ModelError(f"is not UTF-8 text (line {line}).", file=file, remedy=remedy) from None


def deepest(text: str) -> int:
    """How deep brackets outside quoted texts are nested in a JSON text."""
    depth = most = 0
    for mark in re.findall(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text):
        if mark in "[{":
            depth += 1
            most = max(most, depth)
        elif mark in "]}":
            depth -= 1
    return most


def parse_json(text: str, path: Path) -> Any:
    """The data in a JSON text: no duplicate keys, no NaN, no bottomless nesting."""
    file = str(path)
    if deepest(text) > DEEPEST:  # before parsing: how deep a parser can go differs between Pythons
        raise ModelError("is nested too deeply.", file=file)
    try:
        return json.loads(
            text, object_pairs_hook=_no_duplicates, parse_constant=_no_nan, parse_float=_finite, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(text.rstrip())
        cut = " The file ends there: was it cut off?" if at_end else ""
        raise ModelError(
            f"is not valid JSON (line {error.lineno}, column {error.colno}: {error.msg}).{cut}", file=file
        ) from None
    except RecursionError:
        raise ModelError("is nested too deeply.", file=file) from None
    except ValueError as error:
        raise ModelError(f"{error}.", file=file) from None


def check_size(data: Any, path: Path, most: int = 20_000_000) -> None:
    """Refuse data that is inside itself, too deep, or enormous once its aliases are written out."""
    sizes: dict[int, int] = {}

    def size(value: Any, depth: int) -> int:
        if not isinstance(value, dict | list):
            return 1
        if depth > DEEPEST:
            raise ModelError("is nested too deeply, or contains itself.", file=str(path))
        if id(value) not in sizes:
            parts = value.values() if isinstance(value, dict) else value
            sizes[id(value)] = 1 + sum(size(part, depth + 1) for part in parts)
        return sizes[id(value)]

    if size(data, 0) > most:
        raise ModelError("is enormous once its aliases are written out.", file=str(path))


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"has the key {shown(key)} twice in one object")
            seen.add(key)
    return data


def _no_nan(text: str) -> Any:
    raise ValueError(f"holds {text}, which is not a number JSON or linkwork knows")


def _integer(text: str) -> int:
    if len(text) > 1000:  # Python reads 4300 digits; 100 are more than any number here may have
        raise ValueError(f"holds the number {shown(text)}, which is too large")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"holds the number {shown(text)}, which is too large")
    return value


def holds(path: Path, words: str) -> bool:
    """Whether these words stand in a file that can be read as text; never raises for what is in it."""
    try:
        return words in read_text(path)
    except LinkworkError:
        return False
