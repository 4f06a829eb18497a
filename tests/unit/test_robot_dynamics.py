"""Damping, dry friction and limits in joints of robots' files: in closing joints as in all others, by smooth laws."""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.test_urdf import LINKAGE
from unit.test_urdf_dialects import FRAMES

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError, UsageError
from linkwork.io.formats.urdf.closing import closing_types

MUJOCO = pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MJCF is read by MuJoCo's compiler")
CLOSING = (
    '<{0} name="c" type="{1}"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>'
    '<successor link="rocker"><origin xyz="0.3 0 0"/></successor><axis xyz="0 1 0"/>{2}</{0}>'
)
PROPOSED = (
    '<constraint name="c" type="revolute"><parent link="coupler"/><parent_origin xyz="0.4 0 0"/>'
    '<parent_axis xyz="0 1 0"/><child link="rocker"/><child_origin xyz="0.3 0 0"/>'
    '<child_axis xyz="0 1 0"/>{2}</constraint>'
)
DAMPED = '<limit lower="-2" upper="0.5" effort="3" velocity="1"/><dynamics damping="0.2"/>'
RUBBING = '<dynamics friction="0.15"/>'

# one body about (or along) a vertical axis, of one kilogram metre squared (or one kilogram); its limit is 0.5
URDF = (
    '<robot name="arm"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
    'iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j" type="{type}"><parent link="base"/>'
    '<child link="arm"/><axis xyz="{axis}"/><limit lower="-0.4" upper="0.5" effort="1" velocity="1"/>'
    '<dynamics friction="0.2"/></joint></robot>'
)
SDF = (
    '<sdf version="1.11"><model name="m"><link name="arm"><inertial><mass>1</mass></inertial></link>'
    '<joint name="j" type="{type}"><parent>world</parent><child>arm</child><axis><xyz>{axis}</xyz>'
    "<limit><lower>-0.4</lower><upper>0.5</upper></limit><dynamics><friction>0.2</friction></dynamics></axis></joint>"
    "</model></sdf>"
)
MJCF = (
    '<mujoco><compiler angle="radian"/><worldbody><body name="arm"><inertial pos="0 0 0" mass="1" '
    'diaginertia="1 1 1"/><joint name="j" type="{mjcf}" axis="{axis}" ref="0.25" range="-0.15 0.75" '
    'frictionloss="0.2"/></body></worldbody></mujoco>'
)
FORMATS = [("urdf", URDF), ("sdf", SDF), pytest.param("xml", MJCF, marks=MUJOCO)]
KINDS = [("revolute", "hinge", "0 0 1"), ("prismatic", "slide", "1 0 0")]


def load(folder: Path, text: str, suffix: str = "urdf", **options: Any) -> lw.Mechanism:
    file = folder / f"robot.{suffix}"
    file.write_text(text)
    return lw.load(file, **options)


def complete(mech: lw.Mechanism, folder: Path) -> bool:
    account = mech.account
    assert account is not None
    return len(account) == sum(1 + len(node.attrib) for node in ET.parse(folder / "robot.urdf").iter())


def said(mech: lw.Mechanism, end: str) -> tuple[str, str]:
    """Outcome and words of the account's entry of this end."""
    assert mech.account is not None
    (entry,) = [one for one in mech.account if one.element.endswith(end)]
    return entry.outcome, entry.how


def run_of(mech: lw.Mechanism, formulation: str = "lie-mixed", t_end: float = 0.4) -> lw.Result:
    return lw.simulate(mech, t_end, t_end / 200, formulation, "dop853", rtol=1e-11, atol=1e-12)


def lost(run: lw.Result, power: Any) -> tuple[float, float]:
    """Energy that is gone at the end, and the integral of a power over the run (Simpson)."""
    weights = np.ones(len(run.time))
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    heat = float(weights @ np.array(power)) * (run.time[1] - run.time[0]) / 3.0
    return float(run.energy[0] - run.energy[-1]), heat


# closing joints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "closing", [CLOSING.format("loop", "revolute", DAMPED), CLOSING.format("constraint", "revolute", DAMPED),
                PROPOSED.format("", "", DAMPED)]
)  # fmt: skip
def test_a_closing_joint_is_damped_like_any_other(tmp_path: Path, closing: str) -> None:
    """What the damper takes out of the energy is c times the square of the closing joint's own rate."""
    mech = load(tmp_path, LINKAGE.format(closing))
    assert complete(mech, tmp_path)
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert said(mech, "limit@upper")[0] == "approximated"
    run = run_of(mech)
    gone, heat = lost(run, 0.2 * run.joint("c")["angle_rate"] ** 2)
    assert gone > 0.01
    assert gone == pytest.approx(heat, rel=1e-6)


@pytest.mark.parametrize("formulation", ["articulated-body", "augmented", "rA"])
def test_formulations_agree_on_a_damped_closing_joint(tmp_path: Path, formulation: str) -> None:
    mech = load(tmp_path, LINKAGE.format(CLOSING.format("loop", "revolute", DAMPED)))
    without = load(tmp_path, LINKAGE.format(CLOSING.format("loop", "revolute", "")))
    state = lw.start_state(mech, rates={"a": 2.0})
    one, other = (lw.accelerations(mech, state, name) for name in ("lie-mixed", formulation))
    np.testing.assert_allclose(one.rddot, other.rddot, rtol=1e-9, atol=1e-9)
    free = lw.accelerations(without, lw.start_state(without, rates={"a": 2.0}), formulation)
    assert np.max(np.abs(free.rddot - other.rddot)) > 0.1


@pytest.mark.parametrize(("type", "count"), [("spherical", 1), ("cylindrical", 2), ("planar", 3)])
def test_closing_joints_of_several_freedoms_are_damped_in_each(tmp_path: Path, type: str, count: int) -> None:
    mech = load(tmp_path, LINKAGE.format(CLOSING.format("loop", type, '<dynamics damping="0.2"/>')))
    assert len(mech.forces) == count
    assert complete(mech, tmp_path)
    run = run_of(mech)
    gone, heat = lost(run, 0.2 * np.sum(np.array(run.joint("c").rates) ** 2, axis=1))
    assert gone > 0.005
    assert gone == pytest.approx(heat, rel=1e-6)


def test_what_has_no_coordinate_cannot_be_damped(tmp_path: Path) -> None:
    text = LINKAGE.format(CLOSING.format("loop", "point-in-line", DAMPED))
    with pytest.raises(UnsupportedElementError, match="no damper in a point-in-line joint"):
        load(tmp_path, text)
    assert load(tmp_path, text, on_unsupported="report").forces == ()


@pytest.mark.parametrize("closing", [CLOSING.format("loop", "revolute", RUBBING), PROPOSED.format("", "", RUBBING)])
def test_friction_of_a_closing_joint_is_refused_by_name_or_smooth(tmp_path: Path, closing: str) -> None:
    text = LINKAGE.format(closing)
    with pytest.raises(UnsupportedElementError, match="dynamics@friction: linkwork has no dry friction"):
        load(tmp_path, text)
    mech = load(tmp_path, text, friction=0.1)
    assert said(mech, "dynamics@friction")[0] == "approximated"
    assert complete(mech, tmp_path)
    run = run_of(mech)
    rate = run.joint("c")["angle_rate"]
    gone, heat = lost(run, 0.15 * np.tanh(rate / 0.1) * rate)
    assert gone > 0.01
    assert gone == pytest.approx(heat, rel=1e-5)


def test_the_damping_of_a_joint_that_a_yaml_file_changes_acts_on_its_every_turn(tmp_path: Path) -> None:
    """Extended URDF: of a hinge that becomes a ball, or a cross."""
    text = LINKAGE.format("").replace(
        'rpy="0 1.3 0"/><axis xyz="0 1 0"/>', 'rpy="0 1.3 0"/><axis xyz="0 1 0"/><dynamics damping="0.3"/>'
    )
    for kind, types in (("SPHERICAL", ["spherical-spring"]), ("UJOINT_XY", ["joint-spring"] * 2), ("FIXED", [])):
        (tmp_path / "robot.yaml").write_text(f"joint_name: [b]\njoint_type: [{kind}]\n")
        mech = load(tmp_path, text)
        assert [force.type for force in mech.forces] == types
        assert {force.damping for force in mech.forces} <= {0.3}
        assert said(mech, "dynamics@damping")[0] == ("mapped" if kind == "FIXED" else "approximated")
    (tmp_path / "robot.yaml").write_text("closed_loop: [[left, right]]\n")
    mech = load(tmp_path, text.replace("</robot>", f"{FRAMES}</robot>"))
    assert [(force.type, force.joint) for force in mech.forces] == [("torsion", "b")]
    run = lw.simulate(mech, 0.1, 5e-4, "lie-mixed", "dop853", rtol=1e-10, atol=1e-12, accept_changes=True)
    gone, heat = lost(run, 0.3 * run.joint("b")["angle_rate"] ** 2)
    assert gone == pytest.approx(heat, rel=1e-4)


@pytest.mark.parametrize("type", closing_types())
def test_every_kind_of_joint_that_two_frames_make_closes_a_loop(tmp_path: Path, type: str) -> None:
    text = LINKAGE.format(PROPOSED.replace("revolute", type).format("", "", ""))
    mech = load(tmp_path, text)
    assert complete(mech, tmp_path)
    assert mech.element("c").type == type
    if type in ("revolute", "cylindrical", "spherical", "point-in-line"):
        assert lw.check(mech).freedom.velocities == 1


# the laws, in every format ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "text"), FORMATS)
@pytest.mark.parametrize(("type", "mjcf", "axis"), KINDS)
def test_friction_is_smooth_below_a_rate(
    suffix: str, text: str, type: str, mjcf: str, axis: str, tmp_path: Path
) -> None:
    """v' = -F tanh(v/v0) has the solution sinh(v/v0) = sinh(v(0)/v0) exp(-F t/v0)."""
    text = text.format(type=type, mjcf=mjcf, axis=axis)
    with pytest.raises(UnsupportedElementError, match="no dry friction in joints"):
        load(tmp_path, text, suffix)
    mech = load(tmp_path, text, suffix, friction=0.05)
    run = lw.simulate(mech, 1.0, 0.01, "articulated-body", "dop853", state={"j": (0.0, 0.15)}, rtol=1e-11, atol=1e-13)
    expected = 0.05 * np.arcsinh(np.sinh(0.15 / 0.05) * np.exp(-0.2 * run.time / 0.05))
    name = "angle_rate" if type == "revolute" else "displacement_rate"
    np.testing.assert_allclose(run.joint("j")[name], expected, rtol=1e-8)


@pytest.mark.parametrize(("suffix", "text"), FORMATS)
@pytest.mark.parametrize(("type", "mjcf", "axis"), KINDS)
def test_an_elastic_stop_turns_the_joint_back(
    suffix: str, text: str, type: str, mjcf: str, axis: str, tmp_path: Path
) -> None:
    """Without dissipation it goes v sqrt(I/k) beyond the limit, and comes back as fast; with it, slower."""
    text = text.format(type=type, mjcf=mjcf, axis=axis).replace("0.2<", "0<").replace('0.2"', '0"')

    name = "angle" if type == "revolute" else "displacement"
    for speed, limit in ((1.0, 0.5), (-1.0, -0.4)):
        mech = load(tmp_path, text, suffix, stops=(400.0, 0.0))
        run = lw.simulate(mech, 1.2, 1e-3, "articulated-body", "dop853", state={"j": (0.0, speed)}, rtol=1e-11)
        q, v = run.joint("j")[name], run.joint("j")[f"{name}_rate"]
        assert np.max(np.abs(q)) == pytest.approx(abs(limit) + 0.05, abs=3e-6)  # between two samples
        assert v[-1] == pytest.approx(-speed, abs=1e-6)
    mech = load(tmp_path, text, suffix, stops=(400.0, 1.0))
    run = lw.simulate(mech, 1.2, 1e-3, "articulated-body", "dop853", state={"j": (0.0, 1.0)}, rtol=1e-11)
    out = run.joint("j")[f"{name}_rate"][-1]
    # Hunt and Crossley: (1 + c v) dv = ... leaves v - ln(1 + c v)/c alike on both ways, over the same distance
    assert -out + np.log(1.0 + out) == pytest.approx(-(1.0 - np.log(2.0)), abs=1e-6)


def test_joints_without_limits_have_no_stops(tmp_path: Path) -> None:
    text = URDF.format(type="continuous", axis="0 0 1").replace('friction="0.2"', "")
    assert load(tmp_path, text, stops=(100.0, 0.0)).forces == ()
    assert len(load(tmp_path, text.replace("continuous", "revolute"), stops=(100.0, 0.0)).forces) == 1
    with pytest.raises(ModelError, match=r"lower limit 0\.6 above the upper one"):
        load(tmp_path, text.replace("continuous", "revolute").replace("-0.4", "0.6"), stops=(100.0, 0.0))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"friction": 0.0}, "friction is 0"),
        ({"friction": "0.1"}, "a rate above 0"),
        ({"friction": float("nan")}, "a rate above 0"),
        ({"stops": 5.0}, "two numbers"),
        ({"stops": (0.0, 1.0)}, "two numbers"),
        ({"stops": (1.0, -1.0)}, "two numbers"),
        ({"stops": (1.0, 2.0, 3.0)}, "two numbers"),
    ],
)
def test_options_that_are_no_laws(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load(tmp_path, URDF.format(type="revolute", axis="0 0 1"), **options)


def test_verbs_take_the_options_of_robots_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli.main import status_of

    file = tmp_path / "robot.urdf"
    file.write_text(URDF.format(type="revolute", axis="0 0 1"))
    run = ["run", str(file), "--t-end", "0.1", "--step", "0.01", "--formulation", "articulated-body"]
    assert status_of(run) != 0
    assert "--on-unsupported report" in capsys.readouterr().err
    assert status_of([*run, "--on-unsupported", "report"]) == 0
    assert status_of([*run, "--friction", "0.01", "--stops", "100", "0.5", "--base", "fixed"]) == 0
    assert status_of(["view", str(file), "--friction", "0.01", "--out", str(tmp_path / "page.html")]) == 0
    assert status_of(["check", str(file), "--friction", "-1"]) == 2
    study = tmp_path / "study.yaml"
    few = ["--formulation", "lie-mixed", "--integrator", "rk4", "--repeats", "0", "--no-reference", "--workers", "1"]
    compared = ["compare", str(file), *few, "--t-end", "0.1", "--step", "0.01", "--friction", "0.01"]
    assert status_of([*compared, "--save-study", str(study)]) == 0
    assert [force["type"] for force in lw.load_study(study).mechanism["forces"]] == ["joint-spring"]
    assert status_of(["run", "--resume", str(tmp_path / "r.nc"), "--friction", "1"]) == 2
    assert "leave out --friction" in capsys.readouterr().err
    yaml = tmp_path / "robot.yaml"
    assert status_of(["convert", str(file), str(yaml), "--friction", "0.01"]) == 0
    assert [force.type for force in lw.load(yaml).forces] == ["joint-spring"]
    assert status_of(["run", str(yaml), "--base", "floating"]) == 2
    assert status_of(["convert", str(yaml), str(tmp_path / "back.urdf")]) != 0
    assert status_of(["convert", str(yaml), str(tmp_path / "back.urdf"), "--on-unsupported", "report"]) == 0


def test_efforts_of_what_turns_slowly_and_moves_fast_have_their_digits() -> None:
    """50 kg, 0.04 m off a hinge that two slides carry, at 0.5 m/s and 2 mrad/s: 8e-6 N for the turn, by hand.

    The moment v x (m v), 7 N m of either sign, is none: what its rounding leaves was 1e-15 N m, 1e-10 of the efforts.
    """
    m = lw.Mechanism("point", gravity=(0, 0, -9.81))
    for name, mass in (("cart", 0.0), ("bridge", 0.0), ("body", 50.0)):
        m.body(
            name,
            mass=mass,
            inertia=[1.0, 2.0, 3.0] if mass else [0.0, 0.0, 0.0],
            centre_of_mass=[0.04 * (mass > 0), 0, 0],
        )
    m.joint("x", "translational", "ground", "cart", point=(0, 0, 0), axis=(1, 0, 0))
    m.joint("y", "translational", "cart", "bridge", point=(0, 0, 0), axis=(0, 1, 0))
    m.joint("turn", "revolute", "bridge", "body", point=(0, 0, 0), axis=(0, 0, 1))
    for angle in (0.3, 0.87, 2.1):
        rates = {"x.displacement": -0.12, "y.displacement": 0.547, "turn.angle": 2e-3}
        state = lw.forward_kinematics(m, {"turn.angle": angle}, rates)
        found = lw.inverse_dynamics(m, [0.0, 0.0, 0.0], state)
        pull = -50.0 * 0.04 * 2e-3**2
        np.testing.assert_allclose(
            found, [pull * np.cos(angle), pull * np.sin(angle), 0.0], rtol=0, atol=1e-12 * abs(pull)
        )
