"""ROTATION: half the square of the angle by which body j is turned against body i, |phi|^2 / 2, 0 <= |phi| <= pi.

phi is the rotation vector of E = exp(phi~) = D^T A_i^T A_j, in components of body j; D, the rotation A_i^T A_j at which
phi is zero, has the columns a_i, b_i and n. Since J_r(phi)^T phi = phi, the derivative of |phi|^2 / 2 by the relative
angular velocity is phi itself: an effort -k along this quantity is the moment -k phi on body j, that of a spring with
the potential k |phi|^2 / 2, which is what MuJoCo's ball joints have. At half a turn phi changes its sign: the value
has a kink there.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, get9, matmul, matmul_t, rotate, transpose
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, ZERO, add_block
from linkwork.kernels.rows.kind import unit_frame
from linkwork.kernels.so3 import log_so3, right_jacobian_inverse
from linkwork.kernels.vec3 import Vec, dot, get3, neg


@kernel
def relative_rotation(q: Any, k: int, A: Any) -> Mat:
    """P = A_i^T A_j, components of body j -> of body i."""
    return matmul_t(get9(A, q.body_i[k]), get9(A, q.body_j[k]))


@kernel
def rotation_vector(q: Any, k: int, P: Mat) -> Vec:
    """phi [rad], |phi| <= pi, in components of body j."""
    a, b, c = get3(q.a_i, k), get3(q.b_i, k), get3(q.n, k)
    return log_so3(matmul((a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]), P))


@kernel
def value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """Half the square of the angle between both frames, |phi|^2 / 2 [rad^2]."""
    phi = rotation_vector(q, k, relative_rotation(q, k, A))
    return 0.5 * dot(phi, phi)


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """phi on body j, and -phi in components of body i."""
    P = relative_rotation(q, k, A)
    phi = rotation_vector(q, k, P)
    return ZERO, neg(rotate(P, phi)), ZERO, phi


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """phi changes by K (theta_j - P^T theta_i) with K = J_r(phi)^-1, and K - phi~ = K^T."""
    P = relative_rotation(q, k, A)
    K = right_jacobian_inverse(rotation_vector(q, k, P))
    PK, Pt = matmul(P, transpose(K)), transpose(P)
    add_block(out, THETA_I, THETA_I, effort, matmul(PK, Pt))
    add_block(out, THETA_I, THETA_J, -effort, PK)
    add_block(out, THETA_J, THETA_I, -effort, matmul(K, Pt))
    add_block(out, THETA_J, THETA_J, effort, K)


KIND = QuantityKind(
    "ROTATION",
    meaning="half the square of the angle of D^T A_i^T A_j",
    columns={"a_i": "first column of D", "b_i": "second column of D", "n": "third column of D"},
    parts=parts,
    add_variation=add_variation,
    value=value,
    example=unit_frame,
)
