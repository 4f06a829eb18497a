"""The entry of `canonical` that differs on trees of many freedoms which forces act on, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import double_double
from linkwork.formulations.recursive.context import factors_of, links_of, own_of
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    return double_double.present_finely(
        tables_of(context), work_of(context), links_of(context), own_of(context), factors_of(context)
    )
