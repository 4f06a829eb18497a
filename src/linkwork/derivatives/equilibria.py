"""How an equilibrium or a steady motion, what acts there, and its eigenvalues move with numbers of the description.

It is found again beside, by Newton's method to rounding from the one that is known, and differentiated by the formula
of eighth order that descriptions are (`stencil`). What everything turns with, and spins that were kept, are held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives import steady_motions
from linkwork.derivatives.asked import with_names
from linkwork.derivatives.continuation import Continuation, Found
from linkwork.derivatives.described import Described
from linkwork.derivatives.stencil import SMOOTH, derivative
from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.linearisation.equilibrium import Equilibrium
from linkwork.linearisation.modes import modes
from linkwork.linearisation.steady import SteadyMotion
from linkwork.linearisation.unrestored import unrestored_while_turning
from linkwork.mechanism import Mechanism
from linkwork.quantities.formulas import AXES, REACTIONS

Array = NDArray[np.float64]
ZERO = 1e-6  # of their size: eigenvalues of what looks alike from every angle of a turn
APART = 1e-6  # of their size: eigenvalues nearer to each other have no derivatives of their own
KNOWN: dict[str, Callable[[Equilibrium], Any]] = {
    "position": lambda found: found.state.position,
    "rotation": lambda found: found.state.rotation,
    "multipliers": lambda found: found.multipliers,
}


class Sized(NamedTuple):
    """A quantity of what was found, and the size of what it is a part of, where it may be rounding alone."""

    quantity: Callable[..., Any]
    size: float = 0.0


def of_equilibrium(found: Found, of: Any) -> dict[str, Sized]:
    """Name -> function of what was found. Raises UsageError for names that do not exist."""
    asked = with_names(of).items()
    return {
        name: Sized(one) if callable(one) else Sized(_known(found, str(one)), _size(found, str(one)))
        for name, one in asked
    }


def _size(found: Found, name: str) -> float:
    """How large quantities of a kind are; of reactions the largest of all, as forces at the mechanism's length."""
    what = name.removesuffix("." + name[-1]) if name[-2:-1] == "." and name[-1] in AXES else name
    what, at = what.rpartition(".")[2], found._at if isinstance(found, SteadyMotion) else found.compiled

    def most(values: Any) -> float:
        return float(np.max(np.abs(values), initial=0.0))

    if what in REACTIONS:
        forces, torques = (
            most([getattr(one, kind) for one in found.reactions.values()]) for kind in ("force", "torque")
        )
        return forces + torques / at.length if REACTIONS[what] == "force" else torques + forces * at.length
    if what == "position":
        return at.length + most(found.state.position)
    if what == "eigenvalues":
        return most(spectrum(found))
    return most(KNOWN[what](found) if what in KNOWN else steady_motions.KNOWN[what](found))  # type: ignore[arg-type]


def _known(found: Found, name: str) -> Callable[..., Any]:
    every: dict[str, Callable[..., Any]] = dict(KNOWN)
    of_bodies: tuple[str, ...] = ("position",)
    if isinstance(found, SteadyMotion):
        every, of_bodies = dict(steady_motions.KNOWN), steady_motions.OF_BODIES
    if name in every:
        return every[name]
    if name == "eigenvalues":
        return partial(eigenvalues, _apart(found))
    body, _, what = name.rpartition(".")
    if body in found.bodies and what in of_bodies:
        return steady_motions.of_body(found.bodies.index(body), every[what])
    joint, _, what = name.rpartition(".")
    if joint in found.reactions and what in REACTIONS:
        return lambda other: getattr(other.reactions[joint], REACTIONS[what])
    whole, _, axis = name.rpartition(".")
    if "." in whole and axis in [*AXES] and not whole.endswith(".rotation"):
        vector = _known(found, whole)
        return lambda other: np.asarray(vector(other))[AXES.index(axis)]
    known = [*every, "eigenvalues", *(f"{body}.{what}" for body in found.bodies for what in of_bodies)]
    known += [f"{joint}.{what}" for joint in found.reactions for what in REACTIONS]
    kind = "a steady motion" if isinstance(found, SteadyMotion) else "an equilibrium"
    raise UsageError(f"{kind} has no quantity {name!r}. {near_names(name, known)}")


def mechanism_of(found: Found) -> Mechanism:
    """The mechanism that was searched."""
    return found._source


def spectrum(found: Found) -> Any:
    """(n,) complex, 1/s. Of what turns or moves on, those that are zero but for rounding are zero: its symmetries'."""
    values = modes(mechanism_of(found), at=found).eigenvalues
    if found.turning is None:
        return values
    return np.where(np.abs(values) <= ZERO * float(np.max(np.abs(values), initial=0.0)), 0.0, values)


def _counted(found: Found, values: Any) -> NDArray[np.bool_]:
    """Those that move with numbers."""
    return np.ones(len(values), bool) if found.turning is None else values != 0.0


def eigenvalues(known: Any, found: Found) -> Any:
    """(n,) complex, 1/s, in the order of those that are known. Not numbers where there are more or fewer, as beyond
    where two without an oscillation become one with: nearer places are tried then (`stencil`)."""
    values = spectrum(found)
    left, wanted = list(values[_counted(found, values)]), _counted(found, known)
    if len(left) != np.sum(wanted):
        return np.full_like(known, np.nan)
    out = np.zeros_like(known)
    out[wanted] = [left.pop(int(np.argmin(np.abs(np.array(left) - one)))) for one in known[wanted]]
    return out


def _apart(found: Found) -> Any:
    values = spectrum(found)
    size = float(np.max(np.abs(values), initial=0.0))
    several = values[_counted(found, values)]
    for k, one in enumerate(several):
        others = np.delete(several, k)
        if others.size and np.min(np.abs(others - one)) <= APART * size:
            raise UsageError(
                f"eigenvalues coincide at {one:.6g} 1/s: they have no derivatives of their own.",
                remedy="Take a function of all of them that does not tell them apart, such as their sum.",
            )
    return values


def _need_determined(found: Found) -> None:
    if isinstance(found, SteadyMotion):
        steady_motions.need_determined(found)
        return
    free = found.unrestored
    if found.turning is not None:
        free = unrestored_while_turning(found._rest, found.turning)
    if free:
        raise UsageError(
            f"nothing brings back {free[0]}: how the equilibrium moves is not determined.",
            element=f"mechanism {mechanism_of(found).name!r}",
            remedy="Hold it by a joint or a spring.",
        )


def derivatives_of_equilibrium(found: Found, asked: dict[str, Sized], numbers: Sequence[Described]) -> dict[str, Array]:
    """Name -> (..., numbers)."""
    _need_determined(found)
    parts: dict[str, list[Array]] = {name: [] for name in asked}
    for number in numbers:
        followed = Continuation(found, number)
        h = followed.spacing
        for name, (quantity, size) in asked.items():
            change, rough = derivative(partial(followed.value, quantity), h, size)
            if not rough <= SMOOTH:
                raise followed.refused(f"{name!r} is not smooth in it")
            parts[name].append(change)
    return {name: np.stack(some, axis=-1) for name, some in parts.items()}
