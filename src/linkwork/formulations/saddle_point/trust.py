"""How far from a rank loss a placed state must be for its accelerations to be trusted."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import OFF_MARGIN
from linkwork.problems.explicit import LENGTH
from linkwork.problems.implicit import PHI

LEAST_SHARE, MOST_SHARE = 3e-6, 1e-4  # however well the rows are met, and however badly


@kernel
def least_share(work: Any) -> Any:
    """How much of a row must be its own at the placed state.

    Near a rank loss accelerations are off by about phi over that share. A stage that is off the constraints must
    therefore keep its distance from it.
    """
    off = 0.0
    for k in range(work.row.shape[0]):
        off = max(off, abs(work.row[k, PHI]))
    return max(LEAST_SHARE, min(OFF_MARGIN * off / work.coef[LENGTH], MOST_SHARE))


@kernel
def least_pivot(work: Any) -> Any:
    """The same for pivots of J M^-1 J^T, which are squares of shares."""
    share = least_share(work)
    return share * share
