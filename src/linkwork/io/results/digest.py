"""A run in short: as plain data for programs, as a page of text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.header import BLOCK
from linkwork.status import NOT_REACHED

if TYPE_CHECKING:
    from linkwork.header import Array
    from linkwork.result import Result

MOST = 12  # bodies or joints listed in a summary
ROUNDING = 1e-12  # components of an end state below this are shown as zero


def digest(result: Result) -> dict[str, Any]:
    """Provenance, outcome, end state, largest reactions and violations, energy and iterations as plain data.

    Keys whose quantities the result does not hold are left out. Values that are not finite become None.
    """
    time = result.time
    out: dict[str, Any] = {
        "info": dict(result.info),
        "success": result.success,
        "status": result.status,
        "message": result.message,
        "messages": list(result.messages),
        "judgement": result.judgement,
        "verdicts": [verdict.to_dict() for verdict in result.verdicts],
        "samples": int(time.size),
        "bodies": list(result.bodies),
        "joints": list(result.joints),
    }
    if result.path is not None:
        out["file"] = str(result.path)
    if time.size:
        out["t_start"], out["t_end"] = float(time[0]), float(time[-1])
        out["end_state"] = _end_state(result)
        out["largest"] = {
            name: _largest(result, name) for name in ("position_violation", "velocity_violation") if name in result
        }
        if "reaction_force" in result and result.joints:
            out["largest_reactions"] = _largest_reactions(result)
        if "kinetic_energy" in result and "potential_energy" in result:
            out["energy"] = _energy(result)
        if "iterations" in result and time.size > 1:
            counts = result["iterations"][1:]  # no step leads to the start
            out["iterations"] = {"total": int(counts.sum()), "mean": float(counts.mean()), "most": int(counts.max())}
    plain: dict[str, Any] = _finite(out)
    return plain


def _end_state(result: Result) -> dict[str, dict[str, list[float]]]:
    wanted = [name for name in ("position", "velocity", "angular_velocity") if name in result]
    last = {name: result.read(name, result.time.size - 1)[0] for name in wanted}
    return {body: {name: last[name][k].tolist() for name in wanted} for k, body in enumerate(result.bodies)}


def _largest(result: Result, name: str) -> dict[str, float]:
    values = result[name]
    if not np.isfinite(values).any():
        return {"value": np.nan, "time": float(result.time[0])}
    k = int(np.nanargmax(values))
    return {"value": float(values[k]), "time": float(result.time[k])}


def _largest_reactions(result: Result) -> dict[str, dict[str, float]]:
    """The largest magnitudes per joint, read in blocks so that memory stays flat."""
    peaks = {}
    for name, key in (("reaction_force", "force"), ("reaction_torque", "torque")):
        if name not in result:
            continue
        peak: Array = np.zeros(len(result.joints))
        for start in range(0, result.time.size, BLOCK):
            values = np.linalg.norm(result.read(name, start, start + BLOCK), axis=-1)
            peak = np.fmax(peak, values.max(axis=0))
        peaks[key] = peak
    return {joint: {key: float(peak[k]) for key, peak in peaks.items()} for k, joint in enumerate(result.joints)}


def _energy(result: Result) -> dict[str, Any]:
    balance, judged = result.energy_balance(), result.info.get("energy_judged")
    found = {
        "start": float(balance.total[0]),
        "end": float(balance.total[-1]),
        "largest_change": float(np.abs(balance.change).max()),
        "work": None if balance.work is None else float(balance.work[-1]),
        "largest_residual": float(np.abs(balance.residual).max()),
        "largest_kinetic": float(balance.kinetic.max()),
    }
    return found if judged is None else found | {"samples": judged["samples"]}


def _finite(value: Any) -> Any:
    """The same plain data, with None for numbers that JSON has no word for."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return _finite(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def summary(result: Result) -> str:
    """A page of plain text: what ran, how it ended, where the bodies are, what was violated, the energy."""
    short = digest(result)
    info = short["info"]
    method = " with ".join(str(info[key]) for key in ("formulation", "integrator") if info.get(key))
    lines = [f"{info.get('model') or 'mechanism'}: {method or 'motion'}"]
    if "t_end" in short:
        step = f", step {info['step']:g} s" if isinstance(info.get("step"), (int, float)) else ""
        lines[0] += f", {short['t_start']:g} to {short['t_end']:g} s{step}, {short['samples']} samples"
    lines += _outcome_lines(result)
    if "end_state" in short:
        lines += _end_lines(short)
    if short.get("largest_reactions"):
        lines += _reaction_lines(short["largest_reactions"])
    for name, peak in short.get("largest", {}).items():
        lines.append(f"largest {name.replace('_', ' ')}: {_number(peak['value'])} at {_number(peak['time'])} s")
    if "energy" in short:
        lines += _energy_lines(short["energy"])
    if "iterations" in short:
        counts = short["iterations"]
        lines.append(f"iterations: {counts['mean']:.2f} per step, at most {counts['most']}, {counts['total']} in all")
    if result.accuracy is not None:
        lines += str(result.accuracy).splitlines()
    if info.get("certificate"):
        lines.append(info["certificate"]["statement"])
    if result.messages:
        lines.append("reported during the run:")
        lines += [f"  {line}" for line in result.messages[:MOST]] + _more(len(result.messages), "messages")
    return "\n".join(lines)


def _outcome_lines(result: Result) -> list[str]:
    """How the run ended, and what is wrong or doubtful about it."""
    if result.success:
        lines = ["completed" + (f": {result.message}" if result.message else "")]
    elif result.status == NOT_REACHED:
        lines = [f"completed, but {result.message}"]
    elif result.completed:
        lines = ["completed, but the result is judged WRONG:"]
    else:
        lines = [f"NOT completed: {result.message or 'no reason given'}"]
    said = [verdict for verdict in result.verdicts if str(verdict) not in result.message or result.completed]
    return lines + [f"  {verdict.severity.upper()}: {verdict}" for verdict in said]


def _end_lines(short: dict[str, Any]) -> list[str]:
    states = list(short["end_state"].items())[:MOST]
    width = max((len(name) for name, _ in states), default=0)
    words = {"position": ("r", "m"), "velocity": ("v", "m/s"), "angular_velocity": ("omega", "rad/s")}
    lines = ["at the end (r, v global, omega in body components):"]
    for name, state in states:
        parts = [f"{words[key][0]} = {_triple(_clean(values))} {words[key][1]}" for key, values in state.items()]
        lines.append(f"  {name:<{width}}  " + "  ".join(parts))
    return lines + _more(len(short["end_state"]), "bodies")


def _reaction_lines(peaks: dict[str, dict[str, float]]) -> list[str]:
    width = max(len(name) for name in list(peaks)[:MOST])
    units = {"force": "N", "torque": "N m"}
    lines = ["largest reactions (on the joint's second body):"]
    for name, peak in list(peaks.items())[:MOST]:
        values = "  ".join(f"{_number(peak[key])} {unit}" for key, unit in units.items() if key in peak)
        lines.append(f"  {name:<{width}}  {values}")
    return lines + _more(len(peaks), "joints")


def _energy_lines(energy: dict[str, Any]) -> list[str]:
    start, end, change = (_number(energy[key]) for key in ("start", "end", "largest_change"))
    text = f"energy: {start} J at the start, {end} J at the end, changed by at most {change} J"
    if energy["work"] is None:
        return [text]
    return [
        text,
        f"work of drivers, loads and dampers: {_number(energy['work'])} J; "
        f"unexplained: at most {_number(energy['largest_residual'])} J"
        + (f", on {energy['samples']} samples" if "samples" in energy else ""),
    ]


def _clean(values: list[float | None]) -> list[float | None]:
    """Components that are only the rounding of a zero, as zero."""
    return [0.0 if value is not None and abs(value) < ROUNDING else value for value in values]


def _triple(values: list[float | None]) -> str:
    return "(" + ", ".join(f"{_number(value):>10}" for value in values) + ")"


def _number(value: float | None) -> str:
    return "nan" if value is None else f"{value + 0.0:.5g}"  # + 0.0: no negative zeros


def _more(count: int, what: str) -> list[str]:
    return [f"  ... and {count - MOST} more {what}"] if count > MOST else []
