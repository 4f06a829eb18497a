"""The derivative of what Python makes of a description: a symmetric formula of eighth order in one number.

What is made of a description, and what is asked of a result, are smooth closed expressions in its numbers, linear in
most of them. Eight values at whole multiples of a power of two give the derivative of a polynomial of eighth degree to
rounding, that of 1/x to 1e-13. Where formulas of eighth and sixth order differ, the map is not smooth: that is refused.
So is a corner at the number itself, which both formulas pass over: it shows in sums f(kh) + f(-kh), even in k where f
is smooth. So is a jump from the number itself to both sides, as of axes that are chosen otherwise beside it: it shows
where f(0) is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PLACES = (-4, -3, -2, -1, 1, 2, 3, 4)
EIGHTH = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SIXTH = np.array([0.0, -1 / 60, 3 / 20, -3 / 4, 3 / 4, -3 / 20, 1 / 60, 0.0])
FOURTH = np.array([1 / 12, -2 / 3, 2 / 3, -1 / 12])  # of -2, -1, 1, 2
EVEN = np.array([-7 / 2, 7, -9 / 2, 1])  # of k = 1..4: gives 1 for k, 0 for 1, k^2 and k^4
MIDDLE = np.array([4 / 5, -2 / 5, 4 / 35, -1 / 70])  # of f(kh) + f(-kh): f(0) of a polynomial of eighth degree
CORNER = 1e-3  # of the largest derivative: a jump of the derivative at the number that is seen
SHARE = 2.0**-7  # of a number that one place is away
NOISE = 1e-12  # of the largest value: what rounding may make of the difference
CLOSE = 1e-10  # of the largest derivative: the formula of eighth order is then exact to rounding
STRAIGHT = 2.0**-48  # of a value's size: what rounding may bend a straight line by
CURVED = 2.0**-46  # the same of a parabola, whose rounding is that of three values
FINER = (1.0, 2.0**-4, 2.0**-8)  # multiples of the spacing
SMOOTH = 1e-6  # of the largest derivative: smooth maps do not differ by more between the two formulas


def spacing(size: float) -> float:
    """A power of two, about a hundredth of a size."""
    return float(2.0 ** round(math.log2(size * SHARE)))


def derivative(
    f: Callable[[float], Array], h: float, size: float = 0.0, base: Array | None = None
) -> tuple[Array, float]:
    """f'(0) from f at whole multiples of h, and how far formulas of two orders differ, as a share of its largest.

    base : f(0) where it is known; then two values tell whether f is a straight line in each place, to rounding, four
    whether it is a parabola, and more are asked for only where it is neither.

    Where they differ by more than CLOSE, smaller multiples are tried as well: a map may bend sharply near a number that
    is nearly impossible, as the inverse inertia of a body that is nearly a rod does. size : of what f takes differences
    of, where its values may be rounding alone.
    """
    seen: dict[float, Array] = {}

    def at(by: float) -> Array:
        if by not in seen:
            seen[by] = np.asarray(f(by))
        return seen[by]

    if base is not None:
        right, left = at(4.0 * h), at(-3.0 * h)
        slope = straight(right, left, base)
        slope = parabolic(right, left, base, at(2.0 * h), at(-h)) if slope is None else slope
        if slope is not None:
            return slope / h, 0.0
    best: tuple[Array, float] | None = None
    for share in FINER:
        found = _at_multiples(at, share * h, size, base)
        best = found if best is None or found[1] < best[1] else best
        if best[1] <= CLOSE:
            break
    assert best is not None
    return best


def straight(right: Array, left: Array, here: Array) -> Array | None:
    """The slope of straight lines through values at 4, -3 and 0; None where any is bent by more than its rounding."""
    right, left, here = (np.asarray(values, dtype=float) for values in (right, left, here))
    same = ((right == here) & (left == here)) | (np.isnan(right) & np.isnan(left) & np.isnan(here))
    slope, right, left, here = np.zeros(same.shape), right[~same], left[~same], here[~same]
    with np.errstate(invalid="ignore"):
        bend = np.abs(3.0 * (right - here) + 4.0 * (left - here))
        largest = np.maximum(np.maximum(np.abs(right), np.abs(left)), np.abs(here))
        if not np.all(bend <= STRAIGHT * largest):
            return None
        slope[~same] = (right - left) / 7.0
    return slope


def parabolic(right: Array, left: Array, here: Array, between: Array, behind: Array) -> Array | None:
    """The slope at 0 of parabolas through values at 4, -3 and 0; None where those at 2 or -1 are off any of them by
    more than rounding."""
    values = [np.asarray(x, dtype=float) for x in (right, left, here, between, behind)]
    same = np.all([(x == values[2]) | (np.isnan(x) & np.isnan(values[2])) for x in values], axis=0)
    slope = np.zeros(same.shape)
    right, left, here, between, behind = every = np.array([x[~same] for x in values])
    with np.errstate(invalid="ignore"):
        ahead, back = (right - here) / 4.0, (here - left) / 3.0
        bend, tilt = (ahead - back) / 7.0, (3.0 * ahead + 4.0 * back) / 7.0
        off = [np.abs(here + x * (tilt + x * bend) - told) for x, told in ((2.0, between), (-1.0, behind))]
        if not np.all(np.array(off) <= CURVED * np.max(np.abs(every), axis=0, initial=0.0)):
            return None
    slope[~same] = tilt
    return slope


def by_four(f: Callable[[float], Array], h: float) -> tuple[Array, Array]:
    """f'(0) by the formulas of fourth and second order in whole multiples of h; 0 of what is not finite."""
    every = np.stack([np.asarray(f(place * h)) for place in (-2, -1, 1, 2)])
    every[:, ~np.isfinite(every).all(axis=0)] = 0.0
    return FOURTH @ every / h, (every[2] - every[1]) / (2.0 * h)


def _at_multiples(f: Callable[[float], Array], h: float, least: float, base: Array | None) -> tuple[Array, float]:
    every = np.stack([np.asarray(f(place * h)) for place in PLACES])
    moves = np.any(every != every[0], axis=0)  # infinities that stay where they are do not
    off = 0.0 if base is None else _off(every, base, h, least)
    values, derivatives = every[:, moves], np.zeros(moves.shape, np.result_type(every, float))
    differences = values[4:] - values[3::-1]  # what large values have in common rounds nothing
    found, other = EIGHTH[4:] @ differences / h, SIXTH[4:] @ differences / h
    derivatives[moves] = found
    size = float(np.max(np.abs(found), initial=0.0))
    rounding = NOISE * float(np.max(np.abs(values), initial=least)) / h
    jump = float(np.max(np.abs(EVEN @ (values[4:] + values[3::-1])), initial=0.0)) / h
    apart = float(np.max(np.abs(found - other), initial=0.0))
    if not np.isfinite(apart):
        return derivatives, math.inf
    if off > CORNER * size:
        return derivatives, off / max(size, off)
    if jump > CORNER * size + 20.0 * rounding:
        return derivatives, max(apart, jump) / max(size, jump)
    return derivatives, 0.0 if apart <= rounding else apart / size


def _off(every: Array, here: Array, h: float, least: float) -> float:
    """How far the value is off the smooth curve through those beside it, over h; nothing where that may be rounding."""
    finite = np.isfinite(here) & np.isfinite(every).all(axis=0)
    values = every[:, finite]
    off = float(np.max(np.abs(MIDDLE @ (values[4:] + values[3::-1]) - here[finite]), initial=0.0))
    rounding = NOISE * float(np.max(np.abs(values), initial=least))
    return off / h if off > 20.0 * rounding else 0.0
