"""Drivers that ask for what no pose can give: why a step failed, where Newton's method only says that it did."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.tables import DP1, D
from linkwork.status import Status
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import drives

FAILED = (Status.NEWTON_DIVERGED, Status.SINGULAR, Status.NOT_FINITE, Status.STEP_TOO_SMALL)
ROUNDING = 1e-12  # beyond the largest cosine


def cause(mechanism: CompiledMechanism, time: float, status: Status) -> tuple[Status, int]:
    """The status that names the cause, and its row; the status itself and -1 where drivers are not it.

    time : of the step that failed, s. A DP1 row is a . b - f = 0, so that |f| <= |a| |b|; a D row is d . d - f = 0, so
    that f >= 0, and where f = 0 its direction d / |d| is lost.
    """
    if status not in FAILED or not mechanism.nc:
        return status, -1
    rows = mechanism.system.rows
    with np.errstate(all="ignore"):  # a formula may have no value here, or no rate: `system.formula_values` tells
        f = drives(mechanism, time)[:, 0]
    largest = np.linalg.norm(rows.a_i, axis=1) * np.linalg.norm(rows.a_j, axis=1)
    asked = {
        Status.DRIVER_LIMIT: (rows.kind == DP1) & (np.abs(f) > (1.0 + ROUNDING) * largest),
        Status.ROD_COLLAPSED: (rows.kind == D) & (f <= 0.0),
    }
    for found, impossible in asked.items():
        if impossible.any():
            return found, int(np.argmax(impossible))
    return status, -1
