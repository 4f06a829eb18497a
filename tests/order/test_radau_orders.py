"""Radau IIA methods are of order 2s - 1 in coordinates, rates and reactions, in all coordinates and on groups."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw

FORMULATIONS = ("rA", "rp", "re", "lie-product", "lie-se3", "lie-mixed")
VARIABLES = ("position", "rotation", "velocity", "acceleration", "multiplier")
# end, and the coarsest number of steps: a loop with a spring, a spinning tree, a velocity-level row
CASES = {
    "spatial_slider_crank_spring": (0.2, 20),
    "muller2013_spherical_double_pendulum": (0.04, 20),
    "rolling_disc": (0.8, 16),
}


@cache
def exact(model: str) -> dict[str, np.ndarray]:
    t_end = CASES[model][0]
    found = lw.simulate(
        lw.load(model), t_end, t_end, "lie-mixed", "dop853", rtol=1e-13, atol=1e-14, stabilisation="projection"
    )  # fmt: skip
    return {name: found[name][-1] for name in VARIABLES}


def errors(model: str, formulation: str, integrator: str, steps: int) -> dict[str, float]:
    t_end, wanted = CASES[model][0], exact(model)
    found = lw.simulate(lw.load(model), t_end, t_end / steps, formulation, integrator)
    assert found.info["steps"] == steps
    return {name: np.abs(found[name][-1] - wanted[name]).max() / np.abs(wanted[name]).max() for name in VARIABLES}


@pytest.mark.parametrize("model", list(CASES))
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_three_stages_are_of_order_five(formulation: str, model: str) -> None:
    coarsest = CASES[model][1]
    found = [errors(model, formulation, "radau5", coarsest * k) for k in (1, 2)]
    for name in VARIABLES:
        order = np.log2(found[0][name] / found[1][name])
        assert order > 4.6, (name, [one[name] for one in found])
        assert order < 5.9, (name, [one[name] for one in found])


def test_five_stages_are_of_order_nine() -> None:
    model, steps = "muller2013_spherical_double_pendulum", (8, 10)
    found = [errors(model, "rp", "radau9", many) for many in steps]
    for name in ("velocity", "acceleration"):
        order = np.log(found[0][name] / found[1][name]) / np.log(steps[1] / steps[0])
        assert 7.5 < order < 10.5, (name, [one[name] for one in found])


def test_seven_stages_reach_rounding_in_few_steps() -> None:
    found = errors("spatial_slider_crank_spring", "rA", "radau13", 24)
    assert max(found.values()) < 1e-11
    fewer = errors("spatial_slider_crank_spring", "rA", "radau5", 24)
    assert fewer["position"] > 1e3 * found["position"], "it is not the model that is easy"
