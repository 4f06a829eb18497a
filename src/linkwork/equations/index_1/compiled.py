"""The entries of the Lie-group formulations, compiled with the one signature that all problems share."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_1.rhs import shift as _shift
from linkwork.equations.index_1.rhs import slope as _slope
from linkwork.equations.index_1.set_state import place as _place
from linkwork.equations.index_1.set_state import settle as _settle
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def place(context: Any) -> int:
    """Bodies, rows and right sides."""
    return _place(tables_of(context), work_of(context))


@entry(ENTRY)
def slope(context: Any) -> int:
    """The increment's rate."""
    return _slope(tables_of(context), work_of(context))


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state is the base."""
    return _settle(tables_of(context), work_of(context))


@entry(ENTRY)
def shift(context: Any) -> int:
    """Psi from a correction."""
    return _shift(tables_of(context), work_of(context))
