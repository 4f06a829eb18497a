"""URDF files: what is read, what of it is in the mechanism, and that the account speaks of everything in the file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError, ModelError, UnsupportedElementError, UsageError
from linkwork.io.formats.urdf.frames import from_rpy, to_rpy

ARM = """<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.25" rpy="0 0 0.3"/>
      <mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.015"/>
    </inertial>
    <visual name="tube"><origin xyz="0 0 0.25"/><geometry><cylinder radius="0.03" length="0.5"/></geometry>
      <material name="blue"/></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="slide">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="3"/><dynamics damping="0.4"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="upper"/><child link="slide"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><dynamics damping="7"/>
  </joint>
  <transmission name="drive"><type>SimpleTransmission</type><joint name="shoulder"/></transmission>
</robot>
"""


def write(folder: Path, text: str, name: str = "arm.urdf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def arm(folder: Path, old: str = "", new: str = "", **options: Any) -> lw.Mechanism:
    """The arm with a piece of its text replaced."""
    assert old in ARM
    return lw.load(write(folder, ARM.replace(old, new, 1) if old else ARM), **options)


def refused(folder: Path, text: str, **options: Any) -> str:
    with pytest.raises(LinkworkError) as caught:
        lw.load(write(folder, text), **options)
    assert isinstance(caught.value, ModelError)
    return str(caught.value)


def elements_and_attributes(file: Path) -> int:
    """How much the file holds, counted by another reader."""
    return sum(1 + len(node.attrib) for node in ET.parse(file).getroot().iter())


def test_bodies_and_joints_have_the_names_and_numbers_of_the_file(tmp_path: Path) -> None:
    mech = arm(tmp_path)
    assert [body.name for body in mech.bodies] == ["base", "upper", "slide"]
    assert {joint.name: joint.type for joint in mech.joints} == {
        "base of the robot": "fixed",
        "shoulder": "revolute",
        "rail": "translational",
    }
    upper = mech.element("upper")
    R = from_rpy((0.0, 0.0, 0.3))
    J = R @ np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.015]]) @ R.T
    np.testing.assert_allclose(upper.inertia, J, atol=1e-17)
    assert upper.mass == 2.0
    assert upper.centre_of_mass == (0.0, 0.0, 0.25)
    np.testing.assert_allclose(upper.position, [0, 0, 0.1])
    np.testing.assert_allclose(upper.rotation, from_rpy((0.1, 0.2, 0.3)), atol=1e-15)
    assert upper.visual[0].colour == "#0000ff"


def test_damping_acts_about_a_hinge_and_along_a_slide(tmp_path: Path) -> None:
    mech = arm(tmp_path)
    names = lw.joint_coordinates(mech).names
    assert names == ("shoulder.angle", "rail.displacement")
    still = lw.forward_kinematics(mech, [0.3, 0.2], [0.0, 0.0])
    moving = lw.forward_kinematics(mech, [0.3, 0.2], [0.5, -0.25])
    free = arm(tmp_path, '<dynamics damping="0.4"/>', "")
    free = lw.Mechanism.from_dict({k: v for k, v in free.to_dict().items() if k != "forces"})
    drag = lw.inverse_dynamics(mech, [0, 0], moving) - lw.inverse_dynamics(free, [0, 0], moving)
    np.testing.assert_allclose(drag, [0.4 * 0.5, 7 * -0.25], rtol=1e-12)
    np.testing.assert_allclose(lw.inverse_dynamics(mech, [0, 0], still), lw.inverse_dynamics(free, [0, 0], still))


def test_the_account_has_every_element_and_attribute(tmp_path: Path) -> None:
    mech = arm(tmp_path)
    account = mech.account
    assert account is not None
    assert mech.file is not None
    namespace = 1  # a declaration of a namespace, which ElementTree does not list
    assert len(account) == elements_and_attributes(tmp_path / "arm.urdf") + namespace
    assert sum(account.counts.values()) == len(account)
    assert account.counts["refused"] == 0
    limit = [one for one in account if one.element.endswith("joint 'shoulder'/limit@upper")]
    assert [(one.outcome, one.value, one.line) for one in limit] == [("approximated", "1", 21)]
    assert len({(one.element, one.line) for one in account if "@" in one.element}) > 50
    assert "limits are not simulated" in account.text()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('<dynamics damping="0.4"/>', '<dynamics damping="0.4" friction="0.1"/>', "no dry friction"),
        ('<link name="base"/>', '<link name="base" colour="red"/>', "nothing that linkwork knows"),
        ('<link name="base"/>', '<link name="base"><wings n="2"/></link>', "nothing that linkwork knows"),
    ],
)
def test_what_cannot_be_represented_is_refused_or_reported(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(UnsupportedElementError, match=why) as caught:
        arm(tmp_path, old, new)
    assert "line " in str(caught.value)
    assert "on_unsupported" in str(caught.value)
    mech = arm(tmp_path, old, new, on_unsupported="report")
    assert mech.account is not None
    assert any(why in one.how for one in mech.account.of("refused"))
    assert len(mech.account) == elements_and_attributes(tmp_path / "arm.urdf") + 1


def test_a_joint_that_mimics_another_follows_it_exactly(tmp_path: Path) -> None:
    mimic = '<axis xyz="0 0 1"/><mimic joint="shoulder" multiplier="0.5" offset="0.1"/>'
    mech = arm(tmp_path, '<axis xyz="0 0 1"/>', mimic)
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert [one.polynomial for one in mech.couplings] == [(0.1, 0.5)]  # type: ignore[attr-defined]
    assert mech.check().freedom.velocities == 1
    free = arm(tmp_path, '<axis xyz="0 0 1"/>', mimic, mimic="free")
    assert free.check().freedom.velocities == 2
    # M qdd + h = J^T lambda, J (qdd) = 0, from the arm's own joint-space matrices
    start = lw.forward_kinematics(free, [0.4, 0.3])
    M = lw.mass_matrix(free, start)
    h = lw.inverse_dynamics(free, [0, 0], start)
    along = np.array([1.0, 0.5])
    rate = -(along @ h) / (along @ M @ along)
    state = lw.start_state(mech, {mech.couplings[0].on()[1].joint: 0.4})
    found = lw.accelerations(mech, state, formulation="lie-mixed")
    of_free = lw.forward_kinematics(free, [0.4, 0.3])
    np.testing.assert_allclose(state.position, of_free.position, atol=1e-12)
    wanted = lw.accelerations(free, of_free, formulation="lie-mixed")
    qdd = np.linalg.solve(M, -h)
    force = M @ (along * rate) + h
    assert abs(along @ force) < 1e-10 * max(1.0, np.abs(force).max())
    apart = np.linalg.norm(found.rddot - wanted.rddot)
    assert (apart < 1e-10) == bool(np.allclose(qdd, along * rate))
    assert abs(abs(found.multipliers[-1]) - abs(force[1])) < 1e-9 * max(1.0, abs(force[1]))


def test_a_joint_that_mimics_another_follows_it_elastically(tmp_path: Path) -> None:
    mimic = '<axis xyz="0 0 1"/><mimic joint="shoulder" multiplier="0.5" offset="0.1"/>'
    mech = arm(tmp_path, '<axis xyz="0 0 1"/>', mimic, mimic=(2000.0, 5.0))
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert any("elastic coupling of stiffness 2000" in one.how for one in mech.account.of("approximated"))
    free = arm(tmp_path)
    for q in ([0.4, 0.3], [0.4, 0.35]):  # displacement 0.5 * 0.4 + 0.1 follows exactly; 0.05 m more is pulled back
        efforts = [lw.inverse_dynamics(m, [0, 0], lw.forward_kinematics(m, q)) for m in (mech, free)]
        pull = 2000.0 * (q[1] - 0.3)
        np.testing.assert_allclose(efforts[0] - efforts[1], [-0.5 * pull, pull], atol=1e-9)
    for wrong in ((0.0, 1.0), (1.0,), "ab"):
        with pytest.raises(UsageError, match="mimic"):
            arm(tmp_path, mimic=wrong)


def test_the_base_is_fixed_free_or_in_a_plane(tmp_path: Path) -> None:
    for base, dofs in (("fixed", 2), ("floating", 8), ("planar", 5)):
        assert len(lw.joint_coordinates(arm(tmp_path, base=base)).names) == dofs
    with pytest.raises(UsageError, match="base 'floaty'"):
        arm(tmp_path, base="floaty")
    with pytest.raises(UsageError, match="no option 'bases'"):
        arm(tmp_path, bases="fixed")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<parent link="upper"/>', '<parent link="uper"/>', "did you mean 'upper'"),
        ('<parent link="base"/>', '<parent link="slide"/>', "circle"),
        ('<parent link="upper"/><child link="slide"/>', '<parent link="base"/><child link="upper"/>', "second parent"),
        ('<joint name="rail"', '<joint name="shoulder"', "has already"),
        ('<link name="slide">', '<link name="upper">', "has already"),
        ('mass value="2"', 'mass value="-2"', "negative mass"),
        ('mass value="2"', 'mass value="nan"', "finite"),
        ('mass value="2"', 'mass value="2,5"', "must be a number"),
        ('mass value="2"', 'mass value="1e300"', "finite"),
        ('xyz="0 2 0"', 'xyz="0 0 0"', "zero vector"),
        ('xyz="0 2 0"', 'xyz="0 2"', "3 numbers"),
        ('type="prismatic"', 'type="prismatik"', "did you mean 'prismatic'"),
        ('<mass value="1"/>', "", "needs <mass>"),
        ("</robot>", "<link name='lost'/></robot>", "no parent"),
        ("</robot>", "", "no element found"),
        ("<robot ", "<sdf ", "mismatched tag"),
        ('name="base"', 'name="${prefix}base"', "xacro"),
        ("</robot>", "<xacro:arm/></robot>", "xacro"),
        ('<?xml version="1.0"?>', '<!DOCTYPE r [<!ENTITY a "x">]>', "document type"),
        ('<?xml version="1.0"?>', '<!DOCTYPE r SYSTEM "/etc/passwd">', "document type"),
    ],
)
def test_errors_name_file_line_and_element(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in ARM
    message = refused(tmp_path, ARM.replace(old, new, 1))
    assert said in message
    assert "line " in message
    assert "arm.urdf" in message


def test_deep_and_endless_files_end_in_an_error(tmp_path: Path) -> None:
    assert "nested too deeply" in refused(tmp_path, "<robot>" + "<a>" * 5000)
    assert "holds too much" in refused(tmp_path, "<robot>" + "<a b='1'/>" * 200_001 + "</robot>")
    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    assert "document type" in refused(tmp_path, f'<!DOCTYPE r [<!ENTITY l0 "ha">{laughs}]><robot>&l9;</robot>')


def test_no_real_body_has_such_an_inertia(tmp_path: Path) -> None:
    mech = arm(tmp_path, 'izz="0.015"', 'izz="0.09"')
    assert any("no real body" in note for note in mech.notes)
    mech = arm(tmp_path, 'izz="0.015"', 'izz="-0.015"')
    assert mech.account is not None
    assert any("not positive definite" in one.how for one in mech.account.of("approximated"))


def test_meshes_are_found_beside_the_file_in_its_package_and_on_the_search_path(tmp_path: Path) -> None:
    package, other = tmp_path / "pack", tmp_path / "other"
    for folder in (package / "urdf", package / "meshes", other):
        folder.mkdir(parents=True)
    for file in (package / "meshes" / "a.stl", other / "b.stl", tmp_path / "secret.stl"):
        file.write_text("solid")
    names = [
        "package://pack/meshes/a.stl", "../meshes/a.stl", "b.stl", "../../secret.stl", str(tmp_path / "secret.stl"),
        "package://pack/../secret.stl", "package://pack/meshes/none.stl", "http://there/a.stl", "package://none/a.stl",
    ]  # fmt: skip
    visuals = "".join(f'<visual><geometry><mesh filename="{n}"/></geometry></visual>' for n in names)
    file = write(package / "urdf", f'<robot name="r"><link name="a">{visuals}</link></robot>')
    mech = lw.load(file)
    found = [Path(v.mesh or "").name for v in mech.element("a").visual]
    assert found == ["a.stl", "a.stl"]
    assert mech.account is not None
    why = " ".join(one.how for one in mech.account if one.element.endswith("@filename"))
    assert why.count("outside the model's folder") >= 3
    assert "no such file" in why
    assert "search" in why
    mech = lw.load(file, search=[other])
    assert [Path(v.mesh or "").name for v in mech.element("a").visual] == ["a.stl", "a.stl", "b.stl"]


def test_names_that_linkwork_needs_elsewhere_are_changed_and_told(tmp_path: Path) -> None:
    mech = arm(tmp_path, '<link name="base"/>', '<link name="base"/><link name="rail"/><joint name="j" type="fixed">'
               '<parent link="base"/><child link="rail"/></joint>')  # fmt: skip
    assert "rail joint" in [joint.name for joint in mech.joints]
    assert mech.account is not None
    assert any("'rail joint'" in one.how for one in mech.account)


@pytest.mark.parametrize("rpy", [(0.1, -0.2, 3.0), (1.0, np.pi / 2, 0.5), (-2.0, -np.pi / 2, 0.0)])
def test_roll_pitch_and_yaw_there_and_back(rpy: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(from_rpy(to_rpy(from_rpy(rpy))), from_rpy(rpy), atol=1e-9)


# loops --------------------------------------------------------------------------------------------------------

BAR = '<link name="{0}"><inertial><origin xyz="{1} 0 0"/><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" \
iyy="0.02" iyz="0" izz="0.02"/></inertial></link>'
LINKAGE = (
    '<robot name="four bar"><link name="frame"/>'
    + BAR.format("crank", 0.1) + BAR.format("coupler", 0.2) + BAR.format("rocker", 0.15)
    + '<joint name="a" type="continuous"><parent link="frame"/><child link="crank"/><origin rpy="0 -1.5 0"/>'
    '<axis xyz="0 1 0"/></joint>'
    '<joint name="b" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0.2 0 0" '
    'rpy="0 1.3 0"/><axis xyz="0 1 0"/></joint>'
    '<joint name="d" type="continuous"><parent link="frame"/><child link="rocker"/><origin xyz="0.4 0 0" '
    'rpy="0 -1.4 0"/><axis xyz="0 1 0"/></joint>'
    "{}</robot>"
)  # fmt: skip
PLUS = (
    '<loop name="c" type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>'
    '<successor link="rocker"><origin xyz="0.3 0 0"/></successor><axis xyz="0 1 0"/></loop>'
)
CONSTRAINT = (
    '<constraint name="c" type="revolute"><parent link="coupler"/><parent_origin xyz="0.4 0 0"/>'
    '<parent_axis xyz="0 1 0"/><child link="rocker"/><child_origin xyz="0.3 0 0"/>'
    '<child_axis xyz="0 1 0"/></constraint>'
)


@pytest.mark.parametrize("closing", [PLUS, CONSTRAINT])
def test_a_loop_is_a_joint_like_any_other(tmp_path: Path, closing: str) -> None:
    mech = lw.load(write(tmp_path, LINKAGE.format(closing)))
    joint = mech.element("c")
    assert joint.type == "revolute"
    assert (joint.first, joint.second) == ("coupler", "rocker")
    report = lw.check(mech)
    assert report.ok
    assert report.freedom.velocities == 1
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0


def test_loops_between_links_that_do_not_exist(tmp_path: Path) -> None:
    assert "did you mean 'rocker'" in refused(tmp_path, LINKAGE.format(PLUS.replace('"rocker"', '"roker"')))
    assert "to itself" in refused(tmp_path, LINKAGE.format(PLUS.replace('"rocker"', '"coupler"')))
    assert "closes no loop" in refused(tmp_path, LINKAGE.format(PLUS.replace('type="revolute"', 'type="floating"')))


# command line ---------------------------------------------------------------------------------------------------


def test_convert_and_check_tell_the_account(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli.main import status_of

    file = write(tmp_path, ARM)
    assert status_of(["convert", str(file), str(tmp_path / "arm.yaml")]) == 0
    assert "URDF account" in capsys.readouterr().err
    again = lw.load(tmp_path / "arm.yaml")
    assert again.to_dict() == lw.load(file).to_dict()
    assert status_of(["check", str(file), "--base", "floating"]) == 0
    assert "URDF account" in capsys.readouterr().out
    bad = write(tmp_path, ARM.replace('damping="7"', 'friction="7"'), "bad.urdf")
    assert status_of(["check", str(bad)]) == 3
    assert status_of(["check", str(bad), "--on-unsupported", "report"]) == 0
