"""How near a rank loss of the constraints a state may be, given how far it is off the constraints.

The independence s_k of row k of J is |the part of J_k outside the span of the other rows| / |J_k|: 1 for a row that is
orthogonal to all others, 0 for one that depends on them. Off the constraints by phi [m or rad], accelerations are off
by about |phi| / s^3, s = min_k s_k: rows below a threshold that grows with phi count as dependent (SINGULAR), so that
the session treats them as redundant. Solvers measure s by pivots: of a saddle-point matrix the smallest pivot is about
s, of J M^-1 J^T about s^2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.pose_error import OFF_MARGIN
from linkwork.kernels.tables import Floats
from linkwork.problems.explicit import Work
from linkwork.problems.implicit import PHI
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.status import Status

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)

LOWEST, HIGHEST = 3.2e-6, 1e-4  # of the threshold for s, however well or badly the rows are met
ROUNDING = 1e-14  # of a pivot of J M^-1 J^T
SMALL_FIRST = 1e3  # inverse of the first pivot below which the threshold is scaled by it
TRUSTED = 1e-2  # rows with s above it are never near singular,
TRUSTED_OF_FIRST = 1.0  # nor with s above TRUSTED times this share of the first matrix's s
OFF_FRESH, OFF_LATER = 1e4, 1e3  # 1 / relative error allowed in accelerations: first stage of a step, later stages
CORRECTION = 10.0  # corrections: threshold for s over the root of |phi| / length


@kernel
def largest_phi(row: Floats) -> Any:
    """max_k |phi_k| of the rows in a table (nc, >= 4) such as work.row."""
    largest = 0.0
    for k in range(row.shape[0]):
        largest = max(largest, abs(row[k, PHI].real))
    return largest


@kernel
def independence_threshold(work: Work) -> Any:
    """Smallest independence s of a row that does not count as dependent at the state that is set: OFF_MARGIN times
    |phi| / length, between LOWEST and HIGHEST."""
    return max(LOWEST, min(OFF_MARGIN * largest_phi(work.row) / work.length[0], HIGHEST))


@kernel
def pivot_threshold(work: Work, first: Floats) -> Any:
    """The same for pivots of J M^-1 J^T over their diagonal entries, which are squares of s.

    first (1,) : the smallest such pivot of the first matrix, 0 before. Along a chain of n bodies pivots shrink like
        1 / n^2 and more although no rank is lost: what counts is how much smaller they become.
    """
    threshold = independence_threshold(work)
    return max(threshold * threshold * scale_of_first(first), ROUNDING)


@kernel
def lu_below_threshold(work: Work, independence: float, first: Floats) -> bool:
    """Whether a saddle-point matrix with this smallest independence of a row is too near a rank loss.

    first (1,) : that of the first matrix; written if it is 0.
    """
    if first[0] == 0.0 and independence > ROUNDING:
        first[0] = independence
    below = independence < independence_threshold(work) * scale_of_first(first)
    return bool(below or near_singular(work, work.row, independence, first[0]))


@kernel
def near_singular(work: Work, row: Floats, independence: float, first: float) -> bool:
    """Whether the smallest independence s of a row is too small for what is solved for, given |phi|.

    row : a table such as work.row. first : s of the first matrix, 0 before. Accelerations are off
    by about |phi| / s^3; corrections do not reach the constraints where |phi| is not small against s^2.
    """
    request = work.request
    care = request.least_independence[0].real
    allowed = min(TRUSTED_OF_FIRST * first, 1.0) if first > 0.0 or care <= 0.0 else 1.0
    if care < 0.0 or independence >= TRUSTED * allowed:
        return False
    off, level = largest_phi(row) / work.length[0].real, request.level[0]
    if level != ACCELERATION_LEVEL:
        return bool(care == 0.0 and independence < allowed * CORRECTION * np.sqrt(off))
    least = np.cbrt((OFF_FRESH if request.first_stage[0] == 1 else OFF_LATER) * off)
    return bool(independence < allowed * max(care, min(least, TRUSTED)))


@kernel
def near_singular_pivot(work: Work, pivot: float, first: Floats) -> bool:
    """`near_singular` of the smallest pivot of J M^-1 J^T over its diagonal entry; first (1,), of the first matrix."""
    if pivot >= TRUSTED * TRUSTED:
        return False
    return near_singular(work, work.row, np.sqrt(pivot), np.sqrt(first[0]))


@kernel
def check_pivot(work: Work, status: int, pivot: float, first: Floats) -> int:
    """Status of a factorisation whose smallest pivot is given, as in `near_singular_pivot`; first (1,) is written with
    the pivot of the first matrix that could be factored."""
    if status == OK and first[0] == 0.0:
        first[0] = pivot
    return SINGULAR if status == OK and near_singular_pivot(work, pivot, first) else int(status)


@kernel
def scale_of_first(first: Floats) -> float:
    """1, or less where pivots were small from the start; first (1,)."""
    return min(SMALL_FIRST * first[0], 1.0) if first[0] > 0.0 else 1.0
