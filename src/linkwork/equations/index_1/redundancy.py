"""Which rows depend on others at the state that is set, where a mechanism may have redundant rows."""

from __future__ import annotations

from linkwork.kernels.dependence import ND
from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import Dependent, find_dependent_adrift
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.implicit import PHI
from linkwork.system.packed import Tables


@kernel
def detect_redundant_rows(tables: Tables, work: Work, dependent: Dependent) -> int:
    """Sort the rows into kept and dropped ones, their number into work.dropped.

    Reads G and phi, as rows that are not met are judged with care; writes dependent. Returns how many rows
    changed sides, -1 for rows that are not finite.
    """
    changed = find_dependent_adrift(tables, work, dependent, work.row[:, PHI])
    work.dropped[0] = dependent.found.sizes[ND]
    return changed


DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, TABLES, WORK, DEPENDENT)
