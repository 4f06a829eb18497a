"""Spatial inertias from frame to frame, towards the base, and what they map twists to.

In a plane a 2 x 2 block [a b; e d] turns by way of one number, u = s (a - d) + c (b + e): what the diagonal exchanges
is s u, and each corner becomes c u minus the other; trace and b - e stay. Either product goes into two sums: Python,
which may have numbers that count, makes it once; compiled code in each sum, which is one instruction less, and sooner
done. Shifts along r change M not at all, H by r~ M, and I by what follows; along an axis most of it is zero.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.fused import fused
from linkwork.kernels.jit import compiled_for, kernel
from linkwork.kernels.mat33 import Mat, mat_add, matmul, matmul_t, skew, transpose
from linkwork.kernels.spatial.vectors import Six
from linkwork.kernels.tables import Floats
from linkwork.kernels.vec3 import Vec, cross

Inertia = tuple[Any, ...]  # 21 numbers, or 15 of what a revolute joint leaves
Triangle = tuple[Any, Any, Any, Any, Any, Any]  # symmetric 3 x 3: xx, xy, xz, yy, yz, zz


def exchanged(x: float, y: float, a: float, d: float) -> tuple[Any, ...]:
    """a - x y, d + x y."""
    product = x * y
    return a - product, d + product


@compiled_for(exchanged)
def fused_exchanged(x: float, y: float, a: float, d: float) -> tuple[Any, ...]:
    """The same."""
    return fused(-x, y, a), fused(x, y, d)


def beyond(x: float, y: float, b: float, e: float) -> tuple[Any, ...]:
    """x y - b, x y - e."""
    product = x * y
    return product - b, product - e


@compiled_for(beyond)
def fused_beyond(x: float, y: float, b: float, e: float) -> tuple[Any, ...]:
    """The same."""
    return fused(x, y, -b), fused(x, y, -e)


@kernel
def turn_symmetric(
    a: float, b: float, d: float, difference: float, c: float, s: float, twice: float
) -> tuple[Any, ...]:
    """Entries of [a b; b d] turned. difference : a - d. twice : 2 c."""
    u = s * difference + twice * b
    a, d = exchanged(s, u, a, d)
    return a, c * u - b, d


@kernel
def turn_block(
    a: float, b: float, e: float, d: float, difference: float, both: float, c: float, s: float
) -> tuple[Any, ...]:
    """Entries of [a b; e d] turned. difference : a - d. both : b + e."""
    u = s * difference + c * both
    a, d = exchanged(s, u, a, d)
    b, e = beyond(c, u, e, b)
    return a, b, e, d


@kernel
def inertia_up_x(A: Inertia, a: float, c: float, s: float, twice: float) -> Inertia:
    """Turn back about x (twice: 2 c), shift back by a along x."""
    Ixx, Hxx, Mxx = A[0], A[6], A[15]
    Ixy, Ixz = c * A[1] - s * A[2], s * A[1] + c * A[2]
    Iyy, Iyz, Izz = turn_symmetric(A[3], A[4], A[5], A[3] - A[5], c, s, twice)
    Hxy, Hxz = c * A[7] - s * A[8], s * A[7] + c * A[8]
    Hyx, Hzx = c * A[9] - s * A[12], s * A[9] + c * A[12]
    Hyy, Hyz, Hzy, Hzz = turn_block(A[10], A[11], A[13], A[14], A[10] - A[14], A[11] + A[13], c, s)
    Mxy, Mxz = c * A[16] - s * A[17], s * A[16] + c * A[17]
    Myy, Myz, Mzz = turn_symmetric(A[18], A[19], A[20], A[18] - A[20], c, s, twice)
    Gyx, Gyy, Gyz = Hyx - a * Mxz, Hyy - a * Myz, Hyz - a * Mzz
    Gzx, Gzy, Gzz = Hzx + a * Mxy, Hzy + a * Myy, Hzz + a * Myz
    return (
        Ixx, Ixy - a * Hxz, Ixz + a * Hxy, Iyy - a * (Hyz + Gyz), Iyz + a * (Hyy - Gzz), Izz + a * (Hzy + Gzy),
        Hxx, Hxy, Hxz, Gyx, Gyy, Gyz, Gzx, Gzy, Gzz, Mxx, Mxy, Mxz, Myy, Myz, Mzz,
    )  # fmt: skip


@kernel
def inertia_up_z(A: Inertia, d: float, c: float, s: float, twice: float) -> Inertia:
    """Turn back about z (twice: 2 c), shift back by d along z."""
    Izz, Hzz, Mzz = A[5], A[14], A[20]
    Ixz, Iyz = c * A[2] - s * A[4], s * A[2] + c * A[4]
    Ixx, Ixy, Iyy = turn_symmetric(A[0], A[1], A[3], A[0] - A[3], c, s, twice)
    Hxz, Hyz = c * A[8] - s * A[11], s * A[8] + c * A[11]
    Hzx, Hzy = c * A[12] - s * A[13], s * A[12] + c * A[13]
    Hxx, Hxy, Hyx, Hyy = turn_block(A[6], A[7], A[9], A[10], A[6] - A[10], A[7] + A[9], c, s)
    Mxz, Myz = c * A[17] - s * A[19], s * A[17] + c * A[19]
    Mxx, Mxy, Myy = turn_symmetric(A[15], A[16], A[18], A[15] - A[18], c, s, twice)
    Gxx, Gxy, Gxz = Hxx - d * Mxy, Hxy - d * Myy, Hxz - d * Myz
    Gyx, Gyy, Gyz = Hyx + d * Mxx, Hyy + d * Mxy, Hyz + d * Mxz
    return (
        Ixx - d * (Hxy + Gxy), Ixy + d * (Hxx - Gyy), Ixz - d * Hzy, Iyy + d * (Hyx + Gyx), Iyz + d * Hzx, Izz,
        Gxx, Gxy, Gxz, Gyx, Gyy, Gyz, Hzx, Hzy, Hzz, Mxx, Mxy, Mxz, Myy, Myz, Mzz,
    )  # fmt: skip


@kernel
def differences(A: Inertia) -> tuple[Any, ...]:
    """Of what a pin joint about z leaves: Ixx - Iyy, Hxx - Hyy, Hxy + Hyx, Mxx - Myy."""
    return A[0] - A[2], A[3] - A[7], A[4] + A[6], A[9] - A[12]


@kernel
def turned_up_z(A: Inertia, off: tuple[Any, ...], d: float, c: float, s: float, twice: float) -> Inertia:
    """`inertia_up_z` of what a pin joint about z leaves: 15 numbers, no torque about z. off : their `differences`.

    A and the result: I (xx xy yy), H (xx xy xz yx yy yz), M (xx xy xz yy yz zz).
    """
    Ixx, Ixy, Iyy = turn_symmetric(A[0], A[1], A[2], off[0], c, s, twice)
    Hxz, Hyz = c * A[5] - s * A[8], s * A[5] + c * A[8]
    Hxx, Hxy, Hyx, Hyy = turn_block(A[3], A[4], A[6], A[7], off[1], off[2], c, s)
    Mxz, Myz = c * A[11] - s * A[13], s * A[11] + c * A[13]
    Mxx, Mxy, Myy = turn_symmetric(A[9], A[10], A[12], off[3], c, s, twice)
    Gxx, Gxy, Gxz = Hxx - d * Mxy, Hxy - d * Myy, Hxz - d * Myz
    Gyx, Gyy, Gyz = Hyx + d * Mxx, Hyy + d * Mxy, Hyz + d * Mxz
    return (
        Ixx - d * (Hxy + Gxy), Ixy + d * (Hxx - Gyy), Iyy + d * (Hyx + Gyx),
        Gxx, Gxy, Gxz, Gyx, Gyy, Gyz, Mxx, Mxy, Mxz, Myy, Myz, A[14],
    )  # fmt: skip


@kernel
def turned_up_x(A: Inertia, a: float, c: float, s: float, twice: float, cc: float, ss: float, cs: float) -> Inertia:
    """`inertia_up_x` of what `turned_up_z` returns, 21 numbers. cc, ss, cs : cos^2, sin^2, cos sin of the angle."""
    Ixx, Ixy, Ixz = A[0], c * A[1], s * A[1]
    Iyy, Iyz, Izz = cc * A[2], cs * A[2], ss * A[2]
    Hxx = A[3]
    Hxy, Hxz = c * A[4] - s * A[5], s * A[4] + c * A[5]
    Hyx, Hzx = c * A[6], s * A[6]
    y, z = c * A[7] - s * A[8], s * A[7] + c * A[8]
    Hyy, Hyz, Hzy, Hzz = c * y, c * z, s * y, s * z
    Mxx, Mxy, Mxz = A[9], c * A[10] - s * A[11], s * A[10] + c * A[11]
    Myy, Myz, Mzz = turn_symmetric(A[12], A[13], A[14], A[12] - A[14], c, s, twice)
    Gyx, Gyy, Gyz = Hyx - a * Mxz, Hyy - a * Myz, Hyz - a * Mzz
    Gzx, Gzy, Gzz = Hzx + a * Mxy, Hzy + a * Myy, Hzz + a * Myz
    return (
        Ixx, Ixy - a * Hxz, Ixz + a * Hxy, Iyy - a * (Hyz + Gyz), Iyz + a * (Hyy - Gzz), Izz + a * (Hzy + Gzy),
        Hxx, Hxy, Hxz, Gyx, Gyy, Gyz, Gzx, Gzy, Gzz, Mxx, Mxy, Mxz, Myy, Myz, Mzz,
    )  # fmt: skip


@kernel
def full(a: Triangle) -> Mat:
    """A symmetric matrix from its upper triangle."""
    return (a[0], a[1], a[2], a[1], a[3], a[4], a[2], a[4], a[5])


@kernel
def turned(S: Triangle, R: Mat) -> Triangle:
    """R S R^T of a symmetric S: xx, xy, xz, yy, yz, zz."""
    T = matmul(R, full(S))
    return (
        T[0] * R[0] + T[1] * R[1] + T[2] * R[2], T[0] * R[3] + T[1] * R[4] + T[2] * R[5],
        T[0] * R[6] + T[1] * R[7] + T[2] * R[8], T[3] * R[3] + T[4] * R[4] + T[5] * R[5],
        T[3] * R[6] + T[4] * R[7] + T[5] * R[8], T[6] * R[6] + T[7] * R[7] + T[8] * R[8],
    )  # fmt: skip


@kernel
def masses_up(S: Triangle, r: Vec) -> Inertia:
    """Shift back by r what has no inertia but the block M = S: H = r~ S, I = H r~^T."""
    x, y, z = r
    xx, xy, xz, yy, yz, zz = S
    a = (y * xz - z * xy, y * yz - z * yy, y * zz - z * yz)
    b = (z * xx - x * xz, z * xy - x * yz, z * xz - x * zz)
    c = (x * xy - y * xx, x * yy - y * xy, x * yz - y * xz)
    return (
        y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0],
        z * b[0] - x * b[2], x * b[1] - y * b[0], x * c[1] - y * c[0],
        a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], xx, xy, xz, yy, yz, zz,
    )  # fmt: skip


@kernel
def inertia_up(A: Inertia, r: Vec, R: Mat) -> Inertia:
    """Turn back by R, shift back by r."""
    Rt = transpose(R)
    I = matmul(matmul(R, full((A[0], A[1], A[2], A[3], A[4], A[5]))), Rt)
    H = matmul(matmul(R, (A[6], A[7], A[8], A[9], A[10], A[11], A[12], A[13], A[14])), Rt)
    M = matmul(matmul(R, full((A[15], A[16], A[17], A[18], A[19], A[20]))), Rt)
    over = skew(r)
    G = mat_add(H, matmul(over, M))
    half = matmul_t(transpose(over), transpose(H))  # r~ H^T
    rest = matmul_t(transpose(over), transpose(G))
    return (
        I[0] + half[0] + rest[0], I[1] + half[3] + rest[1], I[2] + half[6] + rest[2],
        I[4] + half[4] + rest[4], I[5] + half[7] + rest[5], I[8] + half[8] + rest[8],
        G[0], G[1], G[2], G[3], G[4], G[5], G[6], G[7], G[8], M[0], M[1], M[2], M[4], M[5], M[8],
    )  # fmt: skip


@kernel
def inertia_times(A: Inertia, V: Six) -> Six:
    """A V, spatial inertia (6 x 6) times a twist."""
    return (
        A[0] * V[0] + A[1] * V[1] + A[2] * V[2] + A[6] * V[3] + A[7] * V[4] + A[8] * V[5],
        A[1] * V[0] + A[3] * V[1] + A[4] * V[2] + A[9] * V[3] + A[10] * V[4] + A[11] * V[5],
        A[2] * V[0] + A[4] * V[1] + A[5] * V[2] + A[12] * V[3] + A[13] * V[4] + A[14] * V[5],
        A[6] * V[0] + A[9] * V[1] + A[12] * V[2] + A[15] * V[3] + A[16] * V[4] + A[17] * V[5],
        A[7] * V[0] + A[10] * V[1] + A[13] * V[2] + A[16] * V[3] + A[18] * V[4] + A[19] * V[5],
        A[8] * V[0] + A[11] * V[1] + A[14] * V[2] + A[17] * V[3] + A[19] * V[4] + A[20] * V[5],
    )


@kernel
def rigid_times(table: Floats, k: int, c: int, V: Six) -> Six:
    """The momentum of a rigid body with ten numbers in row k of a table, from column c: I (6) about the origin, first
    moment (3), mass."""
    Ixx, Ixy, Ixz, Iyy, Iyz, Izz = (
        table[k, c], table[k, c + 1], table[k, c + 2], table[k, c + 3], table[k, c + 4], table[k, c + 5],
    )  # fmt: skip
    x, y, z, m = table[k, c + 6], table[k, c + 7], table[k, c + 8], table[k, c + 9]
    return (
        Ixx * V[0] + Ixy * V[1] + Ixz * V[2] + y * V[5] - z * V[4],
        Ixy * V[0] + Iyy * V[1] + Iyz * V[2] + z * V[3] - x * V[5],
        Ixz * V[0] + Iyz * V[1] + Izz * V[2] + x * V[4] - y * V[3],
        m * V[3] - y * V[2] + z * V[1],
        m * V[4] - z * V[0] + x * V[2],
        m * V[5] - x * V[1] + y * V[0],
    )


@kernel
def rigid_bias(table: Floats, k: int, c: int, V: Six) -> Six:
    """V x* (I V) of a rigid body, whose numbers stand as in `rigid_times`: (w x (I w) + h x a, m a + w x (w x h)) with
    a = w x v. The product v x (m v), which is nothing but rounding where a body is fast, is not in it."""
    Ixx, Ixy, Ixz, Iyy, Iyz, Izz = (
        table[k, c], table[k, c + 1], table[k, c + 2], table[k, c + 3], table[k, c + 4], table[k, c + 5],
    )  # fmt: skip
    x, y, z, m = table[k, c + 6], table[k, c + 7], table[k, c + 8], table[k, c + 9]
    w, v = (V[0], V[1], V[2]), (V[3], V[4], V[5])
    a = cross(w, v)
    spin = (
        Ixx * w[0] + Ixy * w[1] + Ixz * w[2],
        Ixy * w[0] + Iyy * w[1] + Iyz * w[2],
        Ixz * w[0] + Iyz * w[1] + Izz * w[2],
    )
    n = cross(w, spin)
    f = cross(w, cross(w, (x, y, z)))
    return (
        n[0] + y * a[2] - z * a[1],
        n[1] + z * a[0] - x * a[2],
        n[2] + x * a[1] - y * a[0],
        f[0] + m * a[0],
        f[1] + m * a[1],
        f[2] + m * a[2],
    )


@kernel
def get21(table: Floats, k: int) -> Inertia:
    """Row k of an (n, 21) table."""
    return (
        table[k, 0], table[k, 1], table[k, 2], table[k, 3], table[k, 4], table[k, 5], table[k, 6],
        table[k, 7], table[k, 8], table[k, 9], table[k, 10], table[k, 11], table[k, 12], table[k, 13],
        table[k, 14], table[k, 15], table[k, 16], table[k, 17], table[k, 18], table[k, 19], table[k, 20],
    )  # fmt: skip


@kernel
def add_to21(table: Floats, k: int, A: Inertia) -> None:
    """Add to row k of an (n, 21) table. Written out: a loop over a tuple would send it through memory."""
    table[k, 0] += A[0]
    table[k, 1] += A[1]
    table[k, 2] += A[2]
    table[k, 3] += A[3]
    table[k, 4] += A[4]
    table[k, 5] += A[5]
    table[k, 6] += A[6]
    table[k, 7] += A[7]
    table[k, 8] += A[8]
    table[k, 9] += A[9]
    table[k, 10] += A[10]
    table[k, 11] += A[11]
    table[k, 12] += A[12]
    table[k, 13] += A[13]
    table[k, 14] += A[14]
    table[k, 15] += A[15]
    table[k, 16] += A[16]
    table[k, 17] += A[17]
    table[k, 18] += A[18]
    table[k, 19] += A[19]
    table[k, 20] += A[20]


@kernel
def put21(table: Floats, k: int, A: Inertia) -> None:
    """Write row k of an (n, 21) table."""
    table[k, 0], table[k, 1], table[k, 2], table[k, 3], table[k, 4], table[k, 5] = A[0], A[1], A[2], A[3], A[4], A[5]
    table[k, 6], table[k, 7], table[k, 8], table[k, 9], table[k, 10], table[k, 11] = (
        A[6],
        A[7],
        A[8],
        A[9],
        A[10],
        A[11],
    )
    table[k, 12], table[k, 13], table[k, 14] = A[12], A[13], A[14]
    table[k, 15], table[k, 16], table[k, 17] = A[15], A[16], A[17]
    table[k, 18], table[k, 19], table[k, 20] = A[18], A[19], A[20]


@kernel
def rigid_inertia(table: Floats, k: int) -> Inertia:
    """The inertia of a rigid body with ten numbers in row k of a table: I (6) about the origin, first moment, mass."""
    x, y, z, m = table[k, 6], table[k, 7], table[k, 8], table[k, 9]
    return (
        table[k, 0], table[k, 1], table[k, 2], table[k, 3], table[k, 4], table[k, 5],
        0.0, -z, y, z, 0.0, -x, -y, x, 0.0, m, 0.0, 0.0, m, 0.0, m,
    )  # fmt: skip


@kernel
def with_rigid(A: Inertia, table: Floats, k: int) -> Inertia:
    """Add A to row k of a table (n, 21). Written out: a loop over a tuple would send it through memory."""
    x, y, z, m = table[k, 6], table[k, 7], table[k, 8], table[k, 9]
    return (
        A[0] + table[k, 0], A[1] + table[k, 1], A[2] + table[k, 2], A[3] + table[k, 3], A[4] + table[k, 4],
        A[5] + table[k, 5], A[6], A[7] - z, A[8] + y, A[9] + z, A[10], A[11] - x, A[12] - y, A[13] + x, A[14],
        A[15] + m, A[16], A[17], A[18] + m, A[19], A[20] + m,
    )  # fmt: skip
