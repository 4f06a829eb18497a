"""Rotational spring-damper-actuators: torque, energy and exact derivatives.

theta is the angle from a_i to a_j about n, all fixed in their bodies; b_i = n x a_i. The torque
T = stiffness (theta - angle) + damping thetadot + actuator acts on body i along +n and on body j along -n, with
thetadot = n . (omega_j - omega_i). Where a_j is perpendicular to n, as a joint keeps it, that is the rate of theta.

Bodies that no joint keeps to a common axis may tilt. Where a_j comes near n theta has no meaning, and passing there it
jumps by half a turn, to one side or to the other by the smallest difference. Whether the turns can be told is therefore
judged with every torque: it is not a number where a_j is within AXIS of n, nor where theta is further than DOUBTFUL
from what it was at the start of the step, so that half a turn more would have been counted half a turn less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, matmul_t, outer, rotate, rotate_t, skew
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, add_block
from linkwork.kernels.series import angle_of
from linkwork.kernels.tables import Quantities, System, Torsions
from linkwork.kernels.vec3 import Vec, add3, cross, dot, get3, neg, scale, sub

if TYPE_CHECKING:
    from linkwork.kernels.forces import LoadValues

REVOLUTION = 2.0 * np.pi
AXIS = 0.02  # sine of the angle between a_j and n
DOUBTFUL = 0.75 * np.pi  # within a step


@kernel
def angle_about(torsions: Torsions | Quantities, k: int, A: Any, previous: Any) -> Any:
    """theta of torsion k, with as many turns as bring it nearest to `previous` [rad]."""
    i, j = torsions.body_i[k], torsions.body_j[k]
    g = rotate_t(get9(A, i), rotate(get9(A, j), get3(torsions.a_j, k)))
    theta = angle_of(dot(get3(torsions.b_i, k), g), dot(get3(torsions.a_i, k), g))
    return theta + REVOLUTION * np.floor((previous.real - theta.real) / REVOLUTION + 0.5)


@kernel
def count_angles(system: System, A: Any, previous: Any, out: Any) -> None:
    """theta of every torsion, then of every quantity, into `out`, which may be `previous` itself.

    Quantities that are no angles leave a number that nobody reads.
    """
    n = system.torsions.body_i.shape[0]
    for k in range(n):
        out[k] = angle_about(system.torsions, k, A, previous[k])
    for k in range(system.quantities.kind.shape[0]):
        out[n + k] = angle_about(system.quantities, k, A, previous[n + k])


@kernel
def told(torsions: Torsions | Quantities, k: int, A: Any, theta: Any, previous: Any) -> bool:
    """Whether theta has a meaning at this pose, and its turns are beyond doubt."""
    i, j = torsions.body_i[k], torsions.body_j[k]
    along = dot(rotate(get9(A, i), get3(torsions.n, k)), rotate(get9(A, j), get3(torsions.a_j, k))).real
    return bool(1.0 - along * along >= AXIS * AXIS and abs(theta.real - previous.real) <= DOUBTFUL)


@kernel
def torsion_torque(torsions: Torsions, k: int, A: Any, w: Any, previous: Any, actuator: Any) -> Any:
    """T of torsion k, along +n on body i; not a number where its angle is in doubt."""
    i, j = torsions.body_i[k], torsions.body_j[k]
    n = get3(torsions.n, k)
    rate = dot(n, sub(rotate_t(get9(A, i), rotate(get9(A, j), get3(w, j))), get3(w, i)))
    theta = angle_about(torsions, k, A, previous)
    if torsions.stiffness[k] != 0.0 and not told(torsions, k, A, theta, previous):
        return theta + np.nan
    return torsions.stiffness[k] * (theta - torsions.angle[k]) + torsions.damping[k] * rate + actuator


@kernel
def apply_torsion(system: System, k: int, A: Any, w: Any, values: LoadValues, n: Any) -> None:
    """Add torsion k to n (torques, body components)."""
    torsions = system.torsions
    i, j = torsions.body_i[k], torsions.body_j[k]
    T = torsion_torque(torsions, k, A, w, values.theta_previous[k], values.torsions[k])
    on_i = scale(T, get3(torsions.n, k))
    add3(n, i, on_i)
    add3(n, j, neg(rotate_t(get9(A, j), rotate(get9(A, i), on_i))))


@kernel
def torsion_energy(system: System, theta: Any) -> Any:
    """Sum of stiffness (theta - angle)**2 / 2 [J], theta (nt,) with its turns; actuators are not in it."""
    torsions = system.torsions
    energy = 0.0
    for k in range(torsions.body_i.shape[0]):
        turned = theta[k] - torsions.angle[k]
        energy += 0.5 * torsions.stiffness[k] * turned * turned
    return energy


@kernel
def angle_gradient(torsions: Torsions | Quantities, k: int, relative: Mat) -> Vec:
    """h with dtheta = h . eta for a turn eta of body j against body i, components of body i.

    relative is A_i^T A_j. Equal to n where a_j is perpendicular to n; zero where theta is undefined (a_j along n).
    """
    g = rotate(relative, get3(torsions.a_j, k))
    a, b = get3(torsions.a_i, k), get3(torsions.b_i, k)
    c, s = dot(a, g), dot(b, g)
    square = c * c + s * s
    if square.real == 0.0:
        return scale(0.0 * square, g)
    return scale(1.0 / square, cross(g, sub(scale(c, b), scale(s, a))))


@kernel
def torsion_variation(
    system: System, k: int, r: Any, A: Any, v: Any, w: Any, values: LoadValues, K: Any, C: Any
) -> None:
    """Add the exact derivatives of torsion k's torques, as `spring_variation` does; only rotations take part.

    With P = A_i^T A_j, m = P^T n and dT = H . (P theta_j - theta_i): n_i = T n, n_j = -T m.
    """
    torsions = system.torsions
    i, j = torsions.body_i[k], torsions.body_j[k]
    n = get3(torsions.n, k)
    P = matmul_t(get9(A, i), get9(A, j))
    m = rotate_t(P, n)
    stiffness, damping = torsions.stiffness[k], torsions.damping[k]
    T = torsion_torque(torsions, k, A, w, values.theta_previous[k], values.torsions[k])
    h = angle_gradient(torsions, k, P)
    q = cross(rotate(P, get3(w, j)), n)  # thetadot = n . (P w_j - w_i) moves by q . eta
    H = (
        stiffness * h[0] + damping * q[0],
        stiffness * h[1] + damping * q[1],
        stiffness * h[2] + damping * q[2],
    )
    H_j = rotate_t(P, H)
    add_block(K, THETA_I, THETA_I, -1.0, outer(n, H))
    add_block(K, THETA_I, THETA_J, 1.0, outer(n, H_j))
    add_block(K, THETA_J, THETA_I, 1.0, outer(m, H))
    add_block(K, THETA_J, THETA_J, -1.0, outer(m, H_j))
    # m turns too: dm = m~ theta_j - P^T n~ theta_i
    add_block(K, THETA_J, THETA_I, T, matmul_t(P, skew(n)))
    add_block(K, THETA_J, THETA_J, -T, skew(m))

    add_block(C, THETA_I, THETA_I, -damping, outer(n, n))
    add_block(C, THETA_I, THETA_J, damping, outer(n, m))
    add_block(C, THETA_J, THETA_I, damping, outer(m, n))
    add_block(C, THETA_J, THETA_J, -damping, outer(m, m))
