"""Heun's method: here, as in most of the literature, the explicit trapezoidal rule of order 2.

(Some authors give the name to other methods of order 2, or to one of order 3.)
"""

from __future__ import annotations

from linkwork.integrators.tableaux.dense import Dense
from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.tableau import Tableau

HEUN = Tableau(
    name="heun",
    title="Heun, the explicit trapezoidal rule",
    source="K. Heun, 1900",
    order=2,
    a=((), numbers("1")),
    b=numbers("1/2 1/2"),
    c=numbers("0 1"),
    # the parabola that the two stages determine: order 2 is all that the end of the step has
    dense=Dense((numbers("1 -1/2"), numbers("0 1/2")), order=2),
)
