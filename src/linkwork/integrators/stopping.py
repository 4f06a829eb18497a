"""When Newton's corrections are small enough, and in what measure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.system import CompiledMechanism
from linkwork.system.dense import row_sizes

ROUNDING = 50 * float(np.finfo(float).eps)


def stopping_norm(length: float, c_q: float, tolerance: float | None, position_tolerance: float) -> float:
    """Theta, as given or else from the position tolerance, but no less than rounding of phi / c_q allows.

    length : typical of the mechanism [m]. c_q : what an unknown counts in positions [s^2]; h^2 for implicit Euler.
    """
    if tolerance is None:
        tolerance = position_tolerance * length / c_q
    return max(tolerance, ROUNDING * length / c_q)


def multiplier_weights(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """What a unit of each multiplier amounts to as an acceleration of the heaviest body [m/s^2], (nc,).

    That is also the measure in which rounding of phi / c_q reaches the multipliers.
    """
    sizes = row_sizes(mechanism, np.r_[np.ones(3), np.full(3, 1.0 / mechanism.length)])
    mass = float(np.max(mechanism.system.bodies.mass, initial=0.0))
    weights: NDArray[np.float64] = sizes / (mass if mass > 0 else 1.0)
    return weights
