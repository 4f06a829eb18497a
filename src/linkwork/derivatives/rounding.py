"""How far rounding grows along a run, and how many digits of its derivatives are left.

Two runs that differ by rounding alone are compared: the run itself, and the values that go along with its tangents,
whose operations are in another order; where these are the same to the last bit, a run from a start that is moved by a
few units of rounding. In a chaotic motion they come apart as exp(t / Lyapunov time), and so do derivatives. What is
left of Newton's iterations counts with rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.described import Described
from linkwork.derivatives.moving_kinks import STILL, moving_kinks
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.stencil import spacing
from linkwork.errors import LinkworkError, UsageError
from linkwork.judgement.along_motion import AlongMotion
from linkwork.linearisation.periodicity import ROUND_OFF
from linkwork.linearisation.smoothness import jump_along, may_jump
from linkwork.run.recording import named
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.dense import Pose
from linkwork.system.kinks import NEAR, time_jumps

Array = NDArray[np.float64]
UNITS = 4.0 * np.finfo(float).eps  # of the size of positions and velocities: how far a start is moved
MOST, FEW = 15, 4  # digits that a number has; derivatives with fewer than that are told of
LOST = 50.0  # errors of derivatives, in what values come apart by: the most that was seen
SLOW = 1e-3  # of the length in the time of the run: velocities are not measured by less
FAILS = "a run that differs from this one by rounding alone fails: derivatives mean nothing."
KINDS = ("position", "rotation", "velocity", "angular_velocity")


@dataclass(frozen=True)
class Rounding:
    """digits : decimals that derivatives have, about; None if nobody knows. message : what a user is told, '' where
    these are enough."""

    digits: int | None
    message: str = ""


def rounding_of(nominal: Nominal, found: Mapping[str, Array], *, apart: bool = True, again: bool = True) -> Rounding:
    """What rounding leaves of the derivatives of a run. found : arrays of its samples, as they went along with them.
    apart : these are of steps that went by themselves. again : a further run may be made for it."""
    values = named(found)
    if not apart or all(np.array_equal(nominal.result[kind], values[kind]) for kind in KINDS):
        if not again:
            return Rounding(None)
        try:
            values = named(nominal.prepared(_moved(nominal.ready.compiled), 0).samples())
        except UsageError:
            return Rounding(0, FAILS)
    if len(values[KINDS[0]]) != len(nominal.result.time):
        return Rounding(0, FAILS)
    return _judged(nominal, _apart(nominal, values))


def jumped(nominal: Nominal) -> Rounding | None:
    """That a force by formula jumps on the way, besides at the ends: behind it derivatives lack what comes of
    meeting it at another time. None where no formula does."""
    compiled, result = nominal.ready.compiled, nominal.result
    if not may_jump(compiled) or len(result.time) < 4:
        return None
    along = AlongMotion(compiled)
    along.look_at(result)
    if (found := jump_along(compiled, along)) is None:
        return None
    return Rounding(
        0,
        f"the formula of force '{found[0]}' jumps at t = {found[1]:.6g} s: with another number it comes at another "
        f"time, which derivatives do not count; behind it they are not those of the motion. {ROUND_OFF}",
    )


def switched(nominal: Nominal, numbers: Sequence[Described]) -> Rounding | None:
    """That formulas of time jump at a time which a number moves, where derivatives do not count that: tangents of steps
    of one size do not know of it. None where nothing is so."""
    if _finds_its_steps(nominal):
        untold = moving_kinks(nominal, numbers).untold()
        return None if untold is None else _uncounted(*untold)
    compiled, time = nominal.ready.compiled, nominal.result.time
    near = NEAR * float(time[-1] - time[0])
    begin, end = float(time[0]) - near, float(time[-1]) + near  # a jump at an end may be moved into the run
    jumps = time_jumps(compiled, begin, end)
    for one in numbers if jumps else ():
        if one.section in STILL:
            continue
        try:
            other = compile_mechanism(one.moved(spacing(abs(one.value) or 1.0)).lower())
        except LinkworkError:
            continue
        if time_jumps(other, begin, end) != jumps:
            return _uncounted(one.name, *jumps[0])
    return None


def one_sided(nominal: Nominal, numbers: Sequence[Described]) -> list[str]:
    """That a formula of time jumps at a sample, and a number moves that time: what derivatives then are."""
    met = moving_kinks(nominal, numbers).met_by(nominal.result.time) if _finds_its_steps(nominal) else None
    if met is None:
        return []
    name, t = met
    return [
        f"a formula of time jumps at the sample of t = {t:.6g} s, and '{name}' moves that time: derivatives of this "
        "sample are those of what is behind the jump."
    ]


def _finds_its_steps(nominal: Nominal) -> bool:
    """Whether steps find their own size."""
    return getattr(nominal.session.run, "tolerances", None) is not None


def _uncounted(number: str, owner: str, t: float) -> Rounding:
    return Rounding(
        0,
        f"the formula of {owner} jumps at t = {t:.6g} s, and '{number}' moves such a time: derivatives do not count "
        f"that. {ROUND_OFF}",
    )


def _moved(at: CompiledMechanism) -> CompiledMechanism:
    """The start, moved by a few units of rounding."""
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (4, at.nb, 3))
    lengths, angles, v, w = (UNITS * one for one in signs)
    pose = Pose(at.r, at.A).moved(np.hstack([at.length * lengths, angles]).ravel())
    fastest = [float(np.max(np.abs(rates), initial=0.0)) for rates in (at.v, at.w)]
    return at.at(pose.r, pose.A, _added(at.v, fastest[0] * v), _added(at.w, fastest[1] * w))


def _added(rates: Array, by: Array) -> Array:
    """Rates of all bodies and the ground, which stands."""
    out = rates.copy()
    out[: len(by)] += by
    return out


def _apart(nominal: Nominal, values: Mapping[str, Any]) -> Array:
    """(samples,) the largest difference so far: of positions in lengths, of rotations, of velocities in the largest."""
    result, length = nominal.result, nominal.ready.compiled.length
    slow = SLOW / max(float(result.time[-1] - result.time[0]), 1e-300)
    scales = {"position": length, "rotation": 1.0, "velocity": slow * length, "angular_velocity": slow}
    out = np.zeros(len(result.time))
    for kind, least in scales.items():
        wanted = np.asarray(result[kind])
        size = max(least, float(np.max(np.abs(wanted), initial=0.0)) if "velocity" in kind else 0.0)
        off = np.abs(np.asarray(values[kind]) - wanted) / size
        out = np.maximum(out, off.reshape(len(out), -1).max(axis=1, initial=0.0))
    found: Array = np.maximum.accumulate(np.where(np.isfinite(out), out, np.inf))
    return found


def _judged(nominal: Nominal, apart: Array) -> Rounding:
    digits = np.floor(-np.log10(np.clip(LOST * apart, 10.0**-MOST, 1.0)))
    last = int(digits[-1])
    if last >= FEW:
        return Rounding(last)
    time = nominal.result.time[int(np.argmax(digits < FEW))]
    return Rounding(
        last,
        f"rounding grows so far in this motion that its derivatives have fewer than {FEW} digits from t = {time:g} s "
        f"on, and about {last} at the end, where a run that differs from this one by rounding alone is {apart[-1]:.1e} "
        "away (in lengths, radians or largest velocities). End the run earlier; of implicit methods a smaller "
        "tolerance may help, too.",
    )
