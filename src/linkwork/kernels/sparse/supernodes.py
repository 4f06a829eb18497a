"""One, two or three columns of L at a time, in registers: the formulas of `sparse.ldl` for each width.

Entries lie in one array: at d the reciprocal pivots of the columns, at e the strict lower triangle of their own
rows, row by row, at p the entries of one row below.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import Floats

# unsigned like the indices they are added to: signed ones cost a test for negative values at every access
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)

One = tuple[float]
Two = tuple[float, float]
Three = tuple[float, float, float]


@kernel
def take1(x: Floats, p: int) -> One:
    """A row's entries."""
    return (x[p],)


@kernel
def take2(x: Floats, p: int) -> Two:
    """A row's entries."""
    return x[p], x[p + ONE]


@kernel
def take3(x: Floats, p: int) -> Three:
    """A row's entries."""
    return x[p], x[p + ONE], x[p + TWO]


@kernel
def less1(s: float, u: One, v: One) -> float:
    """S - u v."""
    return s - u[0] * v[0]


@kernel
def less2(s: float, u: Two, v: Two) -> float:
    """S - u v."""
    return s - u[0] * v[0] - u[1] * v[1]


@kernel
def less3(s: float, u: Three, v: Three) -> float:
    """S - u v."""
    return s - u[0] * v[0] - u[1] * v[1] - u[2] * v[2]


@kernel
def pivot1(x: Floats, d: int, e: int) -> tuple[One, tuple[()]]:
    """Factor the columns' own triangle; its reciprocal pivots and multipliers."""
    a = 1.0 / x[d]
    x[d] = a
    return (a,), ()


@kernel
def pivot2(x: Floats, d: int, e: int) -> tuple[Two, One]:
    """Factor the columns' own triangle; its reciprocal pivots and multipliers."""
    a = 1.0 / x[d]
    u = x[e]
    l = u * a
    b = 1.0 / (x[d + ONE] - u * l)
    x[d] = a
    x[d + ONE] = b
    x[e] = l
    return (a, b), (l,)


@kernel
def pivot3(x: Floats, d: int, e: int) -> tuple[Three, Three]:
    """Factor the columns' own triangle; its reciprocal pivots and multipliers."""
    a = 1.0 / x[d]
    u, v = x[e], x[e + ONE]
    l, m = u * a, v * a
    b = 1.0 / (x[d + ONE] - u * l)
    w = x[e + TWO] - v * l
    k = w * b
    c = 1.0 / (x[d + TWO] - v * m - w * k)
    x[d] = a
    x[d + ONE] = b
    x[d + TWO] = c
    x[e] = l
    x[e + ONE] = m
    x[e + TWO] = k
    return (a, b, c), (l, m, k)


@kernel
def row1(x: Floats, p: int, pivots: One, own: tuple[()]) -> tuple[One, One]:
    """A row below becomes one of L; returned both as it was before the division by pivots, and after."""
    u = x[p]
    f = u * pivots[0]
    x[p] = f
    return (u,), (f,)


@kernel
def row2(x: Floats, p: int, pivots: Two, own: One) -> tuple[Two, Two]:
    """A row below becomes one of L; returned both as it was before the division by pivots, and after."""
    u = x[p]
    v = x[p + ONE] - u * own[0]
    f, g = u * pivots[0], v * pivots[1]
    x[p] = f
    x[p + ONE] = g
    return (u, v), (f, g)


@kernel
def row3(x: Floats, p: int, pivots: Three, own: Three) -> tuple[Three, Three]:
    """A row below becomes one of L; returned both as it was before the division by pivots, and after."""
    u = x[p]
    v = x[p + ONE] - u * own[0]
    w = x[p + TWO] - u * own[1] - v * own[2]
    f, g, h = u * pivots[0], v * pivots[1], w * pivots[2]
    x[p] = f
    x[p + ONE] = g
    x[p + TWO] = h
    return (u, v, w), (f, g, h)


@kernel
def down1(x: Floats, d: int, e: int, y: Floats) -> One:
    """Eliminate within the columns' own rows: the unknowns L gives (returned), divided by pivots (left in y)."""
    a = y[d]
    y[d] = a * x[d]
    return (a,)


@kernel
def down2(x: Floats, d: int, e: int, y: Floats) -> Two:
    """Eliminate within the columns' own rows: the unknowns L gives (returned), divided by pivots (left in y)."""
    a = y[d]
    b = y[d + ONE] - x[e] * a
    y[d] = a * x[d]
    y[d + ONE] = b * x[d + ONE]
    return a, b


@kernel
def down3(x: Floats, d: int, e: int, y: Floats) -> Three:
    """Eliminate within the columns' own rows: the unknowns L gives (returned), divided by pivots (left in y)."""
    a = y[d]
    b = y[d + ONE] - x[e] * a
    c = y[d + TWO] - x[e + ONE] * a - x[e + TWO] * b
    y[d] = a * x[d]
    y[d + ONE] = b * x[d + ONE]
    y[d + TWO] = c * x[d + TWO]
    return a, b, c


@kernel
def minus1(t: One, x: Floats, p: int, y: float) -> One:
    """T - y times a row's entries."""
    return (t[0] - x[p] * y,)


@kernel
def minus2(t: Two, x: Floats, p: int, y: float) -> Two:
    """T - y times a row's entries."""
    return t[0] - x[p] * y, t[1] - x[p + ONE] * y


@kernel
def minus3(t: Three, x: Floats, p: int, y: float) -> Three:
    """T - y times a row's entries."""
    return t[0] - x[p] * y, t[1] - x[p + ONE] * y, t[2] - x[p + TWO] * y


@kernel
def up1(x: Floats, d: int, e: int, t: One, y: Floats) -> None:
    """Substitute back within the columns' own rows, from t to y."""
    y[d] = t[0]


@kernel
def up2(x: Floats, d: int, e: int, t: Two, y: Floats) -> None:
    """Substitute back within the columns' own rows, from t to y."""
    y[d + ONE] = t[1]
    y[d] = t[0] - x[e] * t[1]


@kernel
def up3(x: Floats, d: int, e: int, t: Three, y: Floats) -> None:
    """Substitute back within the columns' own rows, from t to y."""
    c = t[2]
    b = t[1] - x[e + TWO] * c
    y[d + TWO] = c
    y[d + ONE] = b
    y[d] = t[0] - x[e + ONE] * c - x[e] * b
