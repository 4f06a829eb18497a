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
from linkwork.kernels.mat33 import Mat, outer, rotate_t
from linkwork.kernels.rows.blocks import THETA_I, add_block, tilde_tilde
from linkwork.kernels.rows.points import centripetal
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, scale, sub

E_1: Vec = (1.0, 0.0, 0.0)
E_2: Vec = (0.0, 1.0, 0.0)
E_3: Vec = (0.0, 0.0, 1.0)


@kernel
def height_row(r_i: Vec, A_i: Mat, a: Vec, n: Vec, s_j: Vec, R: Any) -> tuple[Any, Vec]:
    """n . (r_i + rho - s_j) and its rotation part; the translation part is n. Here n . rho = -R l."""
    nb = rotate_t(A_i, n)
    q = cross(a, nb)
    ell = np.sqrt(dot(q, q))
    return dot(n, sub(r_i, s_j)) - R * ell, scale(R * dot(a, nb) / ell, q)


@kernel
def height_turning(A_i: Mat, w_i: Vec, a: Vec, n: Vec, R: Any) -> Any:
    """Gdot u of ROLL_HEIGHT: gamma = f'' - turning."""
    nb = rotate_t(A_i, n)
    q = cross(a, nb)
    square = dot(q, q)
    ell = np.sqrt(square)
    rate = dot(q, w_i)
    return R * (dot(a, nb) * dot(nb, centripetal(w_i, a)) + rate * rate / square) / ell


@kernel
def height_add_variation(out: Any, lam: Any, A_i: Mat, a: Vec, n: Vec, R: Any) -> None:
    """Add the variation of +G^T lam of ROLL_HEIGHT to out (12, 12)."""
    nb = rotate_t(A_i, n)
    q = cross(a, nb)
    square = dot(q, q)
    factor = lam * R / np.sqrt(square)
    add_block(out, THETA_I, THETA_I, factor / square, outer(q, q))
    add_block(out, THETA_I, THETA_I, factor * dot(a, nb), tilde_tilde(a, nb))


@kernel
def arm(A_i: Mat, a: Vec, n: Vec, R: Any) -> Vec:
    """rho in body components."""
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
def slip_row(A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any) -> Vec:
    """The rotation part of d . (rdot_i + A_i (omega x rho)); the translation part is d."""
    return cross(arm(A_i, a, n, R), rotate_t(A_i, d))


@kernel
def slip_row_change(A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any, theta: Vec) -> Vec:
    """The change of `slip_row` by a small rotation theta, or its rate if theta is omega."""
    db = rotate_t(A_i, d)
    moved = cross(arm_change(A_i, a, n, R, theta), db)
    return add(moved, cross(arm(A_i, a, n, R), cross(db, theta)))


@kernel
def slip_turning(A_i: Mat, w_i: Vec, a: Vec, n: Vec, d: Vec, R: Any) -> Any:
    """Gdot u of ROLL_SLIP: gamma = f' - turning."""
    return dot(w_i, slip_row_change(A_i, a, n, d, R, w_i))


@kernel
def slip_variation(A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any) -> Mat:
    """The matrix of `slip_row_change`: columns theta."""
    x = slip_row_change(A_i, a, n, d, R, E_1)
    y = slip_row_change(A_i, a, n, d, R, E_2)
    z = slip_row_change(A_i, a, n, d, R, E_3)
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def slip_add_variation(out: Any, lam: Any, A_i: Mat, a: Vec, n: Vec, d: Vec, R: Any) -> None:
    """Add the variation of +G^T lam of ROLL_SLIP to out (12, 12)."""
    add_block(out, THETA_I, THETA_I, lam, slip_variation(A_i, a, n, d, R))


@kernel
def slip_rate_variation(A_i: Mat, w_i: Vec, a: Vec, n: Vec, d: Vec, R: Any) -> Vec:
    """The variation of G u of ROLL_SLIP with theta_i, at constant u."""
    return rotate_t(slip_variation(A_i, a, n, d, R), w_i)
