"""The entries of `articulated-body` on trees that nothing but weight acts on, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import articulated_body
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.formulations.recursive.output import present_tree_rates
from linkwork.formulations.recursive.slopes import coordinate_rates
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def place(context: Any) -> int:
    """Joints, and what follows from them."""
    return articulated_body.place_tree(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def factorise(context: Any) -> int:
    """From tips to base."""
    return articulated_body.ascend_tree(links_of(context), own_of(context))


@entry(ENTRY)
def solve(context: Any) -> int:
    """From base to tips."""
    return articulated_body.descend_tree(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def slope(context: Any) -> int:
    """Rates of the coordinates."""
    return coordinate_rates(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def evaluate(context: Any) -> int:
    """All of these in one."""
    return articulated_body.evaluate_tree(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state is the base."""
    return articulated_body.settle_tree(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    return present_tree_rates(tables_of(context), work_of(context), links_of(context), own_of(context))
