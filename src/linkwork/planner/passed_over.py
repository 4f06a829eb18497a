"""Runs that were handed over are looked at once more: whether steps passed over what a formula of the state does.

Runs of a pair at two tolerances agree where both pass over the same bump of a road. Along the motion that they found it
is there (`judgement.along_motion`): a run with steps as short as that tells whether it matters.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.errors import ConvergenceError
from linkwork.judgement.along_motion import AlongMotion
from linkwork.planner.global_error import apart, ratio
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, one_run
from linkwork.result import Result
from linkwork.run.samples import Samples
from linkwork.run.session import Progress
from linkwork.run.starting import shared_start

NOT_LOOKED_AT = (
    "the time limit left no time to see whether steps passed over what formulas of the state do for a short time; the "
    "accuracy holds if they did not."
)
STEPS = 2.0  # to a change that lasts as long as the shortest


def with_shorter_steps(
    setting: Setting,
    method: Method,
    value: float,
    first: float,
    result: Result,
    deadline: float | None,
    progress: Progress | None,
) -> Setting | None:
    """The same with steps that see what those of this run passed over; None where there is nothing, or where a run that
    sees it is the same within what was asked. Raises TimeUpError when the deadline passes, and what `one_run` does."""
    accepted = (bool(setting.accepted[one]) for one in ("accept_drivers", "accept_changes"))
    compiled = shared_start(setting.mechanism, setting.state, True, *accepted).compiled
    along = AlongMotion(compiled)
    if not along.formulas or not result.completed or method.said("max_step"):
        return None
    along.look_at(result)
    *_, largest = setting.tuned(method, value, first) if method.controlled else (value,)
    short = (one for one in along.excursions() if one.lasts < min(largest, setting.longest))
    shortest = min((one.lasts for one in short if not along.felt(one)), default=np.inf)
    if not np.isfinite(shortest):
        return None
    out = setting.samples.out
    closer = replace(setting, longest=shortest / STEPS, samples=replace(setting.samples, force=out is not None))
    if any(one["kind"] == "missed" for one in result.info.get("verdicts", ())):
        return closer
    in_memory = replace(closer, samples=Samples(every=setting.samples.every))
    try:
        seeing = one_run(in_memory, method, value, deadline, progress, first)
    except ConvergenceError:
        return closer
    differences = apart(result, seeing, setting.asked, setting.lengths.extent)
    return closer if float(np.max(ratio(differences, setting.asked), initial=0.0)) > 1.0 else None
