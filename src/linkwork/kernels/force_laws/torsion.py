"""TORSION: the rotational spring-damper-actuator about an axis n fixed in body i.

theta is the angle from a_i to a_j about n, counted with its turns (`kernels.angles`). The torque
T = stiffness (theta - rest) + damping thetadot + actuator acts on body i along +n and on body j along -n, with
thetadot = n . (omega_j - omega_i). Where a_j is perpendicular to n, as a joint keeps it, that is the rate of theta.
Where theta cannot be told (`kernels.angles.told`) and stiffness asks for it, T is not a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.angles import angle_about, angle_gradient, told
from linkwork.kernels.force_laws.kind import ForceLaw, Seen
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, matmul_t, outer, rotate, rotate_t, skew
from linkwork.kernels.rows.blocks import THETA_I, THETA_J, add_block
from linkwork.kernels.rows.kind import unit_frame
from linkwork.kernels.tables import ForceElements
from linkwork.kernels.vec3 import add3, cross, dot, get3, neg, scale, sub


@kernel
def torsion_torque(e: ForceElements, k: int, A: Any, w: Any, previous: Any, actuator: Any) -> Any:
    """T of torsion k, along +n on body i; not a number where its angle is in doubt."""
    i, j = e.body_i[k], e.body_j[k]
    n = get3(e.n, k)
    rate = dot(n, sub(rotate_t(get9(A, i), rotate(get9(A, j), get3(w, j))), get3(w, i)))
    theta = angle_about(e, k, A, previous)
    if e.stiffness[k] != 0.0 and not told(e, k, A, theta, previous):
        return theta + np.nan
    return e.stiffness[k] * (theta - e.rest[k]) + e.damping[k] * rate + actuator


@kernel
def apply(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, f: Any, n: Any
) -> None:
    """Add torsion k to n (torques, body components)."""
    i, j = e.body_i[k], e.body_j[k]
    on_i = scale(torsion_torque(e, k, A, w, previous, actuator), get3(e.n, k))
    add3(n, i, on_i)
    add3(n, j, neg(rotate_t(get9(A, j), rotate(get9(A, i), on_i))))


@kernel
def energy(e: ForceElements, k: int, r: Any, A: Any, theta: Any) -> Any:
    """stiffness (theta - rest)**2 / 2 [J], theta with its turns; actuators are not in it."""
    turned = theta - e.rest[k]
    return 0.5 * e.stiffness[k] * turned * turned


@kernel
def add_variation(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, K: Any, C: Any
) -> None:
    """Add the exact derivatives of torsion k's torques; only rotations take part.

    With P = A_i^T A_j, m = P^T n and dT = H . (P theta_j - theta_i): n_i = T n, n_j = -T m.
    """
    i, j = e.body_i[k], e.body_j[k]
    n = get3(e.n, k)
    P = matmul_t(get9(A, i), get9(A, j))
    m = rotate_t(P, n)
    stiffness, damping = e.stiffness[k], e.damping[k]
    T = torsion_torque(e, k, A, w, previous, actuator)
    h = angle_gradient(e, k, P)
    q = cross(rotate(P, get3(w, j)), n)  # thetadot = n . (P w_j - w_i) moves by q . eta
    H = (
        stiffness * h[0] + damping * q[0],
        stiffness * h[1] + damping * q[1],
        stiffness * h[2] + damping * q[2],
    )
    H_j = rotate_t(P, H)
    add_block(K, THETA_I, THETA_I, -1.0, outer(n, H))
    add_block(K, THETA_I, THETA_J, 1.0, outer(n, H_j))
    add_block(K, THETA_J, THETA_I, 1.0, outer(m, H))
    add_block(K, THETA_J, THETA_J, -1.0, outer(m, H_j))
    # m turns too: dm = m~ theta_j - P^T n~ theta_i
    add_block(K, THETA_J, THETA_I, T, matmul_t(P, skew(n)))
    add_block(K, THETA_J, THETA_J, -T, skew(m))

    add_block(C, THETA_I, THETA_I, -damping, outer(n, n))
    add_block(C, THETA_I, THETA_J, damping, outer(n, m))
    add_block(C, THETA_J, THETA_I, damping, outer(m, n))
    add_block(C, THETA_J, THETA_J, -damping, outer(m, m))


LAW = ForceLaw(
    "TORSION",
    equation="stiffness (angle - rest) + damping rate + actuator",
    quantity="TURN",
    columns={
        "a_i": "a vector of body i across n",
        "b_i": "n x a_i",
        "a_j": "a vector of body j",
        "n": "axis in body i",
    },
    apply=apply,
    energy=energy,
    add_variation=add_variation,
    force=Seen("torque", "N m", "on the first body along the axis"),
    value=Seen("angle", "rad", "from first to second body, with its turns"),
    rate=Seen("angle_rate", "rad s-1", "rate of the angle"),
    rest="angle",
    stretch="turned",
    linear=True,
    has_counted_angle=True,
    example=unit_frame,
)
