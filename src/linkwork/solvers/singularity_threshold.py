"""How far from a rank loss a placed state must be for its accelerations to be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import OFF_MARGIN
from linkwork.problems.explicit import ACCELERATIONS, CARE, FRESH, LENGTH, LEVEL
from linkwork.problems.implicit import PHI

LEAST_SHARE, MOST_SHARE = 3.2e-6, 1e-4  # however well the rows are met, and however badly
LEAST_PIVOT = 1e-14  # rounding
SLACK = 1e3  # a first pivot above 1e-3 is none of these small ones
NEAR, BESIDE = 1e-2, 1.0  # shares above are never doubted, nor those above NEAR BESIDE of the usual one
OFF_FRESH, OFF_LATER = 1e4, 1e3  # accelerations may be off by 1e-4 of what they are, at later stages of a step by 1e-3
NEARER = 10.0  # times the root of how far off the pose is


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
    """The smallest pivot of J M^-1 J^T to be trusted, as a share of its diagonal entry: the square of a row's share."""
    share = least_share(work)
    return share * share


@kernel
def least_pivot_beside(work: Any, usual: Any) -> Any:
    """The same where pivots are small anyway.

    usual : (1,) the smallest one of the first matrix, 0 before. Along a chain of n bodies pivots shrink like 1 / n^2
        and more, though no rank is lost: only what they lose from there on counts.
    """
    return max(least_pivot(work) * allowance(usual), LEAST_PIVOT)


@kernel
def weak(work: Any, weakest: Any, usual: Any) -> bool:
    """Whether a saddle-point matrix with this share of its weakest row is not to be trusted; the first is `usual`."""
    if usual[0] == 0.0 and weakest > LEAST_PIVOT:
        usual[0] = weakest
    return bool(weakest < least_share(work) * allowance(usual) or doubtful(work, weakest, usual[0]))


@kernel
def doubtful(work: Any, share: Any, usual: Any) -> bool:
    """Whether a matrix whose weakest row has this share of its own is too near a rank loss for what is solved for.

    usual : that of the first matrix, 0 before. Off the constraints by phi, accelerations are off by about phi over the
    share's third power, and corrections miss the mark where phi is not small beside its square.
    """
    return doubtful_rows(work.coef, work.row, share, usual)


@kernel
def doubtful_rows(coef: Any, row: Any, share: Any, usual: Any) -> bool:
    """The same of rows that stand in another table than work.row."""
    care = coef[CARE].real
    allowed = min(BESIDE * usual, 1.0) if usual > 0.0 or care <= 0.0 else 1.0
    if care < 0.0 or share >= NEAR * allowed:
        return False
    off, level = 0.0, coef[LEVEL].real
    for k in range(row.shape[0]):
        off = max(off, abs(row[k, PHI].real))
    off /= coef[LENGTH].real
    if level != ACCELERATIONS:
        return bool(care == 0.0 and share < allowed * NEARER * np.sqrt(off))
    least = np.cbrt((OFF_FRESH if coef[FRESH].real == 1.0 else OFF_LATER) * off)
    return bool(share < allowed * max(care, min(least, NEAR)))


@kernel
def doubtful_pivot(work: Any, pivot: Any, usual: Any) -> bool:
    """The same where pivots are squares of shares; usual (1,)."""
    if pivot >= NEAR * NEAR:
        return False
    return doubtful(work, np.sqrt(pivot), np.sqrt(usual[0]))


@kernel
def allowance(usual: Any) -> Any:
    """1, or less where pivots were small from the start."""
    return min(SLACK * usual[0], 1.0) if usual[0] > 0.0 else 1.0
