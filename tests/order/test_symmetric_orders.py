"""Implicit midpoint and Störmer-Verlet are of second order on mechanisms, in every kind of explicit problem."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.integrators.symmetric import METHODS

CASES = {  # model and coarsest step; the second has a driver, loops, and a spring
    "muller2013_spherical_double_pendulum": (0.2, 4e-3),
    "planar_four_bar": (0.1, 2e-3),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product", "rotation-matrix", "joint-rates", "canonical"])
@pytest.mark.parametrize("model", list(CASES))
def test_order_two(model: str, formulation: str, name: str) -> None:
    mech, (t_end, step) = lw.load(model), CASES[model]
    if formulation == "canonical":  # Verlet's half steps of momenta that turn with the joints want to be shorter
        step /= 8.0
    exact = lw.simulate(mech, t_end, CASES[model][1] / 4, "lie-mixed", "dop853")
    errors = {"position": [], "rotation": [], "velocity": []}
    steps = [step, step / 2, step / 4, step / 8]
    for h in steps:
        result = lw.simulate(mech, t_end, h, formulation, name)
        for variable, found in errors.items():
            found.append(np.abs(result[variable][-1] - exact[variable][-1]).max())
    for variable, found in errors.items():
        orders = np.log2(np.array(found[:-1]) / found[1:])
        assert_allclose(orders, 2.0, atol=0.25, err_msg=f"{variable}: {found}")
