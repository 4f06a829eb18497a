"""Euler parameters (rp): a quaternion p, scalar first, and the constraint p . p = 1.

A(p) is divided by p . p, so that it is a rotation for any nonzero p; omega = 2 B(p) pdot as printed
[Kissel 2021, eqs. 22, 39]. The tangent of this module is 2 B: theta = 2 B(p) dp on the unit sphere. As
B(p) p = 0 the rows never pull p off the sphere, and only the normalisation holds it there.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import IDENTITY, Mat
from linkwork.kernels.quaternion import (
    Mat34,
    Quad,
    add4,
    body_map,
    body_map_t_times,
    body_map_times,
    dot4,
    of_rotation,
    rotation_of,
    scale4,
)
from linkwork.kernels.vec3 import Vec, scale

SIZE = 4
NORMALISED = True
ALGEBRA = False  # whether increments dq live in the Lie algebra rather than in coordinates
NAMES = ("e0", "e1", "e2", "e3")


@kernel
def retract(A0: Mat, R: Mat, q0: Quad, dq: Quad) -> tuple[Mat, Quad]:
    """q = q0 + dq and A = A(q); q keeps its length, which the normalisation constraint sees to."""
    q = add4(q0, dq)
    return rotation_of(q), q


@kernel
def omega(q: Quad, qd: Quad) -> Vec:
    """Body angular velocity 2 B(p) pdot."""
    return scale(2.0, body_map_times(q, qd))


@kernel
def alpha(q: Quad, qd: Quad, qdd: Quad) -> Vec:
    """Body angular acceleration 2 B(p) pddot; B(pdot) pdot = 0."""
    return scale(2.0, body_map_times(q, qdd))


@kernel
def rates_from(q: Quad, w: Vec) -> Quad:
    """The pdot with 2 B pdot = w and p . pdot = 0."""
    return scale4(0.5 / dot4(q, q), body_map_t_times(q, w))


@kernel
def accelerations_from(q: Quad, qd: Quad, w: Vec, al: Vec) -> Quad:
    """The pddot with 2 B pddot = al and p . pddot = -pdot . pdot."""
    k = 1.0 / dot4(q, q)
    return add4(scale4(0.5 * k, body_map_t_times(q, al)), scale4(-k * dot4(qd, qd), q))


@kernel
def scaled_map(k: Any, p: Quad) -> Mat34:
    """k B(p), 3 x 4: omega = 2 B(p) pdot."""
    return body_map(scale4(k, p))


@kernel
def tangent(q: Quad) -> Mat34:
    """2 B(p), 3 x 4: omega = 2 B(p) pdot."""
    return scaled_map(2.0, q)


@kernel
def linearise(dq: Quad, q: Quad, qd: Quad, qdd: Quad, c_v: Any, c_q: Any) -> tuple[Mat34, Mat34, Mat34]:
    """(T_a, T_w, T_th) = (2 B(p) - 2 c_q B(pddot), 2 c_v B(p) - 2 c_q B(pdot), 2 c_q B(p) / p . p).

    By B(p) x = -B(x) p; the division belongs to the homogeneous A(p).
    """
    return (
        body_map(add4(scale4(2.0, q), scale4(-2.0 * c_q, qdd))),
        body_map(add4(scale4(2.0 * c_v, q), scale4(-2.0 * c_q, qd))),
        scaled_map(2.0 * c_q / dot4(q, q), q),
    )


@kernel
def transpose_apply(q: Quad, y: Vec) -> Quad:
    """2 B(p)^T y, a torque in the body pulled back to the parameters."""
    return scale4(2.0, body_map_t_times(q, y))


@kernel
def transpose_variation(q: Quad, y: Vec) -> tuple[Any, ...]:
    """d(2 B(p)^T y)/dp, the skew matrix of right multiplication by 2 (0, y)."""
    a, b, c = 2.0 * y[0], 2.0 * y[1], 2.0 * y[2]
    return (0.0, -a, -b, -c, a, 0.0, c, -b, b, -c, 0.0, a, c, b, -a, 0.0)


@kernel
def normalisation(q: Quad) -> Any:
    """(p . p - 1) / 2 [Kissel 2021, eq. 39b]; its row is p^T."""
    return 0.5 * dot4(q, q) - 0.5


@kernel
def coordinates_of(A: Mat, R: Mat) -> Quad:
    """The unit p of A, with e0 >= 0."""
    return of_rotation(A)


@kernel
def needs_rebase(q: Quad) -> bool:
    """Never: Euler parameters have no singularity."""
    return False


@kernel
def rebase(A: Mat, w: Vec, al: Vec) -> tuple[Mat, Quad, Quad, Quad]:
    """(R, p, pdot, pddot) of a rotation with angular velocity w and acceleration al; R is the identity."""
    q = of_rotation(A)
    qd = rates_from(q, w)
    return IDENTITY, q, qd, accelerations_from(q, qd, w, al)
