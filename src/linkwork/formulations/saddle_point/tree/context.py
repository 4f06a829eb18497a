"""Where the tree's arrays stand among a solver's: first of all, in the order of their names."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.tree.parts import Tree
from linkwork.kernels.jit import kernel
from linkwork.problems.addresses import f1, f2, i1, i2
from linkwork.problems.explicit_context import FIRST_SOLVER

REPORT = Tree._fields.index("report")  # which of the solver's arrays names a row


@kernel
def tree_of(c: Any) -> Any:
    """The tree's tables and work space."""
    k = FIRST_SOLVER
    return Tree(
        i1(c, k), i1(c, k + 1), i1(c, k + 2), i1(c, k + 3), i2(c, k + 4), i1(c, k + 5), i1(c, k + 6), f2(c, k + 7),
        f2(c, k + 8), f2(c, k + 9), i2(c, k + 10), i2(c, k + 11), i1(c, k + 12), i2(c, k + 13), i1(c, k + 14),
        i1(c, k + 15), f2(c, k + 16), f2(c, k + 17), f2(c, k + 18), f2(c, k + 19), f1(c, k + 20), f1(c, k + 21),
        f1(c, k + 22),
    )  # fmt: skip
