"""What one run is worth: its error, its drift, its price, in numbers; and the curves behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.reference import Reference
from linkwork.studies.motion import Difference, Motion, at_grid, difference, digits

Array = NDArray[np.float64]
DONE, REFUSED, FAILED = "done", "refused", "failed"
STILL = 1e-13  # W s per J: power that is only rounding


@dataclass(frozen=True)
class Proof:
    """What a planned run says of its accuracy, and what the reference says of that.

    asked : global error of poses. chosen : formulation and integrator. reached, reason : whether the run says that it
    keeps what was asked over the whole span, and why not. until : s, up to when it says so. estimate : of the largest
    error. runs : how many were made. missed : whether the run says that it is reached where the reference says not.
    """

    asked: float
    chosen: str
    reached: bool
    reason: str
    until: float
    estimate: float
    runs: int
    missed: bool


@dataclass(frozen=True)
class Row:
    """One run in numbers; NaN or None where something is not known.

    status : done, refused (the formulation cannot treat this mechanism) or failed; code and reason say why.
    pose_error, rate_error : largest difference of poses and velocities from the reference (see `studies.motion`); error
    is the larger of the two, digits what that is in digits. reaction_error : largest difference of joint forces and
    torques, as a share of the largest one. energy_drift : J; energy_share : of the largest kinetic energy.
    position_violation, velocity_violation : the largest ones. counts : steps, iterations, ... of the whole run.
    us_per_step, us_per_second : of the compiled loop, per step and per simulated second, where it was timed.
    judgement : good, doubtful or wrong, as of any result; verdicts say why.
    accuracy : what a planned run says of its own accuracy, None of any other.
    peak_memory, memory_rise : bytes. operations : of one evaluation of the slope, where they can be counted.
    """

    case: Case
    key: str
    status: str
    code: str = ""
    reason: str = ""
    pose_error: float = math.nan
    rate_error: float = math.nan
    reaction_error: float = math.nan
    energy_drift: float = math.nan
    energy_share: float = math.nan
    position_violation: float = math.nan
    velocity_violation: float = math.nan
    counts: Mapping[str, int] = field(default_factory=dict)
    us_per_step: float = math.nan
    us_per_second: float = math.nan
    timed: bool = False
    peak_memory: int | None = None
    memory_rise: int | None = None
    operations: Mapping[str, float] | None = None
    messages: tuple[str, ...] = ()
    judgement: str = ""
    verdicts: tuple[str, ...] = ()
    accuracy: Proof | None = None

    @property
    def error(self) -> float:
        """The larger error of poses and velocities."""
        return max(self.pose_error, self.rate_error)

    @property
    def digits(self) -> float:
        """The error in digits."""
        return digits(self.error)

    @property
    def iterations_per_step(self) -> float:
        """Newton iterations per step, NaN for explicit methods."""
        steps = self.counts.get("steps", 0)
        return self.counts["iterations"] / steps if steps and "iterations" in self.counts else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        data = {name: value for name, value in asdict(self).items() if name not in ("case", "accuracy")}
        data["proof"] = None if self.accuracy is None else asdict(self.accuracy)
        worked = {"error": self.error, "digits": self.digits, "iterations_per_step": self.iterations_per_step}
        return {**self.case.to_dict(), "label": self.case.label, **data, **worked}


@dataclass(frozen=True)
class Curves:
    """A run over time: (n,) each; None where it is not known."""

    time: Array
    energy: Array | None
    position_violation: Array | None
    error: Array | None = None


def failed(case: Case, key: str, said: Mapping[str, Any]) -> Row:
    """The row of a run that did not get through."""
    error = said["error"]
    refused = said.get("kind") == "UnsupportedElementError" and not case.wanted
    reason = " ".join(str(part) for part in (error.get("element"), error["message"], error.get("remedy")) if part)
    return Row(case, key, REFUSED if refused else FAILED, code=error["code"], reason=reason)


def conservative(result: Result) -> bool:
    """Whether nothing drives, loads or damps the mechanism, so that its energy should stay what it is."""
    if "power" not in result:
        return True
    span = float(result.time[-1] - result.time[0]) if result.time.size else 0.0
    most = float(np.max(np.abs(result["power"]), initial=0.0)) * span
    return most <= STILL * max(1e-30, float(np.max(np.abs(result["kinetic_energy"]), initial=0.0)))


def energy_curve(result: Result, reference: Result | None, pick: Any) -> tuple[Array | None, str]:
    """What is wrong with the energy over time [J], and what that is measured against."""
    if "kinetic_energy" not in result or "potential_energy" not in result:
        return None, ""
    if conservative(result):
        return np.asarray(result.energy[pick] - result.energy[0]), "change since the start"
    if reference is not None and "kinetic_energy" in reference:
        theirs = reference.energy[at_grid(reference.time, float(result.time[pick][1] - result.time[pick][0]))]
        n = min(len(theirs), len(result.time[pick]))
        return np.asarray(result.energy[pick][:n] - theirs[:n]), "difference from the reference"
    return np.asarray(result.energy_balance().residual[pick]), "not explained by the work, trapezoidal rule"


def reaction_error(result: Result, pick: Any, reference: Result, interval: float, length: float) -> float:
    """The largest difference of joint forces and torques over the largest of them; NaN without joints."""
    if "reaction_force" not in result or "reaction_force" not in reference or not result.joints:
        return math.nan
    theirs = at_grid(reference.time, interval)
    n = min(len(theirs), len(result.time[pick]))
    apart, most = 0.0, 0.0
    for name, arm in (("reaction_force", 1.0), ("reaction_torque", length)):
        a, b = result[name][pick][:n] / arm, reference[name][theirs[:n]] / arm
        apart = max(apart, float(np.linalg.norm(a - b, axis=-1).max(initial=0.0)))
        most = max(most, float(np.linalg.norm(b, axis=-1).max(initial=0.0)))
    return apart / most if most > 0.0 else math.nan


def measured(
    case: Case,
    key: str,
    said: Mapping[str, Any],
    result: Result,
    *,
    interval: float,
    length: float,
    reference: Reference | None,
    reference_result: Result | None,
    timing: Mapping[str, Any] | None,
    unique: bool,
) -> tuple[Row, Curves]:
    """A run in numbers and curves. unique : whether reactions are unique, so that they can be compared."""
    pick = at_grid(result.time, interval)
    energy, _ = energy_curve(result, reference_result, pick)
    peak = float(np.max(result["kinetic_energy"], initial=0.0)) if "kinetic_energy" in result else 0.0
    drift = math.nan if energy is None else float(np.max(np.abs(energy), initial=0.0))
    off = {name: _largest(result, name, pick) for name in ("position_violation", "velocity_violation")}
    apart = None if reference is None else difference(Motion.of(result, pick), reference.motion, length)
    torn = reference_result if unique else None
    clock = timing if timing is not None and "error" not in timing else None
    spent = math.nan if clock is None else 1e6 * float(clock["run_seconds"])
    steps = said["counts"].get("steps", 0)
    row = Row(
        case,
        key,
        DONE,
        pose_error=math.nan if apart is None else apart.largest,
        rate_error=math.nan if apart is None else apart.largest_rate,
        reaction_error=math.nan if torn is None else reaction_error(result, pick, torn, interval, length),
        energy_drift=drift,
        energy_share=drift / peak if peak > 0.0 else math.nan,
        position_violation=off["position_violation"],
        velocity_violation=off["velocity_violation"],
        counts=dict(said["counts"]),
        us_per_step=spent / steps if steps and case.accuracy is None else math.nan,  # its time is of several runs
        us_per_second=spent / float(result.time[-1] - result.time[0]),
        timed=clock is not None,
        peak_memory=(clock or {}).get("peak_memory"),
        memory_rise=(clock or {}).get("memory_rise"),
        operations=said.get("operations"),
        messages=tuple(said.get("messages", ())),
        judgement=result.judgement,
        verdicts=tuple(str(verdict) for verdict in result.verdicts),
        accuracy=None if case.accuracy is None else _proof(case.accuracy, said["accuracy"], apart, reference),
    )
    violation = result["position_violation"][pick] if "position_violation" in result else None
    return row, Curves(result.time[pick], energy, violation, None if apart is None else apart.both)


def _proof(asked: float, said: Mapping[str, Any], apart: Difference | None, reference: Reference | None) -> Proof:
    missed = False
    if apart is not None and reference is not None:
        missed = bool(said["reached"]) and apart.largest > asked + reference.uncertainty
    return Proof(asked=asked, missed=missed, **said)


def _largest(result: Result, name: str, pick: Any) -> float:
    return float(np.max(result[name][pick], initial=0.0)) if name in result else math.nan
