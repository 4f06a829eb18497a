"""What derivatives are asked of: variables of a result, quantities of bodies and joints by name, functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError, UsageError
from linkwork.header import near_names
from linkwork.result import Result

Array = NDArray[np.float64]
Quantity = Callable[[Result], Any]
Asked = str | Quantity | Sequence[str | Quantity] | Mapping[str, str | Quantity]
OF_BODIES = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")


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
    for one in some:
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
    known = [name for name in result.variables if name != "time"]
    known += [f"{body}.{what}" for body in result.bodies for what in OF_BODIES]
    known += [
        f"{joint}.{what}" for joint in result.joints for what in ("force", "torque", *_coordinates(result, joint))
    ]
    what_there_is = (
        "Name a variable of results, BODY.velocity, JOINT.force, JOINT.angle, or give a function of a result."
    )
    raise UsageError(f"a result has no quantity {one!r}.", remedy=f"{near_names(one, known)} {what_there_is}")
