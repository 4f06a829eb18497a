"""Quotients and their slopes against arithmetic of 150 digits, complex steps, and the paper's printed coefficients."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels import series

STEP = 1e-30
FULL_TURN = 2.0 * np.pi  # there sines vanish: digits of the angle count for less and less
SLOPES = {
    series.cosine_slope: series.cosine_quotient,
    series.cubic_slope: series.cubic_quotient,
    series.cotangent_slope: series.cotangent_quotient,
}
FUNCTIONS = [*SLOPES, *SLOPES.values()]
ANGLES = [1e-8, 1e-3, 0.01, 0.3, 0.999, 0.9999999, 1.0, 1.0000001, 1.7, 1.9999, 2.0, 2.0001, 2.9, 3.0, 3.1, 3.9, 6.2]


def sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    parts, term, n = [Decimal(0), Decimal(0)], Decimal(1), 0
    while abs(term) > Decimal(10) ** -160:
        parts[n % 2] += term if n % 4 < 2 else -term
        n += 1
        term = term * x / n
    return parts[1], parts[0]


def exact(function: Any, x2: float) -> float:
    """The closed form as it stands, with digits enough to cancel; the cotangent slope as [Müller 2013, eq. 10]."""
    with localcontext() as context:
        context.prec = 150
        y = Decimal(x2)
        x = y.sqrt()
        sin, cos = sine_and_cosine(x)
        c, d = (1 - cos) / y, (x - sin) / (x * y)
        value = {
            series.cosine_quotient: c,
            series.cubic_quotient: d,
            series.cotangent_quotient: 1 / y - sin / (2 * x * (1 - cos)),
            series.cosine_slope: (sin / x - 2 * c) / (2 * y),
            series.cubic_slope: (c - 3 * d) / (2 * y),
            series.cotangent_slope: -(1 / y**2 + (x + sin) / (4 * x**3 * (cos - 1))),
        }[function]
        return float(value)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", ANGLES)
def test_every_digit_is_right(function: Any, x: float) -> None:
    x2 = x * x
    assert_allclose(function(x2), exact(function, x2), rtol=2e-15 / min(1.0, FULL_TURN - x))


@pytest.mark.parametrize("slope", SLOPES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("at", [series.SWITCH, 4.0 * series.SWITCH, series.FAR, 4.0 * series.FAR])
def test_series_and_closed_form_agree_at_the_switch(slope: Any, at: float) -> None:
    for function in (slope, SLOPES[slope]):
        below, above = function(np.nextafter(at, 0.0)), function(at)
        assert_allclose(below, above, rtol=1e-15 if at <= series.FAR else 2e-14)


@pytest.mark.parametrize("slope", SLOPES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [0.0, 1e-9, *ANGLES])
def test_slopes_are_the_derivatives(slope: Any, x: float) -> None:
    # the quotients' own derivatives lose digits just beyond the switch
    assert_allclose(SLOPES[slope](complex(x * x, STEP)).imag / STEP, slope(x * x), rtol=1e-13)
    assert np.isfinite(slope(complex(x * x, STEP)))


@pytest.mark.parametrize("x", [0.0, 0.3, 0.999, 1.001, 2.5, 3.1])
def test_slopes_pass_complex_steps_on(x: float) -> None:
    """A difference of high order tells whether the slopes' own derivatives are right."""
    x2, h = x * x + 0.05, 1e-3
    for slope in SLOPES:
        ahead = [slope(x2 + k * h) - slope(x2 - k * h) for k in (1, 2, 3)]
        difference = (45.0 * ahead[0] - 9.0 * ahead[1] + ahead[2]) / (60.0 * h)
        assert_allclose(slope(complex(x2, STEP)).imag / STEP, difference, rtol=1e-9)


def test_limits_at_zero() -> None:
    limits = [-1.0 / 24.0, -1.0 / 120.0, 1.0 / 720.0, 0.5, 1.0 / 6.0, 1.0 / 12.0]
    assert [function(0.0) for function in FUNCTIONS] == limits


def test_cotangent_coefficients_are_those_of_bernoulli() -> None:
    """(1 - (x/2) cot(x/2)) / x**2 = |B_2|/2! + |B_4|/4! x**2 + ..., each coefficient rounded once."""
    bernoulli = [Fraction(1)]
    for m in range(1, 27):
        bernoulli.append(-sum(comb(m + 1, j) * bernoulli[j] for j in range(m)) / (m + 1))
    exactly = [abs(bernoulli[2 * n]) / factorial(2 * n) for n in range(1, 14)]
    assert tuple(float(a) for a in exactly[:12]) == series.COTANGENT
    assert tuple(float(n * exactly[n]) for n in range(1, 13)) == series.COTANGENT_SLOPE
