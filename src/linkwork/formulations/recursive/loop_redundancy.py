"""Which closing rows are independent at the placed state, where they may depend on each other."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import eliminate
from linkwork.formulations.recursive.loops import factor_loops
from linkwork.formulations.recursive.workspace import RANK, READY, USUAL
from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import OFF_LARGEST, OFF_MARGIN
from linkwork.problems.explicit import DROPPED
from linkwork.problems.implicit import PHI
from linkwork.status import Status

OK = int(Status.OK)
NEW_LEAST, NEW_LARGEST = 1e-3, 0.05  # of a row that must be its own for more rows to count than ever before
NEW_MARGIN = 1e3  # times how far off the pose is


@kernel
def choose_rows(work: Any, links: Any, own: Any, factors: Any, dependent: Any) -> int:
    """Factor with the rows that are independent here; returns how many rows changed sides, -1 for failure.

    The further off its constraints a pose is, the more of a row must be its own.
    """
    off = 0.0
    for k in range(own.row.shape[0]):
        off = max(off, abs(own.row[k, PHI]))
    least = max(dependent.length[2], min(OFF_MARGIN * off / dependent.length[0], OFF_LARGEST))
    status = eliminate(links, own)
    if status == OK:
        status = factor_loops(links, own, factors, True, least)
    if status != OK:
        return -1
    rank = own.flags[RANK]
    if own.flags[USUAL] == 0:
        own.flags[USUAL] = rank
    if rank > own.flags[USUAL]:  # off the constraints, rows that depend on others seem to have something of their own
        clear = min(max(NEW_LEAST, NEW_MARGIN * off / dependent.length[0]), NEW_LARGEST)
        rank = own.flags[USUAL]
        while rank < own.flags[RANK] and abs(factors.diagonal[rank]) > clear:
            rank += 1
        own.flags[RANK] = rank
        own.flags[USUAL] = rank
    own.flags[READY] = 1
    work.coef[DROPPED] = own.row.shape[0] - own.flags[RANK]
    changed = 0
    for j in range(own.before.shape[0]):
        k, counts = factors.order[j], 1 if j < own.flags[RANK] else 0
        if own.before[k] != counts:
            changed += 1
            own.before[k] = counts
    return changed
