"""Options of a planned call: those of samples and of the start, and those that pairs keep to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.errors import UsageError
from linkwork.options import with_mapping
from linkwork.planner.methods import LOOSEST, Method
from linkwork.run.matching import share_out
from linkwork.run.samples import Acceptance, Samples

TIMES = "t_eval"  # an option of integrators that says when samples are wanted


def recorded(options: Mapping[str, Any], samples: Samples) -> tuple[dict[str, Any], Samples, Acceptance]:
    """Options that belong to neither samples nor the start; and these two with theirs."""
    flat = with_mapping(options)
    given = {name: value for name, value in flat.items() if value is not None}
    accepted = Acceptance()
    mine = {name: given.pop(name) for name in tuple(given) if name in samples.options}
    start = {name: given.pop(name) for name in tuple(given) if name in accepted.options}
    return given, samples.with_options(**mine), accepted.with_options(**start)


def with_options(methods: list[Method], options: Mapping[str, Any], *, chosen: bool, found: bool) -> list[Method]:
    """The pairs with further options of theirs. Raises UsageError for one that is the plan's, or nobody's.

    chosen, found : formulation and integrator are not named, and their options nobody's. Times of samples (t_eval) may
    be said all the same, and leave the pairs that find their own steps.
    """
    for name in options:
        if name in ("rtol", "atol"):
            raise UsageError(f"{name} and accuracy do not go together: the plan finds the tolerance that it takes.")
        owners = [one.formulation for one in methods if not chosen] + [one.integrator for one in methods if not found]
        if name != TIMES and not any(name in one.options for one in owners):
            if any(name in (*one.formulation.options, *one.integrator.options) for one in methods):
                raise UsageError(f"{name} belongs to a formulation or an integrator that the plan may not choose.")
            share_out(options, methods[0].formulation, methods[0].integrator)  # which says whose it is
    if TIMES in options and found:
        methods = [one for one in methods if one.controlled and TIMES in one.integrator.options]
    return [Method(_with(one.formulation, options), _with(one.integrator, options)) for one in methods]


def _with(owner: Any, options: Mapping[str, Any]) -> Any:
    """A formulation or an integrator with its part of the options."""
    given = {name: value for name, value in options.items() if name in owner.options}
    if TIMES in given and "rtol" in owner.options:
        given["rtol"] = LOOSEST  # which such times want beside them; the plan puts its own there
    return owner.with_options(**given)
