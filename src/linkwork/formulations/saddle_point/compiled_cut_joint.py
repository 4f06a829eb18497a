"""The entries of cut_joint, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.tree.context import REPORT, tree_of
from linkwork.formulations.saddle_point.tree.eliminate import Eliminated
from linkwork.formulations.saddle_point.tree.eliminate import factorise as _factorise
from linkwork.formulations.saddle_point.tree.eliminate import solve_system as _solve
from linkwork.formulations.saddle_point.tree.parts import Tree
from linkwork.kernels.dense_saddle import SaddleFactors
from linkwork.kernels.jit import entry, kernel
from linkwork.problems.addresses import f1, f2
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of

__all__ = ["REPORT", "factorise", "solve"]

FIRST_SPACE = FIRST_SOLVER + len(Tree._fields)
FIRST_FACTORS = FIRST_SPACE + len(Eliminated._fields)


@kernel
def space_of(c: Any) -> Any:
    """The solver's own tables."""
    k = FIRST_SPACE
    return Eliminated(f2(c, k), f2(c, k + 1), f1(c, k + 2), f1(c, k + 3), f2(c, k + 4), f1(c, k + 5))


@kernel
def factors_of(c: Any) -> Any:
    """The Schur complement, and its factors."""
    k = FIRST_FACTORS
    return SaddleFactors(f1(c, k), f1(c, k + 1), f1(c, k + 2))


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
