"""Double-double numbers: sums of two doubles whose second is what rounding took from the first, 106 bits together.

Each operation is rounded by itself: no product may be fused with a sum here, or what is lost could not be told.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import exact_kernel, large_exact_kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.vec3 import Vec

Twofold = tuple[Any, Any]
Vec2 = tuple[Twofold, Twofold, Twofold]
HALVES = 134217729.0  # 2^27 + 1: splits a double in two of 26 digits each, products of which are exact
NOTHING: Twofold = (0.0, 0.0)
NO_VECTOR: Vec2 = (NOTHING, NOTHING, NOTHING)


@exact_kernel
def fast_sum(a: float, b: float) -> Twofold:
    """a + b, where a is not smaller than b."""
    s = a + b
    return s, b - (s - a)


@exact_kernel
def exact_sum(a: float, b: float) -> Twofold:
    """a + b of doubles [Knuth]."""
    s = a + b
    other = s - a
    return s, (a - (s - other)) + (b - other)


@exact_kernel
def exact_product(a: float, b: float) -> Twofold:
    """a b of doubles [Dekker]."""
    p, many, more = a * b, HALVES * a, HALVES * b
    high, top = many - (many - a), more - (more - b)
    low, rest = a - high, b - top
    return p, ((high * top - p) + high * rest + low * top) + low * rest


@exact_kernel
def plus(x: Twofold, y: Twofold) -> Twofold:
    """x + y."""
    s, rest = exact_sum(x[0], y[0])
    return fast_sum(s, rest + (x[1] + y[1]))


@exact_kernel
def minus(x: Twofold) -> Twofold:
    """-x."""
    return -x[0], -x[1]


@exact_kernel
def times(a: float, x: Twofold) -> Twofold:
    """A double times x."""
    p, rest = exact_product(a, x[0])
    return fast_sum(p, rest + a * x[1])


@large_exact_kernel
def product_of(a: float, b: float, c: float, x: Vec2) -> Twofold:
    """(a, b, c) . x."""
    return plus(plus(times(a, x[0]), times(b, x[1])), times(c, x[2]))


@exact_kernel
def add_vectors(x: Vec2, y: Vec2) -> Vec2:
    """x + y."""
    return plus(x[0], y[0]), plus(x[1], y[1]), plus(x[2], y[2])


@exact_kernel
def turn(R: Mat, x: Vec2) -> Vec2:
    """R x of a matrix of doubles."""
    return product_of(R[0], R[1], R[2], x), product_of(R[3], R[4], R[5], x), product_of(R[6], R[7], R[8], x)


@exact_kernel
def turn_back(R: Mat, x: Vec2) -> Vec2:
    """R^T x."""
    return product_of(R[0], R[3], R[6], x), product_of(R[1], R[4], R[7], x), product_of(R[2], R[5], R[8], x)


@exact_kernel
def cross_with(r: Vec, x: Vec2) -> Vec2:
    """The cross product of a vector r of doubles and a double-double vector x."""
    return product_of(0.0, -r[2], r[1], x), product_of(r[2], 0.0, -r[0], x), product_of(-r[1], r[0], 0.0, x)
