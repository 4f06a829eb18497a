"""The loops over bodies that every absolute formulation writes once per space; this file holds their common parts."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.columns import at4, at9, set3, set4, set9
from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import A_0, ALPHA, DQ_STAR, Q_0, QD, QD_STAR, QDD, REF, A, Q, W


@kernel
def start_of(work: Any, b: Any) -> Any:
    """(A0, R, q0) of body b: rotation and coordinates at the start of the step, reference rotation."""
    return at9(work.base, b, A_0), at9(work.motion, b, REF), at4(work.base, b, Q_0)


@kernel
def increments(work: Any, b: Any, qdd: Any, c_v: Any, c_q: Any) -> Any:
    """(dq, qd) of body b for the unknown qdd."""
    dq, qd = at4(work.base, b, DQ_STAR), at4(work.base, b, QD_STAR)
    return (
        (dq[0] + c_q * qdd[0], dq[1] + c_q * qdd[1], dq[2] + c_q * qdd[2], dq[3] + c_q * qdd[3]),
        (qd[0] + c_v * qdd[0], qd[1] + c_v * qdd[1], qd[2] + c_v * qdd[2], qd[3] + c_v * qdd[3]),
    )


@kernel
def store_rotation(work: Any, b: Any, A_: Any, q: Any, qd: Any, qdd: Any, w: Any, al: Any) -> None:
    """Write what placing a body found."""
    m = work.motion
    set9(m, b, A, A_)
    set3(m, b, W, w)
    set3(m, b, ALPHA, al)
    set4(m, b, Q, q)
    set4(m, b, QD, qd)
    set4(m, b, QDD, qdd)
