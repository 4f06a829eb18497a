"""The stabilised equations of index 2 [Gear, Gupta, Leimkuhler 1985] in the stages of a Radau step.

    rate of the increments = dexp^-1 v + w,    w = M^-1 G^T mu,    phi = 0,    G v = nu

besides the equations of motion: rows are met at velocity level by the multipliers lambda, and at position level by mu,
which vanishes in the exact solution. M^-1 G^T are those of the pose that matrices were formed at, the same throughout a
step, so that within it the equations are of index 2 for smooth data [Hairer, Lubich, Roche 1989]. Newton's method
corrects w by what the rows of poses will lack once rates have been corrected.
"""

from __future__ import annotations

import numpy as np

from linkwork.integrators.collocation import Collocation
from linkwork.integrators.radau_matrix import solve_real
from linkwork.integrators.radau_state import Entries, Run, Systems
from linkwork.kernels.jit import separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.request import POSITION_LEVEL, VELOCITY_LEVEL


@separate_kernel
def rows_at_velocity_level(entries: Entries, context: Ints, run: Run, i: int, h: float) -> None:
    """Of stage i, which is placed: phi into `off`, and G v - nu over h into the residual r, in place of phi / h^2."""
    first = run.first_multiplier[0]
    for c in range(first, run.z.shape[0]):
        run.off[i, c] = 0.0 if run.power[c] == 1 else h * h * run.r[i, c]
    run.request.level[0] = VELOCITY_LEVEL
    entries.constrain(context)
    run.request.level[0] = POSITION_LEVEL
    for c in range(first, run.z.shape[0]):
        run.r[i, c] = run.residual[c] / h


@separate_kernel
def to_rows(run: Run, systems: Systems, method: Collocation, h: float) -> float:
    """Correct w by what the rows of poses will lack: phi_i - h sum A_ij (G v - nu)_j. Returns the weighted size of the
    change of increments, in root mean square.

    Reads `off` and, in r, the rows at velocity level over h; `systems.start` is factored.
    """
    s, npos, first, total = run.stages[0], run.rate.shape[0], run.first_multiplier[0], 0.0
    for i in range(s):
        change = run.aside
        for c in range(first):
            change[c] = 0.0
        for c in range(first, run.z.shape[0]):
            change[c] = run.off[i, c]
            if run.power[c] != 1:
                for j in range(s):
                    change[c] -= h * h * method.A[i, j] * run.r[j, c]
        solve_real(run, systems, change, systems.start)
        for c in range(npos):
            y = run.weight[c] * change[c]
            total += y * y
        for j in range(s):
            share = method.inverse[j, i] / h
            for c in range(npos):
                run.across[j, c] -= share * change[c]
    return float(np.sqrt(total / max(npos * s, 1)))
