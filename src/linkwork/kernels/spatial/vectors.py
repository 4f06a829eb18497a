"""Twists and wrenches from frame to frame: shifts along an axis and turns about it; general turns and shifts.

`down` goes from a frame to the one that is shifted or turned from it, `up` back: X V and X^T P [Featherstone 2008,
2.8], in rad/s and m/s, N m and N, at the frames' origins. c, s : cosine and sine of the turn.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.fused import fused
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, rotate, rotate_t
from linkwork.kernels.tables import Floats
from linkwork.kernels.vec3 import Vec, add, cross

Six = tuple[Any, Any, Any, Any, Any, Any]
ZERO: Vec = (0.0, 0.0, 0.0)
NO_WRENCH: Six = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def twist_down_x(V: Six, a: Any, c: Any, s: Any) -> Six:
    """Shift by a along x, turn about x. V[2], what a pin turns about, is known last, and comes in last."""
    y, z = fused(s, V[2], c * V[1]), c * V[2] - s * V[1]
    return (V[0], y, z, V[3], (c * V[4] + s * V[5]) + a * z, (c * V[5] - s * V[4]) - a * y)


@kernel
def twist_down_z(V: Six, d: Any, c: Any, s: Any) -> Six:
    """Shift by d along z, turn about z. V[1] and V[4], known last after a turn about x, come in last."""
    x, y = fused(s, V[1], c * V[0]), c * V[1] - s * V[0]
    return (x, y, V[2], fused(s, V[4], c * V[3]) + d * y, (c * V[4] - s * V[3]) - d * x, V[5])


@kernel
def wrench_up_x(P: Six, a: Any, c: Any, s: Any) -> Six:
    """Turn back about x, shift back by a along x."""
    fy, fz = c * P[4] - s * P[5], s * P[4] + c * P[5]
    return (P[0], c * P[1] - s * P[2] - a * fz, s * P[1] + c * P[2] + a * fy, P[3], fy, fz)


@kernel
def wrench_up_z(P: Six, d: Any, c: Any, s: Any) -> Six:
    """Turn back about z, shift back by d along z."""
    fx, fy = c * P[3] - s * P[4], s * P[3] + c * P[4]
    return (c * P[0] - s * P[1] - d * fy, s * P[0] + c * P[1] + d * fx, P[2], fx, fy, P[5])


@kernel
def twist_down(V: Six, r: Vec, R: Mat) -> Six:
    """To a frame at r, turned by R (its components to those here)."""
    w = (V[0], V[1], V[2])
    w_there, v_there = rotate_t(R, w), rotate_t(R, add((V[3], V[4], V[5]), cross(w, r)))
    return (*w_there, *v_there)


@kernel
def wrench_up(P: Six, r: Vec, R: Mat) -> Six:
    """From a frame at r, turned by R."""
    f = rotate(R, (P[3], P[4], P[5]))
    n = add(rotate(R, (P[0], P[1], P[2])), cross(r, f))
    return (*n, *f)


@kernel
def add6(a: Six, b: Six) -> Six:
    """a + b, sum of two spatial vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@kernel
def sub6(a: Six, b: Six) -> Six:
    """a - b, difference of two spatial vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


@kernel
def cross_motion(V: Six, W: Six) -> Six:
    """V x W of two twists: (omega x w, omega x u + v x w) for W = (w, u)."""
    return (
        V[1] * W[2] - V[2] * W[1],
        V[2] * W[0] - V[0] * W[2],
        V[0] * W[1] - V[1] * W[0],
        V[1] * W[5] - V[2] * W[4] + V[4] * W[2] - V[5] * W[1],
        V[2] * W[3] - V[0] * W[5] + V[5] * W[0] - V[3] * W[2],
        V[0] * W[4] - V[1] * W[3] + V[3] * W[1] - V[4] * W[0],
    )


@kernel
def cross_force(V: Six, P: Six) -> Six:
    """V x* P of a twist and a wrench: (omega x n + v x f, omega x f), the rate of P where it moves along."""
    return (
        V[1] * P[2] - V[2] * P[1] + V[4] * P[5] - V[5] * P[4],
        V[2] * P[0] - V[0] * P[2] + V[5] * P[3] - V[3] * P[5],
        V[0] * P[1] - V[1] * P[0] + V[3] * P[4] - V[4] * P[3],
        V[1] * P[5] - V[2] * P[4],
        V[2] * P[3] - V[0] * P[5],
        V[0] * P[4] - V[1] * P[3],
    )


@kernel
def get6(table: Floats, k: int) -> Six:
    """Row k of an (n, 6) table."""
    return (table[k, 0], table[k, 1], table[k, 2], table[k, 3], table[k, 4], table[k, 5])


@kernel
def put6(table: Floats, k: int, x: Six) -> None:
    """Write row k of an (n, 6) table."""
    table[k, 0], table[k, 1], table[k, 2] = x[0], x[1], x[2]
    table[k, 3], table[k, 4], table[k, 5] = x[3], x[4], x[5]


@kernel
def add_to6(table: Floats, k: int, x: Six) -> None:
    """Add x to row k of a table (n, 6)."""
    table[k, 0] += x[0]
    table[k, 1] += x[1]
    table[k, 2] += x[2]
    table[k, 3] += x[3]
    table[k, 4] += x[4]
    table[k, 5] += x[5]
