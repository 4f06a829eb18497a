"""SCREW: p sin(u - theta), u = (delta - f) / p: a displacement delta along an axis runs with the turn theta about it.

theta is the angle from a_i to a_j about n of body i, p the travel per radian, delta = n . d_ij. Near the solution
phi is delta - p theta - f, in metres. The displacement itself counts the turns, and the sine sees only what is left of
them: no winding is kept anywhere, and a nut is at home on any of its turns.

At any one time it is an ANGLE row whose vectors turn in body i with u instead of with time:
    e = cos(u) b_i - sin(u) a_i,  g = sin(u) b_i + cos(u) a_i,  phi = -p e . a_j,  c = g . a_j (one at the solution),
so that G = c D - p E, with D the part of the DP2 row n . d_ij and E that of the DP1 row e . a_j at constant e.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, mat_add, outer, rotate
from linkwork.kernels.rows import dp1, dp2
from linkwork.kernels.rows.angle import COLUMNS, along, normal, theta
from linkwork.kernels.rows.blocks import ZERO, add_block
from linkwork.kernels.rows.kind import RowKind, unit_frame
from linkwork.kernels.rows.points import separation, separation_rate
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, get3, neg, scale


@kernel
def data_of(rows: Any, k: Any) -> tuple[Vec, Vec, Vec, Vec, Vec, Vec, Any]:
    """a_i, b_i, a_j, n, s_i, s_j and p of row k."""
    axes = get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k), get3(rows.n, k)
    return (*axes, get3(rows.s_i, k), get3(rows.s_j, k), rows.scalar[k])


@kernel
def pose_of(rows: Any, k: Any, r: Any, A: Any) -> tuple[Vec, Mat, Vec, Mat]:
    """r_i, A_i, r_j and A_j of row k."""
    i, j = rows.body_i[k], rows.body_j[k]
    return get3(r, i), get9(A, i), get3(r, j), get9(A, j)


@kernel
def turned(pose: Any, n: Vec, s_i: Vec, s_j: Vec, f: Any, p: Any) -> Any:
    """u, the angle that the displacement stands for, with its turns."""
    r_i, A_i, r_j, A_j = pose
    return (dot(rotate(A_i, n), separation(r_i, A_i, s_i, r_j, A_j, s_j)) - f) / p


@kernel
def cosine(pose: Any, u: Any, a_i: Vec, b_i: Vec, a_j: Vec) -> Any:
    """c = g . a_j = cos(u - theta)."""
    return dot(rotate(pose[1], along(u, a_i, b_i)), rotate(pose[3], a_j))


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi [m] and the Jacobian parts of row k."""
    a_i, b_i, a_j, n, s_i, s_j, p = data_of(rows, k)
    pose = pose_of(rows, k, r, A)
    r_i, A_i, r_j, A_j = pose
    u = turned(pose, n, s_i, s_j, drive[k, 0], p)
    c = cosine(pose, u, a_i, b_i, a_j)
    off, E_i, E_j = dp1.row(A_i, A_j, normal(u, a_i, b_i), a_j)
    _, axis, D_i, D_j = dp2.row(r_i, A_i, r_j, A_j, n, s_i, s_j)
    along_j = scale(c, axis)
    return -p * off, neg(along_j), axpy(-p, E_i, scale(c, D_i)), along_j, axpy(-p, E_j, scale(c, D_j))


@kernel
def nu(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> Any:
    """-d phi / dt at constant r and A: f' c."""
    a_i, b_i, a_j, n, s_i, s_j, p = data_of(rows, k)
    pose = pose_of(rows, k, r, A)
    return drive[k, 1] * cosine(pose, turned(pose, n, s_i, s_j, drive[k, 0], p), a_i, b_i, a_j)


@kernel
def gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma of row k [m/s^2], f'' of the drive included."""
    (a_i, b_i, a_j, n, s_i, s_j, p), (f, f1, f2) = data_of(rows, k), get3(drive, k)
    i, j, pose = rows.body_i[k], rows.body_j[k], pose_of(rows, k, r, A)
    (r_i, A_i, r_j, A_j), v_i, v_j, w_i, w_j = pose, get3(v, i), get3(v, j), get3(w, i), get3(w, j)
    u = turned(pose, n, s_i, s_j, f, p)
    e, g = normal(u, a_i, b_i), along(u, a_i, b_i)
    d, ddot = separation(r_i, A_i, s_i, r_j, A_j, s_j), separation_rate(v_i, A_i, w_i, s_i, v_j, A_j, w_j, s_j)
    u1 = (dot(rotate(A_i, cross(w_i, n)), d) + dot(rotate(A_i, n), ddot) - f1) / p
    c, off = cosine(pose, u, a_i, b_i, a_j), dot(rotate(A_i, e), rotate(A_j, a_j))
    slide = f2 - dp2.turning(r_i, A_i, v_i, w_i, r_j, A_j, v_j, w_j, n, s_i, s_j)
    turn = dp1.turning(A_i, A_j, w_i, w_j, e, a_j) - 2.0 * u1 * dp1.rate(A_i, A_j, w_i, w_j, g, a_j)
    return c * slide + p * (turn - u1 * u1 * off)


@kernel
def add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam to out (12, 12).

    Besides c times that of the DP2 row and -p times that of the DP1 row at constant c and e, with E' the part of
    g . a_j: these change with u by E' D^T + D E'^T + (e . a_j / p) D D^T, written H D^T + D H^T below.
    """
    a_i, b_i, a_j, n, s_i, s_j, p = data_of(rows, k)
    pose = pose_of(rows, k, r, A)
    r_i, A_i, r_j, A_j = pose
    u = turned(pose, n, s_i, s_j, drive[k, 0], p)
    e, g = normal(u, a_i, b_i), along(u, a_i, b_i)
    c, E_i, E_j = dp1.row(A_i, A_j, g, a_j)
    _, axis, D_i, D_j = dp2.row(r_i, A_i, r_j, A_j, n, s_i, s_j)
    dp1.add_variation(out, -p * lam, A_i, A_j, e, a_j)
    dp2.add_variation(out, c * lam, r_i, A_i, r_j, A_j, n, s_j)
    half = 0.5 * dot(rotate(A_i, e), rotate(A_j, a_j)) / p
    D = (neg(axis), D_i, axis, D_j)
    E = (ZERO, E_i, ZERO, E_j)
    for k in range(4):
        H = add(E[k], scale(half, D[k]))
        for m in range(4):
            other = add(E[m], scale(half, D[m]))
            add_block(out, 3 * k, 3 * m, lam, mat_add(outer(H, D[m]), outer(D[k], other)))


@kernel
def advance(rows: Any, k: Any, r: Any, A: Any) -> Any:
    """n . d_ij - p theta with theta within half a turn, m: the displacement less what that angle accounts for."""
    n, s_i, s_j, p = data_of(rows, k)[3:]
    return p * turned(pose_of(rows, k, r, A), n, s_i, s_j, 0.0, p) - p * theta(rows, k, r, A)


@kernel
def lead(rows: Any, k: Any) -> Any:
    """The travel per turn, m, the period of displacements."""
    return 2.0 * np.pi * np.abs(rows.scalar[k])


KIND = RowKind(
    "SCREW",
    equation="p sin((n . d_ij - f) / p - theta), theta as for ANGLE",
    columns=COLUMNS | {"s_i": "point of body i", "s_j": "point of body j", "scalar": "p, travel per radian, m, not 0"},
    row=row,
    gamma=gamma,
    add_variation=add_variation,
    nu=nu,
    linear=True,
    value=advance,
    period=lead,
    example=unit_frame,
)
