"""How an equilibrium moves with a number of the mechanism: exact, from the stiffness that its search ended with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_3.variations import apply
from linkwork.errors import UsageError
from linkwork.kernels.force_laws.laws import law_of
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.newton import Rest
from linkwork.linearisation.restoring import restoring
from linkwork.linearisation.signals import input_force
from linkwork.mechanism.elements import did_you_mean
from linkwork.system.packed import system_of

Array = NDArray[np.float64]
STEP = 1e-30


def sensitivity(rest: Rest, name: str) -> Array:
    """(nb, 6) how all bodies move per unit of a number: translation global [m], rotation in the body [rad].

    name : SPRING.stiffness, SPRING.length (of one about an axis .angle), BODY.mass, or an input of `linearise`.
    Raises UsageError for a name that does not exist, or where a freedom has no restoring force.
    """
    if not isinstance(name, str):
        raise UsageError(f"the name of a number is wanted, such as 'BODY.mass', not {name!r}.")
    e, H = rest.equations, rest.stiffness
    force = force_by(e, name)
    if H.shape[0] != H.shape[1] or restoring(rest).free.size:
        raise UsageError(
            "a freedom has no restoring force: how the equilibrium moves is not determined.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="`unrestored` names it; hold it by a joint or a spring.",
        )
    moves = e.displacements.basis @ np.linalg.solve(H, e.velocities.basis.T @ force)
    found: Array = moves.reshape(-1, 6)
    return found


def force_by(e: Equations, name: str) -> Array:
    """(6 nb,) how the forces on all bodies change with a number, the pose held."""
    lowered, work = e.at.lowered, e.applied.work
    owner, _, what = name.rpartition(".")
    numbers = {
        f"{one.name}.{said}": (k, column)
        for k, one in enumerate(lowered.elements)
        for said, column in (("stiffness", "stiffness"), (law_of(one.law).rest, "rest"))
    }
    if owner in e.at.body_names and what == "mass":
        out = np.zeros((e.at.nb, 6))
        out[e.at.body_names.index(owner), :3] = e.at.system.gravity
        return out.ravel()
    if name in numbers:
        k, column = numbers[name]
        tables: Any = e.applied.mechanism.tables
        tables = tables._replace(element=tables.element.astype(complex))
        getattr(system_of(tables).elements, column)[k] += 1j * STEP
        stepped: Any = work._replace(e=work.e.astype(complex))
        apply(tables, stepped)
        changed: Array = -stepped.e[:-1].ravel().imag / STEP
        return changed
    try:
        return input_force(e, name)
    except UsageError:
        known = [*numbers, *(f"{body}.mass" for body in e.at.body_names)]
        raise UsageError(
            f"there is no number {name!r} to differentiate by{did_you_mean(name, known)}",
            element=f"mechanism {lowered.name!r}",
        ) from None
