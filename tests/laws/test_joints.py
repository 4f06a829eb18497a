"""What a joint locks is perpendicular to what it leaves free, and the two add up to six: for every joint there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles import joint_examples
from oracles.joint_examples import unit

from linkwork.kernels.rows.table import evaluate_rows
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.motions import Ball, Helix, Slide, Turn
from linkwork.mechanism.rotation import turn
from linkwork.system.compiled import compile_mechanism

ROW_COUNTS = {
    "spherical": {"CD": 3},
    "universal": {"CD": 3, "DP1": 1},
    "cylindrical": {"DP1": 2, "DP2": 2},
    "revolute": {"DP1": 2, "CD": 3},
    "translational": {"DP1": 3, "DP2": 2},
    "screw": {"DP1": 2, "DP2": 2, "SCREW": 1},  # not in the table
    "free": {},
    "perpendicular-1": {"DP1": 2},
    "perpendicular-2": {"DP2": 2},
}


def mechanism(kind: str, rng: np.random.Generator) -> Mechanism:
    """Two bodies at random poses and one joint; threads of several leads, of either hand."""
    own = {"lead": float(rng.choice([0.05, -0.3, 2.0]))} if kind in ("screw", "helical") else {}
    return joint_examples.mechanism(kind, rng, **own)


def _poses(mech: Mechanism) -> Any:
    from linkwork.mechanism.markers import Poses

    return Poses(mech.bodies)


def rows_at(mech: Mechanism, second: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """phi, and the Jacobian part of the second body 'b', with that body at another pose."""
    compiled = compile_mechanism(mech.lower())
    rows, nc = compiled.system.rows, compiled.nc
    r, A = compiled.r.copy(), compiled.A.copy()
    r[-2], A[-2] = second[0], second[1].ravel()
    drive = np.zeros((nc, 3))
    drive[:, 0] = rows.constant
    phi, G_i, G_j = np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6))
    evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
    return phi, np.where((rows.body_j == compiled.nb - 1)[:, None], G_j, G_i)


def moved(motions: Any, first: Any, second: Any, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The second body after a finite motion along each free turn, ball and slide."""
    r, A = second
    for motion in motions:
        if isinstance(motion, Slide):
            r = r + rng.normal() * ((A if motion.on_second else first[1]) @ np.array(motion.axis))
        elif isinstance(motion, Turn | Ball | Helix):
            axis, angle, ahead = unit(rng), rng.uniform(-3.0, 3.0), 0.0
            if isinstance(motion, Turn):
                axis = (A if motion.on_second else first[1]) @ np.array(motion.axis)
            if isinstance(motion, Helix):
                axis, angle = first[1] @ np.array(motion.axis), 7.0 * angle  # several turns
                ahead = motion.travel * angle
            through = r + A @ np.array(motion.point)
            R = turn(axis, angle)
            r, A = through + R @ (r - through) + ahead * axis, R @ A
    return r, A


def faces(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """phi, locked rows and free columns at a random pose that the joint allows."""
    rng = np.random.default_rng(seed)
    mech = mechanism(kind, rng)
    poses, joint = _poses(mech), mech.joints[0]
    i, j = joint.markers(poses)
    first, second = poses.pose(poses.index(joint.first)), poses.pose(poses.index("b"))
    motions = joint.moves(i, j)
    second = moved(motions, first, second, rng)
    phi, J = rows_at(mech, second)
    S = np.concatenate([np.zeros((6, 0)), *(m.columns(first, second) for m in motions)], axis=1)
    return phi, J, S


@pytest.mark.parametrize("kind", list(JOINTS))
@given(seed=st.integers(0, 2**32 - 1))
def test_what_a_joint_locks_is_perpendicular_to_what_it_leaves_free(kind: str, seed: int) -> None:
    phi, J, S = faces(kind, seed)
    assert_allclose(phi, 0.0, atol=1e-9)
    assert J.shape[0] + S.shape[1] == 6
    assert np.linalg.matrix_rank(np.concatenate([J, S.T]), tol=1e-6) == 6
    assert_allclose(J @ S, 0.0, atol=1e-9)


@pytest.mark.parametrize(("kind", "counts"), ROW_COUNTS.items())
def test_rows_are_those_of_the_papers_table_1(kind: str, counts: dict[str, int]) -> None:
    rows = mechanism(kind, np.random.default_rng(1)).lower().rows
    assert {k: sum(row.kind == k for row in rows) for k in {row.kind for row in rows}} == counts


@pytest.mark.parametrize("kind", [k for k in JOINTS if JOINTS.load(k).coordinates])
def test_a_place_given_once_starts_the_coordinates_at_zero(kind: str) -> None:
    mech = mechanism(kind, np.random.default_rng(2))
    for coordinate in mech.joints[0].coordinates:
        mech.driver(coordinate, "joint", "0.25*sin(t)", coordinate)
    assert mech.driver_mismatches() == []
    mech.driver("off", "joint", "0.5 + t", mech.joints[0].coordinates[0])
    (found,) = mech.driver_mismatches()
    assert found.name == "off"
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.expected_value == 0.5
