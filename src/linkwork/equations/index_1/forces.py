"""Applied forces in the right sides, in the components of each body's group: compiled only where there are any."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import scale, sub
from linkwork.problems.entry import entry
from linkwork.problems.explicit import ACCELERATIONS, LEVEL, A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.status import Status
from linkwork.system.packed import Tables, system_of

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def apply(tables: Tables, work: Work) -> int:
    """Add loads, springs and torsions to f (nb, 6) in N m, N, in the twists' components; weight is in f already.

    Reads motion and the values of the forces' formulas; writes f, and e (force global, torque in the body). NOT_FINITE
    where a torsion spring's angle is not determined.
    """
    if work.coef[LEVEL].real != ACCELERATIONS:
        return OK
    m, e, f = work.motion, work.e, work.f
    for b in range(e.shape[0]):
        for c in range(6):
            e[b, c] = 0.0
    values = LoadValues(work.load_values, work.spring_values, work.torsion_values, work.torsion_angles)
    applied_forces(
        system_of(tables), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3], values, e[:, 0:3],
        e[:, 3:6],
    )  # fmt: skip
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    total = 0.0
    for b in range(e.shape[0] - 1):
        force = sub(at3(e, b, 0), scale(tables.body[b, 0], g))
        if work.group[b] == 1:
            force = rotate_t(at9(m, b, A), force)
        for c in range(3):
            f[b, c] += e[b, 3 + c]
            f[b, 3 + c] += force[c]
            total += e[b, 3 + c]
    return OK if abs(total) < np.inf else NOT_FINITE


APPLY = entry(apply, TABLES, WORK)
