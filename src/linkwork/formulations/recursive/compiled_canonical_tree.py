"""The entries of `canonical` on trees that nothing but weight acts on, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import canonical
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.formulations.recursive.output import present_tree_momenta
from linkwork.formulations.recursive.slopes import coordinate_rates
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def place(context: Any) -> int:
    """Joints, and what follows from them."""
    return canonical.place_tree(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def factorise(context: Any) -> int:
    """The first recursion."""
    return canonical.ascend_tree(links_of(context), own_of(context))


@entry(ENTRY)
def solve(context: Any) -> int:
    """The second recursion."""
    return canonical.descend_tree(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def slope(context: Any) -> int:
    """Rates of the state."""
    return coordinate_rates(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def evaluate(context: Any) -> int:
    """All of these in one."""
    return canonical.evaluate_tree(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state is the base."""
    return canonical.settle_tree(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    return present_tree_momenta(tables_of(context), work_of(context), links_of(context), own_of(context))
