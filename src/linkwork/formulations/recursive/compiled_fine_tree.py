"""The entry of `canonical` that differs on trees of many freedoms which nothing but weight acts on, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import double_double
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    return double_double.present_tree_finely(tables_of(context), work_of(context), links_of(context), own_of(context))
