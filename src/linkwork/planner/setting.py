"""What a plan is for: span, interval, start, accuracy and samples, from the words of a call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from linkwork.arguments import duration, is_number, positive_number
from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.judgement.limits import Limits
from linkwork.mechanism import Mechanism
from linkwork.planner.asked import need_names, wanted
from linkwork.planner.global_error import Lengths
from linkwork.planner.one_run import Setting
from linkwork.run.samples import Acceptance, Samples
from linkwork.run.starting import shared_start, span, whole_steps
from linkwork.system import CompiledMechanism

if TYPE_CHECKING:
    from linkwork.analysis.state import State

SAMPLES = 1000  # at most, over the span, where the call does not say how often


def setting_of(
    mech: Mechanism,
    t_end: float | None,
    step: float | None,
    accuracy: Any,
    state: State | Mapping[str, Any] | None,
    kept: Samples,
    accepted: Acceptance,
    limits: Mapping[str, float] | None,
) -> tuple[Setting, CompiledMechanism]:
    """What a plan is for, checked, and the mechanism compiled at its start. Raises as `linkwork.plan`."""
    asked = wanted(accuracy)
    if t_end is None:
        t_end = getattr(getattr(mech, "run", None), "t_end", None)
    if step is None and t_end is not None:
        step = usual_interval(positive_number("t_end", t_end, "seconds"), mech)
    Limits.of(limits)
    given = {name: getattr(accepted, name) for name in accepted.options}
    start = None if state is None else attached("as_state")(mech, state)
    end, interval = span(mech, t_end, step)
    end = end if is_number(end) else duration("t_end", end)  # which says what it is instead
    began = 0.0 if start is None else start.time
    if start is not None and not end > began:
        raise UsageError(f"t_end = {end:g} s is not after the state to start from, {began:g} s.")
    whole_steps(end - began, interval)
    compiled = shared_start(mech, start, True, accepted.accept_drivers, accepted.accept_changes).compiled
    compiled.need_masses()
    need_names(asked, compiled.body_names, compiled.joint_names)
    lengths = Lengths(compiled.extent, compiled.length)
    made = Setting(mech, end, began, interval, start, asked, kept, given, limits, lengths)
    return made, compiled


def usual_interval(t_end: float, mech: Mechanism) -> float:
    """Between samples, where nobody says [s]: the mechanism's own step, or as few of them as give SAMPLES samples."""
    stated = getattr(getattr(mech, "run", None), "step", None)
    if stated is None:
        return t_end / SAMPLES
    return float(stated * max(1, math.ceil(t_end / (stated * SAMPLES) - 1e-9)))
