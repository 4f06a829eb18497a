"""Options of a planned call: those of samples and of the start, and those that pairs keep to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.errors import UsageError
from linkwork.planner.methods import Method
from linkwork.run.matching import share_out
from linkwork.run.samples import Acceptance, Samples


def recorded(options: Mapping[str, Any], samples: Samples) -> tuple[dict[str, Any], Samples, Acceptance]:
    """Options that belong to neither samples nor the start; and these two with theirs."""
    flat = {**options, **(options.get("options") or {})}
    flat.pop("options", None)
    given = {name: value for name, value in flat.items() if value is not None}
    accepted = Acceptance()
    mine = {name: given.pop(name) for name in tuple(given) if name in samples.options}
    start = {name: given.pop(name) for name in tuple(given) if name in accepted.options}
    return given, samples.with_options(**mine), accepted.with_options(**start)


def with_options(methods: list[Method], options: Mapping[str, Any], *, chosen: bool, found: bool) -> list[Method]:
    """The pairs with further options of theirs. Raises UsageError for one that is the plan's, or nobody's.

    chosen, found : formulation and integrator are not named, and their options nobody's.
    """
    for name in options:
        if name in ("rtol", "atol"):
            raise UsageError(f"{name} and accuracy do not go together: the plan finds the tolerance that it takes.")
        owners = [one.formulation for one in methods if not chosen] + [one.integrator for one in methods if not found]
        if not any(name in one.options for one in owners):
            if any(name in (*one.formulation.options, *one.integrator.options) for one in methods):
                raise UsageError(f"{name} belongs to a formulation or an integrator that the plan may not choose.")
            share_out(options, methods[0].formulation, methods[0].integrator)  # which says whose it is
    return [
        Method(
            one.formulation.with_options(**{n: v for n, v in options.items() if n in one.formulation.options}),
            one.integrator.with_options(**{n: v for n, v in options.items() if n in one.integrator.options}),
        )
        for one in methods
    ]
