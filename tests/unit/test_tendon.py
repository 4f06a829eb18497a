"""The force `tendon`: a spring, damper and actuator along a sum of joint coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError


def sliders(**force: object) -> lw.Mechanism:
    """Two masses of 1 and 2 kg on rails, a tendon over both: L = q1 - 0.5 q2 + 0.1."""
    m = lw.Mechanism("sliders", gravity=[0, 0, 0])
    for k, speed in enumerate((1.0, -0.5)):
        m.body(f"mass {k + 1}", mass=k + 1.0, inertia=[1, 1, 1], position=[0, k, 0], velocity=[speed, 0, 0])
        m.joint(f"rail {k + 1}", "translational", "ground", f"mass {k + 1}", point=[0, k, 0], axis=[1, 0, 0])
    m.force("rope", "tendon", coordinates=["rail 1", "rail 2"], factors=[1, -0.5], offset=0.1, **force)
    return m


@pytest.mark.parametrize("formulation", ["lie-mixed", "articulated-body", "rA"])
def test_a_tendon_swings_as_a_spring_on_the_reduced_mass(formulation: str) -> None:
    """L'' = -k (L - 0.3) (1/1 + 0.25/2), L(0) = 0.1, L'(0) = 1.25."""
    run = lw.simulate(sliders(stiffness=40.0, free=0.3), 0.5, 1e-3, formulation)
    q1, q2 = (run.joint(f"rail {k}")["displacement"] for k in (1, 2))
    w = np.sqrt(40.0 * 1.125)
    expected = 0.3 - 0.2 * np.cos(w * run.time) + 1.25 / w * np.sin(w * run.time)
    np.testing.assert_allclose(q1 - 0.5 * q2 + 0.1, expected, atol=1e-9 if formulation != "rA" else 1e-4)


def test_slack_damping_and_formulas() -> None:
    """Accelerations by hand on both sides of the slack and in it."""
    law = {"stiffness": 40.0, "damping": "3*rate", "free": 0.3, "slack": 0.2, "force": "2*length + 5*stretch^2"}
    mech = sliders(**law)
    for q1, stretch in ((-0.2, -0.4), (0.3, 0.0), (0.9, 0.5)):
        state = lw.forward_kinematics(
            mech, {"rail 1.displacement": q1}, {"rail 1.displacement": 1.0, "rail 2.displacement": -0.5}
        )
        T = 40.0 * stretch + 3.0 * 1.25**2 + 2.0 * (q1 + 0.1) + 5.0 * stretch**2
        found = lw.accelerations(mech, state, formulation="lie-mixed")
        np.testing.assert_allclose(found.acceleration("mass 1"), [-T, 0, 0], atol=1e-12)
        np.testing.assert_allclose(found.acceleration("mass 2"), [0.25 * T, 0, 0], atol=1e-12)


def test_a_result_has_the_forces_on_both_joints() -> None:
    run = lw.simulate(sliders(stiffness=40.0, damping=0.5), 0.1, 1e-3, "lie-mixed", "dop853", rtol=1e-9)
    rope = run.force("rope")
    q1, q2 = (run.joint(f"rail {k}") for k in (1, 2))
    T = 40.0 * (q1["displacement"] - 0.5 * q2["displacement"] + 0.1)
    T += 0.5 * (q1["displacement_rate"] - 0.5 * q2["displacement_rate"])
    np.testing.assert_allclose(rope["force_rail 1"], -T, atol=1e-12)
    np.testing.assert_allclose(rope["force_rail 2"], 0.5 * T, atol=1e-12)
    np.testing.assert_allclose(rope.power, -T * (q1["displacement_rate"] - 0.5 * q2["displacement_rate"]), atol=1e-12)
    assert run.judgement == "good"


def test_slips_are_refused() -> None:
    with pytest.raises(ModelError, match="not as many of each"):
        lw.Mechanism.from_dict({**sliders().to_dict(), "forces": [
            {"name": "rope", "type": "tendon", "coordinates": ["rail 1"], "factors": [1, 2]}]})  # fmt: skip
    with pytest.raises(ModelError, match="does not exist"):
        lw.Mechanism.from_dict({**sliders().to_dict(), "forces": [
            {"name": "rope", "type": "tendon", "coordinates": ["rail 3"], "factors": [1]}]})  # fmt: skip
