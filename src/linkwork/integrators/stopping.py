"""When Newton's corrections are small enough, and in what measure.

What counts is the error that is left after a correction, not the correction: where corrections shrink by a factor
k, it is k / (1 - k) of the last one. An ordinary run ends a step when that error is far below the method's own, which
the bend of the prediction measures (what a straight line would have missed, which is of the same order) or the first
correction, or below rounding of phi / c_q, and the correction is below what positions may be off. The published rule
[Kissel 2021, eq. 46] asks only for a correction below Theta.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.jit import kernel
from linkwork.system import CompiledMechanism
from linkwork.system.dense import row_sizes

if TYPE_CHECKING:
    from linkwork.integrators.newton import Run
    from linkwork.kernels.tables import Bodies

ROUNDING = 50 * float(np.finfo(float).eps)
AGEING = 0.8  # exponent by which a contraction is believed less, step by step [Hairer, Wanner 1996, IV.8]
USUAL = 0.2  # of ROUNDING: what is to be expected; it may be left
NEARLY, YOUNG = 100.0, 20  # times that, corrections with a matrix of no more steps that do not shrink are rounding
LEAST = 1e-12  # a contraction that is too good to be true


def rounding_norm(length: float, c_q: float) -> float:
    """What rounding of phi / c_q may amount to in the norm of corrections [m/s^2].

    length : typical of the mechanism [m]. c_q : what an unknown counts in positions [s^2]; h^2 for implicit Euler.
    """
    return ROUNDING * length / c_q


def stopping_norm(length: float, c_q: float, tolerance: float | None, position_tolerance: float) -> float:
    """Theta, as given or else from the position tolerance, but no less than rounding of phi / c_q allows."""
    if tolerance is None:
        tolerance = position_tolerance * length / c_q
    return max(tolerance, rounding_norm(length, c_q))


def sizes_of_rows(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(nc,) the size of each row's gradient, angles counted at the mechanism's length: of lengths 1 about, of angles
    one by that length [1/m]."""
    if mechanism.squares is not None:
        return row_sizes(mechanism, 1.0, 1.0 / mechanism.length)
    found: NDArray[np.float64] = mechanism.once(
        "sizes of rows", lambda: row_sizes(mechanism, 1.0, 1.0 / mechanism.length)
    )
    return found


def multiplier_weights(sizes: NDArray[np.float64], bodies: Bodies) -> NDArray[np.float64]:
    """What a unit of each multiplier amounts to as an acceleration of the heaviest body [m/s^2], (nc,). sizes : of rows
    (`sizes_of_rows`).

    That is also the measure in which rounding of phi / c_q reaches the multipliers.
    """
    mass = max(bodies.mass.tolist())  # ground's, which is the last, is zero
    weights: NDArray[np.float64] = sizes / (mass if mass > 0 else 1.0)
    return weights


@kernel
def converged(run: Run, norm: float, before: float, first: float, age: int) -> bool:
    """Whether a correction of this norm, just applied, was a step's last.

    norm, before, first : weighted norms [m/s^2] of this correction, of the one before (infinity: there was none) and
        of the step's first.
    age : of the matrix, in steps.

    Reads floor, tolerance, slow_contraction, left and bend of the run; writes the contraction seen, for the first
    correction of the next step.
    """
    contraction = run.contraction[0]
    if before < np.inf:
        contraction = max(norm / before, LEAST)
        run.contraction[0] = contraction
    if norm < run.floor[0]:
        return True
    if not norm < run.tolerance[0]:
        return False
    if contraction > run.slow_contraction[0]:  # rounding, or a matrix too old
        return bool(before < np.inf and (age == 0 or (age < YOUNG and norm < NEARLY * run.floor[0])))
    return bool(norm * contraction < (1.0 - contraction) * max(run.floor[0], run.left[0] * max(run.bend[0], first)))
