"""DP2: the dot product of a vector of body i and the vector between two points, a_i . d_ij [Kissel 2021, eq. 2].

Vectors a_i, s_i, s_j in body components; r in global components; rotation parts in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, matmul_t, rotate, rotate_t, transpose
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
from linkwork.kernels.rows.kind import RowKind
from linkwork.kernels.rows.points import centripetal, separation, separation_rate, separation_turning
from linkwork.kernels.vec3 import Vec, add, cross, dot, get3, neg, sub


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


@kernel
def row_of(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts of row k."""
    i, j = rows.body_i[k], rows.body_j[k]
    a_i, s_i, s_j = get3(rows.a_i, k), get3(rows.s_i, k), get3(rows.s_j, k)
    value, a, Pi_i, Pi_j = row(get3(r, i), get9(A, i), get3(r, j), get9(A, j), a_i, s_i, s_j)
    return value - drive[k, 0], neg(a), Pi_i, a, Pi_j


@kernel
def gamma_of(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma of row k [m/s^2]: G udot = gamma."""
    i, j = rows.body_i[k], rows.body_j[k]
    of_i, of_j = (get3(r, i), get9(A, i), get3(v, i), get3(w, i)), (get3(r, j), get9(A, j), get3(v, j), get3(w, j))
    return drive[k, 2] - turning(*of_i, *of_j, get3(rows.a_i, k), get3(rows.s_i, k), get3(rows.s_j, k))


@kernel
def add_variation_of(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the derivative of the row's reaction, G^T lam, to its blocks (`add_variation`)."""
    i, j = rows.body_i[k], rows.body_j[k]
    add_variation(out, lam, get3(r, i), get9(A, i), get3(r, j), get9(A, j), get3(rows.a_i, k), get3(rows.s_j, k))


KIND = RowKind(
    "DP2",
    equation="a_i . d_ij - f",
    columns={"a_i": "vector of body i", "s_i": "point of body i", "s_j": "point of body j"},
    row=row_of,
    gamma=gamma_of,
    add_variation=add_variation_of,
    linear=True,
    quantity="displacement",
)
