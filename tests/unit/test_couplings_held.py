"""Couplings whose ratio changes: every explicit formulation holds them however it is stabilised, and runs that leave
them are judged by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.system import compile_mechanism

P = np.polynomial.Polynomial([0.0, -1.5, 0.3, 0.2])
EXPLICIT = [name for name in FORMULATIONS if name not in ("rA", "rp", "re")]
ARM = 0.3  # m, from the hinges to the centres of mass


def two_arms() -> lw.Mechanism:
    """Arms on parallel hinges, angle of the first = P(angle of the second)."""
    mech = lw.Mechanism("two arms")
    mech.body("a", mass=1.0, inertia=[0.1, 0.2, 0.3], position=[ARM, 0, 0], angular_velocity=[0, 2.0, 0])
    mech.body("b", mass=2.0, inertia=[0.1, 0.2, 0.3], position=[ARM, 1, 0])
    mech.joint("first", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("second", "revolute", "ground", "b", point=[0, 1, 0], axis=[0, 1, 0])
    mech.coupling("link", "mimic", joint="first", joint2="second", polynomial=P.coef.tolist())
    return mech


def exact(time: np.ndarray) -> np.ndarray:
    """The second angle by Lagrange's equation of one coordinate, T = (I_a P'^2 + I_b) q'^2 / 2, V = -g sum m c sin."""
    slope, bend, g, moment = P.deriv(), P.deriv(2), 9.81 * ARM, ((0.2 + ARM**2), (0.2 + 2.0 * ARM**2))

    def rate(t: float, y: np.ndarray) -> list[float]:
        q, u = y
        push = g * (np.cos(P(q)) * slope(q) + 2.0 * np.cos(q)) - moment[0] * slope(q) * bend(q) * u * u
        return [u, float(push / (moment[0] * slope(q) ** 2 + moment[1]))]

    found = solve_ivp(rate, (0.0, time[-1]), [0.0, 2.0 / slope(0.0)], "DOP853", time, rtol=1e-12, atol=1e-13)
    return np.asarray(found.y[0])


@pytest.mark.parametrize("formulation", EXPLICIT)
@pytest.mark.parametrize(
    "held", [{}, {"stabilisation": "projection"}, {"stabilisation": "baumgarte", "baumgarte": (5.0, 5.0)}]
)
def test_every_way_of_holding_it_comes_to_the_same_motion(formulation: str, held: dict[str, Any]) -> None:
    run = lw.simulate(two_arms(), 1.0, 1e-2, formulation, "dop853", rtol=1e-9, **held)
    found = run.joint("second")["angle"]
    np.testing.assert_allclose(found, exact(run.time), atol=1e-7)
    np.testing.assert_allclose(run.joint("first")["angle"], P(found), atol=1e-7)
    assert run.judgement == "good"


def drifting(**limits: float) -> lw.Result:
    """By Euler's method in joint coordinates, which hold the hinges but not the coupling."""
    unlimited = {"energy": float("inf"), "growth": float("inf"), "turn": float("inf"), "slip": float("inf")}
    return lw.simulate(two_arms(), 1.0, 0.02, "articulated-body", "euler", limits=unlimited | limits)


def shares(run: lw.Result) -> np.ndarray:
    """How far the coupling is off, in lengths of the mechanism, by angles."""
    off = run.joint("first")["angle"] - P(run.joint("second")["angle"])
    return np.abs(off) / np.hypot(1.0, P.deriv()(0.0))


def test_a_run_that_has_left_its_coupling_is_wrong() -> None:
    run = drifting()
    assert shares(run).max() > 2e-3
    assert (run.judgement, run.success) == ("wrong", False)
    assert [one.kind for one in run.verdicts] == ["violation"]
    verdict = run.verdicts[0]
    assert "row 'link' is off" in verdict.text
    assert verdict.value == pytest.approx(shares(run).max(), rel=1e-6)
    assert verdict.time == pytest.approx(run.time[np.argmax(shares(run))])
    assert drifting(violation=1.01 * shares(run).max()).judgement == "good"


def test_a_run_whose_rates_miss_the_coupling_is_doubted() -> None:
    run = drifting(slip=1e-3, violation=float("inf"))
    assert [one.kind for one in run.verdicts] == ["slip"]
    assert "row 'link'" in run.verdicts[0].text
    first, second = run.joint("first"), run.joint("second")
    missed = np.abs(first["angle_rate"] - P.deriv()(second["angle"]) * second["angle_rate"]) / np.hypot(1.0, 1.5)
    fastest = np.abs(np.stack([first["angle_rate"], second["angle_rate"]])).max()
    assert run.verdicts[0].value == pytest.approx(missed.max() / fastest, rel=1e-9)


def test_a_run_that_leaves_its_coupling_far_ends() -> None:
    share = shares(drifting()).max()
    with pytest.raises(LinkworkError, match=r"joints come apart: row 'link'") as caught:
        drifting(apart=0.5 * share)
    kept = caught.value.result
    assert 0.5 * share < shares(kept)[-1] < 0.75 * share
    assert np.all(shares(kept)[:-1] <= 0.5 * share)


def test_other_rows_are_not_hidden_behind_a_coupling() -> None:
    """Residuals of couplings are no residuals of rows: the largest of each is looked at by itself."""
    from linkwork.equations.derived import MechanismDeriver

    run, mech = drifting(), two_arms()
    deriver = MechanismDeriver(compile_mechanism(mech.lower()))
    names = ("position_violation", "velocity_violation")
    data = [run[name] for name in ("position", "rotation", "velocity", "angular_velocity")]
    found = deriver.derive(names, run.time, *data, None, None, None)
    assert deriver.missed is not None
    assert deriver.missed.position.max() < found["position_violation"].max()
    np.testing.assert_allclose(
        np.maximum(deriver.missed.position, np.abs(deriver.missed.phi[:, 0])), found["position_violation"]
    )


def spinning_gears() -> lw.Mechanism:
    """40 and 120 rad/s: samples 0.1 s apart do not tell how often they have turned."""
    m = lw.Mechanism("gears", gravity=(0, 0, 0))
    for k, spin in enumerate((40.0, -120.0)):
        m.body(f"wheel {k}", mass=1.0, inertia=[0.1] * 3, position=(0.4 * k, 0, 0), angular_velocity=(0, 0, spin))
        m.joint(f"axle {k}", "revolute", "ground", f"wheel {k}", point=(0.4 * k, 0, 0), axis=(0, 0, 1))
    m.coupling("mesh", "gear", joint="axle 1", joint2="axle 0", ratio=-3)
    return m


@pytest.mark.parametrize(
    "how",
    [
        {"step": 0.1},
        {"step": 1e-3, "formulation": "canonical", "integrator": "rk4", "every": 200},
        {"step": 1e-3, "formulation": "rA", "every": 200},
    ],
)
def test_turns_between_samples_are_not_held_against_a_coupling(how: dict[str, Any]) -> None:
    run = lw.simulate(spinning_gears(), 2.0, **how)
    assert (run.success, run.judgement) == (True, "good"), run.message


def even_gears(spin: float) -> lw.Mechanism:
    """Gears that turn evenly, the small one three times as fast: steps that find their size have no error to see."""
    m = lw.Mechanism("even gears", gravity=(0, 0, 0))
    for k, rate in enumerate((spin, -3.0 * spin)):
        m.body(
            f"wheel {k}", mass=1.0, inertia=[0.3, 0.3, 0.02], position=(0.4 * k, 0, 0), angular_velocity=(0, 0, rate)
        )
        m.joint(f"axle {k}", "revolute", "ground", f"wheel {k}", point=(0.4 * k, 0, 0), axis=(0, 0, 1))
    m.coupling("mesh", "gear", joint="axle 1", joint2="axle 0", ratio=-3)
    return m


@pytest.mark.parametrize(("formulation", "spin"), [("lie-mixed", 5.0), ("articulated-body", 9.0), ("canonical", 40.0)])
def test_steps_of_their_own_size_turn_no_coupling_further_than_turns_are_known(formulation: str, spin: float) -> None:
    """They were refused as singular, as not finite, or went on with a turn missed."""
    run = lw.simulate(even_gears(spin), 1.0, 0.1, formulation, "dp54", rtol=1e-7)
    assert run.judgement == "good"
    assert run.joint("axle 0")["angle"][-1] == pytest.approx(spin, abs=1e-9)
    assert run["position_violation"].max() < 1e-9  # turns counted by rates, however far samples are apart


def test_turns_between_135_degrees_and_half_a_revolution_are_not_held_against_a_coupling() -> None:
    run = lw.simulate(even_gears(9.0), 1.0, 0.1, "joint-rates", "dop853", rtol=1e-9)
    assert (run.success, run.judgement) == (True, "good"), run.message


@pytest.mark.parametrize("step", [0.3, 0.5])
def test_turns_that_rates_at_samples_do_not_tell_are_not_held_against_a_coupling(step: float) -> None:
    """Gears that swing by 8 and 24 rad: rates tell other turns than there were, or leave them in doubt."""
    mech = even_gears(40.0)
    mech.force("shaking", "torque", body="wheel 0", components=[0, 0, "-40*sin(5*t)"])
    run = lw.simulate(mech, 3.0, step, "joint-rates", "dop853", rtol=1e-9)
    assert not np.max(run["position_violation"]) < 1.0  # turns are in doubt there, or told wrongly
    assert run.success, run.message
    assert not [one for one in run.verdicts if one.kind in ("violation", "apart")]


def test_a_simulator_knows_the_turns_of_its_couplings() -> None:
    sim = lw.Simulator(spinning_gears(), 1e-3, "canonical", "rk4")
    sim.advance(1.0)
    assert sim.violations["position_violation"] < 1e-9
    assert sim.verdicts == []
