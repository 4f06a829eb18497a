"""Sensors of a description: formulas and measuring units, in results, files and simulators, against the motion."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.header import VARIABLES
from linkwork.mechanism.sensors.base import TAKEN
from linkwork.problems.explicit import ACC

MOUNT = {"axis": [0.0, 0.6, 0.8], "angle": 0.7}
TURN = lw.Mechanism("turn", bodies=[{"name": "b", "rotation": MOUNT}]).lower().bodies[0].rotation


def arm(speed: float = 0.0) -> lw.Mechanism:
    """A bar on a hinge about y, its centre off the described origin, spinning at `speed`."""
    mech = lw.Mechanism("arm")
    mech.parameter("reach", 0.3, unit="m")
    mech.input("gain", 2.0)
    mech.table("square", [0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    place = {"position": [0, 0, -0.2], "centre_of_mass": [0, 0, 0.05]}
    mech.body("bar", mass=1.5, inertia=[0.02, 0.03, 0.01], **place, angular_velocity=[0, speed, 0])
    mech.change("bar", velocity=[-0.2 * speed, 0.0, 0.0])
    mech.joint("hip", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    mech.sensor("hip_angle", "angle('hip')", unit="rad", description="of the hip")
    mech.sensor("height", "position('bar', 'z', [0, 0, -reach])", unit="m")
    mech.sensor("mixed", "input('gain')*table('square', abs(rate('hip')))")
    mech.sensor("always", 3)
    mech.sensor("feel", type="imu", body="bar", point=[0.1, 0, "-reach"], rotation=MOUNT)
    return mech


def felt(result: lw.Result) -> np.ndarray:
    """The acceleration that the measuring unit must read, from the motion of its point."""
    path = result.point("bar", (0.1, 0.0, -0.3))
    return np.einsum("ji,tkj,tk->ti", TURN, result.rotation("bar"), path.acceleration - np.array([0.0, 0.0, -9.81]))


@pytest.mark.parametrize(("formulation", "integrator"), [("rA", None), ("lie-mixed", "rk4"), ("canonical", "rk4")])
def test_sensors_read_what_the_motion_says(formulation: str, integrator: str | None) -> None:
    res = lw.simulate(arm(4.0), 0.3, 1e-3, formulation, integrator)
    hip = res.joint("hip")
    assert_allclose(res["hip_angle"], hip["angle"], atol=1e-13)
    assert_allclose(res["height"], res.point("bar", (0.0, 0.0, -0.3)).position[:, 2], atol=1e-14)
    rate = np.abs(hip["angle_rate"])
    assert_allclose(
        res["mixed"], 2.0 * np.where(rate > 2.0, 4.0, np.where(rate > 1.0, 3.0 * rate - 2.0, rate)), atol=1e-11
    )
    assert_allclose(res["always"], 3.0)
    assert_allclose(res["feel.acceleration"], felt(res), atol=1e-11)
    assert_allclose(res["feel.angular_velocity"], res.angular_velocity("bar") @ TURN, atol=1e-14)
    reading = res.sensor("hip_angle")
    assert np.array_equal(reading["value"], res["hip_angle"])
    assert reading.variables["value"].units == "rad"
    assert reading.variables["value"].long_name == "of the hip"
    assert list(res.sensor("feel")) == ["acceleration", "angular_velocity"]
    assert res.sensor("feel").variables["acceleration"].units == "m s-2"


def test_a_unit_at_rest_reads_gravity_upwards_and_a_falling_one_nothing() -> None:
    mech = lw.Mechanism("two", gravity=(0.0, 0.0, -9.81))
    mech.body("stone", mass=1, inertia=[1, 1, 1])
    mech.sensor("floor", type="imu", body="ground")
    mech.sensor("stone_unit", type="imu", body="stone")
    res = lw.simulate(mech, 0.01, 1e-3, "rA")
    assert_allclose(res["floor.acceleration"], np.tile([0.0, 0.0, 9.81], (11, 1)), atol=1e-15)
    assert_allclose(res["stone_unit.acceleration"], 0.0, atol=1e-12)


def test_a_unit_on_a_shaken_base_feels_the_base() -> None:
    mech = lw.Mechanism("shaken", gravity=(0.0, 0.0, -10.0))
    mech.body("stone", mass=1, inertia=[1, 1, 1])
    mech.force("shaker", "base-acceleration", components=["2*t", 0, 0])
    mech.sensor("floor", type="imu", body="ground")
    mech.sensor("stone_unit", type="imu", body="stone")
    res = lw.simulate(mech, 0.01, 1e-3, "rA")
    assert_allclose(res["floor.acceleration"][:, 0], 2.0 * res.time, atol=1e-15)
    assert_allclose(res["floor.acceleration"][:, 2], 10.0)
    assert_allclose(res["stone_unit.acceleration"], 0.0, atol=1e-12)


def test_turns_are_counted_though_samples_are_turns_apart() -> None:
    mech = arm(30.0)
    mech.change("bar", mass=1.5)
    res = lw.simulate(mech, 1.0, 1e-3, "rA", every=250)  # more than a turn from sample to sample
    assert_allclose(res["hip_angle"], res.joint("hip")["angle"], atol=1e-12)
    assert res["hip_angle"][-1] > 4 * np.pi


def test_files_hold_them_streamed_or_saved(tmp_path: Path) -> None:
    res = lw.simulate(arm(4.0), 0.05, 1e-3, "rA")
    res.save(tmp_path / "saved.nc")
    lw.simulate(arm(4.0), 0.05, 1e-3, "rA", out=tmp_path / "streamed.nc")
    for name in ("saved.nc", "streamed.nc"):
        read = lw.open_result(tmp_path / name)
        for variable in ("hip_angle", "mixed", "feel.acceleration"):
            assert np.array_equal(read[variable], res[variable]), (name, variable)
        assert read.dataset["height"].attrs["units"] == "m"
        assert lw.load(tmp_path / name).sensors.keys() == arm().sensors.keys()


def test_simulators_read_the_same_and_restore_turns() -> None:
    mech = arm(30.0)
    res = lw.simulate(mech, 0.5, 1e-3, "rA")
    sim = lw.Simulator(mech, 1e-3)
    assert {"hip_angle", "always", "feel.acceleration.x"} <= set(sim.outputs)
    assert len(list(sim.outputs)) == len(sim.outputs)
    for k in range(0, 501, 100):
        sim.advance(res.time[k])
        assert sim.outputs["hip_angle"] == pytest.approx(res["hip_angle"][k], abs=1e-9)
        assert sim.outputs["feel.acceleration.y"] == pytest.approx(res["feel.acceleration"][k, 1], abs=1e-9)
    kept, turns = pickle.loads(pickle.dumps(sim.snapshot())), sim.outputs["hip_angle"]
    sim.reset()
    assert sim.outputs["hip_angle"] == pytest.approx(0.0, abs=1e-12)
    sim.restore(kept)
    assert sim.outputs["hip_angle"] == turns
    sim.inputs["gain"] = 0.0
    assert sim.outputs["mixed"] == 0.0


def test_controlled_runs_read_inputs_as_they_were() -> None:
    @lw.controller(period=0.01)
    def ramp(t: float, outputs: object) -> dict[str, float]:
        return {"gain": 1.0 + t}

    mech = arm(1.5)
    res = lw.control(mech, ramp, t_end=0.1, step=0.01)
    assert_allclose(
        res["mixed"], res["input"][:, 0] * np.interp(np.abs(res.joint("hip")["angle_rate"]), [0, 1, 2], [0, 1, 4])
    )
    assert np.ptp(res["input"][:, 0]) > 0.05


def test_other_parameters_and_documents_keep_them() -> None:
    mech = arm().with_parameters(reach=0.5)
    assert mech.to_dict()["sensors"]["feel"]["point"] == [0.1, 0.0, "-reach"]
    res = lw.simulate(mech, 0.002, 1e-3, "rA")
    assert res["height"][0] == pytest.approx(-0.7)
    again = lw.Mechanism.from_dict(mech.to_dict())
    assert again.to_dict() == mech.to_dict()
    short = lw.Mechanism.from_dict({"sensors": {"clock": "t", "two": {"value": 2, "unit": "m"}}})
    assert short.sensors["two"].unit == "m"
    assert short.lower().sensors[0].f is not None


def test_names_of_results_are_taken() -> None:
    extras = {name for one in FORMULATIONS for name in FORMULATIONS.load(one).extras()}
    assert {*VARIABLES, *extras, "input"} <= TAKEN
    assert ACC > 0


@pytest.mark.parametrize(
    ("sensors", "said"),
    [
        ({"a b": "t"}, "letters, digits and _ alone"),
        ({"power": "t"}, "a name that results have"),
        ({"a": "angle("}, "is not a formula"),
        ({"a": {"type": "ium", "body": "bar"}}, "did you mean 'imu'"),
        ({"a": {"type": "imu", "bdy": "bar"}}, "did you mean 'body'"),
        ({"a": [1]}, "must be a formula or a mapping"),
        ([1], "must be a mapping of names"),
    ],
)
def test_what_is_no_sensor_is_refused(sensors: object, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        lw.Mechanism.from_dict({"sensors": sensors})


@pytest.mark.parametrize(
    ("sensor", "said"),
    [
        ("angle('hop')", "sensors.a .*joint 'hop' does not exist; did you mean 'hip'"),
        ("3*rech", "'rech' is no parameter; did you mean 'reach'"),
        ({"type": "imu", "body": "bra"}, "body 'bra' does not exist; did you mean 'bar'"),
    ],
)
def test_names_that_do_not_exist_are_refused(sensor: object, said: str) -> None:
    document = arm().to_dict()
    document["sensors"] = {"a": sensor}
    with pytest.raises(ModelError, match=said):
        lw.Mechanism.from_dict(document).lower()


def test_other_names_are_refused_with_the_nearest() -> None:
    res = lw.simulate(arm(), 0.002, 1e-3, "rA")
    with pytest.raises(UsageError, match="height"):
        res.sensor("hight")


def test_a_sensor_may_name_others_in_any_order() -> None:
    mech = arm(4.0)
    mech.sensor("twice", "2*shifted - always")  # named before it is described
    mech.sensor("shifted", "height + reach*table('square', abs(hip_angle))")
    mech.sensor("reach", "reach")  # the parameter
    res = lw.simulate(mech, 0.05, 1e-3, "lie-mixed", "rk4")
    shifted = res["height"] + 0.3 * np.abs(res["hip_angle"])
    assert_allclose(res["shifted"], shifted, atol=1e-14)
    assert_allclose(res["twice"], 2.0 * shifted - 3.0, atol=1e-14)
    assert_allclose(res["reach"], 0.3)
    sim = lw.Simulator(mech, 1e-3, "lie-mixed", "rk4")
    assert sim.outputs["twice"] == res["twice"][0]
    assert lw.Mechanism.from_dict(mech.to_dict()).to_dict()["sensors"]["twice"]["value"] == "2*shifted - always"


@pytest.mark.parametrize(
    ("sensors", "said"),
    [
        ({"a": "b + 1", "b": "2*c", "c": "a"}, r"sensors.a makes no sense: it depends on itself: a -> b -> c -> a\."),
        ({"a": "a"}, r"it depends on itself: a -> a\."),
        ({"a": "feel"}, "sensor 'feel' reads vectors"),
        ({"a": "hihgt"}, "'hihgt' is no parameter; did you mean 'height'"),
        (
            {"a": "angle('hip') + wrong", "b": "a"},
            "2 errors:\n *sensors.a makes no sense: 'wrong' .*\n *sensors.b makes",
        ),
        (
            {"s0": "t + 1"} | {f"s{k}": f"s{k - 1}*s{k - 1}" for k in range(1, 60)},
            r"sensors.s10 makes no sense: with the sensors that it names it has more than 2000 numbers",
        ),
    ],
)
def test_sensors_that_name_what_they_cannot_are_refused(sensors: dict[str, str], said: str) -> None:
    mech = arm()
    for name, value in sensors.items():
        mech.sensor(name, value)
    with pytest.raises(ModelError, match=said):
        mech.lower()


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("height", "'height' is a sensor, which acts on nothing: write its formula"),
        ("gain", r"'gain' is an input: write input\('gain'\)"),
        ("square", r"'square' is a table: write table\('square', x\)"),
        ("hip", r"'hip' is a joint: write angle\('hip'\)"),
        ("bar", r"'bar' is a body: write what of it, as in position\('bar', 'x'\)"),
        ("Reach", "'Reach' is no parameter; did you mean 'reach'"),
        ("velocity('bar', 'x', [0, 0, 0], 'glob')", "body 'glob' does not exist; did you mean 'global'"),
    ],
)
def test_a_formula_that_names_another_element_is_told_how(formula: str, said: str) -> None:
    mech = arm()
    mech.force("push", "force", body="bar", components=[formula, 0, 0])
    with pytest.raises(ModelError, match=said):
        mech.lower()
