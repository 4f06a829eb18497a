"""The vector d_ij between a point of body i and a point of body j, and its time derivatives."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, rotate
from linkwork.kernels.vec3 import Vec, add, cross, sub


@kernel
def separation(r_i: Vec, A_i: Mat, s_i: Vec, r_j: Vec, A_j: Mat, s_j: Vec) -> Vec:
    """d_ij = r_j + A_j s_j - r_i - A_i s_i, global components."""
    return sub(add(r_j, rotate(A_j, s_j)), add(r_i, rotate(A_i, s_i)))


@kernel
def separation_rate(v_i: Vec, A_i: Mat, w_i: Vec, s_i: Vec, v_j: Vec, A_j: Mat, w_j: Vec, s_j: Vec) -> Vec:
    """The time derivative of d_ij, global components (v global, w body components)."""
    return sub(add(v_j, rotate(A_j, cross(w_j, s_j))), add(v_i, rotate(A_i, cross(w_i, s_i))))


@kernel
def centripetal(w: Vec, s: Vec) -> Vec:
    """w x (w x s): the acceleration that turning alone gives a body-fixed vector, body components."""
    return cross(w, cross(w, s))


@kernel
def separation_turning(A_i: Mat, w_i: Vec, s_i: Vec, A_j: Mat, w_j: Vec, s_j: Vec) -> Vec:
    """The part of the second time derivative of d_ij that is quadratic in w, global components."""
    return sub(rotate(A_j, centripetal(w_j, s_j)), rotate(A_i, centripetal(w_i, s_i)))
