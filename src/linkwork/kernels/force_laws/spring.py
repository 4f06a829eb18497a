"""SPRING: the translational spring-damper-actuator between a point of body i and a point of body j.

Between P = s_i of body i and Q = s_j of body j stands d = Q - P, l = |d|. The tension
T = stiffness (l - rest) + damping ldot + actuator pulls i along +d/l and j along -d/l. At l = 0 the direction is
undefined: there only the part that needs none, stiffness d, is kept (for a spring of zero rest length, all of it).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.force_laws.kind import ForceLaw, Seen
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, mat_add, mat_scale, matmul, matmul_t, outer, rotate, rotate_t
from linkwork.kernels.quantities.length import TINY
from linkwork.kernels.rows.blocks import R_I, R_J, THETA_I, THETA_J, add_block, tilde_tilde, times_tilde
from linkwork.kernels.tables import ForceElements
from linkwork.kernels.vec3 import Vec, add, add3, cross, dot, get3, neg, scale, sub


@kernel
def spring_vector(e: ForceElements, k: int, r: Any, A: Any) -> Vec:
    """d, from the point on body i to the point on body j, global components."""
    i, j = e.body_i[k], e.body_j[k]
    Q = add(get3(r, j), rotate(get9(A, j), get3(e.s_j, k)))
    P = add(get3(r, i), rotate(get9(A, i), get3(e.s_i, k)))
    return sub(Q, P)


@kernel
def spring_rate(e: ForceElements, k: int, A: Any, v: Any, w: Any) -> Vec:
    """ddot, the velocity of the point on body j less that of the point on body i, global components."""
    i, j = e.body_i[k], e.body_j[k]
    Qd = add(get3(v, j), rotate(get9(A, j), cross(get3(w, j), get3(e.s_j, k))))
    Pd = add(get3(v, i), rotate(get9(A, i), cross(get3(w, i), get3(e.s_i, k))))
    return sub(Qd, Pd)


@kernel
def spring_force(e: ForceElements, k: int, d: Vec, u: Vec, actuator: Any) -> Vec:
    """The force on body i at its point, T d/l, global components; d and u = ddot as above."""
    l2 = dot(d, d)
    stiffness = e.stiffness[k]
    if l2.real < TINY:
        return scale(stiffness, d)
    length = np.sqrt(l2)
    per_length = stiffness + (actuator - stiffness * e.rest[k]) / length
    return scale(per_length + e.damping[k] * dot(d, u) / l2, d)


@kernel
def point_force(e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, actuator: Any) -> Vec:
    """The force on body i at its point s_i, global components; the point s_j of body j is pulled by its opposite."""
    return spring_force(e, k, spring_vector(e, k, r, A), spring_rate(e, k, A, v, w), actuator)


@kernel
def apply(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, f: Any, n: Any
) -> None:
    """Add spring k to f (global forces at the body origins) and n (torques, body components)."""
    i, j = e.body_i[k], e.body_j[k]
    F = point_force(e, k, r, A, v, w, actuator)
    add3(f, i, F)
    add3(n, i, cross(get3(e.s_i, k), rotate_t(get9(A, i), F)))
    add3(f, j, neg(F))
    add3(n, j, cross(rotate_t(get9(A, j), F), get3(e.s_j, k)))


@kernel
def energy(e: ForceElements, k: int, r: Any, A: Any, theta: Any) -> Any:
    """stiffness (l - rest)**2 / 2 [J]; actuators are not in it."""
    d = spring_vector(e, k, r, A)
    l2 = dot(d, d)
    stretch = (np.sqrt(l2) if l2.real > 0.0 else 0.0 * l2) - e.rest[k]
    return 0.5 * e.stiffness[k] * stretch * stretch


@kernel
def spring_gradients(e: ForceElements, k: int, d: Vec, u: Vec, actuator: Any) -> tuple[Mat, Mat]:
    """dF/dd [N/m] and dF/du [N s/m] of `spring_force`, 3 x 3 each."""
    stiffness, damping = e.stiffness[k], e.damping[k]
    l2 = dot(d, d)
    if l2.real < TINY:
        zero = 0.0 * l2
        s = stiffness + zero
        return (
            (s, zero, zero, zero, s, zero, zero, zero, s),
            (zero, zero, zero, zero, zero, zero, zero, zero, zero),
        )
    offset = (actuator - stiffness * e.rest[k]) / np.sqrt(l2)
    rate = damping * dot(d, u) / l2
    per_length = stiffness + offset + rate
    # the gradient of per_length: offset falls with 1/l, rate with 1/l^2 and grows with u
    g = add(scale(-(offset + 2.0 * rate) / l2, d), scale(damping / l2, u))
    D = outer(d, g)
    return (
        (D[0] + per_length, D[1], D[2], D[3], D[4] + per_length, D[5], D[6], D[7], D[8] + per_length),
        mat_scale(damping / l2, outer(d, d)),
    )


@kernel
def _add_pulled_back(out: Any, column: int, X: Mat, T_i: Mat, T_j: Mat) -> None:
    """Add -J^T X to three columns of `out`, J = (-I, T_i, I, -T_j) being dd/d(r_i, theta_i, r_j, theta_j)."""
    add_block(out, R_I, column, 1.0, X)
    add_block(out, THETA_I, column, -1.0, matmul_t(T_i, X))
    add_block(out, R_J, column, -1.0, X)
    add_block(out, THETA_J, column, 1.0, matmul_t(T_j, X))


@kernel
def add_variation(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, K: Any, C: Any
) -> None:
    """Add the exact derivatives of spring k's generalised force (f_i, n_i, f_j, n_j).

    With the generalised force -J^T F(d, ddot), K = -J^T (F_d J + F_u dddot/dq) - (dJ^T/dq) F and C = -J^T F_u J.
    """
    i, j = e.body_i[k], e.body_j[k]
    A_i, A_j = get9(A, i), get9(A, j)
    s_i, s_j = get3(e.s_i, k), get3(e.s_j, k)
    d, u = spring_vector(e, k, r, A), spring_rate(e, k, A, v, w)
    F = spring_force(e, k, d, u, actuator)
    D, E = spring_gradients(e, k, d, u, actuator)
    T_i, T_j = times_tilde(A_i, s_i), times_tilde(A_j, s_j)
    U_i = times_tilde(A_i, cross(get3(w, i), s_i))
    U_j = times_tilde(A_j, cross(get3(w, j), s_j))

    _add_pulled_back(K, R_I, mat_scale(-1.0, D), T_i, T_j)
    _add_pulled_back(K, THETA_I, mat_add(matmul(D, T_i), matmul(E, U_i)), T_i, T_j)
    _add_pulled_back(K, R_J, D, T_i, T_j)
    _add_pulled_back(K, THETA_J, mat_scale(-1.0, mat_add(matmul(D, T_j), matmul(E, U_j))), T_i, T_j)
    # the arm and the force turn against each other: n_i = s_i x A_i^T F, n_j = -s_j x A_j^T F
    add_block(K, THETA_I, THETA_I, 1.0, tilde_tilde(s_i, rotate_t(A_i, F)))
    add_block(K, THETA_J, THETA_J, -1.0, tilde_tilde(s_j, rotate_t(A_j, F)))

    _add_pulled_back(C, R_I, mat_scale(-1.0, E), T_i, T_j)
    _add_pulled_back(C, THETA_I, matmul(E, T_i), T_i, T_j)
    _add_pulled_back(C, R_J, E, T_i, T_j)
    _add_pulled_back(C, THETA_J, mat_scale(-1.0, matmul(E, T_j)), T_i, T_j)


LAW = ForceLaw(
    "SPRING",
    equation="stiffness (length - rest) + damping rate + actuator",
    quantity="LENGTH",
    columns={"s_i": "point of body i", "s_j": "point of body j"},
    apply=apply,
    energy=energy,
    add_variation=add_variation,
    force=Seen("force", "N", "tension"),
    value=Seen("length", "m", "distance of its ends"),
    rate=Seen("length_rate", "m s-1", "rate of the distance"),
    rest="length",
    stretch="stretch",
    linear=True,
    point_force=point_force,
    ends=True,
)
