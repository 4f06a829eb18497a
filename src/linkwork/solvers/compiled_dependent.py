"""The entry that finds dependent rows of explicit problems, compiled where rows may be dependent."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.dependence import ND
from linkwork.kernels.jit import entry
from linkwork.problems.dependent import find_dependent_adrift
from linkwork.problems.explicit import DROPPED
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of
from linkwork.problems.implicit import PHI


@entry(ENTRY)
def seek(context: Any) -> int:
    """Which rows depend on others at the placed state."""
    work, dependent = work_of(context), dependent_of(context)
    changed = find_dependent_adrift(tables_of(context), work, dependent, work.row[:, PHI])
    work.coef[DROPPED] = dependent.found.sizes[ND]
    return changed
