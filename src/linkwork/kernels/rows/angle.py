"""ANGLE: sin(theta - f), theta the angle from a_i to a_j about an axis of body i; it prescribes theta = f(t).

At any one time it is a DP1 row whose vector of body i turns in the body with f:
    e = cos(f) b_i - sin(f) a_i,   phi = e . a_j,   de/dt = -f' g,   g = sin(f) b_i + cos(f) a_i.
Near the solution g . a_j = cos(theta - f) is one, so the row never loses rank there, unlike a DP1 driver.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate
from linkwork.kernels.rows import dp1
from linkwork.kernels.rows.blocks import ZERO
from linkwork.kernels.rows.kind import RowKind, unit_frame
from linkwork.kernels.vec3 import Vec, axpy, dot, get3, scale


@kernel
def normal(f: Any, a_i: Vec, b_i: Vec) -> Vec:
    """e: what a_j stays perpendicular to, body components of i."""
    return axpy(np.cos(f), b_i, scale(-np.sin(f), a_i))


@kernel
def along(f: Any, a_i: Vec, b_i: Vec) -> Vec:
    """g: where a_j ought to point, body components of i."""
    return axpy(np.sin(f), b_i, scale(np.cos(f), a_i))


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi and the Jacobian parts: those of the DP1 row e . a_j."""
    e = normal(drive[k, 0], get3(rows.a_i, k), get3(rows.b_i, k))
    value, Pi_i, Pi_j = dp1.row(get9(A, rows.body_i[k]), get9(A, rows.body_j[k]), e, get3(rows.a_j, k))
    return value, ZERO, Pi_i, ZERO, Pi_j


@kernel
def nu(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> Any:
    """-d phi / dt at constant r and A: f' g . a_j."""
    g = along(drive[k, 0], get3(rows.a_i, k), get3(rows.b_i, k))
    return drive[k, 1] * dot(rotate(get9(A, rows.body_i[k]), g), rotate(get9(A, rows.body_j[k]), get3(rows.a_j, k)))


@kernel
def gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """Gamma, f'' included: the terms of DP1, those of e turning in the body, and the mixed one."""
    i, j, (f, f1, f2) = rows.body_i[k], rows.body_j[k], get3(drive, k)
    a_i, b_i, a_j = get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k)
    A_i, A_j, w_i, w_j = get9(A, i), get9(A, j), get3(w, i), get3(w, j)
    e, g = normal(f, a_i, b_i), along(f, a_i, b_i)
    a = rotate(A_j, a_j)
    driven = f2 * dot(rotate(A_i, g), a) + f1 * f1 * dot(rotate(A_i, e), a)
    return driven + 2.0 * f1 * dp1.rate(A_i, A_j, w_i, w_j, g, a_j) - dp1.turning(A_i, A_j, w_i, w_j, e, a_j)


@kernel
def add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam to out (12, 12): that of the DP1 row e . a_j."""
    e = normal(drive[k, 0], get3(rows.a_i, k), get3(rows.b_i, k))
    dp1.add_variation(out, lam, get9(A, rows.body_i[k]), get9(A, rows.body_j[k]), e, get3(rows.a_j, k))


@kernel
def theta(rows: Any, k: Any, r: Any, A: Any) -> Any:
    """The angle from a_i to a_j about n, in (-pi, pi]."""
    A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
    a = rotate(A_j, get3(rows.a_j, k))
    return np.arctan2(dot(rotate(A_i, get3(rows.b_i, k)), a), dot(rotate(A_i, get3(rows.a_i, k)), a))


@kernel
def turn(rows: Any, k: Any) -> float:
    """A whole turn, the period of angles."""
    return 2.0 * np.pi


COLUMNS = {
    "a_i": "unit vector of body i, perpendicular to n",
    "b_i": "n x a_i",
    "a_j": "unit vector of body j, perpendicular to n where the bodies share that axis",
    "n": "unit vector of body i, the axis",
}

KIND = RowKind(
    "ANGLE",
    equation="sin(theta - f), theta the angle from a_i to a_j about n",
    columns=COLUMNS,
    row=row,
    gamma=gamma,
    add_variation=add_variation,
    nu=nu,
    translates=False,
    quantity="angle",
    value=theta,
    period=turn,
    example=unit_frame,
)
