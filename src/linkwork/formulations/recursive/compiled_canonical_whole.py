"""The entries of `canonical` with closing rows, applied forces or drivers, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import articulated_body, canonical
from linkwork.formulations.recursive.context import factors_of, links_of, own_of
from linkwork.formulations.recursive.output import present_momenta, share
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of


@entry(ENTRY)
def place(context: Any) -> int:
    """Joints, and what follows from them."""
    return canonical.place(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Articulated inertias and closing rows."""
    return articulated_body.factorise(work_of(context), links_of(context), own_of(context), factors_of(context), 0.0)


@entry(ENTRY)
def solve(context: Any) -> int:
    """What the state's rates need."""
    return canonical.solve(
        tables_of(context), work_of(context), links_of(context), own_of(context), factors_of(context)
    )


@entry(ENTRY)
def slope(context: Any) -> int:
    """Rates of the state."""
    return canonical.slope(
        tables_of(context), work_of(context), links_of(context), own_of(context), factors_of(context)
    )


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state is the base."""
    return canonical.settle(tables_of(context), work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def shift(context: Any) -> int:
    """psi from a correction."""
    return canonical.shift(work_of(context), links_of(context), own_of(context))


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    tables, work, own = tables_of(context), work_of(context), own_of(context)
    present_momenta(tables, work, links_of(context), own, factors_of(context))
    return share(tables, work, own, dependent_of(context))
