"""The entries of joint_rates and barycentric, compiled: they differ in their tables alone."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import SADDLE_FACTORS
from linkwork.solvers.tree.context import tree_of
from linkwork.solvers.tree.parts import Tree
from linkwork.solvers.tree.reduced import Reduced
from linkwork.solvers.tree.reduced import factorise as _factorise
from linkwork.solvers.tree.reduced import solve as _solve

SPACE = block_of(Reduced, "f2x36 f1 f1 f1 f1")
FIRST_FACTORS = FIRST_SOLVER + len(Tree._fields) + SPACE.room
space_of, factors_of = readers(FIRST_SOLVER + len(Tree._fields), SPACE, SADDLE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor the reduced system."""
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
