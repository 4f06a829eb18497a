"""The starred parts of a step of an implicit method: what the new state is made of before the unknowns are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import A_0, DQ_STAR, Q_0, QD, QD_STAR, R_STAR, V_STAR, A, Q, R, V, W


@kernel
def set_stars(work: Any, h: Any) -> None:
    """r* = r + h rdot, dq* = h qdot, rdot* = rdot, qdot* = qdot, from the motion at the start of the step."""
    m, base = work.motion, work.base
    for b in range(m.shape[0] - 1):
        for c in range(3):
            base[b, R_STAR + c] = m[b, R + c] + h * m[b, V + c]
            base[b, V_STAR + c] = m[b, V + c]
        for c in range(9):
            base[b, A_0 + c] = m[b, A + c]
        for c in range(4):
            base[b, Q_0 + c] = m[b, Q + c]
            base[b, DQ_STAR + c] = h * m[b, QD + c]
            base[b, QD_STAR + c] = m[b, QD + c]


@kernel
def rotation_too_large(work: Any, h: Any) -> bool:
    """Whether some body would turn by half a revolution or more in one step."""
    m = work.motion
    limit = (np.pi / h) ** 2
    for b in range(m.shape[0] - 1):
        if m[b, W] ** 2 + m[b, W + 1] ** 2 + m[b, W + 2] ** 2 >= limit:
            return True
    return False
