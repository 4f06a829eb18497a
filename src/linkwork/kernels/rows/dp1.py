"""DP1: the dot product of a vector of body i and a vector of body j, a_i . a_j [Kissel 2021, eq. 1].

Vectors a_i, a_j in body components; all rotation parts in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, matmul_t, rotate, rotate_t, transpose
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, ZERO, add_block, tilde_between, tilde_tilde
from linkwork.kernels.rows.kind import RowKind
from linkwork.kernels.rows.points import centripetal
from linkwork.kernels.vec3 import Vec, cross, dot, get3


@kernel
def row(A_i: Mat, A_j: Mat, a_i: Vec, a_j: Vec) -> tuple[Any, Vec, Vec]:
    """a_i . a_j and its rotation parts Pi_i, Pi_j; there is no translation part [Kissel 2021, Table 2]."""
    j_seen_from_i = rotate_t(A_i, rotate(A_j, a_j))
    i_seen_from_j = rotate_t(A_j, rotate(A_i, a_i))
    return dot(a_i, j_seen_from_i), cross(a_i, j_seen_from_i), cross(a_j, i_seen_from_j)


@kernel
def rate(A_i: Mat, A_j: Mat, w_i: Vec, w_j: Vec, a_i: Vec, a_j: Vec) -> Any:
    """The time derivative of a_i . a_j."""
    turning_i = dot(rotate(A_i, cross(w_i, a_i)), rotate(A_j, a_j))
    return turning_i + dot(rotate(A_i, a_i), rotate(A_j, cross(w_j, a_j)))


@kernel
def turning(A_i: Mat, A_j: Mat, w_i: Vec, w_j: Vec, a_i: Vec, a_j: Vec) -> Any:
    """Gdot u, the part of the second time derivative quadratic in w: gamma = f'' - turning [Kissel 2021, eq. 18a]."""
    g_i, g_j = rotate(A_i, a_i), rotate(A_j, a_j)
    both = dot(rotate(A_i, cross(w_i, a_i)), rotate(A_j, cross(w_j, a_j)))
    on_i = dot(rotate(A_i, centripetal(w_i, a_i)), g_j)
    on_j = dot(rotate(A_j, centripetal(w_j, a_j)), g_i)
    return on_i + 2.0 * both + on_j


@kernel
def add_variation(out: Any, lam: Any, A_i: Mat, A_j: Mat, a_i: Vec, a_j: Vec) -> None:
    """Add the variation of +G^T lam to out (12, 12) [Kissel 2021, Table 3, tilde over the whole product]."""
    R = matmul_t(A_i, A_j)
    both = tilde_between(a_i, R, a_j)
    add_block(out, THETA_I, THETA_I, lam, tilde_tilde(a_i, rotate(R, a_j)))
    add_block(out, THETA_I, THETA_J, -lam, both)
    add_block(out, THETA_J, THETA_I, -lam, transpose(both))
    add_block(out, THETA_J, THETA_J, lam, tilde_tilde(a_j, rotate_t(R, a_i)))


@kernel
def row_of(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts of row k."""
    A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    value, Pi_i, Pi_j = row(A_i, A_j, get3(rows.a_i, k), get3(rows.a_j, k))
    return value - drive[k, 0], ZERO, Pi_i, ZERO, Pi_j


@kernel
def gamma_of(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma of row k [1/s^2]: G udot = gamma."""
    i, j = rows.body_i[k], rows.body_j[k]
    return drive[k, 2] - turning(get9(A, i), get9(A, j), get3(w, i), get3(w, j), get3(rows.a_i, k), get3(rows.a_j, k))


@kernel
def add_variation_of(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the derivative of the row's reaction, G^T lam, to its blocks (`add_variation`)."""
    A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    add_variation(out, lam, A_i, A_j, get3(rows.a_i, k), get3(rows.a_j, k))


KIND = RowKind(
    "DP1",
    equation="a_i . a_j - f",
    columns={"a_i": "vector of body i", "a_j": "vector of body j"},
    row=row_of,
    gamma=gamma_of,
    add_variation=add_variation_of,
    translates=False,
    quantity="dot product",
)
