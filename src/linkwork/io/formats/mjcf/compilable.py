"""Mass and inertia of bodies as MuJoCo's compiler takes them."""

from __future__ import annotations

import numpy as np

from linkwork.io.formats.outward import APPROXIMATED, MAPPED, REFUSED, Arc, Outward
from linkwork.mechanism.elements import Array

SMALLEST = 1e-15  # kg, kg m^2: MuJoCo's mjMINVAL
ROUNDING = 4e-15  # of the sum of the moments: how far rounding takes a flat body's past A + B >= C


def compilable(mass: float, inertia: Array, *, carried: bool) -> tuple[Array, str, str]:
    """The inertia (3, 3) to write, kg m^2, and what becomes of the body, with the reason.

    carried : whether the body may be without mass: it does not move, or bodies that are fixed to it have mass.
    """
    if mass <= SMALLEST and np.any(inertia):
        return inertia, REFUSED, f"has inertia and a mass of {mass:.3g} kg, which MuJoCo does not compile"
    if mass <= SMALLEST:
        return inertia, *((MAPPED, "") if carried else (REFUSED, "moves without mass, which MuJoCo does not compile"))
    least, middle, largest = np.linalg.eigvalsh(inertia)
    if least <= SMALLEST:
        return inertia, REFUSED, f"has a moment of inertia of {least:.3g} kg m^2; MuJoCo compiles none below {SMALLEST}"
    lacking = largest - least - middle
    total = least + middle + largest
    if lacking > ROUNDING * total:
        return inertia, REFUSED, "has moments of inertia A + B < C, as no real body has, which MuJoCo does not compile"
    if lacking < -ROUNDING * total:
        return inertia, MAPPED, ""
    more = 2.0 * ROUNDING * total
    return inertia + more * np.eye(3), APPROXIMATED, f"flat: moments are {more:.1g} kg m^2 larger, by rounding alone"


def fixed_to(work: Outward, children: dict[str, list[Arc]], name: str) -> bool:
    """Whether a body with mass is fixed to this one, at once or by others."""
    return any(
        (work.mechanism.element(arc.child).mass_properties()[0] or 0.0) > SMALLEST
        or fixed_to(work, children, arc.child)
        for arc in children.get(name, [])
        if arc.joint.type == "fixed"
    )
