"""A disc on a plane: ROLL_HEIGHT keeps its edge on the plane, ROLL_SLIP keeps its lowest point from sliding.

Body i is the disc, body j ground; a the disc's unit axis in body components, R its radius, n the plane's unit
normal and d a direction in the plane, both global. In body components, with nb = A^T n:

    c = a . nb,   q = a x nb,   l = |q|  (the sine of the angle between axis and normal),
    rho = -R (nb - c a) / l      from the centre to the lowest point of the edge.

A rotation theta changes them by  nb x theta,  c: q . theta,  l: -(c / l) q . theta. The disc lying flat (l = 0)
touches everywhere: there the rows have no meaning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, outer, rotate_t
from linkwork.kernels.rows.blocks import THETA_I, ZERO, add_block, add_part, tilde_tilde
from linkwork.kernels.rows.kind import RowKind, f_itself, unit_axes
from linkwork.kernels.rows.points import centripetal
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, get3, scale, sub

E_1: Vec = (1.0, 0.0, 0.0)
E_2: Vec = (0.0, 1.0, 0.0)
E_3: Vec = (0.0, 0.0, 1.0)


@kernel
def height_row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """n . (r_i + rho - s_j) - f and its parts for body i. Here n . rho = -R l."""
    a, n, R = get3(rows.a_i, k), get3(rows.n, k), rows.scalar[k]
    nb = rotate_t(get9(A, rows.body_i[k]), n)
    q = cross(a, nb)
    ell = np.sqrt(dot(q, q))
    value = dot(n, sub(get3(r, rows.body_i[k]), get3(rows.s_j, k))) - R * ell
    return value - drive[k, 0], n, scale(R * dot(a, nb) / ell, q), ZERO, ZERO


@kernel
def height_gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f'' - Gdot u of ROLL_HEIGHT."""
    a, w_i, R = get3(rows.a_i, k), get3(w, rows.body_i[k]), rows.scalar[k]
    nb = rotate_t(get9(A, rows.body_i[k]), get3(rows.n, k))
    q = cross(a, nb)
    square = dot(q, q)
    ell = np.sqrt(square)
    rate = dot(q, w_i)
    return drive[k, 2] - R * (dot(a, nb) * dot(nb, centripetal(w_i, a)) + rate * rate / square) / ell


@kernel
def height_add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam of ROLL_HEIGHT to out (12, 12)."""
    a = get3(rows.a_i, k)
    nb = rotate_t(get9(A, rows.body_i[k]), get3(rows.n, k))
    q = cross(a, nb)
    square = dot(q, q)
    factor = lam * rows.scalar[k] / np.sqrt(square)
    add_block(out, THETA_I, THETA_I, factor / square, outer(q, q))
    add_block(out, THETA_I, THETA_I, factor * dot(a, nb), tilde_tilde(a, nb))


@kernel
def arm(A_i: Mat, a: Vec, n: Vec, R: Any) -> Vec:
    """rho, from centre to contact, in body components [m]."""
    nb = rotate_t(A_i, n)
    q = cross(a, nb)
    return scale(-R / np.sqrt(dot(q, q)), axpy(-dot(a, nb), a, nb))


@kernel
def arm_change(A_i: Mat, a: Vec, n: Vec, R: Any, theta: Vec) -> Vec:
    """The change of rho (body components) by a small rotation theta, or its rate if theta is omega."""
    nb = rotate_t(A_i, n)
    q = cross(a, nb)
    square = dot(q, q)
    ell = np.sqrt(square)
    c, dc = dot(a, nb), dot(q, theta)
    direction = axpy(-c, a, nb)
    change = axpy(c * dc / square, direction, axpy(-dc, a, cross(nb, theta)))
    return scale(-R / ell, change)


@kernel
def disc(rows: Any, k: Any) -> tuple[Vec, Vec, Vec, Any]:
    """a, n, d and R of a ROLL_SLIP row."""
    return get3(rows.a_i, k), get3(rows.n, k), get3(rows.a_j, k), rows.scalar[k]


@kernel
def slip_row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi = 0, and the parts of d . (rdot_i + A_i (omega x rho)) for body i."""
    a, n, d, R = disc(rows, k)
    A_i = get9(A, rows.body_i[k])
    return 0.0, d, cross(arm(A_i, a, n, R), rotate_t(A_i, d)), ZERO, ZERO


@kernel
def slip_row_change(A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any, theta: Vec) -> Vec:
    """The change of the rotation part of `slip_row` by a small rotation theta, or its rate if theta is omega."""
    db = rotate_t(A_i, d)
    moved = cross(arm_change(A_i, a, n, R, theta), db)
    return add(moved, cross(arm(A_i, a, n, R), cross(db, theta)))


@kernel
def slip_gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f' - Gdot u of ROLL_SLIP."""
    a, n, d, R = disc(rows, k)
    w_i = get3(w, rows.body_i[k])
    return drive[k, 1] - dot(w_i, slip_row_change(get9(A, rows.body_i[k]), a, n, d, R, w_i))


@kernel
def slip_variation(A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any) -> Mat:
    """The matrix of `slip_row_change`: columns theta."""
    x = slip_row_change(A_i, a, n, d, R, E_1)
    y = slip_row_change(A_i, a, n, d, R, E_2)
    z = slip_row_change(A_i, a, n, d, R, E_3)
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def slip_add_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the variation of +G^T lam of ROLL_SLIP to out (12, 12)."""
    a, n, d, R = disc(rows, k)
    add_block(out, THETA_I, THETA_I, lam, slip_variation(get9(A, rows.body_i[k]), a, n, d, R))


@kernel
def slip_add_rate_variation(out: Any, rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any) -> None:
    """Add the variation of G u of ROLL_SLIP with theta_i, at constant u, to out (12,)."""
    a, n, d, R = disc(rows, k)
    change = slip_variation(get9(A, rows.body_i[k]), a, n, d, R)
    add_part(out, THETA_I, rotate_t(change, get3(w, rows.body_i[k])))


COLUMNS = {
    "a_i": "a, the disc's unit axis",
    "n": "the plane's unit normal, global",
    "scalar": "R, the disc's radius, m",
}

HEIGHT = RowKind(
    "ROLL_HEIGHT",
    equation="n . (r_i + rho - s_j) - f, rho from the disc's centre to the lowest point of its edge",
    columns=COLUMNS | {"s_j": "a point of the plane, global"},
    row=height_row,
    gamma=height_gamma,
    add_variation=height_add_variation,
    ground_only=True,
    linear=True,
    quantity="height",
    example=unit_axes,
)

SLIP = RowKind(
    "ROLL_SLIP",
    equation="d . (rdot_i + A_i (omega_i x rho)) - f",
    columns=COLUMNS | {"a_j": "d, a direction in the plane, global"},
    row=slip_row,
    gamma=slip_gamma,
    add_variation=slip_add_variation,
    add_rate_variation=slip_add_rate_variation,
    nu=f_itself,
    ground_only=True,
    quantity="velocity",
    example=unit_axes,
)
