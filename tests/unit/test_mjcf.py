"""MJCF files through MuJoCo's compiler: bodies, joints, springs, closing joints, and the account."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError, UsageError
from linkwork.io.formats import save

pytest.importorskip("mujoco", reason="MJCF is read by MuJoCo's compiler: pip install linkwork[mjcf]")

LEG = """<mujoco model="leg">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.8" timestep="0.002"/>
  <default><joint damping="0.2"/><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="1 1 0.1"/>
    <body name="torso" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0" damping="0"/>
      <joint name="z" type="slide" axis="0 0 1" stiffness="30" springref="0.1"/>
      <joint name="pitch" axis="0 1 0" pos="0 0 0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.05"/>
      <body name="thigh" pos="0 0 -0.1" euler="0 0.3 0">
        <joint name="hip" axis="0 1 0" stiffness="5" springref="-0.4" ref="0.2"/>
        <geom type="box" size="0.04 0.05 0.2" pos="0 0 -0.2"/>
        <site name="foot" pos="0 0 -0.4"/>
      </body>
    </body>
    <body name="ball" pos="1 0 2"><freejoint name="loose"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="hip"/></actuator>
  <sensor><jointpos joint="hip"/></sensor>
</mujoco>
"""


def write(folder: Path, text: str, name: str = "leg.xml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def leg(folder: Path, old: str = "", new: str = "", **options: Any) -> lw.Mechanism:
    assert old in LEG
    return lw.load(write(folder, LEG.replace(old, new, 1) if old else LEG), **options)


def test_bodies_joints_and_forces_have_their_names(tmp_path: Path) -> None:
    mech = leg(tmp_path)
    names = [body.name for body in mech.bodies]
    assert names == ["torso carrier 1", "torso carrier 2", "torso", "thigh", "ball"]
    assert [(joint.name, joint.type) for joint in mech.joints] == [
        ("x", "translational"), ("z", "translational"), ("pitch", "revolute"), ("hip", "revolute"), ("loose", "free"),
    ]  # fmt: skip
    assert mech.gravity == (0.0, 0.0, -9.8)
    assert [force.type for force in mech.forces] == ["spring", "torsion", "torsion"]
    assert mech.element("torso").mass == pytest.approx(1000 * (np.pi * 0.05**2 * 0.4 + 4 / 3 * np.pi * 0.05**3))


def test_efforts_are_mujocos(tmp_path: Path) -> None:
    import mujoco

    file = write(tmp_path, LEG.replace('<body name="ball"', '<body name="ball" gravcomp="0"'))
    mech, model = lw.load(file), mujoco.MjModel.from_xml_path(str(file))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data, rng = mujoco.MjData(model), np.random.default_rng(1)
    steps, rates = {}, {}
    for name in ("x", "z", "pitch", "hip"):
        steps[name], rates[name] = rng.uniform(-0.5, 0.5, 2)
        data.joint(name).qpos += steps[name]
        data.joint(name).qvel[:] = rates[name]
    mujoco.mj_forward(model, data)
    coordinate = {"x": "x.displacement", "z": "z.displacement", "pitch": "pitch.angle", "hip": "hip.angle"}
    state = lw.forward_kinematics(
        mech, {coordinate[n]: q for n, q in steps.items()}, {coordinate[n]: v for n, v in rates.items()}
    )
    efforts = lw.inverse_dynamics(mech, {coordinate[n]: data.joint(n).qacc[0] for n in steps}, state)
    found = dict(zip(lw.joint_coordinates(mech).names, efforts, strict=True))
    scale = np.max(np.abs(data.qfrc_bias))
    assert max(abs(found[coordinate[n]]) for n in steps) < 1e-11 * scale


def test_armature_and_joint_equality_are_mujocos(tmp_path: Path) -> None:
    """Mass matrix and efforts with armature; accelerations with an equality, MuJoCo's matrices meeting it exactly."""
    import mujoco

    text = LEG.replace('<joint damping="0.2"/>', '<joint damping="0.2" armature="0.13"/>')
    tied = '</worldbody><equality><joint joint1="hip" joint2="pitch" polycoef="0 0.7 0.4 -0.2 0.1"/></equality>'
    file = write(tmp_path, text)
    mech, model = lw.load(file), mujoco.MjModel.from_xml_path(str(file))
    both = lw.load(write(tmp_path, text.replace("</worldbody>", tied), "tied.xml"))
    assert both.account is not None
    assert both.account.counts["refused"] == 0
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    names = ("x", "z", "pitch", "hip")
    q, v = rng.uniform(-0.4, 0.4, 4), rng.uniform(-0.5, 0.5, 4)
    p = np.polynomial.Polynomial([0, 0.7, 0.4, -0.2, 0.1])
    q[3], v[3] = p(q[2]), p.deriv()(q[2]) * v[2]
    for n, name in enumerate(names):
        data.joint(name).qpos += q[n]
        data.joint(name).qvel[:] = v[n]
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    for n in range(model.nv):
        mujoco.mj_mulM(model, data, M[n], np.eye(model.nv)[n])
    M, bias = M[:4, :4], (data.qfrc_bias - data.qfrc_passive)[:4]
    ends = ["x.displacement", "z.displacement", "pitch.angle", "hip.angle"]
    coordinates = lw.joint_coordinates(mech).names
    at = [coordinates.index(name) for name in ends]
    asked = (dict(zip(ends, q, strict=True)), dict(zip(ends, v, strict=True)))
    state = lw.forward_kinematics(mech, *asked)
    np.testing.assert_allclose(lw.mass_matrix(mech, state)[np.ix_(at, at)], M, atol=1e-11)
    free = lw.accelerations(mech, state, formulation="augmented")
    C = np.array([0.0, 0.0, -p.deriv()(q[2]), 1.0])
    gamma = p.deriv(2)(q[2]) * v[2] ** 2
    K = np.block([[M, C[:, None]], [C[None], np.zeros((1, 1))]])
    x = np.linalg.solve(K, np.append(-bias, gamma))
    found = lw.accelerations(both, lw.forward_kinematics(both, *asked), formulation="augmented")
    torso = [body.name for body in mech.bodies].index("torso")
    for seen, qdd in ((free, np.linalg.solve(M, -bias)), (found, x[:4])):
        np.testing.assert_allclose(seen.omegadot[torso][1], qdd[2], atol=1e-10 * np.abs(qdd).max())
        np.testing.assert_allclose(seen.omegadot[torso + 1][1] - seen.omegadot[torso][1], qdd[3], atol=1e-10)
    assert abs(found.multipliers[-1] - x[4]) < 1e-9
    again = tmp_path / "again.xml"
    save(mech, again)
    written = mujoco.MjModel.from_xml_path(str(again))
    np.testing.assert_allclose([written.dof_armature[written.joint(n).dofadr[0]] for n in names], 0.13, rtol=1e-15)


def test_the_account_has_every_element_and_attribute(tmp_path: Path) -> None:
    account = leg(tmp_path).account
    assert account is not None
    tree = ET.fromstring(LEG)
    assert len(account) == sum(1 + len(node.attrib) for node in tree.iter())
    assert account.counts["refused"] == 0
    assert "no actuator acts" in account.text()
    assert "contact is not simulated" in account.text()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('axis="0 1 0" stiffness="5"', 'axis="0 1 0" frictionloss="1" stiffness="5"', "dry friction"),
        ('gravity="0 0 -9.8"', 'gravity="0 0 -9.8" density="1.2"', "no fluid"),
        ('<body name="ball"', '<body name="ball" gravcomp="1"', "gravity acts on all bodies"),
    ],
)
def test_what_cannot_be_represented_is_refused_or_reported(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(UnsupportedElementError, match=why):
        leg(tmp_path, old, new)
    account = leg(tmp_path, old, new, on_unsupported="report").account
    assert account is not None
    assert account.counts["refused"] > 0


@pytest.mark.parametrize(
    ("closing", "type", "freedoms"),
    [
        ('<connect body1="thigh" body2="world" anchor="0 0 -0.4"/>', "spherical", 8),
        ('<connect site1="foot" site2="ground foot"/>', "spherical", 8),
        ('<weld body1="thigh" body2="ball"/>', "fixed", 4),
        ('<connect body1="thigh" body2="world" anchor="0 0 -0.4" active="false"/>', "", 10),
    ],
)
def test_equalities_are_joints(tmp_path: Path, closing: str, type: str, freedoms: int) -> None:
    site = '<light pos="0 0 3"/><site name="ground foot" pos="-0.12 0 0.52"/>'
    text = LEG.replace('<light pos="0 0 3"/>', site).replace(
        "</worldbody>", f"</worldbody><equality>{closing}</equality>"
    )
    mech = lw.load(write(tmp_path, text))
    assert (mech.joints[-1].type if type else "") == type
    assert lw.check(mech).freedom.velocities == freedoms


def test_a_file_without_joints_is_read(tmp_path: Path) -> None:
    mech = lw.load(write(tmp_path, "<mujoco><worldbody><body name='b'><geom size='0.1'/></body></worldbody></mujoco>"))
    assert [joint.type for joint in mech.joints] == ["fixed"]


def test_gravity_switched_off_is_off(tmp_path: Path) -> None:
    mech = leg(tmp_path, "<default>", '<option><flag gravity="disable" damper="disable"/></option><default>')
    assert mech.gravity == (0.0, 0.0, 0.0)
    assert not any(force.damping for force in mech.forces)  # type: ignore[attr-defined]


def test_errors_are_model_errors(tmp_path: Path) -> None:
    for old, new, said in [
        ("<worldbody>", "<wordbody>", "mismatched tag"),
        ('type="box"', 'type="bax"', "line 15"),
        ('axis="1 0 0"', 'axis="0 0 0"', "MuJoCo"),
        ("<worldbody>", '<include file="../../other.xml"/><worldbody>', "outside the model's folder"),
        ("<worldbody>", '<include file="none.xml"/><worldbody>', "line 5, mujoco.*names 'none.xml', which is no file"),
        ("<worldbody>", '<asset><mesh name="m" file="/etc/passwd"/></asset><worldbody>', "outside the model's folder"),
    ]:
        with pytest.raises(ModelError, match=said):
            leg(tmp_path, old, new)
    with pytest.raises(UsageError, match="no option 'base'"):
        leg(tmp_path, base="fixed")


def test_included_files_are_accounted_for(tmp_path: Path) -> None:
    write(tmp_path, "<mujoco><default><joint armature='0.1'/></default></mujoco>", "part.xml")
    mech = leg(tmp_path, "<worldbody>", '<include file="part.xml"/><worldbody>', on_unsupported="report")
    assert mech.account is not None
    assert [one.inertia for one in mech.couplings] == [0.1] * 4  # type: ignore[attr-defined]


TIED = """<mujoco model="tied"><option gravity="0 0 0"/><worldbody>
  <body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/><joint name="qa" axis="0 0 1" ref="0.2"/></body>
  <body name="b" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="2 2 3"/><joint name="qb" axis="0 0 1"/></body>
  <body name="c" pos="2 0 0"><inertial pos="0 0 0" mass="1" diaginertia="3 3 5"/><joint name="qc" axis="0 0 1"/></body>
</worldbody><tendon>
  <fixed name="one"><joint joint="qa" coef="2"/><joint joint="qb" coef="-1"/></fixed>
  <fixed name="two"><joint joint="qc" coef="3"/></fixed>
</tendon><equality><tendon name="tie" tendon1="one" tendon2="two" polycoef="0 0.5 {} 0 0"/></equality></mujoco>
"""


def written(folder: Path, text: str) -> lw.Mechanism:
    (folder / "tied.xml").write_text(text)
    return lw.load(folder / "tied.xml")


def test_tendons_that_are_sums_of_coordinates_are_cables(tmp_path: Path) -> None:
    """2 qa - qb = 1.5 qc; M of the two that are left, by hand."""
    mech = written(tmp_path, TIED.format(0))
    cable = mech.element("tie")
    assert (cable.type, cable.joints, cable.factors, cable.offset) == ("cable", ("qa", "qb", "qc"), (2, -1, -1.5), 0)
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    mech.force("motor", "torque", body="b", components=[0, 0, 1.0])
    found = lw.accelerations(mech, formulation="lie-mixed")
    G, M = np.array([2.0, -1.0, -1.5]), np.diag([2.0, 3.0, 5.0])
    K = np.block([[M, G[:, None]], [G[None, :], np.zeros((1, 1))]])
    expected = np.linalg.solve(K, [0, 1, 0, 0])[:3]
    np.testing.assert_allclose([found.angular_acceleration(name)[2] for name in "abc"], expected, atol=1e-13)
    with pytest.raises(UnsupportedElementError, match="linearly"):
        written(tmp_path, TIED.format(0.1))


def test_an_axis_that_overflows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="axis without a direction"):
        written(tmp_path, LEG.replace('axis="0 1 0" pos', 'axis="1e308 1 0" pos'))


def test_folders_of_one_file_hold_for_what_it_includes(tmp_path: Path) -> None:
    """The folder of meshes stands in one file, the mesh in another: together they lead outside."""
    model = tmp_path / "model"
    (model / "a").mkdir(parents=True)
    (tmp_path / "secret.stl").write_bytes(b"solid")
    (model / "a" / "part.xml").write_text('<mujoco><asset><mesh name="m" file="../../secret.stl"/></asset></mujoco>')
    text = '<mujoco><compiler meshdir="{}"/><include file="a/part.xml"/><worldbody>'
    text += '<body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    for folder in ("a", "..", ".", "a/.."):
        with pytest.raises(ModelError, match="outside the model's folder"):
            written(model, text.format(folder))


def test_principal_axes_of_inertia_are_turned_into_the_bodys(tmp_path: Path) -> None:
    """diag(1, 2, 2.5) about axes that stand 0.7 rad about (1, 2, 3) from the body's: A diag A^T, A by Rodrigues."""
    axis = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    across = np.cross(np.eye(3), axis)  # rows e_k x axis, which are those of the matrix of axis x
    turned = np.eye(3) + np.sin(0.7) * across + (1.0 - np.cos(0.7)) * across @ across
    quat = " ".join(f"{x:.17g}" for x in (np.cos(0.35), *(np.sin(0.35) * axis)))
    mech = lw.load(
        write(
            tmp_path,
            f"""<mujoco><worldbody><body name="solid"><freejoint/>
            <inertial pos="0.1 0 0" mass="3" diaginertia="1 2 2.5" quat="{quat}"/></body></worldbody></mujoco>""",
        )
    )
    found = np.array(mech.lower().bodies[0].inertia, dtype=float)
    wanted = turned @ np.diag([1.0, 2.0, 2.5]) @ turned.T
    np.testing.assert_allclose(turned @ axis, axis, atol=1e-15)
    plain = np.cross(axis, [1.0, 0.0, 0.0])
    assert np.cross(plain, turned @ plain) @ axis > 0.0  # turned about the axis, not back
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert abs(wanted[0, 1]) > 0.05


def test_both_sides_of_a_joint_meet_where_bodies_are_turned(tmp_path: Path) -> None:
    """Anchors are given in the child, which stands turned in its parent."""
    mech = lw.load(
        write(
            tmp_path,
            """<mujoco><default><geom size="0.1" contype="0" conaffinity="0"/></default><worldbody>
            <body name="arm" pos="0.3 0.1 0.5" quat="0.8 0.2 -0.4 0.4"><joint axis="0 0 1" pos="0.1 0.2 0.3"/><geom/>
              <body name="hand" pos="0.2 0 0.4" quat="0.5 0.1 0.7 -0.5"><joint axis="1 2 0" pos="-0.2 0.1 0.05"/><geom/>
            </body></body></worldbody></mujoco>""",
        )
    )
    assert mech.check().position_violation < 1e-12


@pytest.mark.parametrize(
    ("outer", "inner", "copies"),
    [("100000000", "1", "1e[+]08"), ("1000", "100", "100000"), ("nonsense", "1e9", "1e[+]09")],
)
def test_copies_without_end_are_refused_before_they_are_compiled(
    tmp_path: Path, outer: str, inner: str, copies: str
) -> None:
    """MuJoCo's compiler writes out <replicate> for hours, and hears no signal meanwhile."""
    text = (
        f'<mujoco><worldbody><replicate count="{outer}"><replicate count="{inner}"><body><joint/>'
        '<geom size="1"/></body>'
        "</replicate></replicate></worldbody></mujoco>"
    )
    file = tmp_path / "many.xml"
    file.write_text(text)
    with pytest.raises(ModelError, match=f"replicate.*asks for {copies} copies"):
        lw.load(file)
    file.write_text(text.replace(f'"{outer}"', '"2"').replace(f'"{inner}"', '"3"'))
    assert len(lw.load(file).bodies) == 6


@pytest.mark.parametrize(
    ("actuator", "noted"),
    [
        ('<motor joint="hip"/>', False),
        ('<position name="servo" joint="hip" kp="5"/>', True),
        ('<position name="servo" joint="hip" kp="0"/>', False),
        ('<velocity name="servo" joint="hip" kv="5"/>', True),
        ('<position name="servo" joint="hip" kp="5" group="3"/>', False),  # which is switched off
    ],
)
def test_actuators_that_would_act_without_an_input_are_noted(tmp_path: Path, actuator: str, noted: bool) -> None:
    text = LEG.replace('<motor joint="hip"/>', actuator)
    text = text.replace("<worldbody>", '<option actuatorgroupdisable="3"/><worldbody>', 1)
    path = tmp_path / "leg.xml"
    path.write_text(text)
    found = [note for note in lw.load(path).notes if "without an input" in note]
    assert len(found) == noted
    assert all("1 actuator of the file" in note and "(servo)" in note for note in found)
    assert not [note for note in lw.load(path, actuators=True).notes if "without an input" in note]
