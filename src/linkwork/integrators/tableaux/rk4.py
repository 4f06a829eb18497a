"""The classical Runge-Kutta method of order 4, which Müller 2013 uses for his examples."""

from __future__ import annotations

from linkwork.integrators.tableaux.dense import Dense
from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.tableau import Tableau

RK4 = Tableau(
    name="rk4",
    title="the classical Runge-Kutta method",
    source="W. Kutta, 1901",
    order=4,
    a=((), numbers("1/2"), numbers("0 1/2"), numbers("0 0 1")),
    b=numbers("1/6 1/3 1/3 1/6"),
    c=numbers("0 1/2 1/2 1"),
    # the cubic that the four stages determine: order 3 like the Hermite polynomial, but without a further stage
    dense=Dense(
        (numbers("1 -3/2 2/3"), numbers("0 1 -2/3"), numbers("0 1 -2/3"), numbers("0 -1/2 2/3")),
        order=3,
    ),
)
