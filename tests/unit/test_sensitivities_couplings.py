"""Derivatives of runs with rigid couplings and rotors, where these are closing rows: closed form, differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.coupled import wheels

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.errors import UnsupportedElementError

RECURSIONS = pytest.mark.parametrize("formulation", ["articulated-body", "canonical"])


def geared() -> lw.Mechanism:
    mech = wheels(0.5, 0.3)
    mech.coupling("mesh", "gear", joint="ja", joint2="jb", ratio=-2.0)
    mech.coupling("motor", "rotor", joint="ja", inertia=0.1)
    mech.force("drive", "torque", body="a", components=[0, 0, 2.0])
    return mech


@RECURSIONS
@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_wheels_in_mesh(formulation: str, mode: str) -> None:
    """Angle T t^2 / 2 I of the first, with I = I_a + I_m + I_b / ratio^2: steps of rk4 are exact."""
    to = ["a.inertia[2]", "b.inertia[2]", "motor.inertia", "mesh.ratio", "drive.components[2]"]
    found = lw.sensitivities(
        geared(), 0.4, 5e-2, formulation, "rk4", of={"angle": lw.Final("ja.angle")}, to=to, mode=mode
    )
    inertia, half = 0.5 + 0.1 + 0.3 / 4.0, 0.5 * 0.4**2
    along = -2.0 * half / inertia**2
    wanted = [along, along / 4.0, along, along * -2.0 * 0.3 / (-2.0) ** 3, half / inertia]
    np.testing.assert_allclose(found["angle"], wanted, rtol=1e-11)


@RECURSIONS
def test_a_rack_whose_start_moves(formulation: str) -> None:
    """The offset of rack and pinion moves the start; differences of runs."""
    mech = lw.Mechanism("rack")
    turns: dict[str, Any] = {"angular_velocity": [0, 1.0, 0], "velocity": [-0.3, 0, 0]}
    mech.body("pinion", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, -0.3], **turns)
    mech.body("rack", mass=1.5, inertia=[0.2, 0.2, 0.2], position=[1, 0, -0.4])
    mech.joint("axle", "revolute", "ground", "pinion", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("guide", "prismatic", "ground", "rack", point=[1, 0, 0], axis=[1, 0, 0])
    mech.coupling("teeth", "rack-and-pinion", rack="guide", pinion="axle", radius=0.4, offset=0.0)
    to, how = ["teeth.radius", "teeth.offset"], {"accept_changes": True}
    found = lw.sensitivities(mech, 0.2, 2e-2, formulation, "rk4", of=["position", "multiplier"], to=to, **how)
    for number in numbers_of(mech, to):
        above, below = (lw.simulate(number.moved(by), 0.2, 2e-2, formulation, "rk4", **how) for by in (1e-4, -1e-4))
        for name in found.of:
            near = (above[name] - below[name]) / 2e-4
            assert np.max(np.abs(found[name, number.name] - near)) <= 1e-6 * np.max(np.abs(near))


@pytest.mark.parametrize(("formulation", "integrator"), [("lie-mixed", "rk4"), ("rA", "generalized-alpha")])
def test_couplings_beside_the_equations_say_so(formulation: str, integrator: str) -> None:
    with pytest.raises(UnsupportedElementError, match=f"sensitivities of {formulation} .* 'mesh'") as refused:
        lw.sensitivities(geared(), 0.1, 1e-2, formulation, integrator, of="position", to="mesh.ratio")
    assert "canonical" in str(refused.value)
