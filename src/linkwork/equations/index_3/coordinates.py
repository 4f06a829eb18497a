"""The loops over bodies that every absolute formulation writes once per space; this file holds their common parts."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.quaternion import Quad
from linkwork.kernels.tuple_access import at4, at9, set3, set4, set9
from linkwork.kernels.vec3 import Vec
from linkwork.problems.implicit import A_0, ALPHA, Q_0, REF, A, Q, W, Work


@kernel
def start_of(work: Work, b: int) -> Any:
    """(A0, R, q0) of body b: rotation and coordinates at the start of the step, reference rotation."""
    return at9(work.base, b, A_0), at9(work.motion, b, REF), at4(work.base, b, Q_0)


@kernel
def coordinate(work: Work, k: int) -> Any:
    """(dq, qd, qdd) of coordinate k for its unknown; the rate is written."""
    x = work.z[k]
    qd = work.rate_star[k] + work.request.c_v[0] * x
    work.rate[k] = qd
    return work.step_star[k] + work.request.c_q[0] * x, qd, x


@kernel
def three_coordinates(work: Work, k: int) -> Any:
    """(dq, qd, qdd), four wide with a zero, of a body whose rotation has three coordinates, from k on."""
    a, b, c = coordinate(work, k), coordinate(work, k + 1), coordinate(work, k + 2)
    return (a[0], b[0], c[0], 0.0), (a[1], b[1], c[1], 0.0), (a[2], b[2], c[2], 0.0)


@kernel
def four_coordinates(work: Work, k: int) -> Any:
    """(dq, qd, qdd) of a body whose rotation has four coordinates, from k on."""
    a, b, c, d = coordinate(work, k), coordinate(work, k + 1), coordinate(work, k + 2), coordinate(work, k + 3)
    return (a[0], b[0], c[0], d[0]), (a[1], b[1], c[1], d[1]), (a[2], b[2], c[2], d[2])


@kernel
def store_rotation(work: Work, b: int, A_: Mat, q: Quad, w: Vec, al: Vec) -> None:
    """Write what placing a body found."""
    m = work.motion
    set9(m, b, A, A_)
    set3(m, b, W, w)
    set3(m, b, ALPHA, al)
    set4(m, b, Q, q)
