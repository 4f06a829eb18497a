"""Second-order jets: a function of time carried as the triple (f, f', f'') through arithmetic.

Every rule is exact; none branches on data, so the same source runs on floats, on complex numbers and on
whole arrays of times. Out of a function's domain the result is infinite or not a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel

Jet = tuple[Any, Any, Any]


@kernel
def jet_add(u: Jet, v: Jet) -> Jet:
    """u + v, with both derivatives by time."""
    return (u[0] + v[0], u[1] + v[1], u[2] + v[2])


@kernel
def jet_sub(u: Jet, v: Jet) -> Jet:
    """u - v, with both derivatives by time."""
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


@kernel
def jet_scale(c: Any, u: Jet) -> Jet:
    """c u for a constant c."""
    return (c * u[0], c * u[1], c * u[2])


@kernel
def jet_mul(u: Jet, v: Jet) -> Jet:
    """u v, derivatives by the product rule."""
    return (u[0] * v[0], u[1] * v[0] + u[0] * v[1], u[2] * v[0] + 2.0 * u[1] * v[1] + u[0] * v[2])


@kernel
def jet_div(u: Jet, v: Jet) -> Jet:
    """u / v, from u = q v differentiated twice."""
    q = u[0] / v[0]
    q1 = (u[1] - q * v[1]) / v[0]
    q2 = (u[2] - 2.0 * q1 * v[1] - q * v[2]) / v[0]
    return (q, q1, q2)


@kernel
def chain(u: Jet, g: Any, g1: Any, g2: Any) -> Jet:
    """g(u) from g and its two derivatives taken at u."""
    return (g, g1 * u[1], g2 * u[1] * u[1] + g1 * u[2])


@kernel
def whole_power(x: Any, n: int) -> Any:
    """x^n for a whole n >= 0 by repeated squaring: exact signs, also for complex x near the negative axis."""
    result = 1.0
    while n > 0:
        if n & 1:
            result = result * x
        n >>= 1
        if n > 0:
            x = x * x
    return result


@kernel
def jet_whole_power(u: Jet, n: int) -> Jet:
    """u^n for a whole n, n >= 2 or n <= -1 (n = 0 and n = 1 need no arithmetic)."""
    if n > 0:
        low = whole_power(u[0], n - 2)
        mid = low * u[0]
        top = mid * u[0]
    else:
        inverse = 1.0 / u[0]
        top = whole_power(inverse, -n)
        mid = top * inverse
        low = mid * inverse
    return chain(u, top, n * mid, n * (n - 1.0) * low)


@kernel
def jet_real_power(u: Jet, c: float) -> Jet:
    """u^c for a constant c that is not a small whole number; u < 0 gives nan."""
    return chain(u, u[0] ** c, c * u[0] ** (c - 1.0), c * (c - 1.0) * u[0] ** (c - 2.0))


@kernel
def jet_sin(u: Jet) -> Jet:
    """sin u, the sine with two derivatives."""
    s, c = np.sin(u[0]), np.cos(u[0])
    return chain(u, s, c, -s)


@kernel
def jet_cos(u: Jet) -> Jet:
    """cos u, the cosine with two derivatives."""
    s, c = np.sin(u[0]), np.cos(u[0])
    return chain(u, c, -s, -c)


@kernel
def jet_tan(u: Jet) -> Jet:
    """tan u, the tangent with two derivatives."""
    g = np.tan(u[0])
    g1 = 1.0 + g * g
    return chain(u, g, g1, 2.0 * g * g1)


@kernel
def jet_asin(u: Jet) -> Jet:
    """asin u, |u| < 1 for finite derivatives."""
    g1 = 1.0 / np.sqrt((1.0 - u[0]) * (1.0 + u[0]))
    return chain(u, np.arcsin(u[0]), g1, u[0] * g1 * g1 * g1)


@kernel
def jet_acos(u: Jet) -> Jet:
    """acos u, |u| < 1 for finite derivatives."""
    g1 = 1.0 / np.sqrt((1.0 - u[0]) * (1.0 + u[0]))
    return chain(u, np.arccos(u[0]), -g1, -u[0] * g1 * g1 * g1)


@kernel
def jet_atan(u: Jet) -> Jet:
    """atan u, the arc tangent with two derivatives."""
    g1 = 1.0 / (1.0 + u[0] * u[0])
    return chain(u, np.arctan(u[0]), g1, -2.0 * u[0] * g1 * g1)


@kernel
def jet_sinh(u: Jet) -> Jet:
    """sinh u, the hyperbolic sine with two derivatives."""
    s = np.sinh(u[0])
    return chain(u, s, np.cosh(u[0]), s)


@kernel
def jet_cosh(u: Jet) -> Jet:
    """cosh u, the hyperbolic cosine with two derivatives."""
    c = np.cosh(u[0])
    return chain(u, c, np.sinh(u[0]), c)


@kernel
def jet_tanh(u: Jet) -> Jet:
    """tanh u; its slope 1 / cosh^2 by exp(-2 |u|), which neither loses digits where tanh is nearly one nor overflows,
    as its own slope must not either."""
    side = 1.0 * (u[0].real > 0.0) - 1.0 * (u[0].real < 0.0)
    g, e = np.tanh(u[0]), np.exp(-2.0 * (side * u[0]))
    g1 = 4.0 * e / ((1.0 + e) * (1.0 + e))
    return chain(u, g, g1, -2.0 * g * g1)


@kernel
def jet_exp(u: Jet) -> Jet:
    """exp u, the exponential function with two derivatives."""
    g = np.exp(u[0])
    return chain(u, g, g, g)


@kernel
def jet_log(u: Jet) -> Jet:
    """Natural logarithm of u, with two derivatives."""
    g1 = 1.0 / u[0]
    return chain(u, np.log(u[0]), g1, -g1 * g1)


@kernel
def jet_sqrt(u: Jet) -> Jet:
    """sqrt u, u > 0 for finite derivatives."""
    g = np.sqrt(u[0])
    g1 = 0.5 / g
    return chain(u, g, g1, -0.5 * g1 / u[0])


@kernel
def jet_smooth(u: Jet) -> Jet:
    """The quintic ramp x^3 (10 - 15 x + 6 x^2) on 0 <= x <= 1, 0 before and 1 after: twice differentiable."""
    x = u[0]
    inside = 1.0 * ((x.real > 0.0) & (x.real < 1.0))
    after = 1.0 * (x.real >= 1.0)
    x = inside * x  # a factor instead of a branch: arrays pass through, and nan stays nan
    y = x * (1.0 - x)
    return chain(u, x * x * x * (10.0 - x * (15.0 - 6.0 * x)) + after, 30.0 * y * y, 60.0 * y * (1.0 - 2.0 * x))
