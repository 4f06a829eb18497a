"""Formulas for supernodes of one, two or three columns of L, kept in registers; `sparse.ldl` and
`sparse.semidefinite_ldl` call those of the width at hand.

All entries lie in one array x: at d the diagonal of the supernode (1 / D once it is factored), at e the strict lower
triangle of its diagonal block, row by row, at p the entries of one row below that block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import Floats

# unsigned like the indices they are added to: signed ones cost a test for negative values at every access
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)

One = tuple[float]
Two = tuple[float, float]
Three = tuple[float, float, float]


@kernel
def load1(x: Floats, p: int) -> One:
    """The entry of a row in a supernode of one column."""
    return (x[p],)


@kernel
def load2(x: Floats, p: int) -> Two:
    """The entries of a row in a supernode of two columns."""
    return x[p], x[p + ONE]


@kernel
def load3(x: Floats, p: int) -> Three:
    """The entries of a row in a supernode of three columns."""
    return x[p], x[p + ONE], x[p + TWO]


@kernel
def minus_product1(s: float, u: One, v: One) -> float:
    """s - u . v of one component."""
    return s - u[0] * v[0]


@kernel
def minus_product2(s: float, u: Two, v: Two) -> float:
    """s - u . v of two components."""
    return s - u[0] * v[0] - u[1] * v[1]


@kernel
def minus_product3(s: float, u: Three, v: Three) -> float:
    """s - u . v of three components."""
    return s - u[0] * v[0] - u[1] * v[1] - u[2] * v[2]


@kernel
def factor_block1(reciprocal: Any, x: Floats, d: int, e: int) -> tuple[One, tuple[()]]:
    """L D L^T of a 1 x 1 diagonal block in place; returns 1 / D and the entries of L below the diagonal.

    reciprocal(x, pivot) : 1 / pivot, or what stands for it where the pivot is too small.
    """
    a = reciprocal(x, x[d])
    x[d] = a
    return (a,), ()


@kernel
def factor_block2(reciprocal: Any, x: Floats, d: int, e: int) -> tuple[Two, One]:
    """`factor_block1` of a 2 x 2 diagonal block."""
    a = reciprocal(x, x[d])
    u = x[e]
    l = u * a
    b = reciprocal(x, x[d + ONE] - u * l)
    x[d] = a
    x[d + ONE] = b
    x[e] = l
    return (a, b), (l,)


@kernel
def factor_block3(reciprocal: Any, x: Floats, d: int, e: int) -> tuple[Three, Three]:
    """`factor_block1` of a 3 x 3 diagonal block."""
    a = reciprocal(x, x[d])
    u, v = x[e], x[e + ONE]
    l, m = u * a, v * a
    b = reciprocal(x, x[d + ONE] - u * l)
    w = x[e + TWO] - v * l
    k = w * b
    c = reciprocal(x, x[d + TWO] - v * m - w * k)
    x[d] = a
    x[d + ONE] = b
    x[d + TWO] = c
    x[e] = l
    x[e + ONE] = m
    x[e + TWO] = k
    return (a, b, c), (l, m, k)


@kernel
def factor_row1(x: Floats, p: int, inverse: One, block: tuple[()]) -> tuple[One, One]:
    """A row of S below the diagonal block becomes a row of L; returns that row of L D, and of L.

    inverse, block : 1 / D and L of the diagonal block, as `factor_block1` returns them.
    """
    u = x[p]
    f = u * inverse[0]
    x[p] = f
    return (u,), (f,)


@kernel
def factor_row2(x: Floats, p: int, inverse: Two, block: One) -> tuple[Two, Two]:
    """`factor_row1` in a supernode of two columns."""
    u = x[p]
    v = x[p + ONE] - u * block[0]
    f, g = u * inverse[0], v * inverse[1]
    x[p] = f
    x[p + ONE] = g
    return (u, v), (f, g)


@kernel
def factor_row3(x: Floats, p: int, inverse: Three, block: Three) -> tuple[Three, Three]:
    """`factor_row1` in a supernode of three columns."""
    u = x[p]
    v = x[p + ONE] - u * block[0]
    w = x[p + TWO] - u * block[1] - v * block[2]
    f, g, h = u * inverse[0], v * inverse[1], w * inverse[2]
    x[p] = f
    x[p + ONE] = g
    x[p + TWO] = h
    return (u, v, w), (f, g, h)


@kernel
def forward_block1(x: Floats, d: int, e: int, y: Floats) -> One:
    """Solve L t = y in the diagonal block; returns t, leaves D^-1 t in y."""
    a = y[d]
    y[d] = a * x[d]
    return (a,)


@kernel
def forward_block2(x: Floats, d: int, e: int, y: Floats) -> Two:
    """`forward_block1` of a 2 x 2 diagonal block."""
    a = y[d]
    b = y[d + ONE] - x[e] * a
    y[d] = a * x[d]
    y[d + ONE] = b * x[d + ONE]
    return a, b


@kernel
def forward_block3(x: Floats, d: int, e: int, y: Floats) -> Three:
    """`forward_block1` of a 3 x 3 diagonal block."""
    a = y[d]
    b = y[d + ONE] - x[e] * a
    c = y[d + TWO] - x[e + ONE] * a - x[e + TWO] * b
    y[d] = a * x[d]
    y[d + ONE] = b * x[d + ONE]
    y[d + TWO] = c * x[d + TWO]
    return a, b, c


@kernel
def minus_row1(t: One, x: Floats, p: int, y: float) -> One:
    """t - y times the entry of a row, one column."""
    return (t[0] - x[p] * y,)


@kernel
def minus_row2(t: Two, x: Floats, p: int, y: float) -> Two:
    """t - y times the entries of a row, two columns."""
    return t[0] - x[p] * y, t[1] - x[p + ONE] * y


@kernel
def minus_row3(t: Three, x: Floats, p: int, y: float) -> Three:
    """t - y times the entries of a row, three columns."""
    return t[0] - x[p] * y, t[1] - x[p + ONE] * y, t[2] - x[p + TWO] * y


@kernel
def back_block1(x: Floats, d: int, e: int, t: One, y: Floats) -> None:
    """Solve L^T y = t in the diagonal block."""
    y[d] = t[0]


@kernel
def back_block2(x: Floats, d: int, e: int, t: Two, y: Floats) -> None:
    """`back_block1` of a 2 x 2 diagonal block."""
    y[d + ONE] = t[1]
    y[d] = t[0] - x[e] * t[1]


@kernel
def back_block3(x: Floats, d: int, e: int, t: Three, y: Floats) -> None:
    """`back_block1` of a 3 x 3 diagonal block."""
    c = t[2]
    b = t[1] - x[e + TWO] * c
    y[d + TWO] = c
    y[d + ONE] = b
    y[d] = t[0] - x[e + ONE] * c - x[e] * b
