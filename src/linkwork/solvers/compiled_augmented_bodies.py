"""The entries of barycentric in closed form, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, tables_of, work_of
from linkwork.problems.shared_blocks import SADDLE_FACTORS
from linkwork.solvers.augmented_bodies import AugmentedBodies
from linkwork.solvers.augmented_bodies import factorise as _factorise
from linkwork.solvers.augmented_bodies import solve as _solve

SPACE = block_of(AugmentedBodies, "i1 i1 i1 i1 i2x4 f2x6 i1 f1 f2x3 f2x3 f2x6 f2x3 f2x3 f2x3 f1 f1 f1")
space_of, factors_of = readers(FIRST_SOLVER, SPACE, SADDLE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Write K and factor."""
    return _factorise(tables_of(context), work_of(context), space_of(context), factors_of(context))


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(tables_of(context), work_of(context), space_of(context), factors_of(context))
