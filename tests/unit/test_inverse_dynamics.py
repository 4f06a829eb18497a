"""Loads of prescribed motions through loops: put back as actuators they give the motion; trees, redundancy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import AssemblyError, UnderactuatedError, UsageError
from linkwork.linearisation.given_motion import need_angles
from linkwork.system import compile_mechanism

Z = {"axis": [0, 0, 1]}


def without_drivers(mech: lw.Mechanism, torques: dict[str, float]) -> lw.Mechanism:
    """The mechanism with constant torques about joints, or forces along them, in place of its drivers."""
    document = mech.to_dict()
    del document["drivers"]
    slides = {joint["name"] for joint in document["joints"] if joint["type"] == "prismatic"}
    more: list[dict[str, Any]] = [
        {"name": f"at {j}", "type": "joint-spring", "joint": j, "coordinate": "displacement", "force": -load}
        if j in slides
        else {"name": f"at {j}", "type": "torsion", "joint": j, "actuator": -load}
        for j, load in torques.items()
    ]
    document["forces"] = [*document.get("forces", []), *more]
    return lw.Mechanism.from_dict(document)


def parallel_robot() -> lw.Mechanism:
    """A planar 3-RRR robot: a triangle on three pairs of bars, its three base joints driven."""
    mech = lw.Mechanism("planar robot", gravity=(0, -9.81, 0))
    mech.body("platform", mass=2.0, inertia=[0.1, 0.1, 0.2], position=[0, 0, 0])
    for k in range(3):
        angle = 2 * math.pi * k / 3 + 0.3
        base, tip = (
            1.2 * np.array([math.cos(angle), math.sin(angle), 0]),
            0.3 * np.array([math.cos(angle), math.sin(angle), 0]),
        )
        side = np.array([-math.sin(angle), math.cos(angle), 0])
        elbow = 0.5 * (base + tip) + 0.35 * side
        for name, a, b in ((f"upper {k}", base, elbow), (f"lower {k}", elbow, tip)):
            turn = math.atan2(*(b - a)[1::-1])
            mech.body(
                name, mass=0.5, inertia=[1e-3, 0.02, 0.02], position=(0.5 * (a + b)).tolist(),
                rotation={"axis": [0, 0, 1], "angle": turn},
            )  # fmt: skip
        mech.joint(f"base {k}", "revolute", "ground", f"upper {k}", point=base.tolist(), **Z)
        mech.joint(f"elbow {k}", "revolute", f"upper {k}", f"lower {k}", point=elbow.tolist(), **Z)
        mech.joint(f"tip {k}", "revolute", f"lower {k}", "platform", point=tip.tolist(), **Z)
    start = lw.joint_coordinates(mech)
    for k in range(3):
        value = start[f"base {k}.angle"] if f"base {k}.angle" in start.names else 0.0
        mech.driver(f"motor {k}", f"base {k}", f"{value!r} + 0.1*sin({k + 2}*t)")
    return mech


def driven_slider_crank() -> lw.Mechanism:
    """The spatial slider crank with its spring and damper, its crank driven."""
    mech = lw.load("spatial_slider_crank_spring")
    mech.driver("motor", "crank pivot", "2*t + 0.5*sin(3*t)", coordinate="angle")
    return mech


def driven_platform() -> lw.Mechanism:
    """The Stewart platform, its six legs driven beside their springs."""
    mech = lw.load("stewart_platform")
    start = lw.joint_coordinates(mech)
    for k in range(1, 7):
        name = f"slide {k}"
        value = start[f"{name}.displacement"] if f"{name}.displacement" in start.names else 0.0
        mech.driver(f"leg {k}", name, f"{value!r} + 0.02*sin({k + 1}*t)", coordinate="displacement")
    return mech


MECHANISMS = {
    "four-bar": lambda: lw.load("planar_four_bar"),
    "slider crank": driven_slider_crank,
    "Stewart platform": driven_platform,
    "robot": parallel_robot,
}


@pytest.mark.parametrize("which", MECHANISMS)
def test_loads_put_back_give_the_motion(which: str) -> None:
    mech = MECHANISMS[which]()
    motion = lw.kinematics(mech, 0.2, 0.1)
    loads = lw.inverse_dynamics(mech, motion)
    joint_of = {driver.name: driver.joint for driver in mech.drivers}
    for k in (0, 2):
        torques = {joint_of[name]: float(tau) for name, tau in zip(loads.names, loads.values[k], strict=True)}
        found = lw.accelerations(without_drivers(mech, torques), lw.State.of(motion, k))
        both = ("acceleration", "angular_acceleration")
        scale, turning = (max(1.0, float(np.max(np.abs(motion[of][k])))) for of in both)
        np.testing.assert_allclose(found.rddot, motion["acceleration"][k], atol=1e-9 * scale)
        np.testing.assert_allclose(found.omegadot, motion["angular_acceleration"][k], atol=1e-9 * turning)


def arm(driven: bool) -> lw.Mechanism:
    mech = lw.Mechanism("arm", gravity=(0, -9.81, 0))
    speeds = (0.7, 0.7 - 0.4)
    mech.body(
        "upper",
        mass=2.0,
        inertia=[0.1, 0.2, 0.3],
        position=[0.5, 0, 0],
        velocity=[0, 0.35, 0],
        angular_velocity=[0, 0, 0.7],
    )
    mech.body(
        "lower", mass=1.0, inertia=[0.1, 0.2, 0.1], position=[1.3, 0, 0], angular_velocity=[0, 0, speeds[1]],
        velocity=[0, 0.7 + 0.3 * speeds[1], 0],
    )  # fmt: skip
    mech.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], **Z)
    mech.joint("elbow", "revolute", "upper", "lower", point=[1, 0, 0], **Z)
    if driven:
        mech.driver("first", "shoulder", "0.7*t + 0.8*t^2")
        mech.driver("second", "elbow", "-0.4*t - 0.3*t^2")
    return mech


def test_trees_agree_with_the_recursion() -> None:
    motion = lw.kinematics(arm(driven=True), 0.2, 0.1)
    loads = lw.inverse_dynamics(arm(driven=True), motion)
    for k in range(3):
        wanted = lw.inverse_dynamics(arm(driven=False), [1.6, -0.6], lw.State.of(motion, k))
        np.testing.assert_allclose(loads.values[k], wanted, rtol=1e-11, atol=1e-10)


def test_a_motion_of_a_run_needs_nothing_more() -> None:
    """Accelerations of the mechanism itself: whatever is added exerts nothing."""
    mech = lw.load("stewart_platform_actuated")
    legs = [force.name for force in mech.forces]
    loads = lw.inverse_dynamics(mech, lw.accelerations(mech), actuators=legs)
    assert loads.values.shape == (1, 6)
    assert np.max(np.abs(loads.values)) < 1e-9


def test_more_actuators_than_freedoms_share_by_weight() -> None:
    mech = lw.load("planar_four_bar")
    motion = lw.kinematics(mech, 0.1, 0.1)
    alone = lw.inverse_dynamics(mech, motion).load("motor")
    both = lw.inverse_dynamics(mech, motion, actuators=["motor", "rocker pivot"])
    heavy = lw.inverse_dynamics(mech, motion, actuators=["motor", "rocker pivot"], weights={"rocker pivot": 1e6})
    assert np.all(np.abs(both.load("motor")) < np.abs(alone))
    np.testing.assert_allclose(heavy.load("motor"), alone, rtol=1e-9)
    ratio = both.load("rocker pivot") / both.load("motor")  # that of the joints' speeds: least norm goes along them
    doubled = lw.inverse_dynamics(mech, motion, actuators=["motor", "rocker pivot"], weights={"rocker pivot": 2.0})
    np.testing.assert_allclose(doubled.load("rocker pivot") / doubled.load("motor"), ratio / 4.0, rtol=1e-9)


def test_reactions_carry_the_weight() -> None:
    mech = arm(driven=False)
    still = lw.State.start(mech)
    still = lw.State(still.position, still.rotation, 0 * still.velocity, 0 * still.angular_velocity)
    loads = lw.inverse_dynamics(mech, np.zeros((2, 6)), still, actuators=["shoulder", "elbow.angle"])
    np.testing.assert_allclose(loads.values[0], [9.81 * (2.0 * 0.5 + 1.3), 9.81 * 0.3], rtol=1e-12)
    np.testing.assert_allclose(loads.reactions["shoulder"].force[0], [0, 3.0 * 9.81, 0], atol=1e-10)


def at_rest(mech: lw.Mechanism) -> lw.State:
    start = lw.State.start(mech)
    return replace(start, velocity=np.zeros_like(start.velocity), angular_velocity=np.zeros_like(start.velocity))


def test_what_actuators_cannot_do_is_refused_by_name() -> None:
    mech = arm(driven=False)
    rest = at_rest(mech)
    with pytest.raises(
        UnderactuatedError, match=r"'shoulder' cannot produce .* nothing drives the freedom in which .*'lower'"
    ):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), rest, actuators=["shoulder"])
    with pytest.raises(UsageError, match=r"actuator 'elbo' does not exist.*elbow"):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), rest, actuators=["elbo"])
    with pytest.raises(
        UsageError, match=r"actuator 'elbow.displacement' does not exist: joint 'elbow' has elbow.angle"
    ):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), rest, actuators=["elbow.displacement"])
    with pytest.raises(UsageError, match="no actuators are named"):
        lw.inverse_dynamics(mech, lw.accelerations(mech))
    with pytest.raises(UsageError, match=r"has \(2, 6\) finite accelerations"):
        lw.inverse_dynamics(mech, [1.0], rest, actuators=["elbow"])
    with pytest.raises(UsageError, match="must be a positive number"):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), rest, actuators=["elbow"], weights={"elbow": -1.0})


def pulled(pull: str, value: float = 0.5) -> lw.Mechanism:
    """A block on a vertical slide with an input."""
    mech = lw.Mechanism("pulled", gravity=(0, 0, -9.81))
    mech.body("block", mass=2.0, inertia=[1, 1, 1])
    mech.joint("slide", "translational", "ground", "block", point=[0, 0, 0], **Z)
    mech.force("pull", "force", body="block", components=[0, 0, pull])
    return lw.Mechanism.from_dict(mech.to_dict() | {"inputs": {"gas": value}})


def test_an_input_is_an_actuator_where_forces_are_linear_in_it() -> None:
    """It comes on top of its value. Of 3 gas^2 the slope alone was taken: the block went up with 81 m/s^2, not 1.5."""
    up = np.array([[0, 0, 1.5, 0, 0, 0]])
    found = lw.inverse_dynamics(pulled("4*input('gas') - 3"), up, actuators="gas")
    assert found.units == ("",)
    again = lw.accelerations(pulled("4*input('gas') - 3", 0.5 + found.values[0, 0]))
    assert again.rddot[0, 2] == pytest.approx(1.5, rel=1e-12)
    with pytest.raises(UsageError, match="do not grow evenly with input 'gas'"):
        lw.inverse_dynamics(pulled("3*input('gas')**2"), up, actuators="gas")


def test_an_actuator_without_effect_is_no_actuator() -> None:
    """A torque across the pins moves nothing but rounding errors; loads of 1e19 N m came out."""
    mech = lw.load("kissel2021_double_pendulum")
    with pytest.raises(UnderactuatedError, match=r"'bar 1\.torque\.z' cannot produce"):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), actuators=["bar 1.torque.z"])


def test_motions_that_joints_do_not_allow_are_refused() -> None:
    """Loads of such a motion came out without a word."""
    mech, pins = arm(driven=False), ["shoulder", "elbow"]
    rest = at_rest(mech)
    apart = replace(rest, position=rest.position + np.array([0, 1e-3, 0]))
    with pytest.raises(AssemblyError, match=r"row 'shoulder\.\S+' is off by 0\.001"):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), apart, actuators=pins)
    sliding = replace(rest, velocity=np.array([[0.0, 0, 1], [0, 0, 1]]))
    with pytest.raises(AssemblyError, match=r"row 'shoulder\.\S+' changes at a wrong rate, by 1\."):
        lw.inverse_dynamics(mech, np.zeros((2, 6)), sliding, actuators=pins)
    with pytest.raises(UsageError, match=r"joints do not allow these accelerations at t = 0 s: row 'elbow\."):
        lw.inverse_dynamics(mech, [[0] * 6, [0, 1, 0, 0, 0, 0]], rest, actuators=pins)
    motion = lw.kinematics(arm(driven=True), 0.1, 0.1)
    other = lw.load("kissel2021_double_pendulum")
    with pytest.raises(UsageError, match=r"of another mechanism: its bodies are upper, lower, those .* bar 1, bar 2"):
        lw.inverse_dynamics(other, motion, actuators=["pivot", "elbow"])
    document = arm(driven=False).to_dict()
    document["bodies"][1]["position"][0] += 0.01
    with pytest.raises(AssemblyError, match=r"row 'elbow\.\S+' is off by 0\.01"):
        lw.inverse_dynamics(lw.Mechanism.from_dict(document), motion, actuators=pins)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"motion": "x"}, "finite accelerations, not 'x'"),
        ({"motion": np.full((2, 6), np.nan)}, "numbers that are not finite"),
        ({"actuators": [3]}, "actuators must be a list of names; 3 is none"),
        ({"actuators": []}, r"no actuators are named\. Name"),
        ({"actuators": ["elbo.angle"]}, "actuator 'elbo.angle' does not exist; did you mean 'elbow.angle'"),
        ({"weights": [1.0]}, "weights must be a mapping"),
        ({"weights": []}, "weights must be a mapping"),
        ({"actuators": {"elbow": 2.0}}, "actuators must be a list of names, not the mapping"),
        ({"root": "upper"}, "root is the tree's"),
        ({"actuators": None, "weights": {"elbow": 2.0}}, "weights share a motion among actuators, and none are named"),
        ({"actuators": None, "motion": ["1", "2"]}, "second rates must be numbers"),
        ({"actuators": None, "motion": {"elbow.angle": "2"}}, "'elbow.angle' of second rates must be a finite number"),
        ({"actuators": None, "motion": None}, "accelerations of the joints are wanted, not None"),
        ({"actuators": None, "motion": [0, 0], "state": "here"}, "a State is wanted, not str"),
        ({"actuators": None, "motion": [0, 0], "root": 3}, "root must be a list of names, not 3"),
        ({"weights": {"elbow": "a"}}, "the weight of 'elbow' must be a number"),
    ],
)
def test_arguments_of_no_sense_are_refused(asked: Any, words: str) -> None:
    mech = arm(driven=False)
    with pytest.raises(UsageError, match=words):
        lw.inverse_dynamics(mech, **{"motion": np.zeros((2, 6)), "state": at_rest(mech), "actuators": "elbow"} | asked)


def test_the_command_line_writes_loads(tmp_path: Any, capsys: Any) -> None:
    target = tmp_path / "loads.csv"
    words = ["kinematics", "planar_four_bar", "--t-end", "0.02", "--step", "0.01", "--loads", str(target)]
    assert status_of(words) == 0
    assert target.read_text().startswith("time [s],motor [N m]\n0.0,")
    assert "root mean square" in capsys.readouterr().err


def test_loads_that_cannot_be_written_are_refused_before_the_run(tmp_path: Any, capsys: Any) -> None:
    """The run was carried out first, and its file written."""
    words = ["kinematics", "planar_four_bar", "--t-end", "0.02", "--step", "0.01", "--out", str(tmp_path / "run.nc")]
    assert status_of([*words, "--loads", str(tmp_path / "loads.txt")]) == 2
    assert "loads are written as .csv" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_loads_and_the_motion_need_two_files(tmp_path: Any, capsys: Any) -> None:
    """The motion was written, and then the loads refused; with --force they replaced it."""
    words = ["kinematics", "planar_four_bar", "--t-end", "0.02", "--step", "0.01", "--force"]
    assert status_of([*words, "--out", str(tmp_path / "a.csv"), "--loads", str(tmp_path / "a.csv")]) == 2
    assert "--out and --loads name the same file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def geared() -> lw.Mechanism:
    """A four-bar whose crank moves a wheel by a gear, with a rotor, and the wheel a slide by a law that bends."""
    mech = lw.load("planar_four_bar")
    mech.body("wheel", mass=1, inertia=[0.1, 0.3, 0.1], position=[0, 9, 0])
    mech.body("nut", mass=2, inertia=[0.1, 0.3, 0.1], position=[0, 8, 0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 9, 0], axis=[0, 1, 0])
    mech.joint("rail", "translational", "ground", "nut", point=[0, 8, 0], axis=[0, 0, 1])
    mech.coupling("gear", "gear", joint="axle", joint2=mech.drivers[0].joint, ratio=-2)
    mech.coupling("law", "mimic", joint="rail", joint2="axle", polynomial=[0, 0.3, 0.2])
    mech.coupling("rotor", "rotor", joint="axle", inertia=0.2, ratio=3)
    mech.force("drive", "torsion", joint=mech.drivers[0].joint, actuator=0.0)
    return mech


def test_loads_through_couplings_put_back_give_the_motion() -> None:
    """After whole turns, too: the law is that of the angle with its turns."""
    mech = geared()
    motion = lw.kinematics(mech, 1.0, 0.01)
    assert abs(motion.joint("axle")["angle"][-1]) > 4 * np.pi - 1e-9
    loads = lw.inverse_dynamics(mech, motion)
    for k in (0, 50, 100):
        document = mech.to_dict()
        del document["drivers"]
        document["forces"][-1]["actuator"] = -float(loads.values[k, 0])
        alone = lw.Mechanism.from_dict(document)
        scale = float(np.max(np.abs(motion["acceleration"][k])))
        for formulation in ("augmented", "articulated-body", "canonical"):
            found = lw.accelerations(alone, lw.State.of(motion, k), formulation=formulation)
            np.testing.assert_allclose(found.rddot, motion["acceleration"][k], atol=1e-9 * scale)
            np.testing.assert_allclose(found.omegadot, motion["angular_acceleration"][k], atol=1e-9 * scale)


def test_angles_too_far_from_the_sample_before_are_refused() -> None:
    mech = geared()
    there = lw.State.of(lw.kinematics(mech, 0.2, 0.01), -1)  # the wheel has turned by 2.51 rad, more than 135 degrees
    at = there.within(compile_mechanism(mech.lower()))
    need_angles(at, 0.2)
    with pytest.raises(UsageError, match=r"coupling 'gear' is in doubt at t = 0\.2 s"):
        need_angles(replace(at, counted_angles=np.zeros(at.angles)), 0.2)
