"""KNIFE: the velocity of a point of body i along a direction of that body, a_i . (rdot_i + A_i (omega_i x s_i)) = f.

Velocity level: a blade, skate or wheel edge that does not slip sideways. Body j is ground.
a_i and s_i in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate, rotate_t
from linkwork.kernels.rows.blocks import R_I, THETA_I, ZERO, add_block, add_part, times_tilde
from linkwork.kernels.rows.kind import RowKind, f_itself
from linkwork.kernels.vec3 import Vec, cross, dot, get3


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi = 0 and the Jacobian parts of body i; that of the rotation is constant."""
    a_i = get3(rows.a_i, k)
    return 0.0, rotate(get9(A, rows.body_i[k]), a_i), cross(get3(rows.s_i, k), a_i), ZERO, ZERO


@kernel
def gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma = f' - Gdot u of row k [m/s^2]."""
    i = rows.body_i[k]
    return drive[k, 1] - dot(rotate(get9(A, i), cross(get3(w, i), get3(rows.a_i, k))), get3(v, i))


@kernel
def add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam to out (12, 12)."""
    add_block(out, R_I, THETA_I, -lam, times_tilde(get9(A, rows.body_i[k]), get3(rows.a_i, k)))


@kernel
def add_rate_variation(out: Any, rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any) -> None:
    """Add the variation of G u with theta_i, at constant u, to out (12,)."""
    i = rows.body_i[k]
    add_part(out, THETA_I, cross(get3(rows.a_i, k), rotate_t(get9(A, i), get3(v, i))))


KIND = RowKind(
    "KNIFE",
    equation="a_i . velocity of the point s_i of body i - f",
    columns={"a_i": "vector of body i", "s_i": "point of body i"},
    row=row,
    gamma=gamma,
    add_variation=add_variation,
    add_rate_variation=add_rate_variation,
    nu=f_itself,
    ground_only=True,
    quantity="velocity",
)
