"""Springs and dampers of every kind of MuJoCo's joints: generalised forces beside MuJoCo's qfrc_passive."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UnsupportedElementError
from linkwork.io.formats import save

pytest.importorskip("mujoco", reason="MJCF is read by MuJoCo's compiler: pip install linkwork[mjcf]")

ARM = """<mujoco model="arm"><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
  <body name="base" pos="0.1 0.2 0.3" euler="0.3 -0.2 0.5">
    {base}<geom size="0.1" pos="0.05 0.02 0"/>
    <body name="upper" pos="0.2 0 0.1" euler="0.4 0.7 -0.3">
      <joint name="shoulder" type="ball" armature="0.2" pos="0 0.02 0.01" stiffness="3.5" damping="0.7"/>
      <geom type="box" size="0.1 0.05 0.04" pos="0.1 0 0"/>
      <body name="lower" pos="0.2 0 0" euler="-0.4 0.2 0.9">
        <joint name="cross 1" armature="0.1" axis="1 0 0" stiffness="2" damping="0.1" springref="0.3"/>
        <joint name="cross 2" axis="0 1 0" stiffness="4 3 5" damping="0.2 0.3 0.1" springref="-0.2"/>
        <geom type="box" size="0.08 0.05 0.04" pos="0.08 0 0"/>
        <body name="tip" pos="0.2 0 0"><geom size="0.04"/>
          <joint name="slide" type="slide" axis="0.6 0 0.8" stiffness="20 7" damping="1 2"/></body>
      </body>
    </body>
  </body>
</worldbody></mujoco>
"""
FIXED, FREE = "", '<joint name="loose" type="free" armature="0.3" stiffness="6" damping="0.9"/>'


@pytest.mark.parametrize("base", [FIXED, FREE], ids=["fixed", "free"])
def test_springs_and_dampers_are_mujocos(tmp_path: Path, base: str) -> None:
    """Generalised forces at 40 random states, turns up to 170 degrees, against qfrc_spring + qfrc_damper.

    And mass matrix, bias, inverse and forward dynamics, with armature of ball, hinge and free joint off its centre.
    """
    import mujoco

    from benchmarks.mujoco_robots import MujocoRobot

    file = tmp_path / "arm.xml"
    file.write_text(ARM.format(base=base))
    mech, model = lw.load(file), mujoco.MjModel.from_xml_path(str(file))
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    robot = MujocoRobot(mech, model, "lie-mixed")
    bare = lw.Mechanism.from_dict({**mech.to_dict(), "forces": []})
    data, rng, still = robot.data, np.random.default_rng(4), np.zeros(robot.dofs)
    for _ in range(40):
        mujoco.mj_resetData(model, data)
        step, rate = rng.uniform(-1.7, 1.7, model.nv), rng.uniform(-1, 1, model.nv)
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        data.qvel[:] = rate
        mujoco.mj_forward(model, data)
        T, _ = robot._transformed()
        q, v = np.zeros((2, robot.dofs))
        q[robot.place], v[robot.place] = robot._coordinates(step), T @ rate
        state = lw.forward_kinematics(mech, q, v, root=robot.root)
        with_them, without = (lw.inverse_dynamics(one, still, state, root=robot.root) for one in (mech, bare))
        theirs = data.qfrc_spring + data.qfrc_damper
        np.testing.assert_allclose(T.T @ (without - with_them)[robot.place], theirs, atol=1e-12 * np.abs(theirs).max())
    assert max(robot.apart(10)[:5]) < 1e-12


@pytest.mark.parametrize("old", ['damping="0.7"', 'stiffness="3.5"'])
def test_higher_powers_on_balls_and_springs_that_yield_are_refused(tmp_path: Path, old: str) -> None:
    file = tmp_path / "arm.xml"
    file.write_text(ARM.format(base="").replace(old, old[:-1] + ' 0.2"'))
    with pytest.raises(UnsupportedElementError, match="of balls and free joints are linear"):
        lw.load(file)
    file.write_text(ARM.format(base="").replace(old, old + ' springyield="0.1"'))
    with pytest.raises(UnsupportedElementError, match="springs do not yield"):
        lw.load(file)
    assert lw.load(file, on_unsupported="report").account.counts["refused"] == 1  # type: ignore[union-attr]


def test_switched_off_springs_and_dampers_are_off(tmp_path: Path) -> None:
    file = tmp_path / "arm.xml"
    flags = '<option gravity="0 0 0"><flag spring="disable" damper="disable"/></option>'
    file.write_text(ARM.format(base=FREE).replace('<option gravity="0 0 0"/>', flags))
    assert lw.load(file).forces == ()


def test_springs_of_balls_are_written(tmp_path: Path) -> None:
    """Loaded, written and loaded again: the same compiled springs."""
    import mujoco

    file, again = tmp_path / "arm.xml", tmp_path / "again.xml"
    linear = ARM.replace('"4 3 5"', '"4"').replace('"0.2 0.3 0.1"', '"0.2"').replace('"20 7"', '"20"')
    file.write_text(linear.replace('"1 2"', '"1"').format(base=FIXED))
    mech = lw.load(file)
    save(mech, again)
    assert mech.written is not None
    assert mech.written.counts["refused"] == 0
    one, other = (mujoco.MjModel.from_xml_path(str(path)) for path in (file, again))
    for name in ("shoulder", "cross 1", "cross 2", "slide"):
        assert one.joint(name).stiffness == pytest.approx(other.joint(name).stiffness)
        assert one.joint(name).damping == pytest.approx(other.joint(name).damping)
        assert one.joint(name).armature == pytest.approx(other.joint(name).armature)


@pytest.mark.parametrize(("pos", "refused"), [("0 0 0", 0), ("0.1 0 0", 1)])
def test_armature_of_a_free_joint_is_written_where_its_rates_are_those_of_a_centre_of_mass(
    tmp_path: Path, pos: str, refused: int
) -> None:
    """MuJoCo's frames are written at centres of mass, and its rates are those of the frame."""
    import mujoco

    joint = '<joint name="loose" type="free" armature="0.4"/>'
    file, again = tmp_path / "stone.xml", tmp_path / "again.xml"
    stone = f'<body name="stone" pos="1 2 3" euler="9 8 7">{joint}<geom size="0.1" pos="{pos}"/></body>'
    file.write_text(f"<mujoco><worldbody>{stone}</worldbody></mujoco>")
    mech = lw.load(file)
    save(mech, again, on_unsupported="report")
    assert mech.written is not None
    assert mech.written.counts["refused"] == refused
    written = mujoco.MjModel.from_xml_path(str(again)).joint("loose").armature
    np.testing.assert_array_equal(written, np.full(6, 0.0 if refused else 0.4))
