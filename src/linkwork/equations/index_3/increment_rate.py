"""The rate of an increment in the algebra of SO(3) x R^3, from the bodies' rates: rA, and groups without SE(3).

A = A_0 exp(d~) turns with the body rate omega = J_r(d) d', so that d' = J_r(d)^-1 omega [Müller 2013, eq. 11].
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.se3 import dexp_inv_so3
from linkwork.kernels.vec3 import neg
from linkwork.problems.context import TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import Work
from linkwork.system.packed import Tables

STRIDE = 6  # unknowns per body


@kernel
def increment_rate(tables: Tables, work: Work) -> int:
    """The rates in work.rate become those of the increments that step_star and z make."""
    c_q, s, z, rate = work.request.c_q[0], work.step_star, work.z, work.rate
    for b in range(tables.body.shape[0] - 1):
        k = STRIDE * b + 3
        d = (s[k] + c_q * z[k], s[k + 1] + c_q * z[k + 1], s[k + 2] + c_q * z[k + 2])
        turned = dexp_inv_so3(neg(d), (rate[k], rate[k + 1], rate[k + 2]))
        for c in range(3):
            rate[k + c] = turned[c]
    return 0


INCREMENT_RATE = entry(increment_rate, TABLES, WORK)
