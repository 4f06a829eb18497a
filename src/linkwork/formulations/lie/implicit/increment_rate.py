"""The rate of an increment in the algebra, from the bodies' twists: d' = dexp_{-d}^-1 V [Müller 2013, eq. 11]."""

from __future__ import annotations

from linkwork.formulations.lie.implicit.set_state import GROUP, STRIDE
from linkwork.kernels.jit import kernel
from linkwork.kernels.se3 import dexp_inv_se3, dexp_inv_so3
from linkwork.kernels.tables import Ints
from linkwork.kernels.vec3 import neg
from linkwork.problems.context import TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import Work
from linkwork.system.packed import Tables


@kernel
def increment_rate(tables: Tables, work: Work, group: Ints) -> int:
    """The rates in work.rate become those of the increments that step_star and z make."""
    c_q, s, z, rate = work.request.c_q[0], work.step_star, work.z, work.rate
    for b in range(tables.body.shape[0] - 1):
        k = STRIDE * b
        w = (rate[k + 3], rate[k + 4], rate[k + 5])
        d = (s[k + 3] + c_q * z[k + 3], s[k + 4] + c_q * z[k + 4], s[k + 5] + c_q * z[k + 5])
        if group[b] == 1:
            e = (s[k] + c_q * z[k], s[k + 1] + c_q * z[k + 1], s[k + 2] + c_q * z[k + 2])
            turned, moved = dexp_inv_se3(neg(d), neg(e), w, (rate[k], rate[k + 1], rate[k + 2]))
            for c in range(3):
                rate[k + c] = moved[c]
        else:
            turned = dexp_inv_so3(neg(d), w)
        for c in range(3):
            rate[k + 3 + c] = turned[c]
    return 0


INCREMENT_RATE = entry(increment_rate, TABLES, WORK, GROUP)
