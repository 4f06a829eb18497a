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

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, mat_add, outer, rotate
from linkwork.kernels.rows import dp1, dp2
from linkwork.kernels.rows.angle import along, normal
from linkwork.kernels.rows.blocks import ZERO, add_block
from linkwork.kernels.rows.points import separation, separation_rate
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, neg, scale


@kernel
def turned(r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, n: Vec, s_i: Vec, s_j: Vec, f: Any, p: Any) -> Any:
    """u, the angle that the displacement stands for, with its turns."""
    return (dot(rotate(A_i, n), separation(r_i, A_i, s_i, r_j, A_j, s_j)) - f) / p


@kernel
def slope(u: Any, A_i: Mat, A_j: Mat, a_i: Vec, b_i: Vec, a_j: Vec) -> Any:
    """c = g . a_j = cos(u - theta)."""
    return dot(rotate(A_i, along(u, a_i, b_i)), rotate(A_j, a_j))


@kernel
def row(
    r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, a_i: Vec, b_i: Vec, a_j: Vec, n: Vec, s_i: Vec, s_j: Vec, f: Any, p: Any
) -> tuple[Any, Vec, Vec, Vec]:
    """phi, its translation part for body j (that of i is its negative), Pi_i, Pi_j."""
    u = turned(r_i, A_i, r_j, A_j, n, s_i, s_j, f, p)
    c = slope(u, A_i, A_j, a_i, b_i, a_j)
    off, E_i, E_j = dp1.row(A_i, A_j, normal(u, a_i, b_i), a_j)
    _, axis, D_i, D_j = dp2.row(r_i, A_i, r_j, A_j, n, s_i, s_j)
    return -p * off, scale(c, axis), axpy(-p, E_i, scale(c, D_i)), axpy(-p, E_j, scale(c, D_j))


@kernel
def gamma(
    places: Any, rates: Any, a_i: Vec, b_i: Vec, a_j: Vec, n: Vec, s_i: Vec, s_j: Vec, f: Any, f1: Any, f2: Any, p: Any
) -> Any:
    """Gamma, f'' included; places = (r_i, A_i, r_j, A_j), rates = (v_i, w_i, v_j, w_j)."""
    (r_i, A_i, r_j, A_j), (v_i, w_i, v_j, w_j) = places, rates
    u = turned(r_i, A_i, r_j, A_j, n, s_i, s_j, f, p)
    e, g = normal(u, a_i, b_i), along(u, a_i, b_i)
    d, ddot = separation(r_i, A_i, s_i, r_j, A_j, s_j), separation_rate(v_i, A_i, w_i, s_i, v_j, A_j, w_j, s_j)
    u1 = (dot(rotate(A_i, cross(w_i, n)), d) + dot(rotate(A_i, n), ddot) - f1) / p
    c, off = slope(u, A_i, A_j, a_i, b_i, a_j), dot(rotate(A_i, e), rotate(A_j, a_j))
    slide = f2 - dp2.turning(r_i, A_i, v_i, w_i, r_j, A_j, v_j, w_j, n, s_i, s_j)
    turn = dp1.turning(A_i, A_j, w_i, w_j, e, a_j) - 2.0 * u1 * dp1.rate(A_i, A_j, w_i, w_j, g, a_j)
    return c * slide + p * (turn - u1 * u1 * off)


@kernel
def add_variation(
    out: Any, lam: Any, places: Any, a_i: Vec, b_i: Vec, a_j: Vec, n: Vec, s_i: Vec, s_j: Vec, f: Any, p: Any
) -> None:
    """Add the variation of +G^T lam to out (12, 12).

    Besides c times that of the DP2 row and -p times that of the DP1 row at constant c and e, with E' the part of
    g . a_j: these change with u by E' D^T + D E'^T + (e . a_j / p) D D^T, written H D^T + D H^T below.
    """
    r_i, A_i, r_j, A_j = places
    u = turned(r_i, A_i, r_j, A_j, n, s_i, s_j, f, p)
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
