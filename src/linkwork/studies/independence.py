"""How differently two formulations go about the same motion.

A formulation says in `classification` which family of code it is, which coordinates it has, which equations it solves
and who solves them. Two formulations are the more independent the more of these differ. One that says nothing (from
another package) counts as different in everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.problems.shapes import EXPLICIT
from linkwork.run.matching import fitting

CLASSIFICATION = ("family", "coordinates", "equations", "solver")


def classification(formulation: str) -> tuple[str, ...]:
    """Family, coordinates, equations and solver of a formulation."""
    found: Any = getattr(FORMULATIONS.load(formulation), "classification", None)
    return tuple(found) if found else (formulation,) * len(CLASSIFICATION)


def same_as(formulation: str) -> str:
    """The formulation that this one is under another name, with integrators that both take; else nothing."""
    return str(getattr(FORMULATIONS.load(formulation), "same_as", ""))


def differing(one: str, other: str) -> tuple[str, ...]:
    """In which ways two formulations differ, in words: in none where they are one under two names."""
    if one in (other, same_as(other)) or other == same_as(one):
        return ()
    return tuple(
        what for what, a, b in zip(CLASSIFICATION, classification(one), classification(other), strict=True) if a != b
    )


def by_independence(of: Iterable[str]) -> list[str]:
    """Every other registered formulation, the most independent of all those given first, else in registry order."""
    taken = list(of)
    others = [name for name in FORMULATIONS if name not in taken]
    return sorted(others, key=lambda name: -min((len(differing(name, one)) for one in taken), default=0))


def controlled(formulation: str, besides: str | None = None) -> str | None:
    """The explicit integrator of highest order that controls its error and fits a formulation, or None.

    besides : one not to take where there is another.
    """
    found = ((name, INTEGRATORS.load(name)) for name in fitting(formulation))
    able = [name for name, method in found if "rtol" in method.options and method.shape == EXPLICIT]
    able.sort(key=lambda name: -order_of(name))
    return next((name for name in able if name != besides), able[0] if able else None)


def order_of(integrator: str) -> int:
    """Its order."""
    return int(INTEGRATORS.load(integrator).describe()["order"])
