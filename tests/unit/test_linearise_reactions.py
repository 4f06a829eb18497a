"""Reactions as outputs of linear models: closed forms, differences of states beside, what dependent rows share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from mechanism_generator_couplings import mechanism_with_rotors
from unit.test_linearise import beside

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.linearise import linear_model
from linkwork.linearisation.reactions import reactions_of
from linkwork.linearisation.start import equations_of

M, L, J, G = 1.2, 0.3, 0.05, 9.81
WORDS = [f"reaction_{kind}.{axis}" for kind in ("force", "torque") for axis in "xyz"]


def pendulum(**more: Any) -> lw.Mechanism:
    mech = lw.Mechanism("pendulum", gravity=(0, 0, -G))
    mech.body("rod", mass=M, inertia=[0.04, J, 0.01], position=[0, 0, -L], **more)
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    return mech


def test_what_a_pendulum_hangs_by_against_its_closed_form() -> None:
    """At rest, pushed at its centre of mass and turned; torques about axes across the hinge as well."""
    model = lw.linearise(
        pendulum(),
        inputs=["rod.force.x", "rod.torque.y", "rod.torque.x"],
        outputs=["rod.rotation.y", "hinge.reaction_force.x", "hinge.force.z", "hinge.torque.x", "hinge.torque.y"],
    )
    I = J + M * L**2
    turn = model.C[0, 0]
    swing = -G * M * L / I * turn  # rad/s^2 of a unit of the first state
    np.testing.assert_allclose(model.C[1:, 0], [-M * L * swing, 0.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(model.C[1:, 1], 0.0, atol=1e-12)
    wanted = [[M * L**2 / I - 1.0, -M * L / I, 0.0], [0, 0, 0], [0, 0, -1.0], [0, 0, 0]]
    np.testing.assert_allclose(model.D[1:], wanted, atol=1e-12)


def test_a_driven_joint_tells_what_its_driver_must_exert() -> None:
    """The stiffness and inertia that a motor feels, held at an angle: none of them are the joint's own."""
    mech = pendulum()
    mech.body("tip", mass=0.5, inertia=[0.01, 0.01, 0.01], position=[0, 0, -0.8])
    mech.joint("elbow", "revolute", "rod", "tip", point=[0, 0, -0.6], axis=[0, 1, 0])
    mech.driver("motor", "hinge", 0.0)
    model = lw.linearise(mech, inputs=["tip.force.x"], outputs=["motor.torque.y", "elbow.angle"])
    # tip's moment about the hinge: its weight's, and of what accelerates it, 0.5 (0.2 elbow'') 0.8 + 0.01 elbow''
    angle = model.C[1, 0]
    fast = -0.5 * G * 0.2 / (0.01 + 0.5 * 0.04)
    assert model.C[0, 0] == pytest.approx(angle * (0.5 * G * 0.2 + (0.5 * 0.2 * 0.8 + 0.01) * fast), rel=1e-10)
    pushed = -0.2 / (0.01 + 0.5 * 0.04)  # a force to x turns what hangs about -y
    assert model.D[0, 0] == pytest.approx(0.8 + (0.5 * 0.2 * 0.8 + 0.01) * pushed, rel=1e-10)


@pytest.mark.parametrize(
    "mech", [random_mechanism(2), random_mechanism(3), mechanism_with_rotors(1), lw.load("rolling_disc")]
)
def test_against_differences_of_states_beside(mech: lw.Mechanism) -> None:
    """Moving, with loops, drivers, rotors, a disc that rolls; redundant rows leave some of the reactions alone."""
    e = equations_of(mech)
    names = []
    for joint in e.at.joint_names:
        for word in WORDS:
            try:
                linear_model(e, outputs=[f"{joint}.{word}"])
                names.append(f"{joint}.{word}")
            except UsageError as error:
                assert "rows that depend on each other share it" in str(error)  # noqa: PT017
    assert len(names) > 5
    model = linear_model(e, outputs=names)

    def read(x: Any) -> Any:
        at = beside(e, x)
        now = Equations(at, AppliedForces(at), e.time)
        found = reactions_of(at, e.time, now.accelerations()[1])
        parts = [name.rsplit(".", 2) for name in names]
        return [getattr(found[owner], what.removeprefix("reaction_"))["xyz".index(k)] for owner, what, k in parts]

    step = 1e-5
    eye = np.eye(len(model.A))
    wanted = np.array([np.subtract(read(step * x), read(-step * x)) / (2 * step) for x in eye]).T
    np.testing.assert_allclose(model.C, wanted, atol=3e-7 * np.abs(wanted).max())


def test_reactions_that_dependent_rows_share_are_refused() -> None:
    """Of a door on two hinges: along their common axis nobody knows which one bears the weight."""
    mech = lw.Mechanism("door")
    mech.body("leaf", mass=20.0, inertia=[2, 2, 1], position=[0.4, 0, 1.0])
    for name, height in (("low", 0.5), ("high", 1.5)):
        mech.joint(name, "revolute", "ground", "leaf", point=[0, 0, height], axis=[0, 0, 1])
    with pytest.raises(UsageError, match="the reaction of joint 'low' is not determined"):
        lw.linearise(mech, inputs="leaf.force.x", outputs="low.reaction_force.z")
