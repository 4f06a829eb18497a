"""D: the squared distance between a point of body i and a point of body j, d_ij . d_ij [Kissel 2021, eq. 3].

Vectors s_i, s_j in body components; r in global components; rotation parts in body components. Units m^2.
The rows vanish with d_ij: a rod through zero length must be refused elsewhere.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, matmul_t, rotate_t, transpose
from linkwork.kernels.rows.blocks import (
    R_I,
    R_J,
    THETA_I,
    THETA_J,
    add_block,
    add_scalar_block,
    tilde_between,
    tilde_tilde,
    times_tilde,
)
from linkwork.kernels.rows.kind import RowKind
from linkwork.kernels.rows.points import separation, separation_rate, separation_turning
from linkwork.kernels.vec3 import Vec, add, cross, dot, get3, neg, scale, sub


@kernel
def row(r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, s_i: Vec, s_j: Vec) -> tuple[Any, Vec, Vec, Vec]:
    """d . d, its translation part for body j (that of i is its negative), Pi_i, Pi_j [Kissel 2021, Table 2]."""
    d = separation(r_i, A_i, s_i, r_j, A_j, s_j)
    twice = scale(2.0, d)
    return dot(d, d), twice, cross(rotate_t(A_i, twice), s_i), cross(s_j, rotate_t(A_j, twice))


@kernel
def turning(r_i: Vec, A_i: Mat, v_i: Vec, w_i: Vec, r_j: Vec, A_j: Mat, v_j: Vec, w_j: Vec, s_i: Vec, s_j: Vec) -> Any:
    """Gdot u: gamma = f'' - turning [Kissel 2021, eq. 18c]."""
    d = separation(r_i, A_i, s_i, r_j, A_j, s_j)
    rate = separation_rate(v_i, A_i, w_i, s_i, v_j, A_j, w_j, s_j)
    return 2.0 * (dot(rate, rate) + dot(d, separation_turning(A_i, w_i, s_i, A_j, w_j, s_j)))


@kernel
def add_variation(out: Any, lam: Any, r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, s_i: Vec, s_j: Vec) -> None:
    """Add the variation of +G^T lam to out (12, 12) [Kissel 2021, Table 5, index slips corrected]."""
    twice = 2.0 * lam
    d = separation(r_i, A_i, s_i, r_j, A_j, s_j)
    R = matmul_t(A_i, A_j)
    both = tilde_between(s_i, R, s_j)
    turned_i, turned_j = times_tilde(A_i, s_i), times_tilde(A_j, s_j)
    across_i, across_j = transpose(turned_i), transpose(turned_j)  # -s~ A^T
    add_scalar_block(out, R_I, R_I, twice)
    add_scalar_block(out, R_I, R_J, -twice)
    add_scalar_block(out, R_J, R_I, -twice)
    add_scalar_block(out, R_J, R_J, twice)
    add_block(out, R_I, THETA_I, -twice, turned_i)
    add_block(out, R_I, THETA_J, twice, turned_j)
    add_block(out, R_J, THETA_I, twice, turned_i)
    add_block(out, R_J, THETA_J, -twice, turned_j)
    add_block(out, THETA_I, R_I, -twice, across_i)
    add_block(out, THETA_I, R_J, twice, across_i)
    add_block(out, THETA_J, R_I, twice, across_j)
    add_block(out, THETA_J, R_J, -twice, across_j)
    # s x A^T d keeps its value when d is measured from the body's own origin; its variation is simpler there
    add_block(out, THETA_I, THETA_I, -twice, tilde_tilde(s_i, add(rotate_t(A_i, d), s_i)))
    add_block(out, THETA_I, THETA_J, twice, both)
    add_block(out, THETA_J, THETA_I, twice, transpose(both))
    add_block(out, THETA_J, THETA_J, twice, tilde_tilde(s_j, sub(rotate_t(A_j, d), s_j)))


@kernel
def row_of(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts of row k."""
    i, j = rows.body_i[k], rows.body_j[k]
    s_i, s_j = get3(rows.s_i, k), get3(rows.s_j, k)
    value, a, Pi_i, Pi_j = row(get3(r, i), get9(A, i), get3(r, j), get9(A, j), s_i, s_j)
    return value - drive[k, 0], neg(a), Pi_i, a, Pi_j


@kernel
def gamma_of(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma of row k [m^2/s^2]: G udot = gamma."""
    i, j = rows.body_i[k], rows.body_j[k]
    of_i, of_j = (get3(r, i), get9(A, i), get3(v, i), get3(w, i)), (get3(r, j), get9(A, j), get3(v, j), get3(w, j))
    return drive[k, 2] - turning(*of_i, *of_j, get3(rows.s_i, k), get3(rows.s_j, k))


@kernel
def add_variation_of(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the derivative of the row's reaction, G^T lam, to its blocks (`add_variation`)."""
    i, j = rows.body_i[k], rows.body_j[k]
    add_variation(out, lam, get3(r, i), get9(A, i), get3(r, j), get9(A, j), get3(rows.s_i, k), get3(rows.s_j, k))


KIND = RowKind(
    "D",
    equation="d_ij . d_ij - f",
    columns={"s_i": "point of body i", "s_j": "point of body j"},
    row=row_of,
    gamma=gamma_of,
    add_variation=add_variation_of,
    quantity="squared distance",
)
