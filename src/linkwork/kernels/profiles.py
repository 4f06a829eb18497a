"""Plane profiles given by data, and where two of them touch.

A profile is three curves of `kernels.curves` one after the other: x and y (m) over a parameter, and one whose only
piece holds, where coefficients stand, the period (0: the profile is open) and the radius (0: it is the spline itself;
else it is the circle of that radius, its parameter the angle, and the spline is used for searching alone).

Profile p lies in a plane of body i, q in a plane of body j; the points of q are projected into the plane of p. They
touch where both tangents are across the line between the points, the common normal:

    G1 = (q - p) . p' = 0,        G2 = q' . n = 0,        n = (p'_y, -p'_x) / |p'|,

at the parameters (u, s) found from the place where the two polygons of given points come nearest to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.kernels.curves import jet_curve
from linkwork.kernels.jit import kernel, separate_kernel

if TYPE_CHECKING:
    from linkwork.kernels.tables import Curves

CURVES = 3  # of a profile
CHORDS = 16  # of each polygon that the coarse search looks at
STEPS = 60  # of Newton's method
CLOSE = 1e-11  # of the profile's extent in its parameter: from there two steps reach rounding


class Placed(NamedTuple):
    """Where a point of q is seen in the plane of p: (x, y) = d + C (x, y)."""

    d_x: Any
    d_y: Any
    c_xx: Any
    c_xy: Any
    c_yx: Any
    c_yy: Any


Plane = tuple[Any, Any]


@kernel
def profile(curves: Curves, c: int, u: Any) -> tuple[Plane, Plane, Plane]:
    """Point of the profile whose first curve is c, and its two derivatives by the parameter u."""
    about = curves.start[c + 2]
    period, radius = curves.piece[about, 1], curves.piece[about, 2]
    if radius > 0.0:
        x, y = radius * np.cos(u), radius * np.sin(u)
        return (x, y), (-y, x), (-x, -y)
    x = u
    if period > 0.0:
        x = u - period * np.floor(u.real / period)
    one = 0.0 * u + 1.0
    a, a1, a2 = jet_curve(curves, c, (x, one, 0.0 * u))
    b, b1, b2 = jet_curve(curves, c + 1, (x, one, 0.0 * u))
    return (a, b), (a1, b1), (a2, b2)


@kernel
def seen(at: Placed, point: Plane) -> Plane:
    """A vector of q's plane in that of p."""
    return at.c_xx * point[0] + at.c_xy * point[1], at.c_yx * point[0] + at.c_yy * point[1]


@kernel
def chords(curves: Curves, c: int) -> int:
    """How many chords the polygon of a profile has."""
    many: int = curves.start[c + 1] - curves.start[c] - 2
    return many


@kernel
def corner(curves: Curves, c: int, m: int) -> Plane:
    """Given point m of a profile, m from 0 to `chords`."""
    return curves.piece[curves.start[c] + 1 + m, 1], curves.piece[curves.start[c + 1] + 1 + m, 1]


@kernel
def parameter(curves: Curves, c: int, m: int, share: float) -> float:
    """The parameter between given points m and m + 1."""
    first = curves.start[c] + 1 + m
    a, b = curves.piece[first, 0], curves.piece[first + 1, 0]
    between: float = a + share * (b - a)
    return between


@kernel
def extent(curves: Curves, c: int) -> float:
    """How far a profile's parameter goes, from its first given point to its last."""
    length: float = curves.piece[curves.start[c + 1] - 1, 0] - curves.piece[curves.start[c] + 1, 0]
    return length


@kernel
def from_chord(x: float, y: float, a: Plane, b: Plane) -> tuple[float, float]:
    """The square of the distance of (x, y) from the chord from a to b, and where on it (0 to 1) that is."""
    e_x, e_y = b[0] - a[0], b[1] - a[1]
    square = e_x * e_x + e_y * e_y
    share = ((x - a[0]) * e_x + (y - a[1]) * e_y) / square if square > 0.0 else 0.0
    share = min(1.0, max(0.0, share))
    d_x, d_y = x - a[0] - share * e_x, y - a[1] - share * e_y
    return d_x * d_x + d_y * d_y, share


@kernel
def real_corner(curves: Curves, c: int, m: int, at: Placed) -> Plane:
    """Given point m of q as p's plane sees it, its value alone."""
    x, y = seen(at, corner(curves, c, m))
    return (at.d_x + x).real, (at.d_y + y).real


@kernel
def nearest(
    curves: Curves, p: int, q: int, at: Placed, first: tuple[int, int], last: tuple[int, int], stride: tuple[int, int]
) -> tuple[int, int, float, float, float]:
    """Chords of p and of q, of those from `first` to `last` taken `stride` at once, that come nearest to each other:
    their numbers, where on each (0 to 1), and the square of the distance."""
    n_p, n_q = chords(curves, p), chords(curves, q)
    best, at_p, at_q, share_p, share_q = np.inf, 0, 0, 0.0, 0.0
    k = first[0]
    while k < last[0]:
        begin, end = k % n_p, min(k % n_p + stride[0], n_p)
        a, b = corner(curves, p, begin), corner(curves, p, end)
        m = first[1]
        while m < last[1]:
            start, stop = m % n_q, min(m % n_q + stride[1], n_q)
            c, d = real_corner(curves, q, start, at), real_corner(curves, q, stop, at)
            square, share = from_chord(a[0], a[1], c, d)
            if square < best:
                best, at_p, at_q, share_p, share_q = square, begin, start, 0.0, share
            square, share = from_chord(b[0], b[1], c, d)
            if square < best:
                best, at_p, at_q, share_p, share_q = square, begin, start, 1.0, share
            square, share = from_chord(c[0], c[1], a, b)
            if square < best:
                best, at_p, at_q, share_p, share_q = square, begin, start, share, 0.0
            square, share = from_chord(d[0], d[1], a, b)
            if square < best:
                best, at_p, at_q, share_p, share_q = square, begin, start, share, 1.0
            m += stride[1]
        k += stride[0]
    return at_p, at_q, share_p, share_q, best


@separate_kernel
def start_of_contact(curves: Curves, p: int, q: int, at: Placed) -> tuple[float, float]:
    """Parameters (u, s) to begin with: where the polygons come nearest, coarsely first, then chord by chord."""
    n_p, n_q = chords(curves, p), chords(curves, q)
    by_p, by_q = (n_p + CHORDS - 1) // CHORDS, (n_q + CHORDS - 1) // CHORDS
    k, m, share_p, share_q, _ = nearest(curves, p, q, at, (0, 0), (n_p, n_q), (by_p, by_q))
    if by_p > 1 or by_q > 1:
        open_p, open_q = curves.piece[curves.start[p + 2], 1] == 0.0, curves.piece[curves.start[q + 2], 1] == 0.0
        k, m = k + n_p, m + n_q  # over the end of a closed one, too
        low = (max(k - by_p, n_p) if open_p else k - by_p, max(m - by_q, n_q) if open_q else m - by_q)
        high = (
            min(k + 2 * by_p, 2 * n_p) if open_p else k + 2 * by_p,
            min(m + 2 * by_q, 2 * n_q) if open_q else m + 2 * by_q,
        )
        k, m, share_p, share_q, _ = nearest(curves, p, q, at, low, high, (1, 1))
    return parameter(curves, p, k, share_p), parameter(curves, q, m, share_q)


@kernel
def conditions(
    p: tuple[Plane, Plane, Plane], q: tuple[Plane, Plane, Plane]
) -> tuple[tuple[Any, Any], tuple[Any, Any, Any, Any], Plane, Any]:
    """(G1, G2), their derivatives by u and s (row by row), n, and c with dn/du = c p'. q: seen in p's plane."""
    (x, y), (x1, y1), (x2, y2) = p
    e_x, e_y = q[0][0] - x, q[0][1] - y
    square = x1 * x1 + y1 * y1
    size = np.sqrt(square)
    n_x, n_y = y1 / size, -x1 / size
    c = -(x2 * n_x + y2 * n_y) / square
    along = q[1][0] * x1 + q[1][1] * y1
    matrix = (-square + e_x * x2 + e_y * y2, along, c * along, q[2][0] * n_x + q[2][1] * n_y)
    return (e_x * x1 + e_y * y1, q[1][0] * n_x + q[1][1] * n_y), matrix, (n_x, n_y), c


@kernel
def seen_profile(curves: Curves, c: int, s: Any, at: Placed) -> tuple[Plane, Plane, Plane]:
    """Point s of q and its derivatives, in p's plane."""
    q = profile(curves, c, s)
    x, y = seen(at, q[0])
    return (at.d_x + x, at.d_y + y), seen(at, q[1]), seen(at, q[2])


@kernel
def within(step: Any, most: float) -> Any:
    """A step of Newton's method, cut to a size."""
    size = abs(step.real)
    return step * (most / size) if size > most else step


@separate_kernel
def contact(curves: Curves, p: int, q: int, at: Placed) -> tuple[Any, Any]:
    """Parameters (u, s) where profiles p and q touch, or come nearest; not numbers where none are found."""
    u_0, s_0 = start_of_contact(curves, p, q, at)
    u, s = u_0 + 0.0 * at.d_x, s_0 + 0.0 * at.d_x
    long_p, long_q = extent(curves, p), extent(curves, q)
    more, k = 2, 0
    while more > 0 and k < STEPS:
        G, J, _, _ = conditions(profile(curves, p, u), seen_profile(curves, q, s, at))
        determinant = J[0] * J[3] - J[1] * J[2]
        du = (J[1] * G[1] - J[3] * G[0]) / determinant
        ds = (J[2] * G[0] - J[0] * G[1]) / determinant
        if abs(du.real) <= CLOSE * long_p and abs(ds.real) <= CLOSE * long_q:
            more -= 1
        u, s = u + within(du, long_p / CHORDS), s + within(ds, long_q / CHORDS)
        k += 1
    if more > 0:
        return u + np.nan, s + np.nan
    return u, s
