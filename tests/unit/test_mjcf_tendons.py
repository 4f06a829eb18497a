"""Fixed tendons and actuators of MJCF files: generalised forces and accelerations beside MuJoCo's, and the account."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UnsupportedElementError, UsageError

pytest.importorskip("mujoco", reason="MJCF is read by MuJoCo's compiler: pip install linkwork[mjcf]")

HAND = """<mujoco model="hand"><compiler angle="radian"/><option gravity="0 0 -9.81">{flags}</option><worldbody>
  <body name="palm" pos="0.1 0.2 0.3" euler="0.3 -0.2 0.5">
    <joint name="rail" type="slide" axis="1 0 0" ref="0.1" damping="0.3"/><geom size="0.1" pos="0.05 0.02 0"/>
    <body name="upper" pos="0.2 0 0.1" euler="0.4 0.7 -0.3"><joint name="knuckle" axis="0 1 0" ref="0.2"/>
      <geom type="box" size="0.1 0.05 0.04" pos="0.1 0 0"/><site name="s"/>
      <body name="tip" pos="0.2 0 0"><joint name="end" axis="0 1 0.2"/>
        <geom type="box" size="0.08 0.05 0.04" pos="0.08 0 0"/></body>
    </body>
  </body>
</worldbody><tendon>
  <fixed name="flexor" stiffness="30 12 5" damping="0.7 0.2 0.4" springlength="-0.1 0.25" {more}>
    <joint joint="knuckle" coef="0.8"/><joint joint="end" coef="-0.5"/><joint joint="rail" coef="1.7"/></fixed>
  <fixed name="idle"><joint joint="end" coef="2"/><joint joint="knuckle" coef="0.3"/></fixed>
</tendon><actuator>{acting}</actuator></mujoco>
"""
ACTUATORS = """
  <motor name="push" joint="rail" gear="3" ctrllimited="true" ctrlrange="-0.5 0.5"/>
  <position name="hold" joint="knuckle" kp="4" kv="0.3" gear="2" forcelimited="true" forcerange="-1 2.5"/>
  <velocity name="turn" tendon="idle" kv="1.3" gear="0.7"/>
  <general name="mixed" tendon="flexor" gaintype="affine" gainprm="2 0.4 -0.3" biastype="affine" biasprm="0.1 -3 -0.2"/>
"""
AT = {"rail": "rail.displacement", "knuckle": "knuckle.angle", "end": "end.angle"}


def hand(folder: Path, acting: str = "", more: str = "", flags: str = "", **options: Any) -> tuple[lw.Mechanism, Any]:
    """The mechanism, and MuJoCo's model without contacts."""
    import mujoco

    file = folder / "hand.xml"
    file.write_text(HAND.format(acting=acting, more=more, flags=flags))
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return lw.load(file, **options), model


def compared(mech: lw.Mechanism, model: Any, controls: np.ndarray, seed: int) -> tuple[float, float]:
    """The largest differences of efforts and of accelerations at one state, relative to the largest of MuJoCo's.

    Efforts: what inverse dynamics still asks for at MuJoCo's accelerations: nothing, if forces are MuJoCo's.
    """
    import mujoco

    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    q, v = rng.uniform(-0.8, 0.8, (2, 3))
    for n, name in enumerate(AT):
        data.joint(name).qpos += q[n]
        data.joint(name).qvel[:] = v[n]
    data.ctrl[:] = controls
    mujoco.mj_forward(model, data)
    given = {model.actuator(a).name: float(u) for a, u in enumerate(controls)}
    mech = lw.Mechanism.from_dict({**mech.to_dict(), **({"inputs": given} if mech.inputs else {})})
    state = lw.forward_kinematics(mech, dict(zip(AT.values(), q, strict=True)), dict(zip(AT.values(), v, strict=True)))
    found = lw.inverse_dynamics(mech, {AT[n]: data.joint(n).qacc[0] for n in AT}, state)
    size = np.max(np.abs(data.qfrc_bias)) + np.max(np.abs(data.qfrc_passive)) + np.max(np.abs(data.qfrc_actuator))
    seen = lw.accelerations(mech, state, formulation="lie-mixed")
    six = np.zeros(6)
    mujoco.mj_rnePostConstraint(model, data)
    apart, largest = 0.0, 1.0
    for b, name in enumerate(("palm", "upper", "tip")):
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_BODY, b + 1, six, 0)
        turned = data.xmat[b + 1].reshape(3, 3).T @ six[:3]
        apart = max(apart, float(np.max(np.abs(seen.angular_acceleration(name) - turned))))
        largest = max(largest, float(np.max(np.abs(turned))))
    return float(np.max(np.abs(found)) / size), apart / largest


@pytest.mark.parametrize("flags", ["", '<flag spring="disable"/>', '<flag damper="disable"/>'])
def test_springs_and_dampers_of_tendons_are_mujocos(flags: str, tmp_path: Path) -> None:
    """With higher powers and a range in which the spring is slack, from references that are not zero."""
    mech, model = hand(tmp_path, flags=flags)
    assert [force.type for force in mech.forces] == ["spring", "tendon"][flags == '<flag damper="disable"/>' :]
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert max(max(compared(mech, model, np.zeros(0), seed)) for seed in range(20)) < 1e-12


def test_actuators_are_mujocos(tmp_path: Path) -> None:
    """Gains and biases, gears, limits of controls and forces, on joints and on tendons."""
    mech, model = hand(tmp_path, ACTUATORS, actuators=True)
    assert set(mech.inputs) == {"push", "hold", "turn", "mixed"}
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    rng = np.random.default_rng(1)
    assert max(max(compared(mech, model, rng.uniform(-2, 2, 4), seed)) for seed in range(20)) < 1e-11
    still, _ = hand(tmp_path, ACTUATORS)
    assert len(still.forces) == 2
    assert "no actuator acts" in still.account.text()  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="True or False"):
        hand(tmp_path, ACTUATORS, actuators="yes")


def test_actuators_that_the_file_switches_off_do_not_act(tmp_path: Path) -> None:
    """By their group or all of them; the account says so, and of those whose inertia stays that it is refused."""
    acting = """<motor name="push" joint="end" group="2"/><position name="hold" joint="end" kp="3" group="1"/>
      <muscle name="m" joint="knuckle" group="2" lengthrange="0 1"/>"""
    file = tmp_path / "off.xml"

    def read(options: str, more: str = "") -> tuple[lw.Mechanism, Any]:
        file.write_text(HAND.format(acting=acting + more, more="", flags="").replace("<option ", f"<option {options} "))
        import mujoco

        model = mujoco.MjModel.from_xml_path(str(file))
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        return lw.load(file, actuators=True), model

    mech, model = read('actuatorgroupdisable="2"')
    assert list(mech.inputs) == ["hold"]
    assert max(max(compared(mech, model, np.array([0.7, -0.4, 0.5]), seed)) for seed in range(5)) < 1e-12
    assert mech.account is not None
    found = {entry.element: (entry.outcome, entry.how) for entry in mech.account}
    assert found["mujoco/actuator/motor 'push'"] == ("approximated", "switched off in the file: it does not act")
    assert found["mujoco/actuator/position 'hold'"][0] == "mapped"
    assert found["mujoco/option@actuatorgroupdisable"][0] == "mapped"
    with pytest.raises(UnsupportedElementError, match="no inertia of actuators"):
        read('actuatorgroupdisable="2"', '<motor name="heavy" joint="end" group="2" armature="0.1"/>')
    mixed, _ = read('actuatorgroupdisable="2"', '<motor joint="end" group="2"/><motor joint="end"/>')
    assert "or switched off in the file" in mixed.account.text()  # type: ignore[union-attr]
    none, _ = hand(tmp_path, acting, flags='<flag actuation="disable"/>', actuators=True)
    assert not none.inputs
    assert "a force that follows the input" not in none.account.text()  # type: ignore[union-attr]


def test_muscles_do_not_move_a_model_without_end(tmp_path: Path) -> None:
    """MuJoCo's compiler moves a model to find how short and how long a muscle may get: here for ever."""
    text = HAND.format(acting='<muscle name="m" joint="end"/>', more="", flags="")
    file = tmp_path / "huge.xml"
    file.write_text(text.replace('pos="0.05 0.02 0"', 'pos="0.05 0.02 1e40"'))
    began = time.process_time()
    assert len(lw.load(file).bodies) == 3
    assert time.process_time() - began < 2.0


def test_inputs_have_names_that_formulas_can_say(tmp_path: Path) -> None:
    """An actuator that is called as its joint; names with other signs, that are the same without them; none."""
    acting = "".join(
        f'<motor {name} joint="end"/>' for name in ('name="end"', 'name="a b"', 'name="a-b"', 'name="2"', "")
    )
    mech, _ = hand(tmp_path, acting, actuators=True)
    assert list(mech.inputs) == ["end", "a_b", "a_b_", "u_2", "actuator_5"]
    assert len(mech.lower().inputs) == 5


def test_what_a_joint_takes_of_an_actuator_is_limited(tmp_path: Path) -> None:
    motor = '<motor name="push" joint="end" gear="2"/>'
    mech, model = hand(tmp_path, motor, actuators=True)
    limited = HAND.replace('axis="0 1 0.2"', 'axis="0 1 0.2" actuatorfrcrange="-0.4 0.6"')
    file = tmp_path / "limited.xml"
    file.write_text(limited.format(acting=motor, more="", flags=""))
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    mech = lw.load(file, actuators=True)
    for control in (-3.0, 0.1, 3.0):
        assert max(compared(mech, model, np.array([control]), 5)) < 1e-12
    file.write_text(limited.format(acting=motor + '<motor name="too" tendon="idle"/>', more="", flags=""))
    with pytest.raises(UnsupportedElementError, match="not the sum of several"):
        lw.load(file, actuators=True)


@pytest.mark.parametrize(
    ("acting", "why"),
    [
        ('<muscle name="m" joint="end" lengthrange="0 1"/>', "activation dynamics"),
        ('<general name="m" joint="end" dyntype="integrator"/>', "activation dynamics"),
        ('<motor name="m" site="s"/>', "on hinges, slides and fixed tendons"),
        ('<motor name="m" joint="end" armature="0.1"/>', "no inertia of actuators"),
    ],
)
def test_other_actuators_are_refused_by_name(acting: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedElementError, match=why):
        hand(tmp_path, acting, actuators=True)
    mech, _ = hand(tmp_path, acting, actuators=True, on_unsupported="report")
    assert mech.account is not None
    assert mech.account.counts["refused"] == 1 + acting.count("=")
    assert not mech.inputs
    assert hand(tmp_path, acting)[0].account.counts["refused"] == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('armature="0.3"', "no inertia of tendons"),
        ('frictionloss="0.2"', "no dry friction"),
        ('springyield="0.2"', "yield"),
    ],
)
def test_other_tendons_are_refused(more: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedElementError, match=why):
        hand(tmp_path, more=more)


def test_tendons_over_sites_are_refused_where_they_pull(tmp_path: Path) -> None:
    spatial = '<tendon><spatial {}><site site="s"/><site site="t"/></spatial>'
    for stiffness, refused in (('name="rope" stiffness="2"', True), ('name="rope"', False)):
        file = tmp_path / "rope.xml"
        text = HAND.replace("<tendon>", spatial.format(stiffness)).replace("<worldbody>", '<worldbody><site name="t"/>')
        file.write_text(text.format(acting="", more="", flags=""))
        account = lw.load(file, on_unsupported="report").account
        assert account is not None
        assert account.counts["refused"] == (7 if refused else 0)
        assert all("sites and bodies" in one.how for one in account.of("refused"))


def test_friction_and_limits_of_tendons_are_smooth_laws_where_asked_for(tmp_path: Path) -> None:
    more = 'frictionloss="0.2" limited="true" range="-0.3 0.4"'
    mech, _ = hand(tmp_path, more=more, friction=0.01, stops=(100.0, 0.5))
    tendon = mech.element("flexor")
    assert tendon.force.endswith(
        "(0.2)*tanh(rate/(0.01)) + (100.0)*max(length - (0.4), 0)*max(1 + (0.5)*rate, 0)"
        " + (-100.0)*max((-0.3) - length, 0)*max(1 - (0.5)*rate, 0)"
    )
    assert "elastic stop" in mech.account.text()  # type: ignore[union-attr]


def test_constraints_switched_off_take_equalities_and_limits_with_them(tmp_path: Path) -> None:
    """`<flag constraint="disable">` is all of them; couplings were read in spite of it."""
    tie = '</tendon><equality><joint joint1="end" joint2="knuckle"/></equality>'
    for flags, couplings in (("", 1), ('<flag constraint="disable"/>', 0), ('<flag equality="disable"/>', 0)):
        file = tmp_path / "tied.xml"
        file.write_text(HAND.replace("</tendon>", tie).format(acting="", more="", flags=flags))
        assert len(lw.load(file).couplings) == couplings
