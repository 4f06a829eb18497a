"""What a check says of a run: digits, when and where it is worst, how sensitive the motion is, in data and words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies import independence
from linkwork.studies.motion import Difference, Motion, digits

Array = NDArray[np.float64]
CHECKPOINTS = 10
LOST = 0.1  # difference at which nothing is left to agree on
GROWTH = 1e3  # total growth of a difference below which its kind is not judged
ROUNDING, LARGE = 1e-14, 1e-2  # differences between which growth is measured


def certificate_of(
    result: Result,
    claimed: Motion,
    best: tuple[Mapping[str, Any], Difference, Difference | None] | None,
    tried: Sequence[Mapping[str, str]],
) -> dict[str, Any]:
    """The certificate as plain data."""
    if best is None:
        reasons = "; ".join(f"{one['formulation']}: {one['reason']}" for one in tried) or "no other formulation fits"
        statement = f"NOT confirmed: no independent formulation could be run ({reasons})."
        return {"confirmed": False, "digits": math.nan, "statement": statement, "tried": list(tried)}
    how, apart, own = best
    whole = len(apart.time) == len(claimed.time)
    settled = digits(float(np.max(own.both))) if own is not None and len(own.time) else math.nan
    k = int(np.argmax(apart.both))
    names = independence.differing(str(result.info["formulation"]), how["formulation"])
    certificate: dict[str, Any] = {
        "confirmed": whole,
        "digits": digits(float(apart.both[k])),
        "pose_digits": digits(apart.largest),
        "velocity_digits": digits(apart.largest_rate),
        "worst": {"time": float(apart.time[k]), "body": result.bodies[int(apart.worst_body[k])]},
        "until": float(apart.time[-1]),
        "lost_at": _first(apart.time, apart.both, LOST),
        "through_time": _through_time(apart),
        "check": {**how, "differs_in": list(names), "digits": settled},
        "sensitivity": None if own is None else sensitivity(own),
        "tried": list(tried),
    }
    return {**certificate, "statement": _statement(certificate)}


def _through_time(apart: Difference) -> list[dict[str, float]]:
    """Digits from the start up to each of some times."""
    worst = np.maximum.accumulate(apart.both)
    places = np.unique(np.linspace(0, len(worst) - 1, CHECKPOINTS + 1).round().astype(int))[1:]
    return [{"time": float(apart.time[k]), "digits": digits(float(worst[k]))} for k in places]


def _first(time: Array, values: Array, limit: float) -> float | None:
    over = np.flatnonzero(values > limit)
    return float(time[over[0]]) if len(over) else None


def sensitivity(own: Difference) -> dict[str, float] | None:
    """How fast two nearly equal motions separate, where that is clearly exponential in time; None elsewhere.

    per_second : powers of ten. horizon : s, when a difference of one rounding error has grown to the size of the
    motion: what no method in double precision can follow.
    """
    worst = np.maximum.accumulate(own.both)
    use = (worst > ROUNDING) & (worst < LARGE) & (own.time > 0.0)
    if use.sum() < 8 or worst[use][-1] / worst[use][0] < GROWTH:
        return None
    t, level = own.time[use], np.log10(worst[use])
    slope, miss = _line(t, level)
    _, miss_of_power = _line(np.log10(t), level)
    if miss >= miss_of_power or slope <= 0.0:
        return None
    return {"per_second": slope, "horizon": 16.0 / slope}


def _line(x: Array, y: Array) -> tuple[float, float]:
    """Slope of the best line, and what it misses."""
    fit = np.polyfit(x, y, 1)
    return float(fit[0]), float(np.sum((np.polyval(fit, x) - y) ** 2))


def _statement(found: Mapping[str, Any]) -> str:
    check, worst = found["check"], found["worst"]
    other = f"{check['formulation']} with {check['integrator']} at rtol {check['rtol']:.0e}"
    ways = ", ".join(check["differs_in"]) or "nothing but its integrator"
    words = [
        f"confirmed to {found['digits']:.1f} digits by {other}, which differs in {ways} "
        f"(poses {found['pose_digits']:.1f}, velocities {found['velocity_digits']:.1f}; worst at "
        f"t = {worst['time']:.6g} s, body {worst['body']!r})."
    ]
    if not found["confirmed"]:
        words = [f"confirmed only up to t = {found['until']:.6g} s, where the check stopped: {words[0]}"]
    if found["lost_at"] is not None:
        words = [
            f"NOT confirmed beyond t = {found['lost_at']:.6g} s. {_earlier(found)}Checked by {other}, which differs in "
            f"{ways}."
        ]
    if math.isfinite(check["digits"]) and check["digits"] < found["digits"] + 0.5:
        words.append(f"The check itself is settled to {check['digits']:.1f} digits only, which limits the statement.")
        if check["digits"] < 1.0 and found["sensitivity"] is None:
            words.append("Its two runs, ten times apart in tolerance, part as well: the motion is sensitive.")
    if found["sensitivity"] is not None:
        rate, horizon = found["sensitivity"]["per_second"], found["sensitivity"]["horizon"]
        words.append(
            f"The motion is sensitive: nearby motions separate tenfold every {1.0 / rate:.2g} s (chaos, or "
            f"instability), so that no computation in double precision follows it beyond about t = {horizon:.2g} s."
        )
    return " ".join(words)


def _earlier(found: Mapping[str, Any]) -> str:
    good = [one for one in found["through_time"] if one["digits"] >= 1.0]
    if not good:
        return ""
    return f"Up to t = {good[-1]['time']:.6g} s it agrees to {good[-1]['digits']:.1f} digits. "
