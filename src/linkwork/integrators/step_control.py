"""How long the next step may be: norms of the estimated error, and a proportional-integral controller.

An error of norm 1 is just acceptable. The controller looks at the error of the present step and of the last accepted
one (Gustafsson 1991), which keeps step sizes smooth where stability limits them. It has no memory of its own, so that
the same errors give the same steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats

SAFETY = 0.9  # of the step that would just be acceptable
LEAST, MOST = 0.2, 10.0  # limits of the change from one step to the next
INTEGRAL = 0.2  # exponent of the last error, times error_order + 1: 0.04 for a pair of orders 5(4)
PROPORTIONAL = 1.0 - 0.75 * INTEGRAL  # exponent of the present error, times error_order + 1
OLD_LEAST = 1e-4  # the last error is taken for no less: also its value before the first step
NO_ERROR = 1e-30  # instead of zero, which has no negative power
COARSE = 0.1  # what the second estimate counts in a combined norm
START = 0.01  # an Euler step of the start changes the state by so much of itself; likewise the error of the first step
SMALL, NOTHING = 1e-5, 1e-15  # norms below which the guess of the first step ignores them
TRIAL = 1e-6  # [s] length of the trial step where the state or its slope are next to nothing
LONGEST_START = 100.0  # the first step in trial steps


@kernel
def error_norm(error: Floats, weight: Floats, size: Floats, atol: float, rtol: float) -> Any:
    """Root mean square of weight error / (atol + rtol size): 1 where the error is just acceptable.

    error : (N,) estimated errors of a step, in the algebra of the group.
    weight : (N,) makes components comparable: 1 for angles, 1 / length for lengths, and so on.
    size : (N,) what the weighted components are measured against in the relative tolerance, not negative.
    atol, rtol : absolute and relative tolerance; atol > 0.
    """
    n = error.shape[0]
    total = 0.0
    for c in range(n):
        x = weight[c] * error[c] / (atol + rtol * size[c])
        total += x * x
    return np.sqrt(total / max(n, 1))


@kernel
def combined_norm(fine: float, coarse: float) -> Any:
    """One norm from those of two estimates, weights e and e2 of a tableau: fine^2 / sqrt(fine^2 + 0.01 coarse^2).

    With estimates of orders 5 and 3 (`dop853`) it falls like h^8, as 2 * 6 - 4: an estimate almost as exact as the
    method, from two that are not. Where the coarse one vanishes the fine one remains.
    """
    combined = np.hypot(fine, COARSE * coarse)
    if not combined > 0.0:  # by value: at rest the root of zero has tangents that are no numbers
        return combined
    return fine * (fine / combined)


@kernel
def accepted(error: float) -> bool:
    """Whether a step with an error of this norm stands. One that is not a number does not."""
    return bool(error <= 1.0)


@kernel
def next_step(h: float, error: float, before: float, error_order: int, rejected: bool) -> float:
    """The size of the next step after one that is accepted, or of its repetition if it is not.

    h : size of the step just tried [s].
    error : norm of its error.
    before : norm of the error of the last accepted step, OLD_LEAST before the first one.
    error_order : the error falls like h**(error_order + 1).
    rejected : whether this step was tried before, longer: then the next one is no longer than it is.
    """
    k = error_order + 1.0
    factor = LEAST
    if np.isfinite(error):
        error = max(error, NO_ERROR)
        if accepted(error):
            factor = SAFETY * error ** (-PROPORTIONAL / k) * max(before, OLD_LEAST) ** (INTEGRAL / k)
        else:
            factor = min(SAFETY * error ** (-1.0 / k), 1.0)
    return h * min(max(factor, LEAST), 1.0 if rejected else MOST)


@kernel
def trial_step(d0: float, d1: float) -> float:
    """A careful explicit Euler step [s], to see how fast the slope changes [Hairer, Nørsett, Wanner 1993, II.4].

    d0, d1 : norms of the state and of its slope at the start, by `error_norm`.
    """
    if d0 < SMALL or d1 < SMALL:
        return TRIAL
    return START * d0 / d1


@kernel
def first_step_guess(h0: float, d1: float, d2: float, error_order: int) -> float:
    """The size of the first step [s] [Hairer, Nørsett, Wanner 1993, II.4].

    h0 : size of the trial step.
    d1 : norm of the slope at the start.
    d2 : norm of (slope after the trial step - slope at the start) / h0, which stands for the second derivative.
    """
    fastest = max(d1, d2)
    if fastest <= NOTHING:
        h1 = max(TRIAL, 1e-3 * h0)
    else:
        h1 = (START / fastest) ** (1.0 / (error_order + 1.0))
    return min(LONGEST_START * h0, h1)
