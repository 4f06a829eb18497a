"""The entries of the null-space solver with Z from the graph, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import ROW_FACTORS, SADDLE_FACTORS
from linkwork.solvers.null_space_graph import Graph
from linkwork.solvers.null_space_graph import factorise as _factorise
from linkwork.solvers.null_space_graph import solve as _solve
from linkwork.solvers.tree.compiled_reduced import FIRST_FACTORS, factors_of, space_of
from linkwork.solvers.tree.context import tree_of

GRAPH = block_of(Graph, "f1 f1 f1 i1 f2 f1 f1 f1")
# the solver's own arrays; the rows left, and how they are split; Z^T M Z and its factors
graph_of, rows_of, free_of = readers(FIRST_FACTORS + SADDLE_FACTORS.room, GRAPH, ROW_FACTORS, SADDLE_FACTORS)


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
