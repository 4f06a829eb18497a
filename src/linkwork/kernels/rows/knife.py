"""KNIFE: the velocity of a point of body i along a direction of that body, a_i . (rdot_i + A_i (omega_i x s_i)) = f.

Velocity level: a blade, skate or wheel edge that does not slip sideways. Body j is ground.
a_i and s_i in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, rotate, rotate_t
from linkwork.kernels.rows.blocks import R_I, THETA_I, add_block, times_tilde
from linkwork.kernels.vec3 import Vec, cross, dot


@kernel
def row(A_i: Mat, a_i: Vec, s_i: Vec) -> tuple[Vec, Vec]:
    """The translation and rotation part of body i; the latter is constant."""
    return rotate(A_i, a_i), cross(s_i, a_i)


@kernel
def turning(A_i: Mat, v_i: Vec, w_i: Vec, a_i: Vec) -> Any:
    """Gdot u: gamma = f' - turning."""
    return dot(rotate(A_i, cross(w_i, a_i)), v_i)


@kernel
def add_variation(out: Any, lam: Any, A_i: Mat, a_i: Vec) -> None:
    """Add the variation of +G^T lam to out (12, 12)."""
    add_block(out, R_I, THETA_I, -lam, times_tilde(A_i, a_i))


@kernel
def rate_variation(A_i: Mat, v_i: Vec, a_i: Vec) -> Vec:
    """The variation of G u with theta_i, at constant u."""
    return cross(a_i, rotate_t(A_i, v_i))
