"""The screw joint: a nut on a threaded shaft against closed forms, through many turns, in every formulation."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import newton_euler_dense

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.formulations import FORMULATIONS
from linkwork.run.matching import fitting
from linkwork.studies.violations import joint_violations
from linkwork.system import compile_mechanism

MASS, SPIN, LEAD, G = 0.3, 2e-4, 0.02, 9.81
AXIS = np.array([0.3, -0.2, 1.0]) / math.sqrt(1.13)  # leans: gravity has parts across it, too
TRAVEL = LEAD / (2.0 * math.pi)


def nut(lead: float = LEAD, second: str = "nut", **place: Any) -> lw.Mechanism:
    mech = lw.Mechanism("nut", gravity=[0, 0, -G])
    mech.body("nut", mass=MASS, inertia=[SPIN, 2 * SPIN, 1.5 * SPIN], rotation={"axis": [1, 2, 0], "angle": 0.4})
    place = place or {"point": [0.0, 0.0, 0.0], "axis": AXIS.tolist()}
    mech.joint("thread", "screw", "ground", second, lead=lead, **place)
    return mech


def inertia(mech: lw.Mechanism) -> float:
    """Of the nut about the axis."""
    compiled = compile_mechanism(mech.lower())
    A = compiled.A[0].reshape(3, 3)
    return float(AXIS @ A @ compiled.lowered.bodies[0].inertia @ A.T @ AXIS)


def fall(mech: lw.Mechanism, lead: float = LEAD) -> float:
    """Acceleration along the axis: the weight's part along it over m + J (2 pi / lead)^2."""
    return -G * AXIS[2] * MASS / (MASS + inertia(mech) * (2.0 * math.pi / lead) ** 2)


def turned(result: lw.Result) -> np.ndarray:
    """The angle about the axis with its turns, from rotations sampled often enough."""
    R = result.rotation("nut") @ result.rotation("nut")[0].T
    sine = np.array([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]]) / 2.0
    cosine = (np.trace(R, axis1=1, axis2=2) - 1.0) / 2.0
    found: np.ndarray = np.unwrap(np.arctan2(AXIS @ sine, cosine))
    return found


@pytest.mark.parametrize("formulation", list(FORMULATIONS))
@pytest.mark.parametrize("lead", [LEAD, -0.05])
def test_a_nut_under_weight_falls_with_its_effective_inertia(formulation: str, lead: float) -> None:
    """By a = m g / (m + J (2 pi / lead)^2), turning 2 pi / lead as far: more than two turns."""
    mech, t_end = nut(lead), 1.0
    explicit = "rk4" in fitting(formulation)
    result = lw.simulate(mech, t_end, 1e-3, formulation, "rk4" if explicit else "generalized-alpha")
    a = fall(mech, lead)
    along = result.position("nut") @ AXIS
    within = 1e-8 if explicit else 2e-4  # second order, in coordinates that turn with the nut
    within = 1e-6 if formulation == "rotation-matrix" else within  # rk4 on twelve parameters
    assert_allclose(along, 0.5 * a * result.time**2, atol=within * abs(a))
    assert_allclose(turned(result), along * 2.0 * math.pi / lead, atol=1e-5)
    assert abs(along[-1] / lead) > 2.0
    across = result.position("nut") - along[:, None] * AXIS
    assert_allclose(across, 0.0, atol=1e-7)


@pytest.mark.parametrize("formulation", list(FORMULATIONS))
def test_the_thread_carries_what_the_nut_does_not_fall_with(formulation: str) -> None:
    """Force m (a - g) in all, and the torque J alpha about the axis, which the force along it drives."""
    mech = nut()
    found = lw.accelerations(mech, formulation=formulation)
    a, (force, torque) = fall(mech), found.reactions["thread"]
    assert_allclose(force, MASS * (a * AXIS + [0, 0, G]), atol=1e-9)
    assert AXIS @ torque == pytest.approx(inertia(mech) * a / TRAVEL, rel=1e-9)
    assert AXIS @ torque == pytest.approx(-TRAVEL * (AXIS @ force), rel=1e-9)  # the thread does no work


def compare(mech: lw.Mechanism) -> None:
    """Every formulation with dense Newton-Euler equations of rows that are written once more."""
    wanted = newton_euler_dense.accelerations(compile_mechanism(mech.lower()))
    forces = (wanted.G.T @ wanted.multipliers).reshape(-1, 6)
    for name in FORMULATIONS:
        found = lw.accelerations(mech, formulation=name)
        for got, want in ((np.hstack([found.rddot, found.omegadot]), wanted.udot), (found.constraint_forces, forces)):
            assert np.linalg.norm(got - want) < 1e-9 * max(1.0, float(np.linalg.norm(want))), name
        for joint, reaction in wanted.reactions.items():
            for got, want in zip(found.reactions[joint], reaction, strict=True):
                assert np.linalg.norm(got - want) < 1e-8 * max(1.0, float(np.linalg.norm(forces))), (name, joint)


def test_every_formulation_agrees_on_screws_between_moving_bodies() -> None:
    """An arm, a nut that climbs on it, on the nut a left-handed second; then in a loop, and driven."""
    rng = np.random.default_rng(4)
    mech = lw.Mechanism("nuts", gravity=[1.0, -2.0, -9.0])
    for name in ("arm", "nut", "second"):
        turn = {"axis": rng.normal(size=3).tolist(), "angle": 1.0}
        mech.body(name, mass=1.3, inertia=[0.1, 0.12, 0.15], position=rng.normal(size=3).tolist(), rotation=turn,
                  velocity=rng.normal(size=3).tolist(), angular_velocity=rng.normal(size=3).tolist())  # fmt: skip
    place = {"point": [0.2, 0.1, 0.4], "axis": [1.0, 2.0, 0.5]}
    mech.joint("shoulder", "universal", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1], axis2=[0, 1, 0])
    mech.joint("thread", "screw", "arm", "nut", lead=1.5, **place)
    mech.joint("other", "helical", "second", "nut", lead=-0.4, point=[0.5, 0.0, 0.1], axis=[0.0, 1.0, -0.3])
    mech.force("coil", "torsion", joint="thread", stiffness=3.0, damping=0.2)
    compare(lw.assemble(mech).mechanism)
    mech.joint("rod", "distance", "ground", "second", point=[1.0, 1.0, 1.0], point2=[0.4, -0.2, 0.6])
    compare(lw.assemble(mech).mechanism)
    mech.driver("motor", "thread", "0.3*sin(2*t)", "angle")
    compare(lw.assemble(mech).mechanism)


@pytest.mark.parametrize("formulation", ["rA", "lie-mixed", "rotation-matrix"])
@pytest.mark.parametrize(("coordinate", "f"), [("angle", "9*sin(t)^2"), ("displacement", "0.02*1.4*sin(t)^2")])
def test_drivers_turn_a_screw_through_several_turns(formulation: str, coordinate: str, f: str) -> None:
    """Three turns there and back again; either coordinate drives the other."""
    mech = nut()
    mech.driver("drive", "thread", f, coordinate)
    result = lw.simulate(mech, 3.0, 2e-3, formulation)
    angle = 9.0 * np.sin(result.time) ** 2 if coordinate == "angle" else 1.4 * 2 * np.pi * np.sin(result.time) ** 2
    assert_allclose(turned(result), angle, atol=2e-3)
    assert_allclose(result.position("nut") @ AXIS, TRAVEL * angle, atol=2e-3 * TRAVEL)


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
def test_kinematics_of_a_driven_screw(formulation: str) -> None:
    mech = nut()
    mech.driver("drive", "thread", "3*t", "angle")
    result = lw.kinematics(mech, 10.0, 0.05, formulation)
    assert_allclose(result.position("nut") @ AXIS, 3.0 * TRAVEL * result.time, atol=1e-10)
    assert_allclose(turned(result), 3.0 * result.time, atol=1e-9)
    assert_allclose(result.velocity("nut") @ AXIS, 3.0 * TRAVEL, atol=1e-10)


def test_steps_on_se3_keep_a_screw_to_ground_to_rounding() -> None:
    """A helical joint is a lower pair: its motions are one subgroup of SE(3)."""
    mech = nut()
    on_se3 = lw.simulate(mech, 2.0, 1e-2, "lie-mixed", "rk4")
    assert joint_violations(mech, on_se3)["thread"].max() < 1e-13


def test_a_thread_is_engaged_as_the_start_pose_has_it_unless_told_otherwise() -> None:
    """Per body: without x the given pose holds; with x assembly turns or shifts the nut to its nearest thread."""
    first = {"point": [0, 0, 0], "axis": [0, 0, 1], "x": [1, 0, 0]}
    mech = lw.Mechanism("nut", gravity=[0, 0, -G])
    mech.body("nut", mass=MASS, inertia=[SPIN, SPIN, SPIN], position=[0, 0, 0.123])
    second = {"point": [0, 0, 0], "axis": [0, 0, 1]}
    mech.joint("thread", "screw", "ground", "nut", lead=LEAD, on_first=first, on_second=second)
    assert_allclose(lw.assemble(mech).mechanism.element("nut").position, [0, 0, 0.123], atol=1e-15)
    assert_allclose(compile_mechanism(lw.assemble(mech).mechanism.lower()).A[0], np.eye(3).ravel(), atol=1e-15)
    mech.change("thread", on_second=second | {"x": [1, 0, 0]})
    held = lw.assemble(mech).mechanism.element("nut")
    R = compile_mechanism(lw.assemble(mech).mechanism.lower()).A[0].reshape(3, 3)
    angle = math.atan2(R[1, 0], R[0, 0])
    assert math.remainder(held.position[2] - TRAVEL * angle, LEAD) == pytest.approx(0.0, abs=1e-12)
    assert abs(held.position[2] - 0.123) <= LEAD / 2
    lw.simulate(mech, 0.1, 1e-3, "rA")


def test_a_violation_is_the_distance_to_the_nearest_thread() -> None:
    mech = nut()
    (body,) = mech.lower().bodies
    for shift, away in ((0.3, 0.3), (0.8, 0.2), (2.4, 0.4)):
        place = body.position + shift * LEAD * AXIS
        found = SimpleNamespace(
            time=np.zeros(1),
            position=lambda name, r=place: r[None],
            rotation=lambda name: np.array(body.rotation)[None],
        )
        assert joint_violations(mech, found)["thread"] == pytest.approx(away * LEAD)  # type: ignore[arg-type]


def test_a_thread_that_does_not_advance_is_refused() -> None:
    with pytest.raises(ModelError, match="revolute joint"):
        nut(0.0)
    with pytest.raises(ModelError, match="lead"):
        lw.Mechanism("no lead").joint("thread", "screw", "ground", "ground", point=[0, 0, 0], axis=[0, 0, 1])


def test_a_free_joint_changes_nothing() -> None:
    """Neither motion nor freedoms nor the joint graph: it only names a place."""
    mech = lw.load("muller2013_floating_pair")
    before = lw.simulate(mech, 0.2, 1e-3, "lie-se3", "rk4")
    report, arcs = mech.check(), lw.topology(mech).arcs
    mech.joint("free", "free", "ground", mech.bodies[0].name)
    after = lw.simulate(mech, 0.2, 1e-3, "lie-se3", "rk4")
    for name in ("position", "rotation", "velocity"):
        assert_allclose(after[name], before[name], rtol=0, atol=0)
    assert mech.check().freedom == report.freedom
    assert len(lw.topology(mech).arcs) == len(arcs)
    force, torque = after.reaction("free")
    assert not np.any(force)
    assert not np.any(torque)
    compiled = compile_mechanism(mech.lower())
    assert newton_euler_dense.accelerations(compiled).reactions["free"][0] == pytest.approx(np.zeros(3))
