"""CD: the component of d_ij along a direction fixed in space, c . d_ij [Kissel 2021, eq. 4].

c = a_i and r in global components; s_i, s_j and rotation parts in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate_t
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, add_block, tilde_tilde
from linkwork.kernels.rows.kind import RowKind
from linkwork.kernels.rows.points import separation_turning
from linkwork.kernels.vec3 import Vec, cross, dot, get3, neg, sub


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts; those of the translations are -c and c [Kissel 2021, Table 2]."""
    i, j = rows.body_i[k], rows.body_j[k]
    c, s_i, s_j = get3(rows.a_i, k), get3(rows.s_i, k), get3(rows.s_j, k)
    c_i, c_j = rotate_t(get9(A, i), c), rotate_t(get9(A, j), c)
    value = dot(c, sub(get3(r, j), get3(r, i))) + (dot(c_j, s_j) - dot(c_i, s_i))
    return value - drive[k, 0], neg(c), cross(c_i, s_i), c, cross(s_j, c_j)


@kernel
def gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f'' - Gdot u [Kissel 2021, eq. 18d]."""
    i, j = rows.body_i[k], rows.body_j[k]
    s_i, s_j = get3(rows.s_i, k), get3(rows.s_j, k)
    turning = separation_turning(get9(A, i), get3(w, i), s_i, get9(A, j), get3(w, j), s_j)
    return drive[k, 2] - dot(get3(rows.a_i, k), turning)


@kernel
def add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam to out (12, 12) [Kissel 2021, Table 6]."""
    c, A_i, A_j = get3(rows.a_i, k), get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    add_block(out, THETA_I, THETA_I, -lam, tilde_tilde(get3(rows.s_i, k), rotate_t(A_i, c)))
    add_block(out, THETA_J, THETA_J, lam, tilde_tilde(get3(rows.s_j, k), rotate_t(A_j, c)))


KIND = RowKind(
    "CD",
    equation="c . d_ij - f",
    columns={"a_i": "c, a direction in global components", "s_i": "point of body i", "s_j": "point of body j"},
    row=row,
    gamma=gamma,
    add_variation=add_variation,
    global_direction=True,
    linear=True,
    quantity="coordinate difference",
)
