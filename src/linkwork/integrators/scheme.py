"""What makes one implicit one-step method differ from another: ten numbers.

With v the coordinates' rates, x their second derivatives, and a a second set of these that some methods carry along,
a step of size h from (v, x, a) to (v+, x+, a+) is

    increment = h v + h^2 (step_a a + step_x x + step_y x+)
           v+ =   v + h   (rate_a a + rate_x x + rate_y x+)
           a+ =            next_a a + next_x x + next_y x+

x+ is the unknown, so that c_q = step_y h^2 and c_v = rate_y h (see `problems.implicit.Work`).
"""

from __future__ import annotations

from typing import NamedTuple

# entries of Run.scheme, in the order of Scheme
STEP_A, STEP_X, STEP_Y, RATE_A, RATE_X, RATE_Y, NEXT_A, NEXT_X, NEXT_Y, LAG = range(10)


class Scheme(NamedTuple):
    """The numbers of a method; a stands for second derivatives at t + lag h (the method is then consistent)."""

    step_a: float
    step_x: float
    step_y: float
    rate_a: float
    rate_x: float
    rate_y: float
    next_a: float
    next_x: float
    next_y: float
    lag: float
