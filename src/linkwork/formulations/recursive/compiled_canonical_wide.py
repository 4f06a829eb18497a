"""The entry of `canonical` that presents samples of large mechanisms with dependent rows, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.context import factors_of, links_of, own_of
from linkwork.formulations.recursive.output import present_momenta
from linkwork.kernels.jit import entry
from linkwork.problems.dependent import share_sparsely
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of
from linkwork.problems.implicit import PHI


@entry(ENTRY)
def present(context: Any) -> int:
    """Motion of all bodies, multipliers, coordinates."""
    work = work_of(context)
    present_momenta(tables_of(context), work, links_of(context), own_of(context), factors_of(context))
    share_sparsely(work, dependent_of(context), work.row[:, PHI])
    return 0
