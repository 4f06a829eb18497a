"""Radau IIA methods are of order 2s - 1 in coordinates, rates and reactions, in all coordinates and on groups."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest

import linkwork as lw
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started

INDEX_2 = "stabilised-index-2"
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


def errors(model: str, formulation: str, integrator: str, steps: int, **options: str) -> dict[str, float]:
    t_end, wanted = CASES[model][0], exact(model)
    found = lw.simulate(lw.load(model), t_end, t_end / steps, formulation, integrator, **options)
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


@pytest.mark.parametrize(
    ("formulation", "model"),
    [(one, "spatial_slider_crank_spring") for one in FORMULATIONS]
    + [("rA", "rolling_disc"), ("lie-se3", "rolling_disc")],
)
def test_stabilised_equations_are_of_order_five(formulation: str, model: str) -> None:
    coarsest = CASES[model][1]
    found = [errors(model, formulation, "radau5", coarsest * k, equations=INDEX_2) for k in (1, 2)]
    for name in VARIABLES:
        order = np.log2(found[0][name] / found[1][name])
        assert 4.6 < order < 5.9, (name, [one[name] for one in found])


def stages_end(integrator: str, equations: str, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Rates and multipliers of the last stage, before they are taken to the velocity equation."""
    chosen, method = pair("rA", integrator)
    t_end = CASES["spatial_slider_crank_spring"][0]
    compiled = prepare(lw.load("spatial_slider_crank_spring"), dynamics=True).compiled
    make = partial(new_run, chosen, method.with_options(equations=equations), step=t_end / steps, t_end=t_end)
    run = started(compiled, make)
    assert run.initialise() == 0
    assert run.advance(run.total)[0] == 0
    last = run.run.stages[0] - 1
    return run.run.v[last].copy(), run.run.x[last, run.problem.layout.multipliers].copy()


@pytest.mark.parametrize(
    ("integrator", "equations", "of_rates", "of_multipliers"),
    [("radau5", "index-3", 3, 2), ("radau5", INDEX_2, 5, 3), ("radau9", "index-3", 5, 4), ("radau9", INDEX_2, None, 5)],
)
def test_stages_have_the_orders_of_their_index(
    integrator: str, equations: str, of_rates: int | None, of_multipliers: int
) -> None:
    """Rates of order s and multipliers of s - 1 for index 3, 2s - 1 and s for index 2 [Hairer, Lubich, Roche 1989].

    With five stages rates of index 2 are rounding at once.
    """
    exact = stages_end("radau13", INDEX_2, 80)
    found = [stages_end(integrator, equations, steps) for steps in (20, 40)]
    off = [[np.abs(a - b).max() / np.abs(b).max() for a, b in zip(one, exact, strict=True)] for one in found]
    orders = np.log2(np.array(off[0]) / np.array(off[1]))
    if of_rates is None:
        assert max(off[0][0], off[1][0]) < 2e-12
    else:
        assert orders[0] == pytest.approx(of_rates, abs=0.35), off
    assert orders[1] == pytest.approx(of_multipliers, abs=0.45), off
