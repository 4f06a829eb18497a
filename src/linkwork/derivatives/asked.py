"""What derivatives are asked of: variables of a result, quantities of bodies and joints by name, functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.functionals import Final, Integral
from linkwork.errors import LinkworkError, UsageError, nearest
from linkwork.quantities.formulas import REACTIONS, Formula, elements_named, formula_of, is_name
from linkwork.quantities.model import mechanism_of
from linkwork.quantities.of_results import value_of
from linkwork.result import Result

Array = NDArray[np.float64]
Quantity = Callable[[Result], Any]
Asked = str | Quantity | Sequence[str | Quantity] | Mapping[str, str | Quantity]
OF_BODIES = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")


@dataclass(frozen=True)
class OfFormula:
    """A formula as a function of a result."""

    formula: Formula

    def __call__(self, result: Result) -> Array:
        return value_of(self.formula, result)

    @property
    def functional(self) -> Final | Integral | None:
        """What the adjoint differentiates, of the end or the integral of a formula over time."""
        kind, inner = self.formula.reduced or ("", "")
        return Final(inner) if kind == "final" else Integral(inner) if kind == "integral" else None


def quantities(result: Result, of: Asked) -> dict[str, Quantity]:
    """Name -> function of a result. Raises UsageError for names that do not exist."""
    return {name: _function(result, one) for name, one in with_names(of).items()}


def with_names(of: Any) -> dict[str, Any]:
    """What is asked for, by name: its own, that of a function, or the one that a mapping gives. Raises UsageError."""
    try:
        some = [of] if isinstance(of, str) or callable(of) else list(of)
    except TypeError:
        raise UsageError(
            f"of must be the name of a quantity, a function, or several of these, not {of!r}.",
            remedy="Give of=['position', ...], or a mapping that gives them names.",
        ) from None
    if not some:
        raise UsageError("nothing to differentiate is named.", remedy="Give of=['position', ...] or a function.")
    if isinstance(of, Mapping):
        return {str(name): one for name, one in of.items()}
    found: dict[str, Any] = {}
    for one in (str(one) if isinstance(one, str) else one for one in some):
        name = one if isinstance(one, str) else str(getattr(one, "__name__", "quantity"))
        if name in found:
            raise UsageError(
                f"{name!r} is asked for twice.", remedy="Give two that look alike names of their own: of={name: ...}."
            )
        found[name] = one
    return found


def _coordinates(result: Result, joint: str) -> Sequence[str]:
    """Names of a joint's coordinates with their rates; none of what moves along no coordinate."""
    try:
        return [*result.joint(joint)]
    except LinkworkError:
        return ()


def _function(result: Result, one: Any) -> Quantity:
    if callable(one):
        quantity: Quantity = one
        return quantity
    if not isinstance(one, str):
        raise UsageError(f"{one!r} is neither the name of a quantity nor a function of a result.")
    if one in result and one != "time":
        return lambda res: res[one]
    owner, _, what = one.rpartition(".")
    if owner in result.bodies and what in OF_BODIES:
        return lambda res: getattr(res, what)(owner)
    if owner in result.joints and what in ("force", "torque"):
        return lambda res: getattr(res.reaction(owner), what)
    if owner in result.rows and what == "multiplier":
        return lambda res: res.multiplier(owner)
    if owner in result.joints and what in _coordinates(result, owner):
        return lambda res: res.joint(owner)[what]
    mechanism = mechanism_of(result)
    try:
        return OfFormula(formula_of(mechanism, one))
    except UsageError:
        if not {owner, one}.isdisjoint(elements_named(mechanism)) or not is_name(mechanism, one):
            raise
    known = [name for name in result.variables if name != "time"]
    known += [f"{body}.{what}" for body in result.bodies for what in OF_BODIES]
    known += [f"{joint}.{what}" for joint in result.joints for what in REACTIONS]
    near = f"Did you mean {nearest(one, known)!r}? " if nearest(one, known) else ""
    raise UsageError(
        f"a result has no quantity {one!r}.",
        remedy=f"{near}Name a variable of results (position, energy), BODY.velocity.x, JOINT.angle, SPRING.force, "
        "JOINT.reaction_force, a sensor, a formula of these (max(BODY.velocity.x)), or give a function of a result.",
    )
