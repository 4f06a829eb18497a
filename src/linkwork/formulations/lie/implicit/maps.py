"""What a change of a body's unknowns does to its pose, velocity and acceleration: seven 3 x 3 matrices per body.

With dz = (dz_t, dz_w) the change of the unknowns of translation and rotation,

    dr     = c_q (P_T dz_t + P_W dz_w)       dtheta = c_q TH dz_w          (r global, theta body-fixed)
    drdot  = c_v F dz_t + V_W dz_w           domega = c_v dz_w
    drddot = A_T dz_t + A_W dz_w             dalpha = dz_w

On SO(3) x R^3 P_T, F and A_T are the identity, P_W, V_W and A_W zero, and TH = J_r(d). On SE(3) F = A, and the change
of the pose in body components is T(d) = dexp_{-d} times that of the increment d: TH = J, P_T = A J, P_W = A Q. As A
turns with the body, v and a = vdot + omega x v turn, too: V_W = -c_q A v~ J, A_W = -A (c_v v~ + c_q a~ J).
"""

from __future__ import annotations

from linkwork.formulations.lie.implicit.set_state import STRIDE
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import IDENTITY, Mat, mat_add, mat_scale, matmul, rotate_t, skew
from linkwork.kernels.se3 import tangent_se3
from linkwork.kernels.so3 import right_jacobian
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3, at9, set9
from linkwork.kernels.vec3 import Vec
from linkwork.problems.implicit import ACC, A, V, W, Work

# columns of Matrix.tangent
F, P_T, P_W, TH, V_W, A_T, A_W = range(0, 63, 9)
MAPS = 63
ZERO: Mat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def increment(work: Work, k: int) -> Vec:
    """Three components of the increment over the step, from unknown k on."""
    c_q, s, z = work.request.c_q[0], work.step_star, work.z
    return (s[k] + c_q * z[k], s[k + 1] + c_q * z[k + 1], s[k + 2] + c_q * z[k + 2])


@kernel
def put_maps(out: Floats, b: int, f: Mat, p_t: Mat, p_w: Mat, th: Mat, v_w: Mat, a_t: Mat, a_w: Mat) -> None:
    """Write the maps of body b."""
    set9(out, b, F, f)
    set9(out, b, P_T, p_t)
    set9(out, b, P_W, p_w)
    set9(out, b, TH, th)
    set9(out, b, V_W, v_w)
    set9(out, b, A_T, a_t)
    set9(out, b, A_W, a_w)


@kernel
def step_maps(work: Work, group: Ints, b: int, out: Floats) -> None:
    """The maps of body b over a step, at the state that is set."""
    c_v, c_q = work.request.c_v[0], work.request.c_q[0]
    o = STRIDE * b
    dw = increment(work, o + 3)
    if group[b] == 0:
        put_maps(out, b, IDENTITY, IDENTITY, ZERO, right_jacobian(dw), ZERO, IDENTITY, ZERO)
        return
    J, Q = tangent_se3(dw, increment(work, o))
    m = work.motion
    A_ = at9(m, b, A)
    v, a = skew(rotate_t(A_, at3(m, b, V))), skew(rotate_t(A_, at3(m, b, ACC)))
    turned_v = mat_scale(-c_q, matmul(v, J))
    turned_a = mat_add(mat_scale(-c_v, v), mat_scale(-c_q, matmul(a, J)))
    across = mat_add(IDENTITY, mat_scale(c_v, skew(at3(m, b, W))))
    put_maps(
        out, b, A_, matmul(A_, J), matmul(A_, Q), J, matmul(A_, turned_v), matmul(A_, across), matmul(A_, turned_a)
    )


@kernel
def instant_maps(work: Work, group: Ints, b: int, out: Floats) -> None:
    """The maps of body b where the unknowns change accelerations alone, as if pose and rates were theirs."""
    A_ = at9(work.motion, b, A) if group[b] == 1 else IDENTITY
    put_maps(out, b, A_, A_, ZERO, IDENTITY, ZERO, A_, ZERO)
