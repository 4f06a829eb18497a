"""Robots beside their equations in forty digits, which the benchmark `robot_exact` makes from Jacobians of links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw

ROOT = Path(__file__).parents[2]
LINK = """<link name="{}"><inertial><origin xyz="{}"/><mass value="{}"/>
  <inertia ixx="{i}" ixy="0" ixz="0" iyy="{i}" iyz="0" izz="{i}"/></inertial></link>"""
HINGE = """<joint name="{}" type="continuous"><parent link="{}"/><child link="{}"/><origin xyz="0 0 0"/>
  <axis xyz="{}"/></joint>"""
NECK = (  # pitch, roll, yaw with next to nothing between them, as of iCub
    '<robot name="neck"><link name="base"/>'
    + LINK.format("one", "0 0 0", 1e-5, i=1e-9)
    + LINK.format("two", "0 0 0", 1e-5, i=1e-9)
    + LINK.format("head", "0.01 0.02 0.1", 1.5, i=4e-3)
    + HINGE.format("pitch", "base", "one", "0 1 0")
    + HINGE.format("roll", "one", "two", "1 0 0")
    + HINGE.format("yaw", "two", "head", "0 0 1")
    + "</robot>"
)


def states(file: Path, count: int, seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """Coordinates and rates, by the order of the file's joints."""
    from benchmarks.robot_exact import Exact

    rng, n = np.random.default_rng(seed), len(Exact(file).names)
    return [(rng.uniform(-3, 3, n), rng.uniform(-1, 1, n)) for _ in range(count)]


def bodies_apart(mech: lw.Mechanism, equations: object, state: lw.State, formulation: str) -> float:
    """Largest error of bodies' accelerations, relative to the largest of them."""
    exact = equations.accelerations(equations.solved())  # type: ignore[attr-defined]
    reference = np.array([[float(x) for x in exact[body.name]] for body in mech.bodies])
    found = lw.accelerations(mech, state, formulation)
    return float(np.max(np.abs(np.hstack([found.rddot, found.omegadot]) - reference)) / np.max(np.abs(reference)))


@pytest.mark.parametrize("name", ["six_axis_arm", "walker"])
def test_mass_matrix_bias_and_accelerations_have_their_digits(name: str) -> None:
    pytest.importorskip("mpmath")
    from benchmarks.robot_exact import Exact

    file = ROOT / "examples" / "robots" / f"{name}.urdf"
    mech, exact = lw.load(file), Exact(file)
    order = [lw.joint_coordinates(mech).names.index(f"{joint}.angle") for joint in exact.names]
    for q, v in states(file, 3):
        equations, x, rate = exact.equations(q, v), np.zeros(len(q)), np.zeros(len(q))
        x[order], rate[order] = q, v
        state = lw.forward_kinematics(mech, x, rate)
        M = np.array([[float(y) for y in row] for row in equations.M])
        assert_allclose(lw.mass_matrix(mech, state)[np.ix_(order, order)], M, atol=1e-14 * np.abs(M).max())
        f = np.array([float(y) for y in equations.f])
        bias = lw.inverse_dynamics(mech, 0.0 * x, state)[order]
        assert_allclose(bias, -f, atol=1e-13 * np.abs(f).max())
        assert bodies_apart(mech, equations, state, "articulated-body") < 1e-12


def test_near_gimbal_lock_the_recursion_loses_what_the_condition_says_and_other_formulations_nothing(
    tmp_path: Path,
) -> None:
    """At a roll of a quarter turn pitch and yaw are one axis: the last inertia left of the neck is a rest of 1e-9."""
    pytest.importorskip("mpmath")
    from benchmarks.robot_exact import Exact

    file = tmp_path / "neck.urdf"
    file.write_text(NECK)
    mech, exact = lw.load(file), Exact(file)
    q, v = np.array([0.4, np.pi / 2 - 1e-5, -0.7]), np.array([0.3, -0.2, 0.5])
    equations = exact.equations(q, v)
    condition = np.linalg.cond(np.array([[float(y) for y in row] for row in equations.M]))
    assert condition > 1e6
    order = [exact.names.index(name.removesuffix(".angle")) for name in lw.joint_coordinates(mech).names]
    state = lw.forward_kinematics(mech, q[order], v[order])
    assert bodies_apart(mech, equations, state, "lie-mixed") < 1e-11
    assert bodies_apart(mech, equations, state, "augmented") < 1e-11
    assert bodies_apart(mech, equations, state, "articulated-body") < 2.2e-16 * condition


def test_the_bias_of_a_file_of_mujoco_has_its_digits(tmp_path: Path) -> None:
    """Slow turns on fast slides, anchors off the bodies' origins, turned inertias: linkwork and MuJoCo beside forty
    digits."""
    pytest.importorskip("mpmath")
    pytest.importorskip("mujoco")
    from benchmarks.mujoco_exact import errors

    file = tmp_path / "two.xml"
    file.write_text(
        """<mujoco><option gravity="0 0 -9.81"/><worldbody><body name="a" pos="0.1 0 0.2" euler="10 20 30">
        <inertial pos="0.04 0.1 0" mass="50" diaginertia="1 2 2.5" euler="30 0 10"/>
        <joint name="x" type="slide" axis="1 0 0"/><joint name="h" axis="0 0.6 0.8" pos="0.1 0.2 0" damping="0.3"/>
        <body name="b" pos="0 0.3 0.1"><inertial pos="0 0 0.2" mass="2" diaginertia="0.1 0.1 0.02"/>
        <joint name="k" axis="1 0 0" pos="0 0.1 0"/></body></body></worldbody></mujoco>"""
    )
    ours, theirs, apart, _ = errors(file, 5)
    assert max(ours, theirs, apart) < 1e-12
