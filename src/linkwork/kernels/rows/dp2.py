"""DP2: the dot product of a vector of body i and the vector between two points, a_i . d_ij [Kissel 2021, eq. 2].

Vectors a_i, s_i, s_j in body components; r in global components; rotation parts in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul_t, rotate, rotate_t, transpose
from linkwork.kernels.rows.blocks import (
    R_I,
    R_J,
    THETA_I,
    THETA_J,
    add_block,
    tilde_between,
    tilde_tilde,
    times_tilde,
)
from linkwork.kernels.rows.points import centripetal, separation, separation_rate, separation_turning
from linkwork.kernels.vec3 import Vec, add, cross, dot, sub


@kernel
def reach(r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, s_j: Vec) -> Vec:
    """From the origin of body i to the point of body j, in components of body i: A_i^T (r_j + A_j s_j - r_i)."""
    return rotate_t(A_i, sub(add(r_j, rotate(A_j, s_j)), r_i))


@kernel
def row(r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, a_i: Vec, s_i: Vec, s_j: Vec) -> tuple[Any, Vec, Vec, Vec]:
    """a_i . d_ij, its translation part for body j (that of i is its negative), Pi_i, Pi_j [Kissel 2021, Table 2].

    Pi_i = a_i x A_i^T d_ij - s_i x a_i = a_i x `reach`: the point of body i drops out.
    """
    a = rotate(A_i, a_i)
    x = reach(r_i, A_i, r_j, A_j, s_j)
    return dot(a_i, sub(x, s_i)), a, cross(a_i, x), cross(s_j, rotate_t(A_j, a))


@kernel
def turning(
    r_i: Vec, A_i: Mat, v_i: Vec, w_i: Vec, r_j: Vec, A_j: Mat, v_j: Vec, w_j: Vec, a_i: Vec, s_i: Vec, s_j: Vec
) -> Any:
    """Gdot u: gamma = f'' - turning [Kissel 2021, eq. 18b]."""
    on_a = dot(rotate(A_i, centripetal(w_i, a_i)), separation(r_i, A_i, s_i, r_j, A_j, s_j))
    both = dot(rotate(A_i, cross(w_i, a_i)), separation_rate(v_i, A_i, w_i, s_i, v_j, A_j, w_j, s_j))
    return on_a + 2.0 * both + dot(rotate(A_i, a_i), separation_turning(A_i, w_i, s_i, A_j, w_j, s_j))


@kernel
def add_variation(out: Any, lam: Any, r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, a_i: Vec, s_j: Vec) -> None:
    """Add the variation of +G^T lam to out (12, 12) [Kissel 2021, Table 4, index slips corrected]."""
    R = matmul_t(A_i, A_j)
    both = tilde_between(a_i, R, s_j)
    turned = times_tilde(A_i, a_i)
    across = transpose(turned)  # -a_i~ A_i^T
    add_block(out, R_I, THETA_I, lam, turned)
    add_block(out, R_J, THETA_I, -lam, turned)
    add_block(out, THETA_I, R_I, lam, across)
    add_block(out, THETA_I, R_J, -lam, across)
    add_block(out, THETA_I, THETA_I, lam, tilde_tilde(a_i, reach(r_i, A_i, r_j, A_j, s_j)))
    add_block(out, THETA_I, THETA_J, -lam, both)
    add_block(out, THETA_J, THETA_I, -lam, transpose(both))
    add_block(out, THETA_J, THETA_J, lam, tilde_tilde(s_j, rotate_t(R, a_i)))
