"""Where the tree's arrays stand among a solver's: first of all, in the order of their names."""

from __future__ import annotations

from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import FIRST_SOLVER
from linkwork.solvers.tree.parts import Tree

TREE = block_of(Tree, "i1 i1 i1 i1 i2x2 i1 i1 f2x36 f2x36 f2x36 i2x6 i2x6 i1 i2x6 i1 i1 f2x12 f2x6 f2x6 f2x6 f1 f1 f1")
(tree_of,) = readers(FIRST_SOLVER, TREE)
