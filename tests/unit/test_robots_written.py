"""Mechanisms written as MJCF and URDF: MuJoCo and Pinocchio find the same accelerations; what is lost is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles import trees

import linkwork as lw
from linkwork.errors import UnsupportedElementError
from linkwork.io.formats import save

FILES = Path(__file__).parents[2] / "examples" / "robots"
SHIPPED = ("muller2013_heavy_top", "muller2013_spherical_double_pendulum", "dumitriu2015_double_pendulum", "gyroscope")
KINDS = ("revolute", "translational", "cylindrical", "spherical", "universal", "planar", "fixed", "free")
SAME = 1e-10


def random_tree(seed: int, kinds: tuple[str, ...] = KINDS) -> lw.Mechanism:
    """Without loads, at a random start."""
    tree, state = trees.random_tree(seed, count=7, kinds=kinds)
    data = trees.mechanism(tree, state).to_dict()
    return lw.Mechanism.from_dict({key: value for key, value in data.items() if key != "forces"})


def without_loops(number: int) -> lw.Mechanism:
    """Ten mechanisms: two robots with dampers, four that are shipped, four random trees."""
    if number < 2:
        return lw.load(FILES / ("six_axis_arm.urdf", "walker.urdf")[number], base=("fixed", "floating")[number])
    return lw.load(SHIPPED[number - 2]) if number < 6 else random_tree(number)


def mujoco_apart(mech: lw.Mechanism, file: Path, formulation: str) -> float:
    """Largest difference of accelerations at three states near the start, relative to the largest."""
    import mujoco as mj

    model = mj.MjModel.from_xml_path(str(file))
    data, rng, found = mj.MjData(model), np.random.default_rng(3), []
    ids = {body.name: mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, body.name) for body in mech.bodies}
    for spread in (0.0, 0.4, 0.8):
        mj.mj_resetData(model, data)
        mj.mj_integratePos(model, data.qpos, spread * rng.uniform(-1, 1, model.nv), 1.0)
        data.qvel[:] = rng.uniform(-1, 1, model.nv)
        mj.mj_forward(model, data)
        mj.mj_rnePostConstraint(model, data)
        n = len(mech.bodies)
        r, A, v, w, a = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 6))
        for k, body in enumerate(mech.bodies):
            b, six = ids[body.name], np.zeros(6)
            r[k], A[k] = data.xpos[b], data.xmat[b].reshape(3, 3)
            mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_XBODY, b, six, 0)
            v[k], w[k] = six[3:], A[k].T @ six[:3]
            mj.mj_objectAcceleration(model, data, mj.mjtObj.mjOBJ_XBODY, b, six, 0)
            a[k] = np.concatenate([six[3:] + model.opt.gravity, A[k].T @ six[:3]])
        ours = lw.accelerations(mech, lw.State(r, A, v, w), formulation)
        both = np.hstack([ours.rddot, ours.omegadot])
        found.append(np.max(np.abs(both - a)) / max(1.0, np.max(np.abs(a))))
    return float(max(found))


@pytest.mark.parametrize("number", range(10))
def test_mujoco_has_the_same_accelerations(number: int, tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    mech = without_loops(number)
    file = save(mech, tmp_path / "robot.xml")
    assert mech.written is not None
    assert mech.written.counts["refused"] == 0
    massless = [body.name for body in mech.bodies if body.mass == 0.0]
    assert set(massless) <= {"tool", "trunk", "base"}
    assert mujoco_apart(mech, file, "articulated-body") < SAME


@pytest.mark.parametrize("number", [0, 1, 6, 7])
def test_mjcf_is_read_back_as_the_same_motion(number: int, tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    mech = without_loops(number)
    back = lw.load(save(mech, tmp_path / "robot.xml"), on_unsupported="report")
    assert apart(mech, back) < SAME


def apart(mech: lw.Mechanism, back: lw.Mechanism) -> float:
    """Accelerations of the bodies of `mech`, at rest in its start pose."""
    names = {body.name for body in back.bodies}
    one = lw.accelerations(still(mech), formulation="articulated-body")
    two = lw.accelerations(still(back), formulation="articulated-body")
    a = np.array([one.acceleration(b.name) for b in mech.bodies if b.name in names])
    b = np.array([two.acceleration(b.name) for b in mech.bodies if b.name in names])
    return float(np.max(np.abs(a - b)))


def still(mech: lw.Mechanism) -> lw.Mechanism:
    data = mech.to_dict()
    for body in data["bodies"]:
        body["velocity"] = body["angular_velocity"] = [0.0, 0.0, 0.0]
    return lw.Mechanism.from_dict(data)


@pytest.mark.parametrize("file", ["six_axis_arm.urdf", "walker.urdf", "five_bar.urdf", "leg.urdf", "four_bar.urdf"])
def test_urdf_is_read_back_as_the_same_motion(file: str, tmp_path: Path) -> None:
    mech = lw.load(FILES / file)
    back = lw.load(save(mech, tmp_path / "back.urdf"))
    assert {j.name: j.type for j in mech.joints}.items() <= {j.name: j.type for j in back.joints}.items()
    assert [f.type for f in back.forces] == [f.type for f in mech.forces]
    one, two = (lw.accelerations(m, formulation="lie-mixed") for m in (mech, back))
    for body in mech.bodies:
        np.testing.assert_allclose(two.acceleration(body.name), one.acceleration(body.name), atol=1e-9)


def test_what_a_format_cannot_hold_is_refused_or_told(tmp_path: Path) -> None:
    mech = lw.load(FILES / "six_axis_arm.urdf")
    mech.driver("motor", "joint 1", "sin(t)")
    mech.force("wind", "force", body="flange", components=[1, 0, 0])
    for name in ("robot.urdf", "robot.xml"):
        with pytest.raises(UnsupportedElementError, match="prescribed motions"):
            save(mech, tmp_path / name)
        save(mech, tmp_path / name, on_unsupported="report")
        assert mech.written is not None
        assert mech.written.counts["refused"] == 2
        assert len(mech.written) >= sum(len(x) for x in (mech.bodies, mech.joints, mech.drivers)) + 1


def test_mjcf_of_loops_says_how_they_are_closed(tmp_path: Path) -> None:
    mech = lw.load(FILES / "leg.urdf")
    save(mech, tmp_path / "leg.xml")
    assert mech.written is not None
    assert any("softly" in one.how for one in mech.written.of("approximated"))


def test_the_command_line_writes_robots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli.main import status_of

    assert status_of(["convert", str(FILES / "leg.urdf"), str(tmp_path / "leg.xml")]) == 0
    assert "MJCF account" in capsys.readouterr().err


# couplings ------------------------------------------------------------------------------------------------------


COUPLINGS = [
    {"name": "mesh", "type": "gear", "joint": "j1", "joint2": "j0", "ratio": -2, "offset": 0.1},
    {"name": "rack", "type": "rack-and-pinion", "rack": "j5", "pinion": "j4", "radius": 0.25, "offset": 0.4},
    {"name": "curve", "type": "mimic", "joint": "j2", "joint2": "j0", "polynomial": [0.2, 0.5, 0.3]},
    {"name": "axle", "type": "differential", "input": "j3", "left": "j0", "right": "j4", "ratio": 2, "offset": -0.1},
]


def geared(*names: str) -> lw.Mechanism:
    """Five wheels and a slide beside each other, turned at the start, one joint the other way round; a motor on one."""
    bodies, joints = [], []
    for k in range(6):
        bodies.append({"name": f"b{k}", "mass": 1 + k, "inertia": [k + 0.2, k + 0.3, k + 0.4], "position": [k, 0, 0]})
        turned = [1, 0, 0] if k == 5 else [np.cos(0.1 * k), np.sin(0.1 * k), 0.0]
        at = [k, 0, -0.5 if k == 5 else 0.0]
        places = [
            {"point": at, "axis": [0, 0, 1], "x": [1, 0, 0]},
            {"point": [0, 0, 0], "axis": [0, 0, 1], "x": turned},
        ]
        ends = ["ground", f"b{k}"]
        if k == 2:
            ends, places = ends[::-1], [{**places[1], "x": [1, 0, 0]}, {**places[0], "x": turned}]
        joints.append({"name": f"j{k}", "type": "translational" if k == 5 else "revolute", "first": ends[0],
                       "second": ends[1], "on_first": places[0], "on_second": places[1]})  # fmt: skip
    motor = {"name": "motor", "type": "torque", "body": "b0", "components": [0, 0, 3.0]}
    tied = [one for one in COUPLINGS if one["name"] in names]
    return lw.Mechanism.from_dict({"bodies": bodies, "joints": joints, "couplings": tied, "forces": [motor]})


def as_read_back(mech: lw.Mechanism, file: Path) -> lw.Mechanism:
    """Through the file, with the motor put back."""
    save(mech, file, on_unsupported="report")
    assert mech.written is not None
    assert [one.element for one in mech.written.of("refused")] == ["force 'motor'"]
    back = lw.load(file)
    back.force("motor", "torque", body="b0", components=[0, 0, 3.0])
    return back


@pytest.mark.parametrize(("suffix", "names"), [("xml", ["mesh", "rack", "curve", "axle"]), ("urdf", ["mesh", "rack"])])
def test_couplings_are_written_and_read_back(suffix: str, names: list[str], tmp_path: Path) -> None:
    if suffix == "xml":
        pytest.importorskip("mujoco")
    mech = geared(*names)
    back = as_read_back(mech, tmp_path / f"geared.{suffix}")
    assert {one.name.removesuffix(" mimic") for one in back.couplings} == (
        {"j1", "j5"} if suffix == "urdf" else set(names)
    )
    one, two = (lw.accelerations(m, formulation="lie-mixed") for m in (mech, back))
    assert abs(one.angular_acceleration("b1")[2]) > 0.1
    for body in mech.bodies:
        np.testing.assert_allclose(two.acceleration(body.name), one.acceleration(body.name), atol=1e-11)
        np.testing.assert_allclose(two.angular_acceleration(body.name), one.angular_acceleration(body.name), atol=1e-11)


def test_mujoco_holds_the_couplings_where_ours_are_held(tmp_path: Path) -> None:
    """Residuals of MuJoCo's equality constraints vanish on our constraints, at any state, and not beside them."""
    mj = pytest.importorskip("mujoco")
    mech = geared("mesh", "rack", "curve", "axle")
    save(mech, tmp_path / "geared.xml", on_unsupported="report")
    model = mj.MjModel.from_xml_path(str(tmp_path / "geared.xml"))
    data, q = mj.MjData(model), np.zeros(6)
    for q0, q4 in ((0.0, 0.4), (0.7, -0.9), (-1.3, 0.2)):
        q[:] = q0, -2 * q0 + 0.1, 0.2 + 0.5 * q0 + 0.3 * q0**2, q0 + q4 - 0.1, q4, 0.25 * q4 + 0.4
        for k, x in enumerate(q):
            data.joint(f"j{k}").qpos = -x if k == 2 else x  # MuJoCo counts from the parent, which is ground
        mj.mj_forward(model, data)
        assert data.nefc == 4
        assert np.max(np.abs(data.efc_pos)) < 1e-14
        data.joint("j0").qpos += 0.1
        mj.mj_forward(model, data)
        assert np.count_nonzero(np.abs(data.efc_pos) > 0.01) == 3


def test_couplings_that_a_format_cannot_hold_are_refused(tmp_path: Path) -> None:
    for names in (["curve"], ["axle"]):
        with pytest.raises(UnsupportedElementError, match="URDF has no such coupling"):
            save(geared(*names), tmp_path / "geared.urdf")


def test_a_tree_that_floats_is_written_from_its_loose_body_on(tmp_path: Path) -> None:
    """Its first body hangs on no joint: its frame is that of its centre of mass."""
    mech = lw.load("muller2013_floating_pair")
    file = save(mech, tmp_path / "pair.urdf", on_unsupported="report")
    again = lw.load(file)
    assert {joint.name: joint.type for joint in again.joints}["ball"] == "spherical"
    at = {body.name: np.array(body.position) for body in again.lower().bodies}  # centres of mass
    apart = {body.name: np.array(body.position) for body in mech.lower().bodies}
    assert np.allclose(at["body 2"] - at["body 1"], apart["body 2"] - apart["body 1"], atol=1e-12)
    assert again.check().freedom.rank == 9  # three of the ball, six of the world that stands still
