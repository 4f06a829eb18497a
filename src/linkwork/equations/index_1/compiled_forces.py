"""The entry that applies forces, compiled where a mechanism has any besides weight."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_1.forces import apply as _apply
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def apply(context: Any) -> int:
    """Loads, springs and torsions."""
    return _apply(tables_of(context), work_of(context))
