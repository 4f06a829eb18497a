"""The entry that settles a step and rebuilds positions, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_1.set_state import settle as _settle
from linkwork.formulations.newton_euler.rebuild import rebuild as _rebuild
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of
from linkwork.solvers.tree.context import tree_of


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state, its positions rebuilt, is the base."""
    _settle(tables_of(context), work_of(context))
    return _rebuild(tables_of(context), work_of(context), tree_of(context))
