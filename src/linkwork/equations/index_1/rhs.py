"""From the solution of the index-1 system to the time derivative of the increment, and to corrections."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.entry import entry
from linkwork.problems.explicit import ACC, ALPHA, A, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.request import POSITION_LEVEL
from linkwork.spaces.groups import product, se3
from linkwork.status import Status
from linkwork.system.packed import Tables

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def rhs(tables: Tables, work: Work) -> int:
    """k = psi' = (dexp_{-psi}^-1 V, Vdot), (12 nb,) in rad/s, m/s, rad/s^2, m/s^2 [Müller 2013, eqs. 36-37].

    Reads psi, twist V and x = Vdot; writes slope, and alpha (body) and a (global) in motion. NOT_FINITE where a number
    is none.
    """
    m, twist, x, psi, k = work.motion, work.twist, work.x, work.psi, work.psi_rate
    nb = m.shape[0] - 1
    total = 0.0
    for b in range(nb):
        o, n = 6 * b, 6 * (nb + b)
        theta, d = (psi[o], psi[o + 1], psi[o + 2]), (psi[o + 3], psi[o + 4], psi[o + 5])
        w, v = at3(twist, b, 0), at3(twist, b, 3)
        wdot, vdot = at3(x, b, 0), at3(x, b, 3)
        set3(m, b, ALPHA, wdot)
        if work.group[b] == 1:
            k_w, k_v = se3.increment_rate(theta, d, w, v)
            set3(m, b, ACC, rotate(at9(m, b, A), add(vdot, cross(w, v))))
        else:
            k_w, k_v = product.increment_rate(theta, d, w, v)
            set3(m, b, ACC, vdot)
        for c in range(3):
            k[o + c], k[o + 3 + c] = k_w[c], k_v[c]
            k[n + c], k[n + 3 + c] = wdot[c], vdot[c]
            total += wdot[c] + vdot[c] + k_w[c] + k_v[c]
    return OK if (total - total).real == 0.0 else NOT_FINITE


@kernel
def retract(tables: Tables, work: Work) -> int:
    """psi (12 nb,) from a solution x (nb, 6) that is a correction of poses or of twists, as work.request.level says."""
    nb = work.motion.shape[0] - 1
    first = 0 if work.request.level[0] == POSITION_LEVEL else 6 * nb
    for c in range(12 * nb):
        work.psi[c] = 0.0
    for b in range(nb):
        for c in range(6):
            work.psi[first + 6 * b + c] = work.x[b, c]
    return OK


RHS = entry(rhs, TABLES, WORK)
RETRACT = entry(retract, TABLES, WORK)
