"""CONTACT and CONTACT_SLIP: profiles of two bodies touch (`kernels.profiles`), and do not slip on each other.

CONTACT: the gap along the common normal, n . d_ij with the contact points of the moment as its two points. It is
stationary with respect to the parameters (u, s) of these points, so that its Jacobian is that of a row DP2 with n and
the points held; what they move by enters second derivatives alone, through d(u, s) = -J^-1 (X1, X2) with the conditions
G of contact: X1 = dG1, X2 = dG2 by the poses at held (u, s), J = dG/d(u, s), and W_u = c X1, W_s = X2 for the
Jacobian W.

CONTACT_SLIP, velocity level: the velocity of body j's point of contact as body i sees it, along the common tangent
t = p'/|p'|, that is the rate of t . d_ij with t and the points held.

Profile i lies in the plane of a_i, b_i through s_i of body i, profile j in that of a_j, n through s_j of body j;
`scalar` is the number of profile i's first curve in `rows.curves`, profile j's follow it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, rotate, rotate_t
from linkwork.kernels.profiles import CURVES, Placed, conditions, contact, profile, seen_profile
from linkwork.kernels.rows import dp1, dp2
from linkwork.kernels.rows.blocks import R_I, R_J, THETA_I, THETA_J, ZERO, add_part
from linkwork.kernels.rows.kind import RowKind, f_itself
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, get3, neg, scale, sub

Twelve = tuple[Vec, Vec, Vec, Vec]


class Bodies(NamedTuple):
    """Poses of a row's two bodies."""

    r_i: Vec
    A_i: Mat
    r_j: Vec
    A_j: Mat


class Touch(NamedTuple):
    """Where two profiles touch: normal and points, in components of their bodies, and what they move by."""

    normal: Vec  # n, in body i
    tangent: Vec  # p'/|p'|, in body i
    s_i: Vec
    s_j: Vec
    p_u: Vec  # p', in body i
    q_s: Vec  # q', in body j
    c: Any  # dn/du = c p'
    speed: Any  # |p'|
    inverse: tuple[Any, Any, Any, Any]  # of J, row by row


@kernel
def bodies_of(rows: Any, k: Any, r: Any, A: Any) -> Bodies:
    """Positions and rotations of row k's two bodies, out of those of all."""
    i, j = rows.body_i[k], rows.body_j[k]
    return Bodies(get3(r, i), get9(A, i), get3(r, j), get9(A, j))


@kernel
def placed(rows: Any, k: Any, at: Bodies) -> Placed:
    """Profile j seen in the plane of profile i."""
    x, y = get3(rows.a_i, k), get3(rows.b_i, k)
    d = sub(dp2.reach(at.r_i, at.A_i, at.r_j, at.A_j, get3(rows.s_j, k)), get3(rows.s_i, k))
    a = rotate_t(at.A_i, rotate(at.A_j, get3(rows.a_j, k)))
    b = rotate_t(at.A_i, rotate(at.A_j, get3(rows.n, k)))
    return Placed(dot(x, d), dot(y, d), dot(x, a), dot(x, b), dot(y, a), dot(y, b))


@kernel
def in_plane(x: Vec, y: Vec, v: Any) -> Vec:
    """A vector of a profile's plane in components of its body."""
    return add(scale(v[0], x), scale(v[1], y))


@kernel
def touch(rows: Any, k: Any, at: Bodies) -> Touch:
    """Where the profiles of row k touch."""
    first = int(rows.scalar[k].real)
    seen = placed(rows, k, at)
    u, s = contact(rows.curves, first, first + CURVES, seen)
    p, q = profile(rows.curves, first, u), profile(rows.curves, first + CURVES, s)
    _, J, n, c = conditions(p, seen_profile(rows.curves, first + CURVES, s, seen))
    x, y, x_j, y_j = get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k), get3(rows.n, k)
    one = 1.0 / (J[0] * J[3] - J[1] * J[2])
    speed = np.sqrt(p[1][0] * p[1][0] + p[1][1] * p[1][1])
    along = in_plane(x, y, p[1])
    return Touch(
        in_plane(x, y, n),
        scale(1.0 / speed, along),
        add(get3(rows.s_i, k), in_plane(x, y, p[0])),
        add(get3(rows.s_j, k), in_plane(x_j, y_j, q[0])),
        along,
        in_plane(x_j, y_j, q[1]),
        c,
        speed,
        (one * J[3], -one * J[1], -one * J[2], one * J[0]),
    )


@kernel
def changes(at: Bodies, here: Touch) -> tuple[Twelve, Twelve]:
    """X1 and X2: how the conditions of contact change with the poses, the points held on their bodies."""
    _, a, about_i, about_j = dp2.row(at.r_i, at.A_i, at.r_j, at.A_j, here.p_u, here.s_i, here.s_j)
    _, turn_i, turn_j = dp1.row(at.A_i, at.A_j, here.normal, here.q_s)
    return (neg(a), about_i, a, about_j), (ZERO, turn_i, ZERO, turn_j)


@kernel
def moves(here: Touch, x_1: Twelve, x_2: Twelve) -> tuple[Twelve, Twelve]:
    """How the parameters u and s of the contact change with the poses: -J^-1 (X1, X2)."""
    m = here.inverse
    return combined(-m[0], x_1, -m[1], x_2), combined(-m[2], x_1, -m[3], x_2)


@kernel
def combined(a: Any, x: Twelve, b: Any, y: Twelve) -> Twelve:
    """a x + b y of twelve numbers."""
    return (
        axpy(a, x[0], scale(b, y[0])),
        axpy(a, x[1], scale(b, y[1])),
        axpy(a, x[2], scale(b, y[2])),
        axpy(a, x[3], scale(b, y[3])),
    )


@kernel
def product(x: Twelve, rows: Any, k: Any, v: Any, w: Any) -> Any:
    """Twelve numbers times the velocities of row k's bodies."""
    i, j = rows.body_i[k], rows.body_j[k]
    return dot(x[0], get3(v, i)) + dot(x[1], get3(w, i)) + dot(x[2], get3(v, j)) + dot(x[3], get3(w, j))


@kernel
def add_outer(out: Any, factor: Any, x: Twelve, y: Twelve) -> None:
    """Add factor x y^T to out (12, 12)."""
    for side in range(4):
        part = x[0] if side == 0 else x[1] if side == 1 else x[2] if side == 2 else x[3]
        for c in range(3):
            a = factor * (part[0] if c == 0 else part[1] if c == 1 else part[2])
            add_twelve(out[3 * side + c], a, y)


@kernel
def add_twelve(out: Any, factor: Any, y: Twelve) -> None:
    """Add factor y to out (12,)."""
    add_part(out, R_I, scale(factor, y[0]))
    add_part(out, THETA_I, scale(factor, y[1]))
    add_part(out, R_J, scale(factor, y[2]))
    add_part(out, THETA_J, scale(factor, y[3]))


@kernel
def gap_row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """The gap less f, and its Jacobian parts."""
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    value, a, about_i, about_j = dp2.row(at.r_i, at.A_i, at.r_j, at.A_j, here.normal, here.s_i, here.s_j)
    return value - drive[k, 0], neg(a), about_i, a, about_j


@kernel
def gap_gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f'' - Gdot u: that of held points, and of points that move along their profiles."""
    i, j = rows.body_i[k], rows.body_j[k]
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    x_1, x_2 = changes(at, here)
    rate_1, rate_2 = product(x_1, rows, k, v, w), product(x_2, rows, k, v, w)
    m = here.inverse
    u_rate, s_rate = -m[0] * rate_1 - m[1] * rate_2, -m[2] * rate_1 - m[3] * rate_2
    held = dp2.turning(
        at.r_i, at.A_i, get3(v, i), get3(w, i), at.r_j, at.A_j, get3(v, j), get3(w, j), here.normal, here.s_i, here.s_j
    )
    return drive[k, 2] - held - here.c * rate_1 * u_rate - rate_2 * s_rate


@kernel
def gap_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the derivative of the contact force, G^T lam, to out (12, 12)."""
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    x_1, x_2 = changes(at, here)
    du, ds = moves(here, x_1, x_2)
    dp2.add_variation(out, lam, at.r_i, at.A_i, at.r_j, at.A_j, here.normal, here.s_j)
    add_outer(out, lam * here.c, x_1, du)
    add_outer(out, lam, x_2, ds)


@kernel
def slip_row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi = 0, and the parts of the sliding velocity."""
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    _, a, about_i, about_j = dp2.row(at.r_i, at.A_i, at.r_j, at.A_j, here.tangent, here.s_i, here.s_j)
    return 0.0, neg(a), about_i, a, about_j


@kernel
def slip_moves(at: Bodies, here: Touch) -> tuple[Twelve, Twelve]:
    """How the parts of `slip_row` change with u, along which the tangent turns, and with s."""
    bent = scale(-here.c * here.speed, here.normal)
    _, a, about_i, about_j = dp2.row(at.r_i, at.A_i, at.r_j, at.A_j, bent, here.s_i, here.s_j)
    _, turn_i, turn_j = dp1.row(at.A_i, at.A_j, here.tangent, here.q_s)
    return (neg(a), about_i, a, about_j), (ZERO, turn_i, ZERO, turn_j)


@kernel
def slip_gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """f' - Gdot u of the sliding velocity."""
    i, j = rows.body_i[k], rows.body_j[k]
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    x_1, x_2 = changes(at, here)
    rate_1, rate_2 = product(x_1, rows, k, v, w), product(x_2, rows, k, v, w)
    m = here.inverse
    y_1, y_2 = slip_moves(at, here)
    along_u = product(y_1, rows, k, v, w) * (-m[0] * rate_1 - m[1] * rate_2)
    along_s = product(y_2, rows, k, v, w) * (-m[2] * rate_1 - m[3] * rate_2)
    held = dp2.turning(
        at.r_i, at.A_i, get3(v, i), get3(w, i), at.r_j, at.A_j, get3(v, j), get3(w, j), here.tangent, here.s_i, here.s_j
    )
    return drive[k, 1] - held - along_u - along_s


@kernel
def slip_variation(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """Add the derivative of the force along the tangent to out (12, 12)."""
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    x_1, x_2 = changes(at, here)
    du, ds = moves(here, x_1, x_2)
    y_1, y_2 = slip_moves(at, here)
    dp2.add_variation(out, lam, at.r_i, at.A_i, at.r_j, at.A_j, here.tangent, here.s_j)
    add_outer(out, lam, y_1, du)
    add_outer(out, lam, y_2, ds)


@kernel
def held_rate(at: Bodies, here: Touch, v_i: Vec, w_i: Vec, v_j: Vec, w_j: Vec) -> Twelve:
    """How the sliding velocity changes with the poses, velocities, tangent and points held."""
    a, swung = here.tangent, cross(w_j, here.s_j)
    x = dp2.reach(at.r_i, at.A_i, at.r_j, at.A_j, here.s_j)
    V = rotate_t(at.A_i, sub(add(v_j, rotate(at.A_j, swung)), v_i))
    turned = cross(w_i, a)
    on_r = rotate(at.A_i, turned)
    on_i = add(cross(a, V), cross(turned, x))
    b = rotate_t(at.A_j, rotate(at.A_i, a))
    return neg(on_r), on_i, on_r, add(cross(swung, b), cross(here.s_j, rotate_t(at.A_j, on_r)))


@kernel
def slip_rate_variation(out: Any, rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any) -> None:
    """Add the derivative of the sliding velocity, velocities held, to out (12,)."""
    i, j = rows.body_i[k], rows.body_j[k]
    at = bodies_of(rows, k, r, A)
    here = touch(rows, k, at)
    x_1, x_2 = changes(at, here)
    du, ds = moves(here, x_1, x_2)
    y_1, y_2 = slip_moves(at, here)
    add_twelve(out, 1.0, held_rate(at, here, get3(v, i), get3(w, i), get3(v, j), get3(w, j)))
    add_twelve(out, product(y_1, rows, k, v, w), du)
    add_twelve(out, product(y_2, rows, k, v, w), ds)


COLUMNS = {
    "a_i": "x axis of profile i, in body i",
    "b_i": "its y axis",
    "s_i": "its origin",
    "a_j": "x axis of profile j, in body j",
    "n": "its y axis",
    "s_j": "its origin",
    "scalar": "number of the first of the profiles' curves",
}


def two_ovals(random: np.random.Generator) -> dict[str, Any]:
    """Axes of two planes; the profiles are those that tests put into `rows.curves` from curve 0 on."""
    columns: dict[str, Any] = {"scalar": 0.0, "s_i": random.normal(size=3), "s_j": random.normal(size=3)}
    for x, y in (("a_i", "b_i"), ("a_j", "n")):
        axes = np.linalg.qr(random.normal(size=(3, 2)))[0]
        columns[x], columns[y] = axes[:, 0], axes[:, 1]
    return columns


GAP = RowKind(
    "CONTACT",
    equation="gap between two profiles along their common normal - f",
    columns=COLUMNS,
    row=gap_row,
    gamma=gap_gamma,
    add_variation=gap_variation,
    quantity="gap",
    example=two_ovals,
    one_by_one=True,
)

SLIP = RowKind(
    "CONTACT_SLIP",
    equation="velocity of body j's point of contact, seen from body i, along the common tangent - f",
    columns=COLUMNS,
    row=slip_row,
    gamma=slip_gamma,
    add_variation=slip_variation,
    add_rate_variation=slip_rate_variation,
    nu=f_itself,
    quantity="velocity",
    example=two_ovals,
    one_by_one=True,
)
