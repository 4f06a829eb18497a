"""Derivatives by values at whole multiples: of parabolas from four of them, and where a curve is no parabola."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from linkwork.derivatives.stencil import SMOOTH, by_four, derivative


def told(f: Callable[[float], Any]) -> tuple[Any, float, int]:
    """The derivative at 0.7, how rough it is, and how many values were asked for."""
    seen = list[float]()

    def at(by: float) -> Any:
        seen.append(by)
        return np.asarray(f(0.7 + by))

    found, rough = derivative(at, 2.0**-7, 1.0, np.asarray(f(0.7)))
    return found, rough, len(seen)


@pytest.mark.parametrize(
    ("f", "slope", "values"),
    [
        (lambda x: [3.0 * x, 1.0], [3.0, 0.0], 2),
        (lambda x: [2.0 * x**2 - x, 5.0 * x, np.nan], [1.8, 5.0, 0.0], 4),
        (lambda x: [x**3, x], [1.47, 1.0], 8),
        (lambda x: [np.exp(x)], [np.exp(0.7)], 8),
    ],
)
def test_as_many_values_are_asked_for_as_a_curve_needs(f: Any, slope: list[float], values: int) -> None:
    found, rough, asked = told(f)
    assert np.max(np.abs(found - slope)) <= 2e-12
    assert rough <= 1e-10
    assert asked == values


@pytest.mark.parametrize("f", [lambda x: [abs(x - 0.7)], lambda x: [max(x - 0.7, 0.0) ** 2 + abs(x - 0.7)]])
def test_corners_are_no_parabolas(f: Any) -> None:
    _, rough, _ = told(f)
    assert not rough <= SMOOTH


def test_formulas_of_two_orders_from_four_values() -> None:
    found, coarse = by_four(lambda by: np.array([np.sin(0.7 + by), np.inf]), 2.0**-10)
    assert abs(found[0] - np.cos(0.7)) <= 1e-12
    assert 1e-8 <= abs(coarse[0] - np.cos(0.7)) <= 1e-6
    assert found[1] == coarse[1] == 0.0
