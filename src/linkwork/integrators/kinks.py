"""Steps that end where formulas of time have kinks, and begin anew behind them.

An error estimate takes for granted that what it measures is smooth: across a kink it rejects step after step, and what
it lets pass is of lower order. Where kinks are known before a run (`system.kinks`), no step crosses one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.status import Status

Floats = NDArray[np.float64]
BESIDE = 4.0 * float(np.finfo(float).eps)  # of the time: a step ends so far before a kink, the next begins behind
AT_A_TIME = 64  # kinks, before whoever asked looks on again
Advance = Callable[[Floats, int], tuple[int, int]]


class Clock(NamedTuple):
    """Times of a run [s], in memory of it. Behind each number there may be its derivatives (`derivatives.memory`): a
    step that ends at a kink then moves with what moves the kink.

    now, t_end : (m,) the time reached, and the end; value first. kinks : (n, m) ascending.
    """

    now: Floats
    t_end: Floats
    kinks: Floats

    @classmethod
    def of(cls, run: Any, kinks: Floats) -> Clock:
        """Of numbers alone. run : record with now and t_end. kinks : (n,)."""
        return cls(run.now, run.t_end, kinks[:, None])


def to_next_kink(
    clock: Clock, targets: Floats, most: int, advance: Advance, cross: Callable[[], None]
) -> tuple[int, int]:
    """Go on to as many targets as lie before the next kink, and past it where one lies behind; past several where no
    target lies before them. Returns (status, samples recorded).

    advance : (targets, most) -> status and samples, with room for one more than `targets`; `most` as compiled code
        takes it. cross : called when the state stands at a kink, with now behind it.
    """
    now, t_end, kinks = clock
    status: int = Status.OK
    for _ in range(AT_A_TIME):
        time = now[0]
        first = bisect_right(kinks[:, 0], time + 4.0 * BESIDE * abs(time))
        if first == len(kinks):
            return advance(targets, most)
        kink = float(kinks[first, 0])
        before = kink - BESIDE * abs(kink)
        inside = targets[: np.searchsorted(targets, before, side="right")]
        crosses = len(inside) < len(targets)  # else samples that are asked for next may lie before the kink, too
        end = t_end.copy()
        try:
            t_end[:] = kinks[first]
            t_end[0] = before
            status, n = advance(np.append(inside, before), -most) if crosses else advance(inside, most)
        finally:
            t_end[:] = end
        crossed = status == Status.OK and n > len(inside)
        if crossed:
            now[:] = kinks[first]
            now[0] = kink + BESIDE * abs(kink)
            cross()
        if len(inside) or not crossed:
            return status, min(n, len(inside))
    return status, 0
