"""The explicit Euler method."""

from __future__ import annotations

from linkwork.integrators.tableaux.dense import Dense
from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.tableau import Tableau

EULER = Tableau(
    name="euler",
    title="explicit Euler",
    source="L. Euler, 1768",
    order=1,
    a=((),),
    b=numbers("1"),
    c=numbers("0"),
    dense=Dense((numbers("1"),), order=1),  # the straight line: a further stage would smooth it, not raise its order
)
