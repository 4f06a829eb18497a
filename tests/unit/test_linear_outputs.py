"""Outputs of linear models: sensors, rates, coordinates of joints, angular quantities of bodies that turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from unit.test_linearise import beside

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.linearisation.signals import output_of
from linkwork.linearisation.start import equations_of


def shaken_crane(**wind: float) -> lw.Mechanism:
    """A universal joint and a slide that move, on a shaken base, with sensors of all kinds and a force by an input."""
    mech = lw.Mechanism("crane")
    mech.input("wind", wind.get("wind", 0.3))
    mech.body("boom", mass=2.0, inertia=[[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.1]], position=[0.1, 0, -0.5])
    mech.body("load", mass=0.7, inertia=[0.02, 0.03, 0.04], position=[0.1, 0.1, -1.2])
    mech.joint("u", "universal", "ground", "boom", point=[0, 0, 0], axis=[0, 1, 0], axis2=[1, 0, 0])
    mech.joint("p", "prismatic", "boom", "load", point=[0.1, 0.1, -1.0], axis=[0, 0.2, 1])
    mech.force("rope", "spring", first="boom", second="load", point=[0, 0, 0], point2=[0, 0, 0.1], stiffness=80.0)
    mech.force("gust", "force", body="load", components=["input('wind')*(1 + t)", "-0.2*velocity('load', 'y')", 0])
    mech.force("quake", "base-acceleration", components=["2*cos(t)", 0.0, "1 + t"])
    mech.sensor("height", "position('load', 'z', [0, 0.1, -0.1])^2")
    mech.sensor("turning", "rate('u', 'angle_1')*angle('u', 'angle_2') + 0.5*speed('load')")
    mech.sensor("gauge", "sin(distance('load', 'boom'))*input('wind') + velocity('load', 'x', [0, 0, 0.2])")
    mech.sensor("both", "height + 2*turning")
    mech.sensor("unit", type="imu", body="load", point=[0, 0.1, 0.2], rotation={"axis": [1, 2, 3], "angle": 0.7})
    mech.sensor("still", type="imu", body="ground")
    return mech


UNIT = [f"unit.{what}.{axis}" for what in ("acceleration", "angular_velocity") for axis in "xyz"]


READ = ["height", "turning", "gauge", "both", *UNIT]


RATES = ["u.angle_1_rate", "u.angle_2_rate", "p.displacement_rate"]


def test_sensors_and_rates_are_outputs() -> None:
    """C and D against differences of what a run reads at states beside a moving one."""
    mech = shaken_crane()
    state = lw.start_state(mech, {"u.angle_1": (0.4, 1.3), "u.angle_2": (-0.3, 0.9), "p": (0.05, -0.6)}, time=0.2)
    model = lw.linearise(mech, state, inputs=["wind", "load.force.x"], outputs=[*READ, *RATES, "still.acceleration.x"])
    e = equations_of(mech, state)

    def read(at: Any, wind: float = 0.3) -> Any:
        one = shaken_crane(wind=wind)
        where = replace(state, position=at.r[:-1], rotation=at.A[:-1].reshape(-1, 3, 3), velocity=at.v[:-1])
        run = lw.simulate(one, 0.2 + 1e-6, 1e-6, "lie-mixed", state=replace(where, angular_velocity=at.w[:-1]))
        rates = [run.joint(name.split(".")[0])[name.split(".")[1]][0] for name in RATES]
        return np.array([*(run.value(name)[0] for name in READ), *rates])

    h = 1e-6
    C = np.array([(read(beside(e, h * x)) - read(beside(e, -h * x))) / (2 * h) for x in np.eye(len(model.A))]).T
    np.testing.assert_allclose(model.C[:-1], C, atol=2e-8 * np.abs(C).max())
    D = (read(e.at, 0.3 + 1e-4) - read(e.at, 0.3 - 1e-4)) / 2e-4
    np.testing.assert_allclose(model.D[:-1, 0], D, atol=1e-8)
    assert np.abs(model.D[2, 0]) > 0.1
    assert np.abs(model.D[4:7]).max() > 0.1
    assert not model.C[-1].any()
    assert not model.D[-1].any()


def test_sensors_without_slope_or_along_fixed_axes_are_refused_as_outputs() -> None:
    mech = shaken_crane()
    mech.sensor("far", "abs(position('load', 'y') - 0.1)")
    with pytest.raises(UsageError, match="sensor 'far' has a kink or a jump at this state"):
        lw.linearise(mech, outputs="far")
    with pytest.raises(UsageError, match="output 'hight' does not exist; did you mean 'height'"):
        lw.linearise(mech, outputs="hight")
    disc = lw.load("rolling_disc")
    disc.sensor("height", f"position('{disc.bodies[0].name}', 'z')")
    with pytest.raises(UsageError, match="sensor 'height' reads along fixed axes"):
        lw.linearise(disc, lw.State.start(disc), turning=(0, 0, 1.5), outputs="height")


def test_outputs_of_every_coordinate_that_a_joint_has() -> None:
    """Rows of outputs times velocities are the rates that a run records: cross, plane, slide and turn, screw."""
    mech = lw.Mechanism("row of joints")
    joints = (("u", "universal", {"axis": [0, 1, 0], "axis2": [1, 0, 0]}), ("p", "planar", {"axis": [0, 1, 0]}))
    joints += (("c", "cylindrical", {"axis": [1, 0, 0]}), ("s", "screw", {"axis": [0, 0, 1], "lead": 0.1}))
    last = "ground"
    for k, (name, kind, given) in enumerate(joints):
        body = f"body {k}"
        mech.body(body, mass=1.0 + k, inertia=[0.1, 0.2, 0.15], position=[0.3 * k, 0.1 * k, -0.2 * k])
        mech.joint(name, kind, last, body, point=[0.3 * k - 0.1, 0.1 * k, -0.2 * k + 0.1], **given)
        last = body
    rates = {"u.angle_1": 0.7, "u.angle_2": -0.4, "p.displacement_1": 0.3, "p.displacement_2": -0.8, "p.angle": 1.1}
    rates |= {"c.angle": 0.9, "c.displacement": -0.5, "s.angle": 0.6}
    run = lw.simulate(
        mech, 1e-3, 1e-3, formulation="lie-mixed", state={name: (0.2, rate) for name, rate in rates.items()}
    )
    e = equations_of(mech, run.state(0))
    for name in [*rates, "s.displacement"]:
        joint, coordinate = name.split(".")
        wanted = run.joint(joint).arrays[coordinate + "_rate"][0]
        assert abs(wanted) > 1e-3
        np.testing.assert_allclose(
            output_of(e, name, np.zeros(e.size), np.zeros(e.at.nc)).by_place @ e.u, wanted, rtol=1e-12
        )
    with pytest.raises(UsageError, match=r"output 'p.displacement' .* has p.displacement_1, p.displacement_2, p.angle"):
        output_of(e, "p.displacement", np.zeros(e.size), np.zeros(e.at.nc))


def test_angular_outputs_of_a_turning_body_are_those_of_the_global_vectors() -> None:
    """The turn of the body's axes was left out of them: omega and omegadot of a free body by a difference."""
    mech, J = lw.Mechanism("free", gravity=(0, 0, 0)), np.array([0.2, 0.3, 0.4])
    mech.body("block", mass=1.0, inertia=J.tolist(), angular_velocity=[1.0, -2.0, 0.7], rotation={
        "axis": [1, 2, -1], "angle": 0.8})  # fmt: skip
    kinds = ("angular_velocity", "angular_acceleration")
    model = lw.linearise(mech, outputs=[f"block.{kind}.{axis}" for kind in kinds for axis in "xyz"])
    A, w, step = model.state.rotation[0], model.state.angular_velocity[0], 1e-5

    def vectors(x: Any) -> Any:
        turned = A @ Rotation.from_rotvec((model.displacements @ x)[3:]).as_matrix()
        now = w + (model.velocities @ x)[3:]
        return np.hstack([turned @ now, turned @ (-np.cross(now, J * now) / J)])

    eye = np.eye(len(model.A))
    wanted = np.array([(vectors(step * x) - vectors(-step * x)) / (2 * step) for x in eye]).T
    np.testing.assert_allclose(model.C, wanted, atol=1e-8)
    assert np.max(np.abs(wanted[:, :6])) > 1.0  # by displacements
