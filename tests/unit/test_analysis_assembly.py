from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.relocated import relocated
from linkwork.errors import AssemblyError, UsageError
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.lowered import Row
from linkwork.system import compile_mechanism
from linkwork.system.dense import Pose

PLACE = {"point": [1, 0.2, 0], "point2": [0, 2, 0], "axis": [0, 1, 1], "axis2": [1, 0, 0], "x": [1, 0, 0]}


def mechanism_with(kind: str) -> lw.Mechanism:
    """A joint of this type between two bodies, or to ground, given once in global coordinates."""
    mechanism = lw.Mechanism(kind)
    offset = {} if kind == "rolling-disc" else {"centre_of_mass": [0.1, 0.2, 0.3]}
    mechanism.body("a", mass=1, inertia=[1, 1, 1], position=[2, 0, 1], rotation={"axis": [1, 0, 0], "angle": 0.7})
    mechanism.body("b", mass=1, inertia=[1, 1, 1], rotation={"axis": [1, 1, 0], "angle": 0.0}, **offset)
    cls = JOINTS.load(kind)
    mechanism.joint("j", kind, "ground" if cls.ground_only else "a", "b", **cls.example(PLACE))
    return mechanism


def assert_same_rows(found: tuple[Row, ...], wanted: tuple[Row, ...]) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.kind, one.name, one.body_i, one.body_j) == (other.kind, other.name, other.body_i, other.body_j)
        for field in ("a_i", "b_i", "a_j", "s_i", "s_j", "n", "scalar", "f"):
            np.testing.assert_allclose(getattr(one, field), getattr(other, field), atol=1e-12, err_msg=field)


@pytest.mark.parametrize("kind", JOINTS)
def test_a_mechanism_at_another_pose_keeps_its_joints_on_its_bodies(kind: str) -> None:
    """The rows, in body components, are those of the mechanism as it was described."""
    mechanism = mechanism_with(kind)
    compiled = compile_mechanism(mechanism.lower())
    pose = Pose(compiled.r, compiled.A).moved(0.1 * np.random.default_rng(1).normal(size=12))
    v, w = compiled.v + 0.3, compiled.w + 0.2
    v[-1], w[-1] = 0.0, 0.0
    made = relocated(mechanism, compiled.at(pose.r, pose.A, v, w))
    again = compile_mechanism(lw.Mechanism.from_dict(json.loads(json.dumps(made.to_dict()))).lower())
    assert_same_rows(again.lowered.rows, compiled.lowered.rows)
    np.testing.assert_allclose(again.r, pose.r, atol=1e-12)
    np.testing.assert_allclose(again.A, pose.A, atol=1e-12)
    np.testing.assert_allclose(again.v, v, atol=1e-12)
    np.testing.assert_allclose(again.w, w, atol=1e-12)


def test_springs_and_torsions_stay_what_they_were() -> None:
    mechanism = lw.Mechanism("springs")
    mechanism.body("a", mass=1, inertia=[1, 1, 1], position=[1, 0, 0], centre_of_mass=[0, 0, 0.1])
    mechanism.force("s", "spring", first="ground", second="a", point=[0, 0, 0], point2=[1, 0, 1], stiffness=3.0)
    mechanism.force("w", "torsion", first="ground", second="a", axis=[0, 0, 1], stiffness=2.0, angle=0.4)
    compiled = compile_mechanism(mechanism.lower())
    pose = Pose(compiled.r, compiled.A).moved(np.array([0.1, 0.2, 0.3, 0.0, 0.0, 0.5]))
    made = relocated(mechanism, compiled.at(pose.r, pose.A, compiled.v, compiled.w)).lower()
    np.testing.assert_allclose(made.of_law("SPRING")[0].s_j, compiled.lowered.of_law("SPRING")[0].s_j, atol=1e-12)
    assert made.of_law("SPRING")[0].rest == compiled.lowered.of_law("SPRING")[0].rest
    assert made.of_law("TORSION")[0].rest == pytest.approx(0.4 - 0.5)


def test_springs_and_torsions_by_formula_stay_what_they_were() -> None:
    """They are lowered to efforts, not to elements: `equilibrium(...).mechanism` of a suspension was an error."""
    mechanism = lw.Mechanism("formulas")
    mechanism.body("a", mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
    ends = {"point": [0, 0, 0], "point2": [1, 0, 1]}
    mechanism.force("s", "spring", first="ground", second="a", **ends, stiffness="3*(1 + stretch^2)")
    mechanism.force("w", "torsion", first="ground", second="a", axis=[0, 0, 1], actuator="-2*sin(angle)", angle=0.4)
    state = lw.State.start(mechanism)
    turn = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    there = replace(state, position=np.array([[1.1, 0.2, 0.3]]), rotation=state.rotation @ turn)
    made = relocated(mechanism, there.within(compile_mechanism(mechanism.lower())))
    wanted, found = lw.accelerations(mechanism, there), lw.accelerations(made)
    np.testing.assert_allclose(found.rddot, wanted.rddot, atol=1e-12)
    np.testing.assert_allclose(found.omegadot, wanted.omegadot, atol=1e-12)
    rest = lw.equilibrium(lw.load("suspension")).mechanism
    assert np.abs(lw.accelerations(rest).rddot).max() < 1e-11


def bent(angle: float) -> lw.Mechanism:
    """A double pendulum whose second bar was put down at the wrong place and angle."""
    mechanism = lw.Mechanism("bent")
    mechanism.body("upper", mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    mechanism.body(
        "lower", mass=1, inertia=[0.1, 0.1, 0.1], position=[1.6, 0, 0.1], rotation={"axis": [0, 1, 0], "angle": angle}
    )
    mechanism.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    places = ({"point": [x, 0, 0], "axis": [0, 1, 0]} for x in (0.5, -0.5))
    mechanism.joint("elbow", "revolute", "upper", "lower", on_first=next(places), on_second=next(places))
    return mechanism


def test_the_report_says_what_moved_and_gives_the_assembled_mechanism(tmp_path: Path) -> None:
    report = lw.assemble(bent(0.3))
    assert report.position_before > 0.05
    assert report.position_after < 1e-12
    assert report.changes["lower"].moved > 0.01
    assert "body 'lower' moved by" in report.text()
    assert json.loads(json.dumps(report.to_dict()))["bodies"]["lower"]["moved"] == report.changes["lower"].moved
    elbow = report.position("upper") + report.rotation("upper") @ [0.5, 0, 0]
    np.testing.assert_allclose(report.position("lower") + report.rotation("lower") @ [-0.5, 0, 0], elbow, atol=1e-12)

    again = lw.assemble(report.mechanism)
    assert again.position_before < 1e-12
    assert again.mechanism is report.mechanism
    assert "nothing had to move" in again.text()


def test_held_bodies_stay() -> None:
    report = lw.assemble(bent(0.3), hold=["upper"])
    assert report.changes["upper"].moved == report.changes["upper"].turned == 0.0
    heavy = lw.assemble(bent(0.3), weights={"upper": 1e6})
    assert heavy.changes["upper"].turned < 1e-4 < lw.assemble(bent(0.3)).changes["upper"].turned


def test_opposite_axes_are_told() -> None:
    mechanism = lw.Mechanism("opposite")
    mechanism.body("a", mass=1, inertia=[1, 1, 1])
    place = {"point": [0, 0, 0], "axis": [0, 0, 1]}
    mechanism.joint("hinge", "revolute", "ground", "a", on_first=place, on_second=place | {"axis": [0, 0, -1]})
    assert "opposite directions" in lw.assemble(mechanism).notes[0]


def test_wrong_use_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'lower'"):
        lw.assemble(bent(0.1), hold=["lowr"])
    with pytest.raises(UsageError, match="positive"):
        lw.assemble(bent(0.1), weights={"upper": -1.0})
    with pytest.raises(UsageError, match="Mechanism is wanted"):
        lw.assemble("kissel2021_slider_crank")  # type: ignore[arg-type]
    with pytest.raises(AssemblyError, match="elbow"):
        lw.assemble(bent(0.3), hold=["upper", "lower"])
