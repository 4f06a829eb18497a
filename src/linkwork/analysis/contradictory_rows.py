"""Rows that contradict each other: combinations of rows that vanish, of values that do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.check_report import Conflict
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.contradictions import contradicts
from linkwork.system.dense import Pose, Rates, acceleration_rhs, drives
from linkwork.system.rank import Rank

Array = NDArray[np.float64]
LATER = np.array([0.01, 0.037, 0.11, 0.29, 0.41, 0.63, 0.83, 1.0])  # shares of the time looked at


def contradictions(
    compiled: CompiledMechanism, rank: Rank, phi: Array, fits: bool, t_end: float | None
) -> tuple[Conflict, ...]:
    """Conflicts among the rows of a mechanism at its start state.

    rank : at that state. phi : values of the rows there. fits : whether positions and velocities could be met. Drivers
    that agree at the start are compared at later times up to t_end (1 s if not given) as well.
    """
    drive = drives(compiled, 0.0)
    rows = compiled.system.rows
    gamma = acceleration_rhs(compiled, Pose(compiled.r, compiled.A), Rates(compiled.v, compiled.w), drive)
    held = np.where(rows.nonholonomic == 0, phi, 0.0)
    rates = _rates(compiled, 0.0) if rank.redundant else phi
    names_of = compiled.row_names
    found = []
    for k, others, y in zip(rank.redundant, rank.depends_on, rank.combinations, strict=True):
        names = tuple(names_of[c] for c in (*others, k))
        if contradicts(y, held):
            found.append(Conflict(names, "ask for different positions", certain=True))
        elif contradicts(y, rates):
            found.append(Conflict(names, "ask for different velocities", certain=True))
        elif fits and contradicts(y, gamma):
            found.append(Conflict(names, "ask for different accelerations", certain=True))
        elif t := _first_time(compiled, y, t_end or 1.0):
            found.append(Conflict(names, f"prescribe different velocities later (by t = {t:.3g} s)", certain=False))
    return tuple(found)


def _rates(compiled: CompiledMechanism, t: float) -> Array:
    """What the rows prescribe of G u at time t, angles taken where they stand."""
    drive, velocity_level = drives(compiled, t), compiled.system.rows.nonholonomic == 1
    rates: Array = np.where(velocity_level, drive[:, 0], drive[:, 1])
    return rates


def _first_time(compiled: CompiledMechanism, y: Array, t_end: float) -> float:
    """The first time looked at when drivers in the combination contradict each other, 0 if never.

    Combinations change with the position; a mechanism that is driven twice on purpose may be reported wrongly, which
    is why it is not called certain.
    """
    driven = [k for k in np.flatnonzero(y) if compiled.lowered.rows[k].driver]
    if not driven:
        return 0.0
    return next((float(t) for t in LATER * t_end if contradicts(y, _rates(compiled, float(t)))), 0.0)
