"""Quotients of sines and cosines that stay exact at zero, as functions of the SQUARE of the angle.

Below one radian each is its power series, cut where the terms vanish in rounding; beyond it the plain quotient,
written without cancellation. Both sides agree to rounding at the switch. The square as argument keeps the square
root (which has no derivative at zero) out of the series, so that complex steps pass through; only its real part
is ever compared. The series also happen to cost less than a sine.

Slopes are derivatives with respect to the square. The derivative of the exponential of SE(3) needs them, and there
the plain quotients are at their worst: the last coefficient of [Müller 2013, eq. 10] is -`cotangent_slope`, and as
printed it keeps one digit at 0.01 rad.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel

SWITCH = 1.0  # square of the angle [rad^2] up to which the series are used; nine terms leave less than 1e-17

FAR = 9.0  # square of the angle up to which twelve terms of a slope of sines and cosines leave less than 1e-16

Series = tuple[float, ...]  # nine terms, or twelve


def _alternating(first: int, terms: int = 9) -> Series:
    """The coefficients (-1)**k / (2 k + first)! for k = 0, 1, ..."""
    return tuple((-1) ** k / factorial(2 * k + first) for k in range(terms))


def _alternating_slope(first: int, terms: int = 9) -> Series:
    """The coefficients of the derivative: (-1)**k k / (2 k + first)! for k = 1, 2, ..."""
    return tuple((-1) ** k * k / factorial(2 * k + first) for k in range(1, terms + 1))


def _cotangent() -> tuple[Series, Series]:
    """Twelve coefficients of the cotangent quotient, 1/12, 1/720, 1/30240, ..., and twelve of its slope.

    k(y) = a_0 + a_1 y + ... solves Riccati's equation 8 y k' = 1 - 12 k + 4 y k**2 (that of the cotangent), so that
    (2 n + 3) a_n = a_0 a_(n-1) + a_1 a_(n-2) + ... + a_(n-1) a_0. In integers, to be rounded once, at the end.
    """
    one = 1 << 240
    a = [one // 12]
    for n in range(1, 13):
        a.append(sum(a[i] * a[n - 1 - i] for i in range(n)) // ((2 * n + 3) * one))
    return tuple(x / one for x in a[:12]), tuple(n * a[n] / one for n in range(1, 13))


SINE = _alternating(1)
COSINE = _alternating(2)
CUBIC = _alternating(3)
COSINE_SLOPE = _alternating_slope(2)
CUBIC_SLOPE, CUBIC_SLOPE_FAR = _alternating_slope(3), _alternating_slope(3, 12)
COTANGENT, COTANGENT_SLOPE = _cotangent()


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
def polynomial12(c: Series, x: Any) -> Any:
    """c[0] + c[1] x + ... + c[11] x**11."""
    y = polynomial(c[3:], x)
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
    if x2.real < SWITCH:
        return polynomial12(COTANGENT, x2)
    y2 = 0.25 * x2
    return 0.25 * (cosine_quotient(y2) - cubic_quotient(y2)) / sine_quotient(y2)


@kernel
def cosine_slope(x2: Any) -> Any:
    """The derivative of `cosine_quotient` with respect to x2 = x**2; -1/24 at zero.

    With y = x/2 it is -sin(y) (sin y - y cos y) / (8 y**4).
    """
    if x2.real < SWITCH:
        return polynomial(COSINE_SLOPE, x2)
    y2 = 0.25 * x2
    return -0.125 * sine_quotient(y2) * (cosine_quotient(y2) - cubic_quotient(y2))


@kernel
def cubic_slope(x2: Any) -> Any:
    """The derivative of `cubic_quotient` with respect to x2 = x**2; -1/120 at zero.

    The closed form (c - 3 d) / (2 x2) of the cosine and cubic quotients cancels until about half a turn: more terms
    of the series until there.
    """
    if x2.real < SWITCH:
        return polynomial(CUBIC_SLOPE, x2)
    if x2.real < FAR:
        return polynomial12(CUBIC_SLOPE_FAR, x2)
    return 0.5 * (cosine_quotient(x2) - 3.0 * cubic_quotient(x2)) / x2


@kernel
def cotangent_slope(x2: Any) -> Any:
    """The derivative of `cotangent_quotient` with respect to x2 = x**2; 1/720 at zero, singular at x = 2 pi.

    With s and d the sine and cubic quotients at half the angle, d' the slope there, it is
    (d**2 - 2 d' s) / (32 s**2): both terms are positive up to x = 2 pi.
    """
    if x2.real < SWITCH:
        return polynomial12(COTANGENT_SLOPE, x2)
    y2 = 0.25 * x2
    s = 1.0 / sine_quotient(y2)
    d = s * cubic_quotient(y2)
    return 0.03125 * (d * d - 2.0 * s * cubic_slope(y2))


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
