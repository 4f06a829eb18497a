"""CD: the component of d_ij along a direction fixed in space, c . d_ij [Kissel 2021, eq. 4].

c and r in global components; s_i, s_j and rotation parts in body components.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, rotate_t
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, add_block, tilde_tilde
from linkwork.kernels.rows.points import separation_turning
from linkwork.kernels.vec3 import Vec, cross, dot, sub


@kernel
def row(r_i: Vec, A_i: Mat, r_j: Vec, A_j: Mat, c: Vec, s_i: Vec, s_j: Vec) -> tuple[Any, Vec, Vec]:
    """c . d_ij and its rotation parts; the translation parts are -c for i and c for j [Kissel 2021, Table 2]."""
    c_i, c_j = rotate_t(A_i, c), rotate_t(A_j, c)
    value = dot(c, sub(r_j, r_i)) + (dot(c_j, s_j) - dot(c_i, s_i))
    return value, cross(c_i, s_i), cross(s_j, c_j)


@kernel
def turning(A_i: Mat, w_i: Vec, A_j: Mat, w_j: Vec, c: Vec, s_i: Vec, s_j: Vec) -> Any:
    """Gdot u: gamma = f'' - turning [Kissel 2021, eq. 18d]."""
    return dot(c, separation_turning(A_i, w_i, s_i, A_j, w_j, s_j))


@kernel
def add_variation(out: Any, lam: Any, A_i: Mat, A_j: Mat, c: Vec, s_i: Vec, s_j: Vec) -> None:
    """Add the variation of +G^T lam to out (12, 12) [Kissel 2021, Table 6]."""
    add_block(out, THETA_I, THETA_I, -lam, tilde_tilde(s_i, rotate_t(A_i, c)))
    add_block(out, THETA_J, THETA_J, lam, tilde_tilde(s_j, rotate_t(A_j, c)))
