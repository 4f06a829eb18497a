"""Tables of numbers as functions in formulas: `table('tyre', u)`, straight or smooth between the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.elements import Array, Element, Number, Text, invalid, shown
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling, LoweredTable

SEAM = 1e-9  # of the period, of the largest value: rounding where a repeated table's end meets its beginning
CORNER = 1e-6  # of the largest slope: rounding where points lie on a straight line


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

    def need_no_corner(self, name: str, period: float | None = None) -> None:
        """Raise ValueError where straight pieces meet in a corner, or an end with a slope is held.

        What follows the curve would have another velocity at once there, by a blow that no step knows. period : of a
        curve that repeats.
        """
        pieces = np.array((self.lowered(name) if period is None else self.repeated(name, period)).pieces)
        (_, _, slope, bend, third), d = pieces[:-1].T, np.diff(pieces[:, 0])
        before, behind = slope + d * (2.0 * bend + d * 3.0 * third), pieces[1:, 2]
        jumps = np.abs(behind - before) > CORNER * np.abs((before, behind)).max()
        if not jumps.any():
            return
        inside = bool(jumps[1:-1].any())
        k = 1 + int(jumps[1:-1].argmax()) if inside else int(jumps.argmax())
        at, slopes = f"x = {pieces[k + 1, 0]:g}", f"(slope {before[k]:.4g} before, {behind[k]:.4g} behind)"
        what, remedy = f"whose straight pieces meet in a corner at {at}", "between: cubic, or pchip"
        if period is None and not inside:
            what, remedy = f"which is held from {at} on, a corner", "outside: extend, or an end without a slope"
        raise invalid(
            f"follows table {name!r}, {what} {slopes}: velocities would jump there, with accelerations without bound. "
            f"Give the table {remedy}"
        )

    def lowered(self, name: str) -> LoweredTable:
        """As a piecewise cubic."""
        x, y = np.array(self.x), np.array(self.y)
        slopes: tuple[Array, Array] = {"linear": _secants, "cubic": _natural, "pchip": _monotone}[self.between](x, y)
        left, right = slopes
        hold = self.outside == "hold"
        before = (x[0], y[0], 0.0 if hold else left[0], 0.0, 0.0)
        behind = (x[-1], y[-1], 0.0 if hold else right[-1], 0.0, 0.0)
        return LoweredTable(name, tuple(_floats(piece) for piece in (before, *cubics(x, y, left, right), behind)))

    def repeated(self, name: str, period: float) -> LoweredTable:
        """One period of it, from 0, whose end goes over into its beginning: the spline ('cubic') is the periodic one.

        Points that end before the period go on to the first one there. Raises ValueError where the table does not begin
        at 0, goes beyond the period, or has another value there than at 0.
        """
        x, y = np.array(self.x), np.array(self.y)
        rounding = SEAM * period
        if abs(x[0]) > rounding:
            raise invalid(f"begins at {x[0]:.10g}; one period from 0 is wanted")
        if x[-1] > period + rounding:
            raise invalid(f"goes to {x[-1]:.10g}, beyond the period {period:.10g}")
        if x[-1] < period - rounding:
            x, y = np.append(x, period), np.append(y, y[0])
        elif abs(y[-1] - y[0]) > SEAM * float(np.abs(y).max()):
            raise invalid(f"has {y[-1]:.10g} after one period and {y[0]:.10g} at 0, so that it would jump there")
        x[-1], y[-1] = period, y[0]
        if self.between == "pchip":  # with the neighbours that stand beyond both ends
            around = np.concatenate(([x[-2] - period], x, [x[1] + period]))
            left, right = (some[1:-1] for some in _monotone(around, np.concatenate(([y[-2]], y, [y[1]]))))
        elif self.between == "cubic" and len(x) > 2:
            slopes = periodic_slopes(x, y)
            left, right = slopes[:-1], slopes[1:]
        else:
            left, right = _secants(x, y)
        inner = cubics(x, y, left, right)
        shifted = (inner[-1][0] - period, *inner[-1][1:]), (period, *inner[0][1:])
        return LoweredTable(name, tuple(_floats(piece) for piece in (shifted[0], *inner, shifted[1])))


def with_tables(
    couplings: Sequence[LoweredCoupling], tables: Mapping[str, Table]
) -> tuple[tuple[LoweredCoupling, ...], tuple[LoweredTable, ...]]:
    """Couplings, rigid ones first, whose terms name, where they have a period, the table repeated with it; and all
    tables, these behind those of the description."""
    made: dict[str, LoweredTable] = {}

    def term_of(term: CoupledTerm) -> CoupledTerm:
        if not term.period:
            return term
        name = f"{term.table} every {term.period!r}"  # no name of a description has a space
        if name not in made:
            made[name] = tables[term.table].repeated(name, term.period)
        return term._replace(table=name)

    found = [replace(one, terms=tuple(term_of(term) for term in one.terms)) for one in couplings]
    described = [table.lowered(name) for name, table in tables.items()]
    return tuple(sorted(found, key=lambda one: not one.rigid)), (*described, *made.values())


def cubics(x: Array, y: Array, left: Array, right: Array) -> list[tuple[float, ...]]:
    """Pieces between points (n,), from the slopes at both ends of each (n - 1,)."""
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    c2, c3 = (3.0 * secant - 2.0 * left - right) / h, (left + right - 2.0 * secant) / h**2
    return list(zip(x[:-1], y[:-1], left, c2, c3, strict=True))


def periodic_slopes(u: Array, values: Array) -> Array:
    """Slopes at all points of the periodic spline, whose second derivatives are continuous."""
    h, secant = np.diff(u), np.diff(values) / np.diff(u)
    n = len(h)
    k = np.arange(n)
    before = h[k - 1]
    matrix = np.zeros((n, n))
    np.add.at(matrix, (k, (k - 1) % n), h)
    np.add.at(matrix, (k, k), 2.0 * (before + h))
    np.add.at(matrix, (k, (k + 1) % n), before)
    slopes = np.linalg.solve(matrix, 3.0 * (h * secant[k - 1] + before * secant))
    return np.append(slopes, slopes[0])


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
