"""Vectors of three components as tuples: the compiler keeps them in registers."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural

Vec = tuple[Any, Any, Any]


@kernel
def get3(table: Any, k: int) -> Vec:
    """Row k of an (n, 3) table, as a tuple."""
    k = natural(k)
    return (table[k, 0], table[k, 1], table[k, 2])


@kernel
def put3(table: Any, k: int, v: Vec) -> None:
    """Write v into row k of an (n, 3) table."""
    table[k, 0] = v[0]
    table[k, 1] = v[1]
    table[k, 2] = v[2]


@kernel
def add3(table: Any, k: int, v: Vec) -> None:
    """Add v to row k of an (n, 3) table."""
    table[k, 0] += v[0]
    table[k, 1] += v[1]
    table[k, 2] += v[2]


@kernel
def add(a: Vec, b: Vec) -> Vec:
    """a + b, sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vec, b: Vec) -> Vec:
    """a - b, difference of two vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def neg(a: Vec) -> Vec:
    """-a, the vector of opposite direction."""
    return (-a[0], -a[1], -a[2])


@kernel
def scale(k: Any, a: Vec) -> Vec:
    """k a, a number times a vector."""
    return (k * a[0], k * a[1], k * a[2])


@kernel
def axpy(k: Any, a: Vec, b: Vec) -> Vec:
    """k a + b, one instruction per component where compiled."""
    return (k * a[0] + b[0], k * a[1] + b[1], k * a[2] + b[2])


@kernel
def dot(a: Vec, b: Vec) -> Any:
    """a . b (no conjugation, so that complex steps pass through)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec, b: Vec) -> Vec:
    """a x b, cross product of two vectors."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
