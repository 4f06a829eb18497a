"""The entry that ends a step and rebuilds positions from the joints, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_1.accept_step import accept_step as _accept_step
from linkwork.formulations.newton_euler.rebuild import rebuild as _rebuild
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of
from linkwork.solvers.tree.context import tree_of


@entry(ENTRY)
def accept_step(context: Any) -> int:
    """The state that is set, with its positions rebuilt, becomes the base."""
    _accept_step(tables_of(context), work_of(context))
    return _rebuild(tables_of(context), work_of(context), tree_of(context))
