"""Generalized-alpha with steps of its own: errors follow the tolerance, and the estimate has the right constants."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.integrators.alpha_run import error_constants
from linkwork.integrators.contract import Integrator
from linkwork.integrators.generalized_alpha import chung_hulbert
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started
from linkwork.status import Status

VARIABLES = ("position", "rotation", "velocity", "acceleration", "multiplier")
CASES = {  # a loop with a spring, a fast tree, a row on velocities, many loops
    "spatial_slider_crank_spring": 0.5,
    "kissel2021_double_pendulum": 1.0,
    "rolling_disc": 0.5,
    "stewart_platform": 0.5,
}
LOOSE, TIGHT = 1e-5, 1e-8
INDEX_2 = "stabilised-index-2"


@cache
def exact(model: str) -> lw.Result:
    t_end = CASES[model]
    return lw.simulate(
        lw.load(model), t_end, t_end / 10, "lie-mixed", "dop853", rtol=1e-12, atol=1e-15, stabilisation="projection"
    )  # fmt: skip


def run(model: str, formulation: str, rtol: float, **options: object) -> lw.Result:
    t_end = CASES[model]
    found = lw.simulate(
        lw.load(model), t_end, t_end / 10, formulation, "generalized-alpha", rtol=rtol, atol=rtol / 1000, **options
    )
    assert found["position_violation"].max() < 1e-9
    return found


@pytest.mark.parametrize(
    ("model", "formulation"),
    [
        *(("spatial_slider_crank_spring", name) for name in ("rA", "rp", "re", "lie-se3", "lie-product", "lie-mixed")),
        *((model, "rA") for model in CASES if model != "spatial_slider_crank_spring"),
    ],
)
def test_errors_of_samples_and_the_number_of_steps_follow_the_tolerance(model: str, formulation: str) -> None:
    """With an error of h^3 in a step errors go like the tolerance to 2/3, steps to -1/3; reactions likewise."""
    wanted, found = exact(model), [run(model, formulation, rtol) for rtol in (LOOSE, TIGHT)]
    of_the_tolerance(found, wanted)


def of_the_tolerance(found: list[lw.Result], wanted: lw.Result) -> None:
    """Errors and steps of two runs, LOOSE and TIGHT, as the order two asks for."""
    ratio = LOOSE / TIGHT
    assert found[1].info["steps"] / found[0].info["steps"] == pytest.approx(ratio ** (1 / 3), rel=0.15)
    for name in VARIABLES:
        errors = [np.abs(one[name] - wanted[name]).max() / np.abs(wanted[name]).max() for one in found]
        assert np.log(errors[0] / errors[1]) / np.log(ratio) == pytest.approx(2 / 3, abs=0.08), (name, errors)
        assert errors[1] < 1e-3, name


@pytest.mark.parametrize(
    ("model", "formulation"),
    [*(("spatial_slider_crank_spring", name) for name in ("rA", "rp", "re", "lie-se3", "lie-mixed")),
     *((model, "rA") for model in CASES if model != "spatial_slider_crank_spring")],
)  # fmt: skip
def test_on_stabilised_equations_they_follow_likewise(model: str, formulation: str) -> None:
    of_the_tolerance([run(model, formulation, rtol, equations=INDEX_2) for rtol in (LOOSE, TIGHT)], exact(model))


def end_of_step(model: str, t_end: float, method: Integrator[Any], steps: int) -> list[NDArray[np.float64]]:
    """Rates and multipliers at the end of the last of equal steps, before they are taken to the velocity equation."""
    chosen, method = pair("rA", method)
    compiled = prepare(lw.load(model), dynamics=True).compiled
    step = t_end if "rho_infinity" in method.options else t_end / steps
    run = started(compiled, partial(new_run, chosen, method, step=step, t_end=t_end))
    of_run: Any = run
    record = of_run.run
    record.next_step[0], record.newton[0], record.cap[0], record.frozen[0] = t_end / steps, 1e-13, 50, 0
    while run.done < run.total:
        assert run.advance(run.total)[0] == Status.OK
    assert abs(run.counts["steps"] - steps) <= 1
    last = record.stages[0] - 1
    return [record.v[last].copy(), record.x[last, of_run.problem.layout.multipliers].copy()]


@pytest.mark.parametrize(("equations", "of_multipliers"), [("index-3", 1), (INDEX_2, 2)])
@pytest.mark.parametrize(
    ("model", "t_end"), [("spatial_slider_crank_spring", 0.2), ("kissel2021_double_pendulum", 0.5)]
)
def test_a_step_has_the_order_of_its_index(model: str, t_end: float, equations: str, of_multipliers: int) -> None:
    """Rates of order two; multipliers of order one on index 3, as steps start from velocities that meet the rows and
    meet those of poses alone; of order two on the stabilised equations."""
    exact = end_of_step(model, t_end, lw.Radau13(equations=INDEX_2), 80)
    found = []
    for steps in (40, 160):
        method = lw.GeneralizedAlpha(rtol=0.5, atol=0.5, max_step=t_end / steps, equations=equations)
        ended = zip(end_of_step(model, t_end, method, steps), exact, strict=True)
        found.append([np.abs(a - b).max() / np.abs(b).max() for a, b in ended])
    of_rates, order = np.log(np.array(found[0]) / np.array(found[1])) / np.log(4.0)
    assert of_rates > 1.9
    assert order == pytest.approx(of_multipliers, abs=0.2), found


def test_stabilised_equations_take_redundant_rows() -> None:
    mech = lw.load("planar_four_bar")
    found = lw.simulate(mech, 0.5, 0.1, "rA", "generalized-alpha", rtol=1e-6, equations=INDEX_2)
    wanted = lw.simulate(mech, 0.5, 0.1, "rA", "radau5", rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(found["position"], wanted["position"], atol=1e-9)
    np.testing.assert_allclose(found["velocity"], wanted["velocity"], atol=1e-8)
    assert found["position_violation"].max() < 1e-14
    assert found["velocity_violation"].max() < 1e-13, "poses are met besides, or it would drift by 1e-10"


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_constants_of_the_estimate_are_those_of_the_formulas(rho: float) -> None:
    """The scheme on accelerations a = t and a = t^2 / 2, many steps, so that what is carried along has settled."""
    s, h = chung_hulbert(rho if rho < 1.0 else 0.999), 0.1
    of_pose, of_rate = error_constants(s)
    for power, constant in ((1, of_pose), (2, of_rate)):
        a, t = 0.0, 0.0
        for _ in range(20_000 if rho == 1.0 else 400):
            now, then = t**power / power, (t + h) ** power / power
            if power == 1:
                off = h**2 * (s.step_a * a + s.step_x * now + s.step_y * then) - h**2 * (t / 2 + h / 6)
            else:
                mean = t**2 / 2 + t * h / 2 + h**2 / 6
                off = h * (s.rate_a * a + s.rate_x * now + s.rate_y * then) - h * mean
            a = s.next_a * a + s.next_x * now + s.next_y * then
            t += h
        assert off / h**3 == pytest.approx(constant, abs=1e-6), power


def test_a_stiff_damped_spring_does_not_keep_steps_short() -> None:
    """1e9 N/m along a slide: 5,000 vibrations in the run, gone at once; the slow one beside it is followed."""
    mech = lw.Mechanism("stiff", gravity=[0, 0, -9.81])
    for name, x in (("fast", 0.0), ("slow", 1.0)):
        mech.body(name, mass=1.0, inertia=[0.1] * 3, position=[x, 0, 0])
        mech.joint(f"{name} slide", "translational", "ground", name, point=[x, 0, 0], axis=[0, 0, 1])
    for name, x, k, c in (("fast", 0.0, 1e9, 1e4), ("slow", 1.0, 40.0, 0.0)):
        mech.force(f"{name} spring", "spring", first="ground", second=name, point=[x, 0, 1], point2=[x, 0, 0],
                   stiffness=k, damping=c)  # fmt: skip
    found = lw.simulate(mech, 1.0, 0.1, "rA", "generalized-alpha", rtol=1e-7, atol=1e-10)
    assert found.info["steps"] < 2000
    t, w = found.time, np.sqrt(40.0)
    np.testing.assert_allclose(found.position("slow")[:, 2], -9.81 / 40.0 * (1.0 - np.cos(w * t)), atol=1e-4)
    np.testing.assert_allclose(found.position("fast")[-1, 2], -9.81e-9, atol=1e-11)


def test_redundant_rows_a_driver_and_samples_at_chosen_times() -> None:
    times = [0.11, 0.2, 0.47]
    mech = lw.load("planar_four_bar")
    found = lw.simulate(mech, 0.5, 0.1, "rA", "generalized-alpha", rtol=1e-5, t_eval=times)
    wanted = lw.simulate(mech, 0.5, 0.1, "rA", "radau5", rtol=1e-10, atol=1e-13, t_eval=times)
    np.testing.assert_allclose(found.time, times)
    np.testing.assert_allclose(found["position"], wanted["position"], atol=1e-9)
    np.testing.assert_allclose(found["velocity"], wanted["velocity"], atol=1e-8)


def test_options_of_steps_of_one_size_are_refused_with_tolerances() -> None:
    mech = lw.load("planar_four_bar")
    for name, value in (("tolerance", 1e-8), ("position_tolerance", 1e-8), ("start", "consistent")):
        with pytest.raises(UsageError, match=f"{name} belongs to steps of one size"):
            lw.simulate(mech, 0.1, 0.01, "rA", "generalized-alpha", rtol=1e-4, **{name: value})
    with pytest.raises(UsageError, match="equations goes with rtol or atol"):
        lw.simulate(mech, 0.1, 0.01, "rA", "generalized-alpha", equations=INDEX_2)
    with pytest.raises(UsageError, match="t_eval goes with rtol or atol"):
        lw.simulate(mech, 0.1, 0.01, "rA", "generalized-alpha", t_eval=[0.05])
