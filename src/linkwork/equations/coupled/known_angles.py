"""Whether couplings know their angles at a state: how far they have turned since the step's start."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.angles import MOST
from linkwork.kernels.couplings import FIRST, QUANTITY, TERMS, CoupledRows, Couplings, angles_known, is_angle
from linkwork.kernels.jit import kernel
from linkwork.kernels.vec3 import dot
from linkwork.problems.explicit import Work
from linkwork.system.packed import Tables, system_of


@kernel
def are_angles_known(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows) -> bool:
    """Whether all rigid couplings do at base exp(psi), placed there: no turn may have passed unseen."""
    system, known = system_of(tables), angles_known(couplings, rows)
    for k in range(couplings.about.shape[0]):
        for term in range(couplings.about[k, FIRST], couplings.about[k, FIRST] + couplings.about[k, TERMS]):
            q = couplings.term_about[term, QUANTITY]
            turned = turn_of(work, tables.quantity_int[q, 1]) + turn_of(work, tables.quantity_int[q, 2])
            if is_angle(system, couplings, k, term) and not turned < MOST:
                known = False
    return known


@kernel
def turn_of(work: Work, b: int) -> Any:
    """The angle by which body b turns from the base to base exp(psi) [rad]."""
    if b == work.twist.shape[0] - 1:
        return 0.0
    theta = (work.psi[6 * b].real, work.psi[6 * b + 1].real, work.psi[6 * b + 2].real)
    return np.sqrt(dot(theta, theta))
