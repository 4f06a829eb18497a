"""ANGLE: sin(theta - f), theta the angle from a_i to a_j about an axis of body i; it prescribes theta = f(t).

At any one time it is a DP1 row whose vector of body i turns in the body with f:
    e = cos(f) b_i - sin(f) a_i,   phi = e . a_j,   de/dt = -f' g,   g = sin(f) b_i + cos(f) a_i.
Near the solution g . a_j = cos(theta - f) is one, so the row never loses rank there, unlike a DP1 driver.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, rotate
from linkwork.kernels.rows import dp1
from linkwork.kernels.vec3 import Vec, axpy, dot, scale


@kernel
def normal(f: Any, a_i: Vec, b_i: Vec) -> Vec:
    """e: what a_j stays perpendicular to, body components of i."""
    return axpy(np.cos(f), b_i, scale(-np.sin(f), a_i))


@kernel
def along(f: Any, a_i: Vec, b_i: Vec) -> Vec:
    """g: where a_j ought to point, body components of i."""
    return axpy(np.sin(f), b_i, scale(np.cos(f), a_i))


@kernel
def nu(f: Any, f1: Any, A_i: Mat, A_j: Mat, a_i: Vec, b_i: Vec, a_j: Vec) -> Any:
    """-d phi / dt at constant r and A: f' g . a_j."""
    return f1 * dot(rotate(A_i, along(f, a_i, b_i)), rotate(A_j, a_j))


@kernel
def gamma(f: Any, f1: Any, f2: Any, A_i: Mat, A_j: Mat, w_i: Vec, w_j: Vec, a_i: Vec, b_i: Vec, a_j: Vec) -> Any:
    """Gamma, f'' included: the terms of DP1, those of e turning in the body, and the mixed one."""
    e, g = normal(f, a_i, b_i), along(f, a_i, b_i)
    a = rotate(A_j, a_j)
    driven = f2 * dot(rotate(A_i, g), a) + f1 * f1 * dot(rotate(A_i, e), a)
    return driven + 2.0 * f1 * dp1.rate(A_i, A_j, w_i, w_j, g, a_j) - dp1.turning(A_i, A_j, w_i, w_j, e, a_j)
