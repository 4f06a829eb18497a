"""CV: b_i . a_j - a_i . n, zero where the relative rotation has no part about the sum of the two shafts' axes.

a_i, b_i are the x and y axes of the shaft on body i, a_j and n those of the shaft on body j. With R the second shaft's
attitude in the first's the row says R_21 = R_12: the rotation vector lies across both shafts' half-way plane, so that
(omega_j - omega_i) . (z_i + z_j) = 0, and shafts in fixed bearings turn at one speed whatever the angle between them.
It is the difference of two DP1 rows.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9
from linkwork.kernels.rows import dp1
from linkwork.kernels.rows.blocks import ZERO
from linkwork.kernels.rows.kind import RowKind
from linkwork.kernels.vec3 import Vec, get3, sub


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts; there is none along translations."""
    A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    one, one_i, one_j = dp1.row(A_i, A_j, get3(rows.b_i, k), get3(rows.a_j, k))
    other, other_i, other_j = dp1.row(A_i, A_j, get3(rows.a_i, k), get3(rows.n, k))
    return one - other - drive[k, 0], ZERO, sub(one_i, other_i), ZERO, sub(one_j, other_j)


@kernel
def gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f'' - Gdot u [1/s^2], of the two DP1 rows together."""
    i, j = rows.body_i[k], rows.body_j[k]
    A_i, A_j, w_i, w_j = get9(A, i), get9(A, j), get3(w, i), get3(w, j)
    one = dp1.turning(A_i, A_j, w_i, w_j, get3(rows.b_i, k), get3(rows.a_j, k))
    return drive[k, 2] - one + dp1.turning(A_i, A_j, w_i, w_j, get3(rows.a_i, k), get3(rows.n, k))


@kernel
def add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam to out (12, 12): those of the two DP1 rows."""
    A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    dp1.add_variation(out, lam, A_i, A_j, get3(rows.b_i, k), get3(rows.a_j, k))
    dp1.add_variation(out, -lam, A_i, A_j, get3(rows.a_i, k), get3(rows.n, k))


KIND = RowKind(
    "CV",
    equation="b_i . a_j - a_i . n - f",
    columns={
        "a_i": "x axis of the shaft on body i",
        "b_i": "its y axis",
        "a_j": "x axis of the shaft on body j",
        "n": "its y axis, in body j",
    },
    row=row,
    gamma=gamma,
    add_variation=add_variation,
    translates=False,
)
