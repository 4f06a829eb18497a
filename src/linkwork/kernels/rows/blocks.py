"""Writing row parts and 3 x 3 blocks, and the two matrix products that reaction variations are made of."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.vec3 import Vec, cross

# where each part starts in (r_i, theta_i, r_j, theta_j)
R_I, THETA_I, R_J, THETA_J = 0, 3, 6, 9

ZERO: Vec = (0.0, 0.0, 0.0)


@kernel
def put_part(G: Any, k: Any, translation: Vec, rotation: Vec) -> None:
    """Write row k of an (nc, 6) Jacobian table: translation in global, rotation in body components."""
    G[k, 0] = translation[0]
    G[k, 1] = translation[1]
    G[k, 2] = translation[2]
    G[k, 3] = rotation[0]
    G[k, 4] = rotation[1]
    G[k, 5] = rotation[2]


@kernel
def add_part(out: Any, start: int, v: Vec) -> None:
    """Add v to the three entries of `out` from `start` on."""
    out[start] += v[0]
    out[start + 1] += v[1]
    out[start + 2] += v[2]


@kernel
def add_block(out: Any, row: int, column: int, factor: Any, m: Mat) -> None:
    """Add factor m to the 3 x 3 block of `out` whose first entry is (row, column)."""
    out[row, column] += factor * m[0]
    out[row, column + 1] += factor * m[1]
    out[row, column + 2] += factor * m[2]
    out[row + 1, column] += factor * m[3]
    out[row + 1, column + 1] += factor * m[4]
    out[row + 1, column + 2] += factor * m[5]
    out[row + 2, column] += factor * m[6]
    out[row + 2, column + 1] += factor * m[7]
    out[row + 2, column + 2] += factor * m[8]


@kernel
def add_scalar_block(out: Any, row: int, column: int, factor: Any) -> None:
    """Add factor I to the 3 x 3 block of `out` whose first entry is (row, column)."""
    out[row, column] += factor
    out[row + 1, column + 1] += factor
    out[row + 2, column + 2] += factor


@kernel
def tilde_tilde(a: Vec, b: Vec) -> Mat:
    """a~ b~ = b a^T - (a . b) I."""
    return (
        -a[1] * b[1] - a[2] * b[2],
        b[0] * a[1],
        b[0] * a[2],
        b[1] * a[0],
        -a[0] * b[0] - a[2] * b[2],
        b[1] * a[2],
        b[2] * a[0],
        b[2] * a[1],
        -a[0] * b[0] - a[1] * b[1],
    )


@kernel
def times_tilde(m: Mat, b: Vec) -> Mat:
    """m b~: each row of m crossed with b."""
    x = cross((m[0], m[1], m[2]), b)
    y = cross((m[3], m[4], m[5]), b)
    z = cross((m[6], m[7], m[8]), b)
    return (x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])


@kernel
def tilde_between(a: Vec, m: Mat, b: Vec) -> Mat:
    """a~ m b~; its transpose is b~ m^T a~."""
    t = times_tilde(m, b)
    x = cross(a, (t[0], t[3], t[6]))
    y = cross(a, (t[1], t[4], t[7]))
    z = cross(a, (t[2], t[5], t[8]))
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
