"""Translational spring-damper-actuators: force, energy and exact derivatives.

Between P = s_i of body i and Q = s_j of body j stands d = Q - P, l = |d|. The tension
T = stiffness (l - length) + damping ldot + actuator pulls i along +d/l and j along -d/l. At l = 0 the direction is
undefined: there only the part that needs none, stiffness d, is kept (for a spring of zero rest length, all of it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, mat_add, mat_scale, matmul, matmul_t, outer, rotate, rotate_t
from linkwork.kernels.rows.blocks import R_I, R_J, THETA_I, THETA_J, add_block, tilde_tilde, times_tilde
from linkwork.kernels.tables import Springs, System
from linkwork.kernels.vec3 import Vec, add, add3, cross, dot, get3, neg, scale, sub

if TYPE_CHECKING:
    from linkwork.kernels.forces import LoadValues

TINY = 1e-24  # m^2: square of the length below which a spring has no direction


@kernel
def spring_vector(springs: Springs, k: int, r: Any, A: Any) -> Vec:
    """d, from the point on body i to the point on body j, global components."""
    i, j = springs.body_i[k], springs.body_j[k]
    Q = add(get3(r, j), rotate(get9(A, j), get3(springs.s_j, k)))
    P = add(get3(r, i), rotate(get9(A, i), get3(springs.s_i, k)))
    return sub(Q, P)


@kernel
def spring_rate(springs: Springs, k: int, A: Any, v: Any, w: Any) -> Vec:
    """ddot, the velocity of the point on body j less that of the point on body i, global components."""
    i, j = springs.body_i[k], springs.body_j[k]
    Qd = add(get3(v, j), rotate(get9(A, j), cross(get3(w, j), get3(springs.s_j, k))))
    Pd = add(get3(v, i), rotate(get9(A, i), cross(get3(w, i), get3(springs.s_i, k))))
    return sub(Qd, Pd)


@kernel
def spring_force(springs: Springs, k: int, d: Vec, u: Vec, actuator: Any) -> Vec:
    """The force on body i at its point, T d/l, global components; d and u = ddot as above."""
    l2 = dot(d, d)
    stiffness = springs.stiffness[k]
    if l2.real < TINY:
        return scale(stiffness, d)
    length = np.sqrt(l2)
    per_length = stiffness + (actuator - stiffness * springs.length[k]) / length
    return scale(per_length + springs.damping[k] * dot(d, u) / l2, d)


@kernel
def apply_spring(system: System, k: int, r: Any, A: Any, v: Any, w: Any, values: LoadValues, f: Any, n: Any) -> None:
    """Add spring k to f (global forces at the body origins) and n (torques, body components)."""
    springs = system.springs
    i, j = springs.body_i[k], springs.body_j[k]
    F = spring_force(springs, k, spring_vector(springs, k, r, A), spring_rate(springs, k, A, v, w), values.springs[k])
    add3(f, i, F)
    add3(n, i, cross(get3(springs.s_i, k), rotate_t(get9(A, i), F)))
    add3(f, j, neg(F))
    add3(n, j, cross(rotate_t(get9(A, j), F), get3(springs.s_j, k)))


@kernel
def spring_energy(system: System, r: Any, A: Any) -> Any:
    """Sum of stiffness (l - length)**2 / 2 [J]; actuators are not in it."""
    springs = system.springs
    energy = 0.0
    for k in range(springs.body_i.shape[0]):
        d = spring_vector(springs, k, r, A)
        l2 = dot(d, d)
        stretch = (np.sqrt(l2) if l2.real > 0.0 else 0.0 * l2) - springs.length[k]
        energy += 0.5 * springs.stiffness[k] * stretch * stretch
    return energy


@kernel
def spring_gradients(springs: Springs, k: int, d: Vec, u: Vec, actuator: Any) -> tuple[Mat, Mat]:
    """dF/dd [N/m] and dF/du [N s/m] of `spring_force`, 3 x 3 each."""
    stiffness, damping = springs.stiffness[k], springs.damping[k]
    l2 = dot(d, d)
    if l2.real < TINY:
        zero = 0.0 * l2
        s = stiffness + zero
        return (
            (s, zero, zero, zero, s, zero, zero, zero, s),
            (zero, zero, zero, zero, zero, zero, zero, zero, zero),
        )
    offset = (actuator - stiffness * springs.length[k]) / np.sqrt(l2)
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
def spring_variation(
    system: System, k: int, r: Any, A: Any, v: Any, w: Any, values: LoadValues, K: Any, C: Any
) -> None:
    """Add the exact derivatives of spring k's generalised force (f_i, n_i, f_j, n_j).

    K (12, 12) by (r_i, theta_i, r_j, theta_j), C (12, 12) by (v_i, w_i, v_j, w_j); theta body-fixed, forces global,
    torques and angular velocities in body components. With the generalised force -J^T F(d, ddot),
    K = -J^T (F_d J + F_u dddot/dq) - (dJ^T/dq) F and C = -J^T F_u J.
    """
    springs = system.springs
    i, j = springs.body_i[k], springs.body_j[k]
    A_i, A_j = get9(A, i), get9(A, j)
    s_i, s_j = get3(springs.s_i, k), get3(springs.s_j, k)
    d, u = spring_vector(springs, k, r, A), spring_rate(springs, k, A, v, w)
    F = spring_force(springs, k, d, u, values.springs[k])
    D, E = spring_gradients(springs, k, d, u, values.springs[k])
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
