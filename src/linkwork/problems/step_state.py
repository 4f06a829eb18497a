"""Where a step starts: the pose it is counted from, and the way back if it fails."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.problems.implicit import A_0, Q_0, R_0, A, Q, R, W


class Stepping(Protocol):
    """What a run keeps of the start of a step: motion (nb + 1, 37) and rates (npos,), now and there."""

    @property
    def motion(self) -> Floats: ...
    @property
    def before(self) -> Floats: ...
    @property
    def rate(self) -> Floats: ...
    @property
    def rate_before(self) -> Floats: ...


NOTHING = 1e-100  # smaller than any length, speed or angle of a mechanism


@kernel
def flush(x: float) -> float:
    """x, or zero where it is only what rounding left of a zero: products of such remains are subnormal numbers,
    on which processors are many times slower."""
    return 0.0 if -NOTHING < x < NOTHING else x


@kernel
def set_base(motion: Floats, base: Floats) -> None:
    """The present pose becomes the one that increments are counted from."""
    for b in range(motion.shape[0] - 1):
        for c in range(3):
            base[b, R_0 + c] = flush(motion[b, R + c])
        for c in range(9):
            base[b, A_0 + c] = flush(motion[b, A + c])
        for c in range(4):
            base[b, Q_0 + c] = motion[b, Q + c]


@kernel
def rotation_too_large(m: Floats, h: float) -> bool:
    """Whether some body would turn by half a revolution or more in one step."""
    limit = (np.pi / h) ** 2
    for b in range(m.shape[0] - 1):
        if m[b, W] ** 2 + m[b, W + 1] ** 2 + m[b, W + 2] ** 2 >= limit:
            return True
    return False


@kernel
def keep_motion(run: Stepping) -> None:
    """Keep the motion at the start of the step in run.before, to come back to if it fails."""
    m, kept = run.motion, run.before
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            kept[b, c] = m[b, c]


@kernel
def step_back(run: Stepping) -> None:
    """Motion and rates at the start of the step that failed."""
    m, kept = run.motion, run.before
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            m[b, c] = kept[b, c]
    for k in range(run.rate.shape[0]):
        run.rate[k] = run.rate_before[k]
