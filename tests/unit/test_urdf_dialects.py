"""Loops and couplings in the dialects of URDF: URDF+, the <constraint> of urdfdom, Extended URDF's YAML file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from unit.test_urdf import ARM, CONSTRAINT, LINKAGE, PLUS, arm

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError
from linkwork.mechanism.rotation import rotation_matrix

LINK = '<link name="{0}"><inertial><origin xyz="{1} 0 0"/><mass value="{2}"/><inertia ixx="{3}" ixy="0" ixz="0" \
iyy="{3}" iyz="0" izz="{3}"/></inertial></link>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="{4}"/></joint>'
ROTOR = (
    '<robot name="geared"><link name="base"/>'
    + LINK.format("arm", 0.5, 2.0, 0.1) + LINK.format("rotor", 0.0, 0.3, 1e-3) + LINK.format("second", 0.2, 0.4, 0.02)
    + '<joint name="elbow" type="revolute" independent="true"><parent link="base"/><child link="arm"/>'
    '<axis xyz="0 1 0"/></joint>'
    + JOINT.format("spin", "revolute", "base", "rotor", "0 1 0")
    + JOINT.format("wrist", "continuous", "arm", "second", "0 1 0")
    + "{0}</robot>"
)  # fmt: skip
GEARED = '<{0} name="gear"{1}><predecessor link="arm"/><successor link="rotor"/><ratio value="6"/></{0}>'
BELT = '<coupling name="belt"><predecessor link="second"/><successor link="rotor"/><ratio value="2"/></coupling>'
GRAVITY = 9.81


def load(folder: Path, text: str, beside: str | None = None, **options: object) -> lw.Mechanism:
    (folder / "robot.urdf").write_text(text)
    if beside is not None:
        (folder / "robot.yaml").write_text(beside)
    return lw.load(folder / "robot.urdf", **options)


@pytest.mark.parametrize("coupling", [GEARED.format("coupling", ""), GEARED.format("constraint", ' type="rolling"')])
def test_a_coupling_ties_rates_and_reflects_inertia(tmp_path: Path, coupling: str) -> None:
    """Reduced to the arm's angle: (I + 36 I_rotor) q'' = weight; the wrist's joint is welded for it."""
    mech = load(tmp_path, ROTOR.format(coupling).replace('"wrist" type="continuous"', '"wrist" type="fixed"'))
    gear = mech.element("gear")
    assert (gear.type, gear.joint, gear.joint2, gear.ratio) == ("gear", "spin", "elbow", 6.0)
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert len(mech.account) == sum(1 + len(node.attrib) for node in ET.parse(tmp_path / "robot.urdf").iter())
    found = lw.accelerations(mech, formulation="lie-mixed")
    inertia = 0.1 + 2.0 * 0.5**2 + 0.02 + 0.4 * 0.2**2 + 36e-3
    expected = GRAVITY * (2.0 * 0.5 + 0.4 * 0.2) / inertia  # arm along x, turning about y: down is positive
    arm, rotor = (found.angular_acceleration(name)[1] for name in ("arm", "rotor"))
    assert arm == pytest.approx(expected, rel=1e-12)
    assert rotor == pytest.approx(6.0 * expected, rel=1e-12)


def test_a_coupling_of_longer_ways_adds_their_rates(tmp_path: Path) -> None:
    mech = load(tmp_path, ROTOR.format(BELT))
    belt = mech.element("belt")
    assert (belt.type, belt.joints, belt.factors) == ("cable", ("spin", "wrist", "elbow"), (1.0, -2.0, -2.0))
    found = lw.accelerations(mech, formulation="lie-mixed")
    second, rotor = (found.angular_acceleration(name)[1] for name in ("second", "rotor"))
    assert abs(second) > 1.0
    assert rotor == pytest.approx(2.0 * second, rel=1e-12)  # turns about one axis: the way's rates add to the link's


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('link="rotor"/><ratio', 'link="roter"/><ratio', "did you mean 'rotor'"),
        ('value="6"', 'value="0"', "ratio 0"),
        ('value="6"', 'value="nan"', "finite"),
        ('<predecessor link="arm"/>', '<predecessor link="base"/>', "no moving joint between its predecessor"),
        ('<predecessor link="arm"/>', "", "needs <predecessor>"),
    ],
)
def test_errors_of_couplings_name_line_and_element(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = ROTOR.format(GEARED.format("coupling", ""))
    assert old in text
    with pytest.raises(ModelError, match="line 1") as caught:
        load(tmp_path, text.replace(old, new))
    assert said in str(caught.value)


def test_a_coupling_of_what_has_no_coordinate_is_refused(tmp_path: Path) -> None:
    text = ROTOR.format(GEARED.format("coupling", "")).replace('"spin" type="revolute"', '"spin" type="planar"')
    with pytest.raises(UnsupportedElementError, match="no single coordinate"):
        load(tmp_path, text)


def test_loops_that_are_written_as_constraints_by_programs_of_urdf_plus(tmp_path: Path) -> None:
    mech = load(tmp_path, LINKAGE.format(PLUS.replace("<loop", "<constraint").replace("</loop", "</constraint")))
    other = load(tmp_path, LINKAGE.format(CONSTRAINT))
    one, two = (lw.accelerations(m, formulation="lie-mixed") for m in (mech, other))
    for body in ("crank", "coupler", "rocker"):
        np.testing.assert_allclose(one.acceleration(body), two.acceleration(body), atol=1e-11)


# Extended URDF ---------------------------------------------------------------------------------------------------

FRAMES = (
    LINK.format("pin", 0, 1e-5, 1e-8) + '<link name="left"/><link name="right"/>'
    + '<joint name="to pin" type="continuous"><parent link="coupler"/><child link="pin"/><origin xyz="0.4 0 0"/>'
    '<axis xyz="0 1 0"/></joint>'
    '<joint name="to left" type="fixed"><parent link="pin"/><child link="left"/></joint>'
    '<joint name="to right" type="fixed"><parent link="rocker"/><child link="right"/>'
    '<origin xyz="0.3 0 0" rpy="0 1.2 0"/></joint>'
)  # fmt: skip
LOOP = "closed_loop: [[left, right]]\ntype: ['6d']\nname_mot: ['a']\n"


def test_the_yaml_file_beside_it_closes_loops(tmp_path: Path) -> None:
    """A frame held in all six ways, on a hinge of its own, is a hinge: the same motion as with <loop>."""
    mech = load(tmp_path, LINKAGE.format(FRAMES), LOOP)
    assert mech.element("left and right").type == "fixed"
    assert lw.check(mech).freedom.velocities == 1
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    motor = [one for one in mech.account if one.element == "robot.yaml/name_mot[0]"]
    assert [(one.outcome, one.value, one.line) for one in motor] == [("approximated", "a", 3)]
    (tmp_path / "robot.yaml").unlink()
    plain = load(tmp_path, LINKAGE.format(FRAMES + PLUS))
    run = lw.simulate(mech, 0.1, 0.05, "lie-mixed", "dop853", rtol=1e-9, accept_changes=True)
    one, two = (lw.accelerations(m, run.state(-1), "lie-mixed") for m in (mech, plain))
    for body in ("crank", "coupler", "rocker"):
        np.testing.assert_allclose(one.acceleration(body), two.acceleration(body), rtol=1e-3)  # the pin has some mass
    other = tmp_path / "other.yaml"
    other.write_text(LOOP.replace("6d", "3D"))
    assert lw.load(tmp_path / "robot.urdf", side=other).element("left and right").type == "spherical"


def test_a_yaml_file_of_ours_beside_it_is_another_mechanism(tmp_path: Path) -> None:
    mech = load(tmp_path, LINKAGE.format(""), "linkwork: 1\nbodies: [{name: a}]\n")
    assert [joint.type for joint in mech.joints] == ["fixed", "revolute", "revolute", "revolute"]


@pytest.mark.parametrize(
    ("kind", "type"),
    [("SPHERICAL", "spherical"), ("FIXED", "fixed"), ("UJOINT_XY", "universal"), ("UJOINT_ZX", "universal")],
)
def test_the_yaml_file_makes_joints_of_other_kinds(tmp_path: Path, kind: str, type: str) -> None:
    mech = load(tmp_path, LINKAGE.format(""), f"joint_name: [b]\njoint_type: [{kind}]\n")
    joint = mech.element("b")
    assert joint.type == type
    freedoms = {"spherical": 5, "fixed": 2, "universal": 4}[type]  # with two hinges more
    assert lw.check(mech).freedom.velocities == freedoms
    if kind == "UJOINT_ZX":
        np.testing.assert_allclose(joint.on_second.axis, [1, 0, 0])
        np.testing.assert_allclose(joint.on_first.axis, [np.sin(1.3), 0, np.cos(1.3)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LOOP.replace("right", "rigth"), "did you mean 'right'"),
        (LOOP.replace("6d", "5d"), "there is 6d and 3d"),
        (LOOP.replace("[[left, right]]", "[[left]]"), "two frames"),
        (LOOP.replace("['6d']", "['6d', '6d']"), "2 entries where closed_loop has 1"),
        (LOOP.replace("['6d']", "6d"), "must be a list"),
        (LOOP.replace("['a']", "[nobody]"), "'nobody' does not exist"),
        ("closed_loop: [[left, right\n", "not valid YAML"),
        ("joint_name: [b]\njoint_type: [HINGE]\n", "there is SPHERICAL"),
    ],
)  # fmt: skip
def test_errors_name_the_yaml_file_and_the_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ModelError, match=r"robot\.yaml") as caught:
        load(tmp_path, LINKAGE.format(FRAMES), text)
    assert said in str(caught.value)
    assert "line " in str(caught.value)


def test_keys_that_are_not_known_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedElementError, match="colour"):
        load(tmp_path, LINKAGE.format(FRAMES), LOOP + "colour: red\n")
    mech = load(tmp_path, LINKAGE.format(FRAMES), LOOP + "colour: red\n", on_unsupported="report")
    assert mech.account is not None
    assert mech.account.counts["refused"] == 1


# URDF 1.1 and 1.2, and slips that are valid


def test_quaternions_capsules_and_more_limits_of_later_versions(tmp_path: Path) -> None:
    turn = Rotation.from_euler("xyz", [0.1, 0.2, 0.3])
    words = " ".join(repr(float(x)) for x in turn.as_quat())
    older = arm(tmp_path)
    text = ARM.replace('rpy="0.1 0.2 0.3"', f'quat_xyzw="{words}"').replace('name="arm" ', 'name="arm" version="1.2" ')
    text = text.replace("<cylinder ", "<capsule ").replace('velocity="3"', 'velocity="3" acceleration="1" jerk="9"')
    newer = load(tmp_path, text)
    assert newer.account.counts["refused"] == 0
    for one, two in zip(older.bodies, newer.bodies, strict=True):
        np.testing.assert_allclose(one.position, two.position, atol=1e-15)
        np.testing.assert_allclose(*(rotation_matrix(body.rotation)[0] for body in (one, two)), atol=1e-15)
    assert newer.bodies[1].visual[0].shape.type == "capsule"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<robot name="arm"', '<robot name="arm" version="2.0"', "is of version '2.0'"),
        ('rpy="0.1 0.2 0.3"', 'rpy="0 0 0" quat_xyzw="0 0 0 1"', "has both rpy and quat_xyzw"),
        ('rpy="0.1 0.2 0.3"', 'quat_xyzw="0 0 1 1"', "a quaternion of length 1.41421"),
        ('rpy="0.1 0.2 0.3"', 'quat_xyzw="0 0 1"', "must be 4 numbers"),
    ],
)
def test_what_a_later_version_may_not_say(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=said):
        arm(tmp_path, old, new)


def test_degrees_are_noticed_and_a_base_without_mass_is_not(tmp_path: Path) -> None:
    (limits,) = arm(tmp_path).notes
    assert limits.startswith("nothing stops 'shoulder', 'rail' at the limits of the file")
    note, other = arm(tmp_path, 'rpy="0.1 0.2 0.3"', 'rpy="0 90 0"').notes
    assert other == limits
    assert "joint 'shoulder'/origin: turns by 90 rad, more than a turn; 90 degrees are 1.5708 rad" in note
    _, note = arm(tmp_path, base="floating").notes
    assert "'base': it has no mass" in note
