"""SDF files: the same arm as in URDF has the same dynamics; loops, frames and the account."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError

ARM = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="arm">
  <pose>0 0 0 0 0 0</pose>
  <frame name="mount" attached_to="base"><pose>0 0 0.1 0.1 0.2 0.3</pose></frame>
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <link name="upper">
    <pose relative_to="mount">0 0 0 0 0 0</pose>
    <inertial><pose>0 0 0.25 0 0 0.3</pose><mass>2</mass>
      <inertia><ixx>0.02</ixx><ixy>0.001</ixy><iyy>0.03</iyy><izz>0.015</izz></inertia></inertial>
    <collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>
  </link>
  <link name="slide">
    <pose relative_to="rail">0 0 0 0 0 0</pose>
    <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  </link>
  <joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>
  <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower></limit><dynamics><damping>0.4</damping></dynamics></axis></joint>
  <joint name="rail" type="prismatic"><pose relative_to="upper">0 0 0.5 0 0 0</pose>
    <parent>upper</parent><child>slide</child>
    <axis><xyz expressed_in="upper">0 0 1</xyz><dynamics><damping>7</damping></dynamics></axis></joint>
</model></world></sdf>
"""


def load(folder: Path, text: str, **options: Any) -> lw.Mechanism:
    path = folder / "arm.sdf"
    path.write_text(text)
    return lw.load(path, **options)


def test_it_is_the_same_arm_as_in_urdf(tmp_path: Path) -> None:
    from unit.test_urdf import ARM as URDF

    ours = load(tmp_path, ARM)
    (tmp_path / "arm.urdf").write_text(URDF)
    theirs = lw.load(tmp_path / "arm.urdf")
    for q, v in (([0.3, 0.2], [0.5, -0.25]), ([-1.0, 0.1], [2.0, 1.0])):
        one, two = (lw.forward_kinematics(mech, q, v) for mech in (ours, theirs))
        np.testing.assert_allclose(one.position[1:], two.position[1:], atol=1e-14)
        np.testing.assert_allclose(lw.mass_matrix(ours, one), lw.mass_matrix(theirs, two), atol=1e-14)
        np.testing.assert_allclose(
            lw.inverse_dynamics(ours, [1, -2], one), lw.inverse_dynamics(theirs, [1, -2], two), atol=1e-11
        )


def test_the_account_has_every_element_and_attribute(tmp_path: Path) -> None:
    account = load(tmp_path, ARM).account
    assert account is not None
    assert len(account) == sum(1 + len(node.attrib) for node in ET.fromstring(ARM).iter())
    assert account.counts["refused"] == 0


def test_a_second_joint_closes_a_loop(tmp_path: Path) -> None:
    closing = '<joint name="hand" type="ball"><parent>world</parent><child>slide</child></joint></model>'
    mech = load(tmp_path, ARM.replace("</model>", closing))
    assert lw.check(mech).freedom.velocities == 0
    assert mech.element("hand").type == "spherical"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<parent>upper</parent>", "<parent>uper</parent>", "did you mean 'upper'"),
        ('relative_to="rail"', 'relative_to="rial"', "did you mean 'rail'"),
        ('<pose relative_to="upper">', '<pose relative_to="rail">', "relative to itself"),
        ("<mass>2</mass>", "<mass>-2</mass>", "negative mass"),
        ("<mass>2</mass>", "<mass>nan</mass>", "finite"),
        ("<xyz>0 1 0</xyz>", "<xyz>0 0 0</xyz>", "zero vector"),
        ('type="prismatic"', 'type="prismatik"', "did you mean 'prismatic'"),
        ('version="1.9"', 'version="1.3"', "1.5 and later"),
        ('<link name="slide">', '<link name="upper">', "another element"),
        ("<child>base</child>", "", "needs <child>"),
    ],
)
def test_errors_name_line_and_element(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in ARM
    with pytest.raises(ModelError) as caught:
        load(tmp_path, ARM.replace(old, new, 1))
    assert said in str(caught.value)
    assert "line " in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<damping>7</damping>", "<damping>7</damping><friction>1</friction>"),
        ("<mass>2</mass>", "<mass>2</mass><wings/>"),
        ("<mass>2</mass>", "<mass>2</mass><fluid_added_mass/>"),
        ('<link name="slide">', '<link name="slide"><gravity>false</gravity>'),
    ],
)
def test_what_cannot_be_represented_is_refused_or_reported(tmp_path: Path, old: str, new: str) -> None:
    text = ARM.replace(old, new, 1)
    with pytest.raises(UnsupportedElementError):
        load(tmp_path, text)
    assert load(tmp_path, text, on_unsupported="report").account.counts["refused"] > 0  # type: ignore[union-attr]


# joints of two freedoms, screws, couplings ------------------------------------------------------------------------

SHAFT = """<sdf version="1.11"><world name="w"><gravity>0 0 {gravity}</gravity><model name="m">
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <link name="a"><pose>0.3 0.1 0 0 0 0.2</pose><inertial><mass>2</mass>
    <inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz></inertia></inertial></link>
  <link name="b"><pose>0.3 -0.4 0 0 0 0</pose><inertial><mass>0.5</mass>
    <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.005</izz></inertia></inertial></link>
  <joint name="held" type="fixed"><parent>world</parent><child>base</child></joint>
  {joints}
</model></world></sdf>
"""
TURNS = (
    '<joint name="one" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>'
    '<joint name="two" type="{}"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz>{}</axis></joint>'
)
GEARBOX = (
    '<joint name="box" type="gearbox"><parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio>'
    "<gearbox_reference_body>base</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 {}</xyz></axis2>"
    "</joint>"
)
CROSS = (
    '<joint name="c" type="{}"><pose>-0.1 0.05 0.2 0 0 0</pose><parent>base</parent><child>a</child>'
    "<axis><xyz>1 0 0</xyz>{}</axis><axis2><xyz>{}</xyz></axis2></joint>"
    '<joint name="w" type="fixed"><parent>world</parent><child>b</child></joint>'
)
DAMPED = "<dynamics><damping>0.3</damping><spring_stiffness>2</spring_stiffness></dynamics>"


def shaft(folder: Path, joints: str, gravity: float = 0.0, **options: Any) -> lw.Mechanism:
    return load(folder, SHAFT.format(joints=joints, gravity=gravity), **options)


def spun(mech: lw.Mechanism, moment: float) -> Any:
    mech.force("motor", "torque", body="a", components=[0, 0, moment])
    return lw.accelerations(mech, formulation="lie-mixed")


@pytest.mark.parametrize(("sense", "ends"), [(1, ("base", "b")), (-1, ("base", "b")), (1, ("b", "base"))])
def test_a_gearbox_couples_angles_against_its_reference_body(tmp_path: Path, sense: int, ends: tuple[str, str]) -> None:
    """theta2 = -3 theta1, each about its own axis in the gearbox; M = I1 + 9 I2."""
    mech = shaft(tmp_path, TURNS.format("revolute", *ends, "") + GEARBOX.format(sense))
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    found = spun(mech, 1.2)
    turned = 0.005 if ends[1] == "b" else 0.005 + 0.5 * 0.5**2  # a joint is where its child is
    expected = 1.2 / (0.04 + 9 * turned)
    assert found.angular_acceleration("a")[2] == pytest.approx(expected, rel=1e-12)
    assert found.angular_acceleration("b")[2] == pytest.approx(-3.0 * sense * expected, rel=1e-12)


def test_a_gearbox_without_its_joints_is_refused(tmp_path: Path) -> None:
    joints = TURNS.format("prismatic", "base", "b", "") + GEARBOX.format(1)
    with pytest.raises(UnsupportedElementError, match="no revolute joint turns 'b' against 'base'"):
        shaft(tmp_path, joints)
    assert not shaft(tmp_path, joints, on_unsupported="report").couplings


def test_an_axis_mimics_another(tmp_path: Path) -> None:
    """A rack: displacement = 0.2 (angle - 0.1) + 0.02; the pinion's inertia is reflected."""
    text = "<multiplier>0.2</multiplier><offset>-0.02</offset><reference>-0.1</reference>"
    mech = shaft(tmp_path, TURNS.format("prismatic", "base", "b", f'<mimic joint="one">{text}</mimic>'))
    coupling = mech.element("two mimic")
    assert (coupling.polynomial, coupling.reference2) == ((-0.02, 0.2), -0.1)
    found = spun(mech, 1.2)
    expected = 1.2 / (0.04 + 0.5 * 0.2**2)
    assert found.angular_acceleration("a")[2] == pytest.approx(expected, rel=1e-12)
    assert found.acceleration("b")[2] == pytest.approx(0.2 * expected, rel=1e-12)
    lost = TURNS.format("prismatic", "base", "b", '<mimic joint="held"/>')
    with pytest.raises(UnsupportedElementError, match="'held' has no coordinate"):
        shaft(tmp_path, lost)


@pytest.mark.parametrize(
    ("pitch", "lead"),
    [
        ("<screw_thread_pitch>0.5</screw_thread_pitch>", 0.5),
        ("<thread_pitch>-12.566370614359172</thread_pitch>", 0.5),
        ("", 1.0),
    ],
)
def test_a_screw_advances_by_its_lead(tmp_path: Path, pitch: str, lead: float) -> None:
    """Down a vertical thread: (m + I/travel^2) a = m g."""
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    joints = f'<joint name="s" type="screw"><parent>base</parent><child>a</child>{pitch}{axis}</joint>'
    other = '<joint name="w" type="fixed"><parent>world</parent><child>b</child></joint>'
    mech = shaft(tmp_path, joints + other, -9.81)
    assert mech.element("s").lead == pytest.approx(lead)
    a = lw.accelerations(mech, formulation="lie-mixed").acceleration("a")[2]
    assert a == pytest.approx(-9.81 * 2.0 / (2.0 + 0.04 / (lead / (2 * np.pi)) ** 2), rel=1e-11)


@pytest.mark.parametrize("type", ["universal", "revolute2"])
def test_two_axes_are_a_universal_joint_or_two_hinges(tmp_path: Path, type: str) -> None:
    """The same motion with and without the massless cross."""
    plain = shaft(tmp_path, CROSS.format(type, "", "0 1 0"), -9.81)
    assert plain.element("c").type == "universal"
    chain = shaft(tmp_path, CROSS.format(type, "<dynamics/>", "0 1 0"), -9.81)
    assert [joint.type for joint in chain.joints] == ["fixed", "revolute", "revolute", "fixed"]
    for formulation in ("articulated-body", "lie-mixed"):
        one, two = (lw.accelerations(m, formulation=formulation).acceleration("a") for m in (plain, chain))
        assert np.linalg.norm(one) > 0.1
        np.testing.assert_allclose(one, two, atol=1e-11)
    skew = shaft(tmp_path, CROSS.format(type, "", "0.5 1 0"), -9.81)
    assert lw.check(skew).freedom.velocities == 2
    damped = shaft(tmp_path, CROSS.format(type, DAMPED, "0 1 0"))
    names = lw.joint_coordinates(damped).names
    moving = lw.forward_kinematics(damped, {"c 1.angle": 0.3}, {"c 1.angle": 0.5})
    tau = dict(zip(names, lw.inverse_dynamics(damped, [0, 0], moving), strict=True))
    free = lw.Mechanism.from_dict({k: v for k, v in damped.to_dict().items() if k != "forces"})
    without = dict(zip(names, lw.inverse_dynamics(free, [0, 0], moving), strict=True))
    assert tau["c 1.angle"] - without["c 1.angle"] == pytest.approx(2 * 0.3 + 0.3 * 0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("joints", "said"),
    [
        (CROSS.format("universal", "", "1 0 0"), "two axes of one direction"),
        (CROSS.format("universal", "", "0 1 0").replace("axis2", "axis3"), "needs <axis2>"),
        (TURNS.format("revolute", "base", "b", "") + GEARBOX.format(1).replace(">3<", ">0<"), "ratio 0"),
        (TURNS.format("revolute", "base", "b", "") + GEARBOX.format(1).replace("body>base", "body>bass"), "'base'"),
        (
            TURNS.format("screw", "base", "b", "").replace("<axis><xyz>0 0 1</xyz></axis></joint>", "", 1),
            "not well-formed",
        ),
        (TURNS.format("revolute", "base", "b", '<mimic joint="two"/>'), "couples a joint to itself"),
        (TURNS.format("revolute", "base", "b", '<mimic joint="one"/>') + GEARBOX.format(1), "closes a circle"),
    ],
)
def test_errors_of_these_joints(tmp_path: Path, joints: str, said: str) -> None:
    with pytest.raises(ModelError, match="line ") as caught:
        shaft(tmp_path, joints)
    assert said in str(caught.value)
