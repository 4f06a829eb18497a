"""Samples that are wanted much farther apart than the run is long: the start and the end are there."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw

WAYS: list[dict[str, Any]] = [
    {},
    {"formulation": "canonical", "integrator": "dop853", "rtol": 1e-6},
    {"formulation": "rA", "integrator": "radau5", "rtol": 1e-6},
]


@pytest.mark.parametrize("way", WAYS, ids=["planned", "dop853", "radau5"])
@pytest.mark.parametrize(("t_end", "step"), [(1e-12, 1e-3), (0.05, 1e9), (0.05, 0.2)])
def test_start_and_end_are_recorded(t_end: float, step: float, way: dict[str, Any]) -> None:
    result = lw.simulate(lw.load("kissel2021_double_pendulum"), t_end, step, **way)
    assert result.time.tolist() == [0.0, t_end]
    assert result.success


def test_steps_of_one_size_that_pass_the_end_say_so() -> None:
    result = lw.simulate(lw.load("kissel2021_double_pendulum"), 0.05, 0.2, "canonical", "rk4")
    assert result.time.tolist() == [0.0, 0.2]
    assert any("the run ends at 0.2 s" in line for line in result.messages)
