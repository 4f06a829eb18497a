"""Applied forces in the right sides: as net force at the centre of mass, and couple."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.lie.forces import apply as apply_in_groups
from linkwork.formulations.rotation_matrix.rows import couple
from linkwork.kernels.columns import at3, at9, set9
from linkwork.kernels.jit import kernel
from linkwork.problems.explicit import A
from linkwork.status import Status

OK = int(Status.OK)


@kernel
def apply(tables: Any, work: Any, own: Any) -> int:
    """Add loads, springs and torsions at the placed state to f, and their torques to Y."""
    apply_in_groups(tables, work)
    for b in range(work.e.shape[0] - 1):
        set9(own.Y, b, 0, couple(at9(work.motion, b, A), at3(work.e, b, 3)))
    return OK
