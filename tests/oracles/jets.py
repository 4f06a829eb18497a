"""Values with first and second derivatives by one variable, for closed forms: plain NumPy, array-valued.

A vector is a Jet whose arrays end in a dimension of three.
"""

from __future__ import annotations

import numpy as np


class Jet:
    """f, f', f''."""

    def __init__(self, f, f1=0.0, f2=0.0):
        self.f, self.f1, self.f2 = np.broadcast_arrays(np.asarray(f, float), f1, f2)

    def __add__(self, other):
        o = _jet(other)
        return Jet(self.f + o.f, self.f1 + o.f1, self.f2 + o.f2)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.f, -self.f1, -self.f2)

    def __sub__(self, other):
        return self + (-_jet(other))

    def __rsub__(self, other):
        return _jet(other) - self

    def __mul__(self, other):
        o = _jet(other)
        return Jet(self.f * o.f, self.f1 * o.f + self.f * o.f1, self.f2 * o.f + 2 * self.f1 * o.f1 + self.f * o.f2)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self * _jet(other).apply(lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3)

    def __rtruediv__(self, other):
        return _jet(other) / self

    def apply(self, g, g1, g2):
        """g(f) by the chain rule, from g and its derivatives."""
        return Jet(g(self.f), g1(self.f) * self.f1, g2(self.f) * self.f1**2 + g1(self.f) * self.f2)

    def __getitem__(self, k):
        return Jet(self.f[..., k], self.f1[..., k], self.f2[..., k])


def _jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def sin(x):
    return x.apply(np.sin, np.cos, lambda y: -np.sin(y))


def cos(x):
    return x.apply(np.cos, lambda y: -np.sin(y), lambda y: -np.cos(y))


def sqrt(x):
    return x.apply(np.sqrt, lambda y: 0.5 / np.sqrt(y), lambda y: -0.25 / y**1.5)


def vector(*components):
    """Three scalars (or numbers) as one vector jet."""
    jets = [_jet(c) for c in components]
    shape = np.broadcast_shapes(*(j.f.shape for j in jets))
    return Jet(*(np.stack([np.broadcast_to(getattr(j, a), shape) for j in jets], axis=-1) for a in ("f", "f1", "f2")))


def times(scalar, v):
    """Scalar jet times vector jet."""
    return vector(*(scalar * v[k] for k in range(3)))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v):
    return times(1.0 / sqrt(dot(v, v)), v)
