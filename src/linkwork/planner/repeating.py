"""A plan's call in plain data: a file whose plan was interrupted before the run it hands over can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.planner.one_run import Setting
from linkwork.result import Result

PLAIN = {type(None), bool, int, float, str}  # which JSON gives back as they are
INFO = "planned_call"  # of a result whose plan can be made and carried out once more


def call_in_plain_data(
    setting: Setting,
    accuracy: Any,
    formulation: str | Formulation | None,
    integrator: str | Integrator[Any] | None,
    options: Mapping[str, Any],
    effort: str,
    time_limit: float | None,
) -> dict[str, Any] | None:
    """Arguments of `linkwork.plan`, all but mechanism and file; None where one of them is no plain data."""
    named = {"formulation": formulation, "integrator": integrator}
    objects = [one for one in named.values() if one is not None and not isinstance(one, str)]
    given = {name: value for one in objects for name, value in one.given().items()}
    call = {
        "t_end": setting.t_end,
        "step": setting.interval,
        **{word: one if one is None or isinstance(one, str) else one.name for word, one in named.items()},
        "accuracy": accuracy,
        "effort": effort,
        "time_limit": time_limit,
        "state": None if setting.state is None else setting.state.to_dict(),
        "limits": None if setting.limits is None else dict(setting.limits),
        "every": setting.samples.every,
        **setting.accepted,
        **given,
        **options,
    }
    if all(type(one) in PLAIN for one in call.values()):
        return call
    try:
        text = json.dumps(call)
    except (TypeError, ValueError):
        return None
    plain: dict[str, Any] = json.loads(text)
    return plain


def with_call(result: Result, call: Mapping[str, Any] | None) -> Result:
    """The same, with the call in its info."""
    if call is not None:
        result.header = replace(result.header, info={**result.header.info, INFO: dict(call)})
    return result
