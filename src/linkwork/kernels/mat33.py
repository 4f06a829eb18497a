"""3 x 3 matrices as row-major tuples of nine."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural
from linkwork.kernels.vec3 import Vec

Mat = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]

IDENTITY: Mat = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def get9(table: Any, k: int) -> Mat:
    """Row k of an (n, 9) table, as a matrix."""
    k = natural(k)
    return (
        table[k, 0],
        table[k, 1],
        table[k, 2],
        table[k, 3],
        table[k, 4],
        table[k, 5],
        table[k, 6],
        table[k, 7],
        table[k, 8],
    )


@kernel
def rotate(m: Mat, v: Vec) -> Vec:
    """m v, matrix (3 x 3, row by row) times vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@kernel
def rotate_t(m: Mat, v: Vec) -> Vec:
    """m^T v, transposed matrix times vector."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )


@kernel
def transpose(m: Mat) -> Mat:
    """m^T, a matrix with rows and columns exchanged."""
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


@kernel
def matmul(a: Mat, b: Mat) -> Mat:
    """a b, product of two 3 x 3 matrices."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@kernel
def matmul_t(a: Mat, b: Mat) -> Mat:
    """a^T b, the first of two matrices transposed."""
    return matmul(transpose(a), b)


@kernel
def mat_add(a: Mat, b: Mat) -> Mat:
    """a + b, sum of two 3 x 3 matrices."""
    return (
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
        a[6] + b[6],
        a[7] + b[7],
        a[8] + b[8],
    )


@kernel
def mat_scale(k: Any, a: Mat) -> Mat:
    """k a, a number times a matrix."""
    return (k * a[0], k * a[1], k * a[2], k * a[3], k * a[4], k * a[5], k * a[6], k * a[7], k * a[8])


@kernel
def skew(v: Vec) -> Mat:
    """The matrix of v x (v tilde in the papers)."""
    return (0.0 * v[0], -v[2], v[1], v[2], 0.0 * v[0], -v[0], -v[1], v[0], 0.0 * v[0])


@kernel
def outer(a: Vec, b: Vec) -> Mat:
    """a b^T, outer product of two vectors."""
    return (
        a[0] * b[0],
        a[0] * b[1],
        a[0] * b[2],
        a[1] * b[0],
        a[1] * b[1],
        a[1] * b[2],
        a[2] * b[0],
        a[2] * b[1],
        a[2] * b[2],
    )


@kernel
def determinant(m: Mat) -> Any:
    """det m, determinant of a 3 x 3 matrix."""
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])


@kernel
def inverse_transpose(m: Mat) -> Mat:
    """(m^T)**-1, the cofactors over the determinant; m itself for a rotation."""
    x = m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6]
    y = m[7] * m[2] - m[8] * m[1], m[8] * m[0] - m[6] * m[2], m[6] * m[1] - m[7] * m[0]
    z = m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]
    k = 1.0 / (m[0] * x[0] + m[1] * x[1] + m[2] * x[2])
    return (k * x[0], k * x[1], k * x[2], k * y[0], k * y[1], k * y[2], k * z[0], k * z[1], k * z[2])


@kernel
def double_dot(a: Mat, b: Mat) -> Any:
    """tr(a^T b), the sum of all products of entries."""
    return (
        a[0] * b[0]
        + a[1] * b[1]
        + a[2] * b[2]
        + a[3] * b[3]
        + a[4] * b[4]
        + a[5] * b[5]
        + a[6] * b[6]
        + a[7] * b[7]
        + a[8] * b[8]
    )


@kernel
def axial(m: Mat) -> Vec:
    """The vector x with m - m^T = x tilde; a double_dot with y tilde is x . y."""
    return (m[7] - m[5], m[2] - m[6], m[3] - m[1])


@kernel
def symmetric_part(m: Mat) -> Mat:
    """(m + m^T) / 2, the symmetric part of m."""
    a, b, c = 0.5 * (m[1] + m[3]), 0.5 * (m[2] + m[6]), 0.5 * (m[5] + m[7])
    return (m[0], a, b, a, m[4], c, b, c, m[8])
