"""TURN: the angle from a_i to a_j about an axis n fixed in body i, with its turns; its rate: n . (omega_j - omega_i).

a_i is across n, b_i = n x a_i. Where the bodies do not keep n in common, the rate is the relative angular velocity
about it and the value, as of a torsion spring (`kernels.angles`), the angle seen along it: not a number where its
turns cannot be told. Without a_i and a_j (zero) it is a rate alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.angles import angle_about, angle_gradient, told
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, matmul_t, rotate_t, skew
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, ZERO, add_block
from linkwork.kernels.rows.kind import unit_frame
from linkwork.kernels.vec3 import Vec, get3, neg


@kernel
def value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """The angle nearest to `previous` [rad]; not a number where that is in doubt."""
    theta = angle_about(q, k, A, previous)
    return theta if told(q, k, A, theta, previous) else theta + np.nan


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """-n on body i, and n in components of body j."""
    n = get3(q.n, k)
    return ZERO, neg(n), ZERO, rotate_t(matmul_t(get9(A, q.body_i[k]), get9(A, q.body_j[k])), n)


@kernel
def gradient(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """How the angle changes with both rotations: `parts` where a_j is across n."""
    P = matmul_t(get9(A, q.body_i[k]), get9(A, q.body_j[k]))
    h = angle_gradient(q, k, P)
    return ZERO, neg(h), ZERO, rotate_t(P, h)


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """P^T n, with P = A_i^T A_j, turns with body i and against body j."""
    n = get3(q.n, k)
    P = matmul_t(get9(A, q.body_i[k]), get9(A, q.body_j[k]))
    add_block(out, THETA_J, THETA_I, -effort, matmul_t(P, skew(n)))
    add_block(out, THETA_J, THETA_J, effort, skew(rotate_t(P, n)))


KIND = QuantityKind(
    "TURN",
    meaning="the angle from a_i to a_j about n",
    columns={
        "a_i": "a vector of body i across n",
        "b_i": "n x a_i",
        "a_j": "a vector of body j",
        "n": "axis in body i",
    },
    parts=parts,
    add_variation=add_variation,
    value=value,
    gradient=gradient,
    example=unit_frame,
)
