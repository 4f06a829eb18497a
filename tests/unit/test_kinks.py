"""Adaptive steps land where formulas of time have kinks, and begin anew behind them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.run.starting import new_run, prepare
from linkwork.status import Status
from linkwork.system.kinks import kink_times

KINKS = [0.1, 0.2, 0.3, np.pi / 7, 0.75, 2 * np.pi / 7]


def slider(*components: str) -> lw.Mechanism:
    mech = lw.Mechanism("slider", gravity=[0, 0, 0])
    mech.body("b", mass=2.0, inertia=[0.1] * 3)
    mech.joint("rail", "translational", "ground", "b", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="b", components=[*components, *["0"] * (3 - len(components))])
    return mech


def test_kinks_are_found_where_time_alone_tells_them() -> None:
    mech = slider(
        "if(t > 0.3, 5, 1) + abs(sin(7*t)) + max(t, 0.75)", "step(t, 0.1, 0.2) + 3*step(t, 2, 3)", "min(speed('b'), t)"
    )
    compiled = prepare(mech, dynamics=True).compiled
    assert_allclose(kink_times(compiled, 0.0, 1.0), KINKS, rtol=1e-12)
    assert_allclose(kink_times(compiled, 0.25, 0.8), KINKS[2:5], rtol=1e-12)
    assert kink_times(prepare(slider("sin(t)"), dynamics=True).compiled, 0.0, 1.0).size == 0


def test_a_table_has_them_where_its_pieces_meet() -> None:
    mech = slider("table('ramp', t)")
    mech.table("ramp", x=[0.0, 0.4, 1.0], y=[0.0, 8.0, 2.0])
    assert_allclose(kink_times(prepare(mech, dynamics=True).compiled, 0.0, 0.9), [0.4], rtol=1e-12)


@pytest.mark.parametrize(
    ("formulation", "integrator"),
    [("lie-mixed", "ts54"), ("articulated-body", "dop853"), ("rA", "radau5"), ("rA", "generalized-alpha")],
)
def test_a_force_that_is_switched_costs_no_rejected_steps_and_no_accuracy(formulation: str, integrator: str) -> None:
    """Accelerations of 3, 0 and -2 m/s^2, switched at irrational times: polynomials of time between them."""
    first, second = 0.1 * np.pi, 0.2 * np.e
    mech = slider(f"if(t < {first!r}, 6, if(t < {second!r}, 0, -4))")
    times = np.linspace(0.0, 1.0, 41)
    found = lw.simulate(mech, 1.0, 0.025, formulation, integrator, rtol=1e-6, atol=1e-9)
    speed = 3.0 * np.minimum(times, first) - 2.0 * np.maximum(times - second, 0.0)
    travelled = 1.5 * np.minimum(times, first) ** 2 + 3.0 * first * np.maximum(times - first, 0.0)
    travelled -= np.maximum(times - second, 0.0) ** 2
    assert_allclose(found.time, times, atol=1e-15)
    assert_allclose(found.velocity("b")[:, 0], speed, atol=1e-12)
    assert_allclose(found.position("b")[:, 0], travelled, atol=1e-12)
    assert found.info["rejected"] == 0
    coarse = lw.simulate(mech, 1.0, 1.0, formulation, integrator, rtol=1e-6, atol=1e-9, t_eval=[second, 1.0])
    assert_allclose(coarse.position("b")[-1, 0], travelled[-1], atol=1e-12)


def test_a_run_that_starts_later_knows_the_kinks_ahead_of_it() -> None:
    mech = slider("if(t < 0.5, 6, -4)")
    whole = lw.simulate(mech, 1.0, 0.1, "lie-mixed", "dop853", rtol=1e-8)
    state = lw.State.of(whole, 3)
    rest = lw.simulate(mech, 1.0, 0.1, "lie-mixed", "dop853", rtol=1e-8, state=state)
    assert_allclose(rest.position("b")[-1], whole.position("b")[-1], atol=1e-12)
    assert rest.info["rejected"] == 0


@pytest.mark.parametrize(("formulation", "integrator"), [("articulated-body", "dop853"), ("rA", "radau5")])
def test_samples_before_a_kink_come_whatever_was_asked_for_before(formulation: str, integrator: str) -> None:
    """A part of a run that ends before a kink does not go on to it: samples in between are still to come."""
    mech = slider("if(t < 0.5, 6*t, -4)")
    method = lw.DOP853(rtol=1e-9) if integrator == "dop853" else lw.Radau5(rtol=1e-9)

    def taken(parts: list[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        ready = prepare(mech, dynamics=True).compiled
        run = new_run(FORMULATIONS.load(formulation), method, ready, step=0.01, t_end=1.0)
        run.begin_at(0.0)
        assert run.initialise() == Status.OK
        blocks = []
        for part in parts:
            while part:
                status, block = run.advance(part)
                assert status == Status.OK
                blocks.append(block)
                part -= len(block["time"])
        return tuple(np.concatenate([block[name] for block in blocks]) for name in ("time", "motion"))

    (times, whole), (_, parted) = taken([100]), taken([7, 23, 15, 4, 1, 1, 49])
    assert_allclose(times, 0.01 * np.arange(1, 101), atol=1e-14)
    np.testing.assert_array_equal(parted, whole)


@pytest.mark.parametrize(("formulation", "integrator"), [("canonical", "dop853"), ("rA", "radau5")])
def test_a_number_that_moves_a_kink_into_a_compiled_run_is_as_one_that_is_read(
    formulation: str, integrator: str
) -> None:
    mech = slider("20*table('ramp', k*t)")
    mech.parameter("k", 1.0)  # at which no kink is within the run
    mech.table("ramp", x=[0.0, 1.0, 2.0], y=[0.0, 0.0, 5.0])
    how = {"rtol": 1e-9, "atol": 1e-9}
    model = lw.compile(mech, formulation, integrator, **how)
    for k in (1.1, 30.0):
        found = model.run(0.1, 0.01, parameters={"k": k})
        wanted = lw.simulate(mech.with_numbers({"k": k}), 0.1, 0.01, formulation, integrator, **how)
        np.testing.assert_array_equal(found["position"], wanted["position"])
        assert found.info["steps"] == wanted.info["steps"]
