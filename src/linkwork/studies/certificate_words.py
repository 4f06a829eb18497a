"""What a check says of a run: digits by quantity, when and where it is worst, how sensitive it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies import independence
from linkwork.studies.motion import Difference, digits
from linkwork.studies.quantities import QUANTITIES, Apart, motion_of

Array = NDArray[np.float64]
ASKED = 2.0  # digits, where nobody says otherwise: one per cent
CHECKPOINTS = 10
LOST = 0.1  # difference of motions at which nothing is left to agree on
GROWTH = 1e3  # total growth of a difference below which its kind is not judged
ROUNDING, LARGE = 1e-14, 1e-2  # differences between which growth is measured


@dataclass(frozen=True)
class Check:
    """A check that was made. how : formulation, integrator, rtol. apart : from the run that is checked, by quantity.
    settled : from the same check at a looser tolerance, None where that did not get through. idle : joints left
    out, since their reactions are not unique."""

    how: Mapping[str, Any]
    apart: Mapping[str, Apart]
    settled: Mapping[str, Apart] | None
    idle: tuple[str, ...] = ()


def certificate_of(
    result: Result, samples: int, check: Check | None, tried: Sequence[Mapping[str, str]], asked: float = ASKED
) -> dict[str, Any]:
    """The certificate as plain data. samples : times at which the run was to be compared. asked : digits."""
    if check is None:
        reasons = "; ".join(f"{one['formulation']}: {one['reason']}" for one in tried) or "no other formulation fits"
        return unconfirmed(asked, f"no independent formulation could be run ({reasons})", tried)
    motion = motion_of(check.apart)
    quantities = {name: _quantity(result, name, check) for name in QUANTITIES if name in check.apart}
    least = min(quantities, key=lambda name: _known(quantities[name]["digits"]))
    names = independence.differing(str(result.info["formulation"]), check.how["formulation"])
    settled = _settled(check)
    whole = len(motion.time) == samples
    certificate: dict[str, Any] = {
        "confirmed": whole and all(one["digits"] >= asked for one in quantities.values()) and settled >= asked,
        "asked": asked,
        "digits": quantities[least]["digits"],
        "quantities": quantities,
        "pose_digits": quantities["poses"]["digits"],
        "velocity_digits": quantities["velocities"]["digits"],
        "worst": {"quantity": least, **quantities[least]["worst"]},
        "samples": [samples, int(result.time.size)],
        "ends": _ends(result),
        "whole": whole,
        "until": float(motion.time[-1]),
        "lost_at": _first(motion.time, motion.both, LOST),
        "through_time": _through_time(motion),
        "not_unique": list(check.idle),
        "check": {**check.how, "differs_in": list(names), "digits": settled},
        "sensitivity": None if check.settled is None else sensitivity(motion_of(check.settled)),
        "tried": list(tried),
    }
    return {**certificate, "statement": _statement(certificate)}


def unconfirmed(asked: float, reason: str, tried: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    """The certificate of a run that could not be compared at all."""
    blank = {"confirmed": False, "asked": asked, "digits": math.nan, "quantities": {}}
    return {**blank, "statement": f"NOT confirmed: {reason}.", "tried": list(tried)}


def _ends(result: Result) -> list[float] | None:
    """When the last sample is and when the run was to end [s], where a sample at least is missing."""
    last, end = float(result.time[-1]), float(result.info.get("t_end", -math.inf))
    return [last, end] if last + float(np.diff(result.time).max()) * (1.0 + 1e-9) < end else None


def _quantity(result: Result, name: str, check: Check) -> dict[str, Any]:
    """One quantity's digits, the digits to which the check itself is settled in it, and where it is worst."""
    found = check.apart[name]
    k = found.at
    worst: dict[str, Any] = {"time": float(found.time[k])}
    if found.worst is not None:
        dim, names = ("joint", result.joints) if name == "reactions" else ("body", result.bodies)
        worst[dim] = names[int(found.worst[k])]
    settled = math.nan if check.settled is None or name not in check.settled else check.settled[name].digits
    return {"digits": found.digits, "settled": settled, "worst": worst}


def _known(value: float) -> float:
    """A number of digits to be compared: one that is not known is none."""
    return value if math.isfinite(value) else -1.0


def _settled(check: Check) -> float:
    """The digits to which the check's own two runs agree, in what they agree in least; no more than its tolerance has:
    two runs whose steps end at every sample may agree to the last bit."""
    known = [] if check.settled is None else [one.digits for one in check.settled.values()]
    return min(*known, digits(check.how["rtol"]), key=_known) if known else math.nan


def _through_time(apart: Difference) -> list[dict[str, float]]:
    """Digits of the motion from the start up to each of some times."""
    worst = np.maximum.accumulate(apart.both)
    places = np.unique(np.linspace(0, len(worst) - 1, CHECKPOINTS + 1).round().astype(int))[1:]
    return [{"time": float(apart.time[k]), "digits": digits(float(worst[k]))} for k in places]


def _first(time: Array, values: Array, limit: float) -> float | None:
    over = np.flatnonzero(values > limit)
    return float(time[over[0]]) if len(over) else None


def sensitivity(settled: Difference) -> dict[str, float] | None:
    """How fast two nearly equal motions separate, where that is clearly exponential in time; None elsewhere.

    per_second : powers of ten. horizon : s, when a difference of one rounding error has grown to the size of the
    motion: what no method in double precision can follow.
    """
    worst = np.maximum.accumulate(settled.both)
    use = (worst > ROUNDING) & (worst < LARGE) & (settled.time > 0.0)
    if use.sum() < 8 or worst[use][-1] / worst[use][0] < GROWTH:
        return None
    t, level = settled.time[use], np.log10(worst[use])
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
    check = found["check"]
    differences = ", ".join(check["differs_in"]) or "nothing but its integrator"
    by = (
        f"{check['formulation']} with {check['integrator']} at rtol {check['rtol']:.0e}, which differs in {differences}"
    )
    each = ", ".join(f"{name} {_digits(one['digits'])}" for name, one in found["quantities"].items())
    agreed = f"to {_digits(found['digits'])} digits by {by} ({each}; worst: {_place(found['worst'])})."
    if found["confirmed"]:
        words = [f"confirmed {agreed}"]
    elif found["lost_at"] is not None:
        words = [f"NOT confirmed beyond t = {found['lost_at']:.6g} s. {_earlier(found)}Checked by {by}."]
    elif not found["whole"]:
        words = [f"NOT confirmed beyond t = {found['until']:.6g} s, where the check stopped; up to there {agreed}"]
    else:
        words = [f"NOT confirmed to the {found['asked']:.3g} digits asked for, but {agreed}"]
    words += _about_the_check(found)
    compared, every = found["samples"]
    if compared < every:
        words.append(f"{compared} of {every} samples were compared.")
    if found["ends"] is not None:
        last, end = found["ends"]
        words.append(f"The result ends at t = {last:.6g} s, its run was to go to {end:.6g} s: of that nothing is said.")
    if found["not_unique"]:
        words.append(f"Reactions of {', '.join(map(repr, found['not_unique']))} are not unique and were not compared.")
    missing = [name for name in QUANTITIES if name not in found["quantities"]]
    if missing:
        words.append(f"Not compared: {', '.join(missing)}, of which there are none that both runs tell.")
    return " ".join(words)


def _about_the_check(found: Mapping[str, Any]) -> list[str]:
    """How far the check itself can be trusted, and how sensitive the motion is."""
    settled, sensitive = found["check"]["digits"], found["sensitivity"]
    words = []
    if not math.isfinite(settled):
        words.append("How well the check itself is settled is not known: its looser run did not get through.")
    elif settled < found["digits"] + 0.5 or settled < found["asked"]:
        words.append(f"The check itself is settled to {settled:.1f} digits only, which limits the statement.")
        if settled < 1.0 and sensitive is None:
            words.append("Its two runs, ten times apart in tolerance, part as well: the motion is sensitive.")
    if sensitive is not None:
        words.append(
            f"The motion is sensitive: nearby motions separate tenfold every {1.0 / sensitive['per_second']:.2g} s "
            "(chaos, or instability), so that no computation in double precision follows it beyond about "
            f"t = {sensitive['horizon']:.2g} s."
        )
    return words


def _digits(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else "unknown"


def _place(worst: Mapping[str, Any]) -> str:
    """Which quantity, when and where."""
    where = "".join(f", {dim} {worst[dim]!r}" for dim in ("body", "joint") if dim in worst)
    return f"{worst['quantity']} at t = {worst['time']:.6g} s{where}"


def _earlier(found: Mapping[str, Any]) -> str:
    good = [one for one in found["through_time"] if one["digits"] >= 1.0]
    if not good:
        return ""
    return f"Up to t = {good[-1]['time']:.6g} s its motion agrees to {good[-1]['digits']:.1f} digits. "
