"""What to do about a run that errs too much, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def quieter(info: Mapping[str, Any]) -> str:
    """How to make the method of this run err less, in words. info : of a result's header."""
    integrator = str(info.get("integrator", ""))
    if "rtol" in info:
        return f"Tighten rtol ({info['rtol']:.0e} now)."
    step = info.get("step")
    smaller = f"a smaller step ({step:g} s now)" if isinstance(step, int | float) else "a smaller step"
    if integrator == "implicit-euler":
        return f"Implicit Euler damps what it integrates: take generalized-alpha, or {smaller}."
    if integrator in ("euler", "heun"):
        return f"Take a method of higher order, such as rk4, or {smaller}."
    return f"Take {smaller}, or adaptive steps (rtol) of an explicit method."


def closer(info: Mapping[str, Any]) -> str:
    """How to hold a run of this method on its constraints, in words."""
    if info.get("analysis") == "kinematics":
        return f"Drivers ask for what joints do not allow, or the tolerance is too large ({info['tolerance']:g} now)."
    if info.get("stabilisation") == "none":
        return f'Hold it with stabilisation="projection". {quieter(info)}'
    return quieter(info)
