"""Kinks of formulas that a run meets on the way, and whether its derivatives are still those of the motion.

A floor, `max(0, k*depth)`, is met within a step. With another number it is met elsewhere in the step, or, where steps
find their own size, with steps of other sizes: the error of the step goes up and down by little over very little, and
the derivative of the discrete map, which is the slope of that, may be anything. Two runs that are apart by many such
ups and downs tell the slope of the motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.asked import Quantity
from linkwork.derivatives.described import Described, moved
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.rounding import Rounding
from linkwork.errors import LinkworkError
from linkwork.judgement.along_motion import AlongMotion
from linkwork.linearisation.smoothness import bend_along, may_bend
from linkwork.mechanism.expressions.kinks import has_kinks
from linkwork.result import Result
from linkwork.run.simulate import carry_out

Array = NDArray[np.float64]
MOVED = 1e-4, 1e-3, 1e-2  # of each number: how far two runs are moved
STEPS = 2.0  # of the motion in a step of one size, by which they are apart before the kink
FAR = 0.1  # of a derivative: beyond it, it is not that of the motion
ROUND_OFF = "Round the kink off, as by (x + sqrt(x**2 + width**2))/2 for max(0, x), or take the difference of two runs."
AGREE = 0.5  # of that: what two pairs of runs differ by, one twice as far apart
MATTERS = 1e-3  # of the largest change of a quantity: entries below are not compared


def kinks_met(
    nominal: Nominal, numbers: Sequence[Described], asked: Mapping[str, Quantity], found: Mapping[str, Array]
) -> Rounding | None:
    """That derivatives are far from those of the motion for a kink that steps meet, or that nobody knows; None where
    they are not."""
    compiled = nominal.ready.compiled
    if not may_bend(compiled) or len(nominal.result.time) < 4:
        return None
    along = AlongMotion(compiled, has_kinks)
    along.look_at(nominal.result)
    kink = bend_along(compiled, along)
    if kink is None:
        return None
    name, time = kink
    told = (
        f"the formula of force '{name}' has a kink at t = {time:.6g} s, which steps meet elsewhere with another number"
    )
    sizes = np.array([abs(one.value) or 1.0 for one in numbers])
    signs = np.random.default_rng(1).choice([-1.0, 1.0], len(numbers))
    try:
        for share in MOVED:
            wide = _both(nominal, numbers, share * sizes * signs)
            if share == MOVED[-1] or _far_enough(nominal, *wide, time):
                break
        by = 0.5 * share * sizes * signs
        near = _both(nominal, numbers, by)
    except LinkworkError as error:
        unknown = f"derivatives behind it may be those of the steps, not of the motion: a run beside fails ({error})"
        return Rounding(None, f"{told}: {unknown}")
    off = max((_off(nominal, one, found[name] @ by, near, wide, time) for name, one in asked.items()), default=0.0)
    if not off > FAR:
        return None
    return Rounding(
        0,
        f"{told}: derivatives behind it are those of the steps, not of the motion (two runs, {0.5 * share:g} of the "
        f"numbers to either side, say otherwise by {100.0 * off:.3g} % of the change). {ROUND_OFF}",
    )


def _both(nominal: Nominal, numbers: Sequence[Described], by: Array) -> tuple[Result, Result]:
    return _run_moved(nominal, numbers, by), _run_moved(nominal, numbers, -by)


def _run_moved(nominal: Nominal, numbers: Sequence[Described], by: Array) -> Result:
    return carry_out(moved(numbers, by.tolist()), nominal.call)


def _far_enough(nominal: Nominal, ahead: Result, behind: Result, time: float) -> bool:
    """Whether the motions are apart, before the kink, by what steps of one size go in some steps."""
    if getattr(nominal.session.run, "tolerances", None) is not None:
        return True
    result = nominal.result
    k = max(int(np.searchsorted(result.time, time)) - 1, 1)
    apart = np.abs(ahead["position"][k] - behind["position"][k]).max(axis=1)
    speed = np.abs(result["velocity"][k]).max(axis=1)
    return bool(np.any((apart > STEPS * nominal.call.step * speed) & (apart > 0.0)))


def _off(
    nominal: Nominal,
    asked: Quantity,
    change: Array,
    near: tuple[Result, Result],
    wide: tuple[Result, Result],
    time: float,
) -> float:
    """How far a change by derivatives is from half the difference of two runs, as a share; of many numbers behind the
    kink the middle one of those that change most. 0 where two runs twice as far apart do not agree with these much
    better: then it is a bend of the motion itself."""
    wanted, twice = (_half_difference(asked, one) for one in (near, wide))
    if wanted is None or twice is None or wanted.shape != change.shape or twice.shape != change.shape:
        return 0.0
    twice, times = 0.5 * twice, nominal.result.time
    if wanted.ndim and len(wanted) == len(times):
        behind = times > time
        wanted, twice, change = wanted[behind], twice[behind], change[behind]
    size = np.maximum(np.abs(wanted), np.abs(change))
    matter = size > MATTERS * float(np.max(np.abs(wanted), initial=0.0))
    if not matter.any():
        return 0.0
    wanted, size = wanted[matter], size[matter]
    off, bent = (float(np.median(np.abs(x[matter] - wanted) / size)) for x in (change, twice))
    return off if bent < AGREE * off else 0.0


def _half_difference(asked: Quantity, both: tuple[Result, Result]) -> Array | None:
    values = [np.asarray(asked(one), dtype=float) for one in both]  # with the numbers that each was made with
    return 0.5 * (values[0] - values[1]) if values[0].shape == values[1].shape else None
