"""Vectors and matrices over time, components first and samples last: (3, nt), or (3, n, nt) of n runs at once.

Every number is worked out by products and sums of its own, in an order of their own, so that it has the same bits
however many samples and runs there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.header import Array


class Motion(NamedTuple):
    """One body over time, its frame at the centre of mass; nt samples, of one run or of several (n, nt, ...).

    r (nt, 3) m and A (nt, 3, 3): body -> global. v, a (nt, 3) global. w, alpha (nt, 3) in body components.
    """

    r: Array
    A: Array
    v: Array
    w: Array
    a: Array
    alpha: Array


class Point(NamedTuple):
    """A point over time, (3, ...) each."""

    position: Array
    velocity: Array
    acceleration: Array


def components_first(body: Motion) -> Motion:
    """The same motion, (3, ...) and (3, 3, ...)."""
    d = body.r.ndim - 1
    of_vectors, of_matrices = (d, *range(d)), (d, d + 1, *range(d))
    axes = (of_vectors, of_matrices, *(of_vectors,) * 4)
    return Motion(*(np.ascontiguousarray(one.transpose(each)) for one, each in zip(body, axes, strict=True)))


def product(A: Array, B: Array) -> Array:
    """A B of matrices (3, 3, ...)."""
    return np.asarray(A[:, 0, None] * B[0] + A[:, 1, None] * B[1] + A[:, 2, None] * B[2])


def turned(A: Array, s: Array) -> Array:
    """A s of matrices (3, 3, ...) and vectors (3, ...)."""
    return np.asarray(A[:, 0] * s[0] + A[:, 1] * s[1] + A[:, 2] * s[2])


def turned_back(A: Array, s: Array) -> Array:
    """A^T s."""
    return turned(np.swapaxes(A, 0, 1), s)


def dot(a: Array, b: Any) -> Array:
    """a . b of vectors (3, ...)."""
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def crossed(a: Array, b: Array) -> Array:
    """a x b of vectors (3, ...)."""
    after, last = [1, 2, 0], [2, 0, 1]
    return np.asarray(a[after] * b[last] - a[last] * b[after])


def path_of(body: Motion, s: Array) -> Point:
    """Of a point s (3, ...) m of a body, from its centre of mass; global. body : components first."""
    spin = crossed(body.w, s)
    return Point(
        body.r + turned(body.A, s),
        body.v + turned(body.A, spin),
        body.a + turned(body.A, crossed(body.alpha, s) + crossed(body.w, spin)),
    )
