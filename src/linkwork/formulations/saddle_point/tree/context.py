"""Where the tree's arrays stand among a solver's: first of all, in the order of their names."""

from __future__ import annotations

from linkwork.formulations.saddle_point.tree.parts import Tree
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import FIRST_SOLVER

REPORT = Tree._fields.index("report")  # which of the solver's arrays names a row

TREE = block_of(Tree, "i1 i1 i1 i1 i2x2 i1 i1 f2x36 f2x36 f2x36 i2x6 i2x6 i1 i2x6 i1 i1 f2x12 f2x6 f2x6 f2x6 f1 f1 f1")
(tree_of,) = readers(FIRST_SOLVER, TREE)
