"""RATTLE and its compositions are of order 2, 4 and 6 in poses, velocities, accelerations and multipliers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.run.matching import fitting

VARIABLES = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "multiplier")
FORMULATIONS_IN_MOMENTA = [name for name in FORMULATIONS if "rattle" in fitting(name)]
# end, and the coarsest number of steps: a fast tree; a loop with a spring and a damper; redundant rows; many loops
CASES = {
    "muller2013_spherical_double_pendulum": (0.1, 100),
    "spatial_slider_crank_spring": (0.2, 100),
    "muller2013_three_bar": (0.2, 50),
    "stewart_platform": (0.2, 50),
}


@cache
def exact(model: str) -> dict[str, np.ndarray]:
    t_end = CASES[model][0]
    found = lw.simulate(
        lw.load(model), t_end, t_end, "lie-mixed", "dop853", rtol=1e-13, atol=1e-14, stabilisation="projection"
    )  # fmt: skip
    return {name: found[name][-1] for name in VARIABLES}


def orders(model: str, formulation: str, integrator: str, steps: int) -> dict[str, float]:
    t_end, wanted, errors = CASES[model][0], exact(model), []
    for many in (steps, 2 * steps):
        found = lw.simulate(lw.load(model), t_end, t_end / many, formulation, integrator, every=many)
        errors.append({name: np.abs(found[name][-1] - wanted[name]).max() for name in VARIABLES})
    assert errors[1]["position"] > 1e-13, "rounding is no order"
    return {name: float(np.log2(errors[0][name] / errors[1][name])) for name in VARIABLES}


@pytest.mark.parametrize("model", ["spatial_slider_crank_spring", "muller2013_three_bar"])
@pytest.mark.parametrize("formulation", FORMULATIONS_IN_MOMENTA)
def test_rattle_is_of_second_order_in_every_formulation(formulation: str, model: str) -> None:
    for name, order in orders(model, formulation, "rattle", CASES[model][1]).items():
        assert order == pytest.approx(2.0, abs=0.05), name


def test_so_is_shake_whose_samples_meet_the_velocity_equation() -> None:
    model = "muller2013_spherical_double_pendulum"
    for name, order in orders(model, "lie-mixed", "shake", CASES[model][1]).items():
        assert order == pytest.approx(2.0, abs=0.05), name


@pytest.mark.parametrize(("integrator", "order", "steps"), [("rattle4", 4.0, 100), ("rattle6", 6.0, 80)])
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product"])
def test_compositions_of_a_fast_tree(formulation: str, integrator: str, order: float, steps: int) -> None:
    model = "muller2013_spherical_double_pendulum"
    for name, found in orders(model, formulation, integrator, steps).items():
        assert found == pytest.approx(order, abs=0.1), name


@pytest.mark.parametrize(("integrator", "order", "steps"), [("rattle4", 4.0, 25), ("rattle6", 6.0, 25)])
@pytest.mark.parametrize("model", ["stewart_platform", "spatial_slider_crank_spring"])
def test_compositions_of_loops(model: str, integrator: str, order: float, steps: int) -> None:
    for name, found in orders(model, "lie-mixed", integrator, steps).items():
        assert found == pytest.approx(order, abs=0.15), name
