"""Numbers of twice the digits, compiled and in Python, against 70 digits."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from linkwork.kernels import double_double
from linkwork.kernels.jit import compiled

EPS = mpmath.mpf(2) ** -104


def plus(x: Any, y: Any) -> Any:
    return double_double.plus(x, y)


def times(a: Any, x: Any) -> Any:
    return double_double.times(a, x)


def exact_sum(a: Any, b: Any) -> Any:
    return double_double.exact_sum(a, b)


def exact_product(a: Any, b: Any) -> Any:
    return double_double.exact_product(a, b)


def all_products(r: Any, R: Any, x: Any) -> Any:
    return double_double.turn(R, x), double_double.turn_back(R, x), double_double.cross_with(r, x)


WAYS = pytest.mark.parametrize("way", [lambda f: f, compiled], ids=["python", "compiled"])


def some(rng: Any) -> float:
    return float(rng.standard_normal() * 10.0 ** rng.integers(-6, 7))


def number(rng: Any) -> tuple[float, float]:
    high = some(rng)
    return high, float(0.49 * np.spacing(high) * rng.uniform(-1, 1))


def value(x: Any) -> Any:
    return mpmath.mpf(float(x[0])) + mpmath.mpf(float(x[1]))


@WAYS
def test_sums_and_products_of_doubles_are_exact(way: Any) -> None:
    rng, add, multiply = np.random.default_rng(0), way(exact_sum), way(exact_product)
    with mpmath.workdps(70):
        for _ in range(300):
            a, b = some(rng), some(rng)
            assert value(add(a, b)) == mpmath.mpf(a) + mpmath.mpf(b)
            assert value(multiply(a, b)) == mpmath.mpf(a) * mpmath.mpf(b)


@WAYS
def test_sums_and_products_of_numbers_have_twice_the_digits(way: Any) -> None:
    rng, add, multiply = np.random.default_rng(1), way(plus), way(times)
    with mpmath.workdps(70):
        for _ in range(300):
            a, x, y = some(rng), number(rng), number(rng)
            assert abs(value(add(x, y)) - value(x) - value(y)) <= EPS * (abs(value(x)) + abs(value(y)))
            assert abs(value(multiply(a, x)) - a * value(x)) <= EPS * abs(a * value(x))


@WAYS
def test_vectors(way: Any) -> None:
    rng, products = np.random.default_rng(2), way(all_products)
    with mpmath.workdps(70):
        for _ in range(30):
            r, R = tuple(rng.standard_normal(3)), tuple(rng.standard_normal(9))
            x = tuple(number(rng) for _ in range(3))
            many = [value(c) for c in x]
            matrix = [[mpmath.mpf(float(c)) for c in row] for row in np.reshape(R, (3, 3))]
            arm = [mpmath.mpf(float(c)) for c in r]
            turned, back, crossed = products(r, R, x)
            size = sum(abs(c) for c in many)
            for k in range(3):
                assert abs(value(turned[k]) - sum(matrix[k][c] * many[c] for c in range(3))) < 20 * EPS * size
                assert abs(value(back[k]) - sum(matrix[c][k] * many[c] for c in range(3))) < 20 * EPS * size
                i, j = (k + 1) % 3, (k + 2) % 3
                assert abs(value(crossed[k]) - (arm[i] * many[j] - arm[j] * many[i])) < 20 * EPS * size
