"""Tables of numbers as functions in formulas: `table('tyre', u)`, straight or smooth between the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.elements import Array, Element, Number, Text, invalid, shown
from linkwork.mechanism.lowered import LoweredTable


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise invalid(f"must be a list of numbers, not {shown(value)}")
    return list(value)


Numbers = Annotated[
    tuple[Number, ...],
    BeforeValidator(_numbers),
    WithJsonSchema({"type": "array", "items": {"type": ["number", "string"]}}),
]


class Table(Element):
    """Points (x, y), x ascending. `between`: 'linear', 'cubic' (natural spline) or 'pchip' (keeps rises and falls).

    `outside`: the end values 'hold', or the ends 'extend' along their slopes. In a file `file` may stand instead, of
    numbers in columns `x` and `y` (names, or numbers from 1 on), which is read with it (`io.formats.csv_tables`).
    """

    other_words: ClassVar[dict[str, str]] = {"file": "tables in files of their own are for description files"}

    x: Numbers
    y: Numbers
    between: Literal["linear", "cubic", "pchip"] = "linear"
    outside: Literal["hold", "extend"] = "hold"
    unit: Text = ""
    description: Text = ""

    @model_validator(mode="after")
    def _is_a_function(self) -> Table:
        if len(self.x) != len(self.y):
            raise invalid(f"has {len(self.x)} numbers in x and {len(self.y)} in y")
        if len(self.x) < 2:
            raise invalid("needs two points at least")
        for k, (a, b) in enumerate(zip(self.x, self.x[1:], strict=False)):
            if not b > a:
                raise invalid(f"is not ascending: x[{k + 1}] = {b:g} follows x[{k}] = {a:g}")
        return self

    def lowered(self, name: str) -> LoweredTable:
        """As a piecewise cubic."""
        x, y = np.array(self.x), np.array(self.y)
        slopes: tuple[Array, Array] = {"linear": _secants, "cubic": _natural, "pchip": _monotone}[self.between](x, y)
        h, secant = np.diff(x), np.diff(y) / np.diff(x)
        left, right = slopes
        c2, c3 = (3.0 * secant - 2.0 * left - right) / h, (left + right - 2.0 * secant) / h**2
        hold = self.outside == "hold"
        before = (x[0], y[0], 0.0 if hold else left[0], 0.0, 0.0)
        behind = (x[-1], y[-1], 0.0 if hold else right[-1], 0.0, 0.0)
        inner = zip(x[:-1], y[:-1], left, c2, c3, strict=True)
        return LoweredTable(name, tuple(_floats(piece) for piece in (before, *inner, behind)))


def _floats(piece: Sequence[Any]) -> tuple[float, float, float, float, float]:
    a, b, c, d, e = (float(number) for number in piece)
    return (a, b, c, d, e)


def _secants(x: Array, y: Array) -> tuple[Array, Array]:
    """Slopes at both ends of every piece: straight."""
    secant = np.diff(y) / np.diff(x)
    return secant, secant


def _natural(x: Array, y: Array) -> tuple[Array, Array]:
    """Of the natural spline: second derivatives are continuous, and zero at the ends."""
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    before = np.concatenate((h[1:], [1.0]))  # a tridiagonal system: what stands before, on and behind the diagonal
    on = np.concatenate(([2.0], 2.0 * (h[:-1] + h[1:]), [2.0]))
    behind = np.concatenate(([1.0], h[:-1]))
    inner = 3.0 * (h[1:] * secant[:-1] + h[:-1] * secant[1:])
    found = np.concatenate(([3.0 * secant[0]], inner, [3.0 * secant[-1]]))
    for k in range(1, len(x)):
        share = before[k - 1] / on[k - 1]
        on[k] -= share * behind[k - 1]
        found[k] -= share * found[k - 1]
    found[-1] /= on[-1]
    for k in range(len(x) - 2, -1, -1):
        found[k] = (found[k] - behind[k] * found[k + 1]) / on[k]
    return found[:-1], found[1:]


def _monotone(x: Array, y: Array) -> tuple[Array, Array]:
    """Of Fritsch and Butland: weighted harmonic means of the neighbours' slopes, zero where these change sign."""
    n, h, secant = len(x), np.diff(x), np.diff(y) / np.diff(x)
    slope = np.zeros(n)
    for k in range(1, n - 1):
        if secant[k - 1] * secant[k] > 0.0:
            a, b = 2.0 * h[k] + h[k - 1], h[k] + 2.0 * h[k - 1]
            slope[k] = (a + b) / (a / secant[k - 1] + b / secant[k])
    if n == 2:
        return _secants(x, y)
    slope[0], slope[-1] = _end(h[0], h[1], secant[0], secant[1]), _end(h[-1], h[-2], secant[-1], secant[-2])
    return slope[:-1], slope[1:]


def _end(h0: float, h1: float, s0: float, s1: float) -> float:
    """The slope at an end, by three points, kept from overshooting."""
    slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    if slope * s0 <= 0.0:
        return 0.0
    return 3.0 * s0 if s0 * s1 <= 0.0 and abs(slope) > 3.0 * abs(s0) else slope
