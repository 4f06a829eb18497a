"""The pair of orders 3(2) of Bogacki and Shampine, with the cubic Hermite polynomial as extension."""

from __future__ import annotations

from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.tableau import Tableau

BS32 = Tableau(
    name="bs32",
    title="Bogacki-Shampine 3(2)",
    source="P. Bogacki, L. F. Shampine, 1989",
    order=3,
    a=((), numbers("1/2"), numbers("0 3/4"), numbers("2/9 1/3 4/9")),
    b=numbers("2/9 1/3 4/9 0"),
    c=numbers("0 1/2 3/4 1"),
    e=numbers("-5/72 1/12 1/9 -1/8"),
    error_order=2,
)
