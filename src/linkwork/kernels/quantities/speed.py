"""SPEED: the velocity of a point of body j less that of a point of body i, along a direction fixed in body i.

With body j ground it is minus the velocity of a point of body i in that body's components. A rate alone: the direction
turns, so that it is the rate of no travel.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, matmul_t, rotate, rotate_t
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.rows.blocks import R_I, R_J, THETA_I, THETA_J, add_block, tilde_between, tilde_tilde, times_tilde
from linkwork.kernels.vec3 import Vec, cross, get3, neg


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """-g, -s_i x a_i, g and s_j x A_j^T g, with g = A_i a_i."""
    i, j = q.body_i[k], q.body_j[k]
    a = get3(q.a_i, k)
    g = rotate(get9(A, i), a)
    return neg(g), cross(a, get3(q.s_i, k)), g, cross(get3(q.s_j, k), rotate_t(get9(A, j), g))


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """g turns with body i, and A_j^T g against body j."""
    i, j = q.body_i[k], q.body_j[k]
    A_i, A_j = get9(A, i), get9(A, j)
    a, s = get3(q.a_i, k), get3(q.s_j, k)
    turned, between = times_tilde(A_i, a), matmul_t(A_j, A_i)
    add_block(out, R_I, THETA_I, effort, turned)
    add_block(out, R_J, THETA_I, -effort, turned)
    add_block(out, THETA_J, THETA_J, effort, tilde_tilde(s, rotate(between, a)))
    add_block(out, THETA_J, THETA_I, -effort, tilde_between(s, between, a))


KIND = QuantityKind(
    "SPEED",
    meaning="A_i a_i . (velocity of the point s_j of body j - velocity of the point s_i of body i)",
    columns={"a_i": "direction in body i", "s_i": "point of body i", "s_j": "point of body j"},
    parts=parts,
    add_variation=add_variation,
)
