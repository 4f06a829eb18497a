"""Sums that run over a whole motion keep what rounding takes: without that a long walk of small steps loses digits."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from linkwork.equations.index_1.accept_step import add_compensated as add_to_twist
from linkwork.formulations.recursive.state import accept_rates
from linkwork.formulations.recursive.state import add_compensated as add_to_coordinate
from linkwork.problems.explicit import TWIST_0

STEPS = 40_000
START, SMALL = 60.0, 1e-4 / 3.0


def walk_of_twist(steps: list[float]) -> float:
    base: Any = np.zeros((1, 40))
    base[0, TWIST_0 + 2] = START
    for x in steps:
        add_to_twist(base, 0, 2, x)
    return float(base[0, TWIST_0 + 2])


def walk_of_coordinate(steps: list[float]) -> float:
    base = np.zeros((2, 2))
    base[1, 0] = START
    for x in steps:
        add_to_coordinate(base, 1, x)
    return float(base[1, 0])


def walk_of_speed(steps: list[float]) -> float:
    recursion = SimpleNamespace(joint_rate=np.zeros(1), base=np.zeros((2, 2)), weights=np.ones(2))
    work = SimpleNamespace(psi=np.zeros(2), size=np.ones(2))
    recursion.base[1, 0] = START
    for x in steps:
        work.psi[1] = x
        accept_rates(work, recursion)
    return float(recursion.base[1, 0])


@pytest.mark.parametrize("walk", [walk_of_twist, walk_of_coordinate, walk_of_speed])
def test_a_long_walk_ends_where_exact_sums_end(walk: Any) -> None:
    """To the last digit, where plain sums of the same steps are off by hundreds of them."""
    steps = [SMALL * (1.0 + 0.1 * math.sin(0.01 * k)) for k in range(STEPS)]
    exact, plain = math.fsum([START, *steps]), START
    for x in steps:
        plain += x
    digit = math.ulp(exact)
    assert abs(walk(steps) - exact) <= digit
    assert abs(plain - exact) > 50 * digit, "the walk is long enough to tell"
