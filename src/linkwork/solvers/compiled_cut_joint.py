"""The entries of cut_joint, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import SADDLE_FACTORS
from linkwork.solvers.tree.context import tree_of
from linkwork.solvers.tree.eliminate import Eliminated
from linkwork.solvers.tree.eliminate import factorise as _factorise
from linkwork.solvers.tree.eliminate import solve as _solve
from linkwork.solvers.tree.parts import Tree

SPACE = block_of(Eliminated, "f2x36 f2x36 f1 f1 f2 f1")
space_of, factors_of = readers(FIRST_SOLVER + len(Tree._fields), SPACE, SADDLE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Eliminate the tree; form and factor the Schur complement."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), tree_of(context), space_of(context),
        factors_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(
        tables_of(context), work_of(context), dependent_of(context), tree_of(context), space_of(context),
        factors_of(context),
    )  # fmt: skip
