"""The pendulum's driver as one equation in one unknown: how many iterations Newton's method can need at all.

phi(u) = cos u - cos(pi/2 + (pi/4) cos 2t), solved for the angle u at every step.
"""

from __future__ import annotations

import numpy as np

PREDICTED, BEFORE = "predicted by (11)", "pose of the step before"


def mean_iterations(start: str, *, kept: bool, step: float, tolerance: float, t_end: float) -> float:
    """Mean count of corrections down to the first one below `tolerance`.

    start : `PREDICTED`, angle and rate of the step before; or `BEFORE`, its angle alone.
    kept : the slope of the first iteration serves all of a step.
    """
    t = step * np.arange(1, round(t_end / step) + 1)
    wanted = np.pi / 2 + np.pi / 4 * np.cos(2.0 * t)
    u = np.pi / 2 + np.pi / 4 * np.cos(2.0 * (t - step))
    if start == PREDICTED:
        u = u - step * np.pi / 2 * np.sin(2.0 * (t - step))
    counts, going, slope = np.zeros(t.size), np.ones(t.size, dtype=bool), -np.sin(u)
    while going.any():
        if not kept:
            slope = -np.sin(u)
        correction = (np.cos(u) - np.cos(wanted)) / slope
        u = np.where(going, u - correction, u)
        counts += going
        going &= np.abs(correction) >= tolerance
    return float(counts.mean())
