"""What entries do first, for tests alone: the records of a table, in Python and in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkwork.problems.blocks import compile_reader
from linkwork.problems.entry import reader_of


def reading(*parts: Any, arity: int = 1) -> Callable[..., tuple[Any, ...]]:
    """A function of a table (and of the further arguments of an entry) that gives these parts."""
    read = reader_of(parts)
    compile_reader(read, parts, arity)
    return read
