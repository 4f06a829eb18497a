"""The entry of `articulated-body` for applied forces, compiled where there are any."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import articulated_body
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def apply(context: Any) -> int:
    """Applied forces."""
    return articulated_body.apply(tables_of(context), work_of(context), links_of(context), own_of(context))
