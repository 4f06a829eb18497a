"""What a result of a compiled model has besides its arrays, worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from linkwork.equations.derived import MechanismDeriver
from linkwork.judgement.judge import verdicts
from linkwork.judgement.watch import Watch
from linkwork.mechanism.variants import variant
from linkwork.run.recording import new_header, part_of
from linkwork.run.sensors_without_value import SensorsWithoutValue
from linkwork.run.starting import prepare, whole_steps
from linkwork.run.steps_again import StepsAgain
from linkwork.status import Status
from linkwork.verdict import WRONG, worst

if TYPE_CHECKING:
    from linkwork.run.span import Block, Span


def completed(
    span: Span, about: Mapping[str, Any], recorded: Callable[[], Block], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """What a result has besides its arrays: header, messages, judgement, as a session finds them."""
    block = recorded()
    mech, call = about.get("mechanism"), replace(span.call, state=about["state"])
    if mech is None:
        mech = variant(span.mechanism, about["given"])
    there = about.get("there")
    known = about.get("ready") if there is None or about["says_more"] else there.start
    ready = known or prepare(mech, dynamics=True, state=call.state, **span.accepted)
    run: Any = _Settings(facts["settings"])
    settings = call.settings(ready, run)
    unread = SensorsWithoutValue(ready.compiled.lowered)
    unread.look(block)
    parts = [{name: value[part] for name, value in block.items()} for part in (slice(0, 1), slice(1, None))]
    watch = Watch(
        ready.compiled,
        span.call.limits,
        expected=facts["samples"],
        steps_between=span.call.samples.every if span.whole_steps else None,
        t_end=call.duration,
        order=span.call.integrator.describe()["order"],
        again=StepsAgain(call, ready.compiled, partial(part_of, parts)),
    )
    for part in parts:
        if watch.ended is None:
            watch.look(part)
    found = verdicts(watch, settings, ready.assembled, parts)
    judged = {"judgement": worst(found), "verdicts": [verdict.to_dict() for verdict in found]}
    counts = {name: value for name, value in facts["counts"].items() if name != "rebased"}
    passing = whole_steps(call.duration, call.step)[1] if span.whole_steps else []
    shared = [one for one in (about.get("shared", span.shared),) if one]
    status, message = Status.OK, ""
    if judged["judgement"] == WRONG:
        status, message = Status.JUDGED_WRONG, f"{found[0].text} {found[0].cure}".strip()
    rebased = facts["counts"].get("rebased", 0)
    others = (*facts["notices"], *unread.messages)
    said = [f"Euler angles were given a new reference rotation {rebased} times, to stay regular"] if rebased else []
    return {
        "header": new_header(mech, ready.compiled, settings, span.extras, about["labels"]),
        "derive": MechanismDeriver(ready.compiled, sensing=True),
        "success": status == Status.OK,
        "status": int(status),
        "message": message,
        "messages": (*ready.messages, *passing, *facts["remarks"], *shared, *said, *others),
        "info": {**counts, **judged, **facts["timings"]},
    }


class _Settings:
    """What `Call.settings` asks of a run."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
