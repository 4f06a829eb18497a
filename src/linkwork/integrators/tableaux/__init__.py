"""Butcher tableaux of explicit Runge-Kutta methods: one file each, read when asked for.

A method is its numbers. The integrator that uses them is the same for all; on a Lie group its stages live in the
algebra (Munthe-Kaas), and every tableau keeps its order there.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from linkwork.registry import Registry

if TYPE_CHECKING:
    from linkwork.integrators.tableaux.tableau import Tableau

_HERE = "linkwork.integrators.tableaux"

TABLEAUX = Registry(
    "tableau",
    {
        "euler": f"{_HERE}.euler:EULER",
        "heun": f"{_HERE}.heun:HEUN",
        "rk4": f"{_HERE}.rk4:RK4",
        "bs32": f"{_HERE}.bs32:BS32",
        "dp54": f"{_HERE}.dp54:DP54",
        "ts54": f"{_HERE}.ts54:TS54",
        "dop853": f"{_HERE}.dop853:DOP853",
    },
    plural="tableaux",
)


@cache
def load_tableau(name: str) -> Tableau:
    """The tableau registered under `name`, checked. Raises UsageError if there is none or it is not what it claims."""
    from linkwork.integrators.tableaux.checks import check

    tableau: Tableau = TABLEAUX.load(name)
    check(tableau, name)
    return tableau
