"""The entries of the null-space solver with Z from the graph, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.null_space_graph import Graph
from linkwork.formulations.saddle_point.null_space_graph import factorise as _factorise
from linkwork.formulations.saddle_point.null_space_graph import solve_system as _solve
from linkwork.formulations.saddle_point.tree.compiled_reduced import FIRST_FACTORS, factors_of, space_of
from linkwork.formulations.saddle_point.tree.context import REPORT, tree_of
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.dense_saddle import SaddleFactors
from linkwork.kernels.jit import entry, kernel
from linkwork.problems.addresses import f1, f2, i1
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of

__all__ = ["REPORT", "factorise", "solve"]

FIRST_GRAPH = FIRST_FACTORS + len(SaddleFactors._fields)
FIRST_ROWS = FIRST_GRAPH + len(Graph._fields)
FIRST_FREE = FIRST_ROWS + len(RowFactors._fields)


@kernel
def graph_of(c: Any) -> Any:
    """The solver's own arrays."""
    k = FIRST_GRAPH
    return Graph(
        f1(c, k), f1(c, k + 1), f1(c, k + 2), i1(c, k + 3), f2(c, k + 4), f1(c, k + 5), f1(c, k + 6), f1(c, k + 7)
    )


@kernel
def rows_of(c: Any) -> Any:
    """The rows left, and how they are split."""
    k = FIRST_ROWS
    return RowFactors(
        f2(c, k), i1(c, k + 1), f1(c, k + 2), f1(c, k + 3), i1(c, k + 4), i1(c, k + 5), f1(c, k + 6), f1(c, k + 7)
    )


@kernel
def free_of(c: Any) -> Any:
    """Z^T M Z and its factors."""
    k = FIRST_FREE
    return SaddleFactors(f1(c, k), f1(c, k + 1), f1(c, k + 2))


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Split the rows left, and factor what that leaves."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), tree_of(context), space_of(context),
        factors_of(context), graph_of(context), rows_of(context), free_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(
        tables_of(context), work_of(context), dependent_of(context), tree_of(context), space_of(context),
        factors_of(context), graph_of(context), rows_of(context), free_of(context),
    )  # fmt: skip
