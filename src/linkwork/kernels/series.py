"""Quotients of sines and cosines that stay exact at zero, as functions of the SQUARE of the angle.

Below one radian each is its power series, cut where the terms vanish in rounding; beyond it the plain quotient,
written without cancellation. Both sides agree to rounding at the switch. The square as argument keeps the square
root (which has no derivative at zero) out of the series, so that complex steps pass through; only its real part
is ever compared. The series also happen to cost less than a sine.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel

SWITCH = 1.0  # square of the angle [rad^2] up to which the series are used; nine terms leave less than 1e-17

Series = tuple[float, float, float, float, float, float, float, float, float]


def _alternating(first: int) -> Series:
    """The coefficients (-1)**k / (2 k + first)! for k = 0 ... 8."""
    c = [(-1.0) ** k / factorial(2 * k + first) for k in range(9)]
    return (c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])


SINE = _alternating(1)
COSINE = _alternating(2)
CUBIC = _alternating(3)


@kernel
def polynomial(c: Series, x: Any) -> Any:
    """c[0] + c[1] x + ... + c[8] x**8, by Horner's rule."""
    y = c[8] * x + c[7]
    y = y * x + c[6]
    y = y * x + c[5]
    y = y * x + c[4]
    y = y * x + c[3]
    y = y * x + c[2]
    y = y * x + c[1]
    return y * x + c[0]


@kernel
def sine_quotient(x2: Any) -> Any:
    """sin(x) / x, from x2 = x**2; 1 at zero."""
    if x2.real < SWITCH:
        return polynomial(SINE, x2)
    x = np.sqrt(x2)
    return np.sin(x) / x


@kernel
def cosine_quotient(x2: Any) -> Any:
    """(1 - cos x) / x**2, from x2 = x**2; 1/2 at zero. The half angle avoids the difference."""
    if x2.real < SWITCH:
        return polynomial(COSINE, x2)
    half = np.sin(0.5 * np.sqrt(x2))
    return 2.0 * half * half / x2


@kernel
def cubic_quotient(x2: Any) -> Any:
    """(x - sin x) / x**3, from x2 = x**2; 1/6 at zero."""
    if x2.real < SWITCH:
        return polynomial(CUBIC, x2)
    x = np.sqrt(x2)
    return (x - np.sin(x)) / (x2 * x)


@kernel
def cotangent_quotient(x2: Any) -> Any:
    """(1 - (x/2) cot(x/2)) / x**2, from x2 = x**2; 1/12 at zero, singular at x = 2 pi.

    With y = x/2 it is (sin y - y cos y) / (4 y**2 sin y), and the numerator over y**3 is the cosine quotient less
    the cubic one: no cancellation anywhere.
    """
    y2 = 0.25 * x2
    return 0.25 * (cosine_quotient(y2) - cubic_quotient(y2)) / sine_quotient(y2)


@kernel
def angle_of(sine: Any, cosine: Any) -> Any:
    """The angle in (-pi, pi] of the point (cosine, sine), both up to one common positive factor; 0 for (0, 0).

    The arc tangent sees real parts only; what a complex step adds, (c ds - s dc) / (c**2 + s**2), is put on top.
    """
    c, s = cosine.real, sine.real
    square = c * cosine + s * sine
    if square.real == 0.0:
        return 0.0 * square
    return np.arctan2(s, c) + (c * sine - s * cosine) / square
