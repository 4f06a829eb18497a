"""The pair of orders 5(4) of Dormand and Prince, with an extension of order 4 from its own stages."""

from __future__ import annotations

from linkwork.integrators.tableaux.dense import Dense
from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.tableau import Tableau

DP54 = Tableau(
    name="dp54",
    title="Dormand-Prince 5(4)",
    source="J. R. Dormand, P. J. Prince, 1980; extension L. F. Shampine, 1986",
    order=5,
    a=(
        (),
        numbers("1/5"),
        numbers("3/40 9/40"),
        numbers("44/45 -56/15 32/9"),
        numbers("19372/6561 -25360/2187 64448/6561 -212/729"),
        numbers("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
        numbers("35/384 0 500/1113 125/192 -2187/6784 11/84"),
    ),
    b=numbers("35/384 0 500/1113 125/192 -2187/6784 11/84 0"),
    c=numbers("0 1/5 3/10 4/5 8/9 1 1"),
    e=numbers("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),
    error_order=4,
    dense=Dense(
        (
            numbers("1 -8048581381/2820520608 8663915743/2820520608 -12715105075/11282082432"),
            numbers("0 0 0 0"),
            numbers("0 131558114200/32700410799 -68118460800/10900136933 87487479700/32700410799"),
            numbers("0 -1754552775/470086768 14199869525/1410260304 -10690763975/1880347072"),
            numbers("0 127303824393/49829197408 -318862633887/49829197408 701980252875/199316789632"),
            numbers("0 -282668133/205662961 2019193451/616988883 -1453857185/822651844"),
            numbers("0 40617522/29380423 -110615467/29380423 69997945/29380423"),
        ),
        order=4,
    ),
)
