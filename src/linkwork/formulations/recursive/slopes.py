"""What increments of coordinates and speeds have in common in the two recursive formulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.formulations.recursive.place import add_carefully
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.so3 import right_jacobian_inverse
from linkwork.kernels.tuple_access import natural
from linkwork.status import Status
from linkwork.system.links.linktree import BALL, DOF, KIND

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)
LARGEST = float(np.finfo(float).max)


@kernel
def coordinate_rates(work: Any, links: Any, own: Any) -> int:
    """slope[: dofs]: rates, of ball joints dexp_{-psi}^-1 omega. Fails where a slope is not finite."""
    d, total = natural(own.rate.shape[0]), 0.0
    for i in range(d):
        work.slope[i] = own.rate[i]
        total += own.rate[i] + work.slope[d + i]
    if own.pose.shape[0] > 0:
        turn_rates(work, links, own)
    return OK if abs(total.real) <= LARGEST else NOT_FINITE


@kernel
def turn_rates(work: Any, links: Any, own: Any) -> None:
    """The same for the rotation vectors of ball joints."""
    psi, slope = work.psi, work.slope
    for k in range(links.what.shape[0]):
        if links.what[k, KIND] == BALL:
            i = links.what[k, DOF]
            x = (psi[i], psi[i + 1], psi[i + 2])
            w = rotate(right_jacobian_inverse(x), (own.rate[i], own.rate[i + 1], own.rate[i + 2]))
            slope[i], slope[i + 1], slope[i + 2] = w[0], w[1], w[2]


@kernel
def settle_speeds(work: Any, own: Any) -> None:
    """Rates or momenta of the base, and what they are measured against: the largest of each kind."""
    d, largest = own.rate.shape[0], 0.0
    for i in range(d, 2 * d):
        add_carefully(own.base, i, work.psi[i])
        largest = max(largest, abs(own.base[i, 0]) * own.measure[i])
    for i in range(d, 2 * d):
        work.size[i] = largest
