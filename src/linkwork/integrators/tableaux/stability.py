"""How far a method is stable along the negative real and the imaginary axis: facts computed from its tableau."""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest

import numpy as np

from linkwork.integrators.tableaux.tableau import Tableau

NOTHING = 1e-20  # coefficients below it are zeros of the order conditions, written in decimals


def polynomial(tableau: Tableau) -> list[Fraction]:
    """Coefficients of R(z) = 1 + z b . 1 + z**2 b . a 1 + ...: a step turns x into R(z) x on x' = (z / h) x."""
    v = [Fraction(1)] * tableau.stages
    R = [Fraction(1)]
    for _ in range(tableau.stages):
        R.append(sum((Fraction(b) * x for b, x in zip(tableau.b, v, strict=True)), Fraction(0)))
        v = [sum((Fraction(w) * x for w, x in zip(row, v, strict=False)), Fraction(0)) for row in tableau.a]
    return R


def real_limit(tableau: Tableau) -> float:
    """The largest x up to which |R(-x)| <= 1: damping and friction."""
    decay = [r * (-1) ** k for k, r in enumerate(polynomial(tableau))]
    return min(_first_root(decay[1:]), _first_root([decay[0] + 1, *decay[1:]]))


def imaginary_limit(tableau: Tableau) -> float:
    """The largest y up to which |R(i y)| <= 1: vibrations without damping. Zero if it exceeds 1 at once."""
    R = polynomial(tableau)
    even = [r * (-1) ** k for k, r in enumerate(R[0::2])]  # of y**2
    odd = [r * (-1) ** k for k, r in enumerate(R[1::2])]
    excess = [x + y for x, y in zip_longest(_square(even), [Fraction(0), *_square(odd)], fillvalue=Fraction(0))]
    excess[0] -= 1
    first = next(k for k, x in enumerate(excess) if abs(x) > NOTHING)
    if excess[first] > 0:
        return 0.0
    return float(np.sqrt(_first_root(excess[first:])))


def _square(p: list[Fraction]) -> list[Fraction]:
    out = [Fraction(0)] * (2 * len(p) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(p):
            out[i + j] += x * y
    return out


def _first_root(p: list[Fraction]) -> float:
    """The least positive root of p[0] + p[1] x + ..., infinity without one."""
    roots = np.roots([float(x) for x in reversed(p)])
    positive = roots.real[(np.abs(roots.imag) < 1e-9 * np.abs(roots)) & (roots.real > 0.0)]
    return float(positive.min(initial=np.inf))
