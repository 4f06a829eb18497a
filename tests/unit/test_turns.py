"""Cosines and sines of many angles: the compiled polynomials against 40 digits, and against what Python calls."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from linkwork.kernels.jit import compiled
from linkwork.kernels.sincos import FAR, cosines_and_sines


def call(n: Any, angle: Any, cos: Any, sin: Any) -> None:
    """Compiled code that calls `turns`."""
    cosines_and_sines(n, angle, cos, sin)


fast = compiled(call)


def both(angle: Any) -> tuple[Any, Any]:
    cos, sin = np.full_like(angle, np.nan), np.full_like(angle, np.nan)
    fast(len(angle), angle, cos, sin)
    return cos, sin


def units(found: Any, exact: Any) -> float:
    """The largest error in units of the last digit."""
    return max(
        abs(float(mpmath.mpf(float(a)) - b)) / float(np.spacing(abs(a))) for a, b in zip(found, exact, strict=True)
    )


@pytest.mark.parametrize("reach", [1e-8, 0.7, 4.0, 1e3, FAR])
def test_last_digit(reach: float) -> None:
    angle = np.random.default_rng(1).uniform(-reach, reach, 1001)
    cos, sin = both(angle)
    with mpmath.workdps(40):
        exact = [mpmath.mpf(float(x)) for x in angle]
        assert units(cos, [mpmath.cos(x) for x in exact]) < 1.0
        assert units(sin, [mpmath.sin(x) for x in exact]) < 1.0


def test_where_quadrants_meet() -> None:
    """The nearest doubles to multiples of pi / 4: cosine or sine are what the double misses, to 1e-22."""
    quarters = np.arange(-40, 41)
    angle = quarters * (np.pi / 4)
    cos, sin = both(angle)
    with mpmath.workdps(40):
        for x, c, s in zip(angle, cos, sin, strict=True):
            assert abs(float(mpmath.mpf(float(c)) - mpmath.cos(mpmath.mpf(float(x))))) < 2e-16 * abs(c) + 1e-22
            assert abs(float(mpmath.mpf(float(s)) - mpmath.sin(mpmath.mpf(float(x))))) < 2e-16 * abs(s) + 1e-22


def test_far_and_not_finite() -> None:
    angle = np.array([0.3, 1e300, -1e9, np.inf, np.nan, -0.0])
    cos, sin = both(angle)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(cos, np.cos(angle))
        np.testing.assert_array_equal(sin, np.sin(angle))


def test_places_beyond_the_last_angle_may_hold_anything() -> None:
    angle = np.array([0.3, 0.4, np.nan, 1e9])
    cos, sin = np.zeros(4), np.zeros(4)
    fast(2, angle, cos, sin)
    np.testing.assert_allclose(cos[:2], np.cos(angle[:2]), rtol=3e-16)
    np.testing.assert_allclose(sin[:2], np.sin(angle[:2]), rtol=3e-16)


def test_python_takes_complex_angles() -> None:
    angle = np.array([0.3 + 1e-30j, 2.0 + 0.5j])
    cos, sin = np.zeros_like(angle), np.zeros_like(angle)
    cosines_and_sines(2, angle, cos, sin)
    np.testing.assert_allclose(cos, np.cos(angle), rtol=1e-15)
    np.testing.assert_allclose(sin, np.sin(angle), rtol=1e-15)
