"""Integrators: they move a state, and know neither mechanisms nor formulations (only the shapes in problems/).

Every tableau of `integrators.tableaux` is an integrator under its own name.
"""

from __future__ import annotations

from linkwork.integrators.tableaux import TABLEAUX
from linkwork.problems.shapes import EXPLICIT, IMPLICIT, MOMENTA
from linkwork.registry import Registry

_HERE = "linkwork.integrators"


class _Integrators(Registry):
    """The entries below, and all tableaux."""

    def _all(self) -> dict[str, str]:
        entries = super()._all()
        for name in TABLEAUX:
            entries.setdefault(name, f"{_HERE}.runge_kutta:{name}")
        return entries


INTEGRATORS = _Integrators(
    "integrator",
    {
        "implicit-euler": f"{_HERE}.implicit_euler:IMPLICIT_EULER",
        "generalized-alpha": f"{_HERE}.generalized_alpha:GENERALIZED_ALPHA",
        "radau": f"{_HERE}.radau:RADAU",
        "radau5": f"{_HERE}.radau:RADAU5",
        "radau9": f"{_HERE}.radau:RADAU9",
        "radau13": f"{_HERE}.radau:RADAU13",
        "implicit-midpoint": f"{_HERE}.symmetric:IMPLICIT_MIDPOINT",
        "stormer-verlet": f"{_HERE}.symmetric:STORMER_VERLET",
        "rattle": f"{_HERE}.rattle:RATTLE",
        "rattle4": f"{_HERE}.rattle:RATTLE4",
        "rattle6": f"{_HERE}.rattle:RATTLE6",
        "shake": f"{_HERE}.rattle:SHAKE",
    },
)

# the problem shapes of those above, so that listing what fits a formulation imports none of them
_SHAPES = {
    "implicit-euler": IMPLICIT,
    "generalized-alpha": IMPLICIT,
    "radau": IMPLICIT,
    "radau5": IMPLICIT,
    "radau9": IMPLICIT,
    "radau13": IMPLICIT,
    "implicit-midpoint": EXPLICIT,
    "stormer-verlet": EXPLICIT,
    "rattle": MOMENTA,
    "rattle4": MOMENTA,
    "rattle6": MOMENTA,
    "shake": MOMENTA,
}


def shape_of(name: str) -> str:
    """The problem shape that a registered integrator takes. Raises UsageError for an unknown name."""
    of_tableau = INTEGRATORS.get(name) == f"{_HERE}.runge_kutta:{name}"
    found: str = _SHAPES.get(name, EXPLICIT if of_tableau else "") or INTEGRATORS.load(name).shape
    return found
