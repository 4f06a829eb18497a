"""The starred parts of a step of an implicit method: what the new state is made of before the unknowns are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import A_0, DQ_STAR, Q_0, QD, QD_STAR, R_STAR, V_STAR, A, Q, R, V, W

FLUSHED = 18  # r, A, v, omega lead the columns of motion
NOTHING = 1e-100  # smaller than any length, speed or angle of a mechanism


@kernel
def flush(x: Any) -> Any:
    """x, or zero where it is only what rounding left of a zero: products of such remains are subnormal numbers,
    on which processors are many times slower."""
    return 0.0 if -NOTHING < x < NOTHING else x


@kernel
def set_stars(run: Any, h: Any) -> None:
    """r* = r + h rdot, dq* = h qdot, rdot* = rdot, qdot* = qdot, from the motion at the start of the step."""
    m, base = run.motion, run.base
    for b in range(m.shape[0] - 1):
        for c in range(FLUSHED):
            m[b, c] = flush(m[b, c])
        for c in range(4):
            m[b, QD + c] = flush(m[b, QD + c])
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
def rotation_too_large(m: Any, h: Any) -> bool:
    """Whether some body would turn by half a revolution or more in one step."""
    limit = (np.pi / h) ** 2
    for b in range(m.shape[0] - 1):
        if m[b, W] ** 2 + m[b, W + 1] ** 2 + m[b, W + 2] ** 2 >= limit:
            return True
    return False


@kernel
def keep_motion(run: Any) -> None:
    """Keep the motion at the start of the step in run.before, to come back to if it fails."""
    m, kept = run.motion, run.before
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            kept[b, c] = m[b, c]


@kernel
def step_back(run: Any) -> None:
    """The motion at the start of the step that failed."""
    m, kept = run.motion, run.before
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            m[b, c] = kept[b, c]
