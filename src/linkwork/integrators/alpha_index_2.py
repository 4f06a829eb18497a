"""The stabilised equations of index 2 [Gear, Gupta, Leimkuhler 1985] in a step of generalized-alpha.

    increment = that of the method + w,    w = M^-1 G^T mu,    phi = 0,    G v = nu

besides the equations of motion: rows are met at velocity level by the multipliers lambda, and at position level by mu,
which vanishes in the exact solution. M^-1 G^T are those of the pose that matrices were formed at. Newton's method
corrects w by what the rows of poses will lack once the accelerations have been corrected.
"""

from __future__ import annotations

import numpy as np

from linkwork.integrators.radau_matrix import solve_real
from linkwork.integrators.radau_state import Entries, Run, Systems
from linkwork.kernels.jit import separate_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.request import POSITION_LEVEL, VELOCITY_LEVEL


@separate_kernel
def to_rows(entries: Entries, context: Ints, run: Run, systems: Systems, r: Floats) -> float:
    """G v - nu over c_v into r, in place of phi over c_q; and w, in step_star, corrected by what rows of poses will
    lack: phi - (c_q / c_v) (G v - nu). Returns the weighted size of the change, in root mean square.

    r : (N,) the residual at the end of the step. `systems.start` is factored.
    """
    first, npos, change = run.first_multiplier[0], run.rate.shape[0], run.aside
    c_v, c_q = run.request.c_v[0], run.request.c_q[0]
    run.request.level[0] = VELOCITY_LEVEL
    entries.constrain(context)
    run.request.level[0] = POSITION_LEVEL
    for c in range(r.shape[0]):
        change[c] = 0.0
        if c >= first:
            rate = run.residual[c] / c_v
            if run.power[c] != 1:
                change[c] = c_q * (r[c] - rate)
            r[c] = rate
    solve_real(run, systems, change, systems.start)
    total = 0.0
    for c in range(npos):
        y = run.weight[c] * change[c]
        total += y * y
        run.step_star[c] -= change[c]
    return float(np.sqrt(total / max(npos, 1)))
