"""How an equilibrium, what acts there, and its eigenvalues move with numbers of the description.

The equilibrium is found again beside, by Newton's method to rounding from the one that is known, and differentiated by
the formula of eighth order that descriptions are (`stencil`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.asked import with_names
from linkwork.derivatives.described import Described
from linkwork.derivatives.stencil import SMOOTH, derivative, spacing
from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.linearisation.equilibrium import Equilibrium, equilibrium
from linkwork.linearisation.modes import modes
from linkwork.mechanism import Mechanism

Array = NDArray[np.float64]
APART = 1e-6  # of their size: eigenvalues nearer to each other have no derivatives of their own
KNOWN: dict[str, Callable[[Equilibrium], Any]] = {
    "position": lambda found: found.state.position,
    "rotation": lambda found: found.state.rotation,
    "multipliers": lambda found: found.multipliers,
}


def moved_equilibrium(found: Equilibrium, number: Described, by: float) -> Equilibrium:
    """The same equilibrium with the number larger by so much."""
    return equilibrium(number.moved(by), at=found.state)


def of_equilibrium(found: Equilibrium, of: Any) -> dict[str, Callable[[Equilibrium], Any]]:
    """Name -> function of an equilibrium. Raises UsageError for names that do not exist."""
    return {name: one if callable(one) else _known(found, str(one)) for name, one in with_names(of).items()}


def _known(found: Equilibrium, name: str) -> Callable[[Equilibrium], Any]:
    if name in KNOWN:
        return KNOWN[name]
    if name == "eigenvalues":
        return partial(eigenvalues, _apart(found))
    body, _, what = name.rpartition(".")
    if body in found.bodies and what == "position":
        return lambda other: other.position(body)
    joint, _, what = name.rpartition(".")
    if joint in found.reactions and what in ("force", "torque"):
        return lambda other: getattr(other.reactions[joint], what)
    known = [*KNOWN, "eigenvalues", *(f"{body}.position" for body in found.bodies)]
    known += [f"{joint}.{what}" for joint in found.reactions for what in ("force", "torque")]
    raise UsageError(f"an equilibrium has no quantity {name!r}. {near_names(name, known)}")


def mechanism_of(found: Equilibrium) -> Mechanism:
    """The mechanism that was searched."""
    return found._source


def eigenvalues(known: Any, found: Equilibrium) -> Any:
    """(n,) complex, 1/s, in the order of those that are known."""
    left = list(modes(mechanism_of(found), at=found).eigenvalues)
    if len(left) != len(known):
        raise UsageError("the number of eigenvalues changes nearby: they have no derivatives.")
    return np.array([left.pop(int(np.argmin(np.abs(np.array(left) - one)))) for one in known])


def _apart(found: Equilibrium) -> Any:
    values = modes(mechanism_of(found), at=found).eigenvalues
    size = float(np.max(np.abs(values), initial=0.0))
    for k, one in enumerate(values):
        others = np.delete(values, k)
        if others.size and np.min(np.abs(others - one)) <= APART * size:
            raise UsageError(
                f"eigenvalues coincide at {one:.6g} 1/s: they have no derivatives of their own.",
                remedy="Take a function of all of them that does not tell them apart, such as their sum.",
            )
    return values


def derivatives_of_equilibrium(
    found: Equilibrium, asked: dict[str, Callable[[Equilibrium], Any]], numbers: Sequence[Described]
) -> dict[str, Array]:
    """Name -> (..., numbers)."""
    if found.turning is not None:
        raise UsageError("sensitivities of steady motions are not implemented; take an equilibrium at rest.")
    if found.unrestored:
        raise UsageError(
            f"nothing brings back {found.unrestored[0]}: how the equilibrium moves is not determined.",
            element=f"mechanism {mechanism_of(found).name!r}",
            remedy="Hold it by a joint or a spring.",
        )
    parts: dict[str, list[Array]] = {name: [] for name in asked}
    for number in numbers:
        h = spacing(abs(number.value) or 1.0)
        found_there: dict[float, Equilibrium] = {}
        for name, quantity in asked.items():
            change, rough = derivative(partial(_value, found, number, found_there, quantity), h)
            if not rough <= SMOOTH:
                raise UsageError(
                    f"there is no derivative with respect to {number.name!r} at {number.value:g}: {name!r} is not "
                    "smooth in it.",
                    element=f"mechanism {number.mechanism.name!r}",
                )
            parts[name].append(change)
    return {name: np.stack(some, axis=-1) for name, some in parts.items()}


def _value(
    found: Equilibrium,
    number: Described,
    found_there: dict[float, Equilibrium],
    quantity: Callable[..., Any],
    by: float,
) -> Array:
    if by not in found_there:
        found_there[by] = moved_equilibrium(found, number, by)
    return np.asarray(quantity(found_there[by]))
