"""Angles about an axis between two bodies, counted with their turns: of torsion springs, quantities and couplings.

theta is the angle from a_i to a_j about n, all fixed in their bodies; b_i = n x a_i. Bodies that no joint keeps to a
common axis may tilt. Where a_j comes near n theta has no meaning, and passing there it jumps by half a turn, to one
side or to the other by the smallest difference. Whether the turns can be told is therefore judged wherever theta acts
(`told`): it is not known where a_j is within AXIS of n, nor where theta is further than DOUBTFUL from what it was at
the start of the step, so that half a turn more would have been counted half a turn less.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, rotate, rotate_t
from linkwork.kernels.series import angle_of
from linkwork.kernels.tables import System
from linkwork.kernels.vec3 import Vec, cross, dot, get3, scale, sub

REVOLUTION = 2.0 * np.pi
AXIS = 0.02  # sine of the angle between a_j and n
DOUBTFUL = 0.75 * np.pi  # within a step
MOST = REVOLUTION - DOUBTFUL  # of two bodies against each other within a step: by more, a turn may be missed unseen


@kernel
def angle_about(columns: Any, k: int, A: Any, previous: Any) -> Any:
    """theta of number k, with as many turns as bring it nearest to `previous` [rad].

    columns : body_i, body_j, a_i, b_i, a_j of `ForceElements` or `Quantities`.
    """
    i, j = columns.body_i[k], columns.body_j[k]
    g = rotate_t(get9(A, i), rotate(get9(A, j), get3(columns.a_j, k)))
    theta = angle_of(dot(get3(columns.b_i, k), g), dot(get3(columns.a_i, k), g))
    return theta + REVOLUTION * np.floor((previous.real - theta.real) / REVOLUTION + 0.5)


@kernel
def count_angles(system: System, A: Any, previous: Any, out: Any) -> None:
    """theta of every element that counts turns, then of every quantity, into `out`, which may be `previous` itself.

    Quantities that are no angles leave a number that nobody reads.
    """
    e, q = system.elements, system.quantities
    for k in range(e.law.shape[0]):
        m = e.memory[k]
        if m >= 0:
            out[m] = angle_about(e, k, A, previous[m])
    first = previous.shape[0] - q.kind.shape[0]
    for k in range(q.kind.shape[0]):
        out[first + k] = angle_about(q, k, A, previous[first + k])


@kernel
def told(columns: Any, k: int, A: Any, theta: Any, previous: Any) -> bool:
    """Whether theta has a meaning at this pose, and its turns are beyond doubt."""
    i, j = columns.body_i[k], columns.body_j[k]
    along = dot(rotate(get9(A, i), get3(columns.n, k)), rotate(get9(A, j), get3(columns.a_j, k))).real
    return bool(1.0 - along * along >= AXIS * AXIS and abs(theta.real - previous.real) <= DOUBTFUL)


@kernel
def angle_gradient(columns: Any, k: int, relative: Mat) -> Vec:
    """h with dtheta = h . eta for a turn eta of body j against body i, components of body i.

    relative is A_i^T A_j. Equal to n where a_j is perpendicular to n; zero where theta is undefined (a_j along n).
    """
    g = rotate(relative, get3(columns.a_j, k))
    a, b = get3(columns.a_i, k), get3(columns.b_i, k)
    c, s = dot(a, g), dot(b, g)
    square = c * c + s * s
    if square.real == 0.0:
        return scale(0.0 * square, g)
    return scale(1.0 / square, cross(g, sub(scale(c, b), scale(s, a))))
