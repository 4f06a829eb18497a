"""Which integrators go with which formulation, and whose each option is.

A pair fits where the formulation hands itself over in a shape that the integrator takes (`problems.shapes`), so that
neither needs to know the other by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkwork.errors import IncompatiblePairError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.contract import Formulation
from linkwork.integrators import INTEGRATORS, shape_of
from linkwork.integrators.contract import Integrator
from linkwork.options import Configured, nearest
from linkwork.registry import Registry

ADAPTIVE = ("ts54", "radau5")  # the integrator where tolerances are given and none is named: the first that fits


def formulation_of(said: str | Formulation) -> Formulation:
    """The formulation of this name, or the one that was handed over. Raises UsageError for an unknown name."""
    found: Formulation = _named_or_given(said, "shapes", FORMULATIONS)
    return found


def integrator_of(said: str | Integrator[Any]) -> Integrator[Any]:
    """Likewise of an integrator."""
    found: Integrator[Any] = _named_or_given(said, "shape", INTEGRATORS)
    return found


def _named_or_given(said: Any, what: str, registry: Registry) -> Any:
    """An object that has a name and what pairs go by (arrays have shapes alone); else what is registered."""
    if not hasattr(said, what) or not (hasattr(said, "name") or isinstance(said, type)):
        return registry.load(said)
    if isinstance(said, type):
        raise UsageError(f"{said.__name__} is a class.", remedy=f"Hand over an object of it: {said.__name__}().")
    return said


def fitting(formulation: str | Formulation) -> tuple[str, ...]:
    """Names of the integrators that fit a formulation, the one to take without further wishes first."""
    chosen = formulation_of(formulation)
    names = [name for name in INTEGRATORS if shape_of(name) in chosen.shapes]
    return tuple(sorted(names, key=lambda name: name != chosen.default_integrator))


def pair(
    formulation: str | Formulation, integrator: str | Integrator[Any] | None, wishes: Sequence[str] | None = None
) -> tuple[Formulation, Integrator[Any]]:
    """The two objects. Raises UsageError for unknown names, IncompatiblePairError for a pair that does not fit.

    integrator : None takes the first of those wished for that fits, and else the formulation's usual one.
    """
    chosen = formulation_of(formulation)
    if integrator is None:
        integrator = next((wish for wish in wishes or () if shape_of(wish) in chosen.shapes), None)
    method = integrator_of(chosen.default_integrator if integrator is None else integrator)
    if method.shape not in chosen.shapes:
        raise IncompatiblePairError(
            f"integrator {method.name!r} does not fit formulation {chosen.name!r}.",
            remedy=f"Fitting ones: {', '.join(fitting(chosen))}.",
        )
    return chosen, method


def share_out(given: Mapping[str, Any], chosen: Any, method: Any, *others: Configured) -> tuple[dict[str, Any], ...]:
    """The options that were given (not None), as those of the formulation, of the integrator, and of further owners.

    Raises UsageError for one that none of them has.
    """
    options = {name: value for name, value in given.items() if value is not None}
    owners = (chosen, method, *others)
    for name in options:
        if not any(name in owner.options for owner in owners):
            raise UsageError(
                f"option {name} belongs neither to formulation {chosen.name!r} nor to integrator {method.name!r}.",
                remedy=_whose(name, owners),
            )
    return tuple({name: value for name, value in options.items() if name in owner.options} for owner in owners)


def pair_at_rest(
    formulation: str | Formulation, integrator: str | Integrator[Any] | None, options: Mapping[str, Any]
) -> tuple[Formulation, Integrator[Any]]:
    """The two objects where nothing is integrated: options are the formulation's. Raises UsageError for others."""
    chosen, method = pair(formulation, integrator)
    of_formulation, others = share_out(options, chosen, method)
    if others:
        raise UsageError(
            f"option {next(iter(others))} belongs to integrator {method.name!r}, and nothing is integrated here."
        )
    return chosen.with_options(**of_formulation), method


def _whose(name: str, owners: tuple[Any, ...]) -> str:
    """Who has the option, in words; where nobody has, the nearest that these owners have, or anybody."""
    found = [
        *(f"formulation {owner}" for owner in FORMULATIONS if name in FORMULATIONS.load(owner).options),
        *(f"integrator {owner}" for owner in INTEGRATORS if name in INTEGRATORS.load(owner).options),
    ]
    if found:
        return f"It belongs to: {', '.join(found)}."
    mine = [option for owner in owners for option in owner.options]
    anybody = [option for r in (FORMULATIONS, INTEGRATORS) for owner in r for option in r.load(owner).options]
    near = nearest(name, mine)
    if near.startswith("Did you mean"):
        return near
    far = nearest(name, anybody)
    return far if far.startswith("Did you mean") else f"These two have: {', '.join(sorted(set(mine)))}."


def describe() -> list[dict[str, Any]]:
    """Every registered formulation as plain data, in the order of the registry. Compiles nothing."""
    return [{**FORMULATIONS.load(name).describe(), "integrators": list(fitting(name))} for name in FORMULATIONS]


def describe_integrators() -> list[dict[str, Any]]:
    """Every registered integrator as plain data."""
    return [INTEGRATORS.load(name).describe() for name in INTEGRATORS]
