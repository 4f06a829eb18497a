"""Branches between results that differ by rounding: work that may be left out, pivots of which several are good.

Compiled kernels take them as conditions say. A recorded step (`lanes.traced`) cannot: numbers that are zero, or alike,
up to rounding come out one way in one state and the other way in the next.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel


@kernel
def needed(condition: bool) -> bool:
    """The condition under which a piece of work is needed, where doing it without need changes results by rounding at
    most. A recorded step always does it."""
    return condition


@kernel
def passed_over(size: float, limit: float, least: float, kept: float) -> bool:
    """Whether a candidate of this size is no pivot, another reaching the limit.

    A recorded step keeps what it took at its start, as long as that reaches `kept` times the limit, and `least`.
    """
    return size < limit
