"""Applied forces in the right sides, in the components of each body's group: compiled only where there are any."""

from __future__ import annotations

import numpy as np

from linkwork.equations.applied import put_applied_forces
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import scale, sub
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.status import Status
from linkwork.system.packed import Tables

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def apply(tables: Tables, work: Work) -> int:
    """Add all applied forces but weight to f (nb, 6) in N m, N, in the twists' components; weight is in f already.

    Reads motion and the values of the forces' formulas; writes f, and e (force global, torque in the body). NOT_FINITE
    where a force is no number: a torsion spring's whose angle is not determined, a formula's outside its domain.
    """
    if work.request.level[0] != ACCELERATION_LEVEL:
        return OK
    m, e, f = work.motion, work.e, work.f
    put_applied_forces(tables, work)
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    total = 0.0
    for b in range(e.shape[0] - 1):
        force = sub(at3(e, b, 0), scale(tables.body[b, 0], g))
        if work.group[b] == 1:
            force = rotate_t(at9(m, b, A), force)
        for c in range(3):
            f[b, c] += e[b, 3 + c]
            f[b, 3 + c] += force[c]
            total += e[b, c] + e[b, 3 + c]
    return OK if abs(total) < np.inf else NOT_FINITE


APPLY = entry(apply, TABLES, WORK)
