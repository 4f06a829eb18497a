"""Which integrators go with which formulation, and whose each option is.

A pair fits where the formulation hands itself over in a shape that the integrator takes (`problems.shapes`), so that
neither needs to know the other by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.errors import IncompatiblePairError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.header import near_names
from linkwork.integrators import INTEGRATORS


def fitting(formulation: str) -> tuple[str, ...]:
    """Names of the integrators that fit a formulation, the one to take without further wishes first."""
    chosen = FORMULATIONS.load(formulation)
    names = [name for name in INTEGRATORS if INTEGRATORS.load(name).shape in chosen.shapes]
    usual: str = chosen.default_integrator
    return tuple(sorted(names, key=lambda name: name != usual))


def pair(formulation: str, integrator: str | None, wish: str | None = None) -> tuple[Any, Any]:
    """The two objects. Raises UsageError for unknown names, IncompatiblePairError for a pair that does not fit.

    integrator : None takes the one wished for where it fits, and else the formulation's usual one.
    """
    chosen = FORMULATIONS.load(formulation)
    if integrator is None and wish is not None and INTEGRATORS.load(wish).shape in chosen.shapes:
        integrator = wish
    method = INTEGRATORS.load(integrator or chosen.default_integrator)
    if method.shape not in chosen.shapes:
        raise IncompatiblePairError(
            f"integrator {integrator!r} does not fit formulation {formulation!r}.",
            remedy=f"Fitting ones: {', '.join(fitting(formulation))}.",
        )
    return chosen, method


def share_out(given: Mapping[str, Any], chosen: Any, method: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that were given (not None), as those of the formulation and those of the integrator.

    Raises UsageError for one that neither of them has.
    """
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if name not in (*chosen.options, *method.options):
            raise UsageError(
                f"option {name} belongs neither to formulation {chosen.name!r} nor to integrator {method.name!r}.",
                remedy=_whose(name),
            )
    return (
        {name: value for name, value in options.items() if name in chosen.options},
        {name: value for name, value in options.items() if name in method.options},
    )


def _whose(name: str) -> str:
    """Who has the option, in words."""
    owners = [
        *(f"formulation {owner}" for owner in FORMULATIONS if name in FORMULATIONS.load(owner).options),
        *(f"integrator {owner}" for owner in INTEGRATORS if name in INTEGRATORS.load(owner).options),
    ]
    if owners:
        return f"It belongs to: {', '.join(owners)}."
    return near_names(name, sorted({o for owner in INTEGRATORS for o in INTEGRATORS.load(owner).options}))


def describe() -> list[dict[str, Any]]:
    """Every registered formulation as plain data, in the order of the registry. Compiles nothing."""
    return [{**FORMULATIONS.load(name).describe(), "integrators": list(fitting(name))} for name in FORMULATIONS]


def describe_integrators() -> list[dict[str, Any]]:
    """Every registered integrator as plain data."""
    return [INTEGRATORS.load(name).describe() for name in INTEGRATORS]
