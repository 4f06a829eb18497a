"""Machine code of the rows of mechanisms that differ in numbers alone, where many starts of them are asked for.

A start that is described is made to fit its rows in plain Python. That takes a few evaluations of all rows, and half of
the time; recorded (`lanes.traced.rows`) they take a tenth of that, with the same bits. Recording takes as long as some
twenty starts: it is done when there were as many.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.so3 import exp_so3
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, drives, parts_of

if TYPE_CHECKING:
    from linkwork.system.compiled import RowEvaluation

SEVERAL = 24  # starts, until recording is thought worth while
MOST = 200  # rows of a mechanism that is recorded
TRIALS = 0.0, 0.01, 0.4  # rad, and lengths: how far from a start both ways are compared


class RowCodes:
    """Of one structure of rows."""

    def __init__(self) -> None:
        self.asked = 0
        self.code: RowEvaluation | None = None

    def of(self, compiled: CompiledMechanism) -> RowEvaluation | None:
        """The code, for who asks often enough, and where there is any."""
        self.asked += 1
        if self.asked == SEVERAL:
            self.code = recorded(compiled)
        return self.code


def row_code(mechanism: Mechanism, compiled: CompiledMechanism) -> RowEvaluation | None:
    """The code of a mechanism's rows; None where it is none of many with other numbers."""
    kin = mechanism._kept.kin
    return None if kin is None or not 0 < compiled.nc <= MOST else kept(kin, "row codes", RowCodes).of(compiled)


def recorded(compiled: CompiledMechanism) -> RowEvaluation | None:
    """The code of these rows, if it has their bits; None where it has not, or rows cannot be recorded."""
    from linkwork.lanes.traced.numbers import NotTracedError
    from linkwork.lanes.traced.rows import RowCode

    rows = compiled.system.rows
    try:
        code = RowCode(rows.kind, rows.body_i, rows.body_j, compiled.nb)
    except (NotTracedError, ImportError):
        return None
    return code if has_their_bits(code, compiled) else None


def has_their_bits(code: RowEvaluation, compiled: CompiledMechanism) -> bool:
    """Whether code and kernels give the same rows, at a few poses and times."""
    rng, nb, rows = np.random.default_rng(3), compiled.nb, compiled.system.rows
    for off in TRIALS:
        r, A = compiled.r.copy(), compiled.A.copy()
        r[:nb] += off * compiled.length * rng.normal(size=(nb, 3))
        for b in range(nb):
            turn = np.array(exp_so3(tuple((off * rng.normal(size=3)).tolist()))).reshape(3, 3)
            A[b] = (A[b].reshape(3, 3) @ turn).ravel()
        pose, drive = Pose(r, A), drives(compiled, off)
        with np.errstate(all="ignore"):
            wanted = parts_of(rows, pose, drive)
            found = parts_of(rows, pose, drive, partial(code.evaluate, rows, compiled.tables.row))
        if any(one.tobytes() != other.tobytes() for one, other in zip(found, wanted, strict=True)):
            return False
    return True
