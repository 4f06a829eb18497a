"""Steps that end where formulas of time have kinks, and begin anew behind them.

An error estimate takes for granted that what it measures is smooth: across a kink it rejects step after step, and what
it lets pass is of lower order. Where kinks are known before a run (`system.kinks`), no step crosses one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.status import Status

Floats = NDArray[np.float64]
BESIDE = 4.0 * float(np.finfo(float).eps)  # of the time: a step ends so far before a kink, the next begins behind
Advance = Callable[[Floats, int], tuple[int, int]]


def to_next_kink(
    run: Any, kinks: Floats, targets: Floats, most: int, advance: Advance, cross: Callable[[], None]
) -> tuple[int, int]:
    """Go on to as many targets as lie before the next kink, and past it where one lies behind. Returns (status, samples
    recorded).

    run : record with now, step, pending and t_end. kinks : ascending [s].
    advance : (targets, most) -> status and samples, with room for one more than `targets`; `most` as compiled code
        takes it. cross : called when the state stands at a kink, with now behind it.
    """
    end = float(run.t_end[0])
    ahead = kinks[kinks > run.now[0] + 4.0 * BESIDE * abs(run.now[0])]
    if not len(ahead):
        return advance(targets, most)
    kink = float(ahead[0])
    before = kink - BESIDE * abs(kink)
    inside = targets[targets <= before]
    crosses = len(inside) < len(targets)  # else samples that are asked for next may lie before the kink, too
    try:
        run.t_end[0] = before
        status, n = advance(np.append(inside, before), -most) if crosses else advance(inside, most)
    finally:
        run.t_end[0] = end
    if status == Status.OK and n > len(inside):
        run.now[0] = kink + BESIDE * abs(kink)
        cross()
    return status, min(n, len(inside))
