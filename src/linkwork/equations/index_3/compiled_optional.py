"""Entries that only some runs need, shared by rA, rp and re; each is compiled when first asked for."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_3 import variations
from linkwork.kernels.jit import entry
from linkwork.problems.context import ENTRY, matrix_of, tables_of, work_of

_apply, _vary_forces, _vary_reactions = variations.apply, variations.vary_forces, variations.vary_reactions


@entry(ENTRY)
def apply(context: Any) -> int:
    """Minus the applied forces other than weight."""
    return _apply(tables_of(context), work_of(context))


@entry(ENTRY)
def vary_forces(context: Any) -> int:
    """Their derivatives."""
    return _vary_forces(tables_of(context), work_of(context), matrix_of(context))


@entry(ENTRY)
def vary_reactions(context: Any) -> int:
    """The reactions' first-order variation."""
    return _vary_reactions(tables_of(context), work_of(context), matrix_of(context))
