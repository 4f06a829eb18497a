"""Which joints to ground leave a motion subgroup of SE(3) [Müller 2013, section 6]: the flag against the twists.

A body moves in a subgroup exactly if its allowed twists, in body components, are closed under the bracket and stay the
same space of twists wherever it goes. Then, and only then, a step along the exponential of a twist keeps the joint.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles import joint_examples
from scipy.linalg import expm, null_space

from linkwork.kernels.rows.table import evaluate_rows
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.system.compiled import compile_mechanism

Pose = tuple[np.ndarray, np.ndarray]
HOLDING = [kind for kind in JOINTS if kind != "free"]  # a free joint has no rows
SCHOENFLIES = "perpendicular-1"  # a subgroup but no lower pair: its rows hold the rotation alone


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def mechanism(kind: str, rng: np.random.Generator) -> Mechanism:
    """One body at a random pose, joined to ground at a random place."""
    return joint_examples.mechanism(kind, rng, first="ground")


class Held:
    """The rows of one body's joint to ground."""

    def __init__(self, mech: Mechanism) -> None:
        self.compiled = compile_mechanism(mech.lower())
        self.start: Pose = self.compiled.r[0].copy(), self.compiled.A[0].reshape(3, 3).copy()

    def rows(self, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
        """phi (nc,) and the rows' Jacobian to the body's twist (omega, v), (nc, 6)."""
        rows, nc = self.compiled.system.rows, self.compiled.nc
        r, A = self.compiled.r.copy(), self.compiled.A.copy()
        r[0], A[0] = pose[0], pose[1].ravel()
        drive = np.zeros((nc, 3))
        drive[:, 0] = rows.constant
        phi, G_i, G_j = np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6))
        evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
        G = np.where((rows.body_j == 0)[:, None], G_j, G_i)
        return phi, np.hstack([G[:, 3:], G[:, :3] @ pose[1]])

    def allowed(self, pose: Pose) -> np.ndarray:
        """The projector on the allowed twists, (6, 6)."""
        N = null_space(self.rows(pose)[1], rcond=1e-9)
        return N @ N.T

    def wander(self, w: np.ndarray, steps: int = 60) -> Pose:
        """Where the body gets along the allowed part of the twist w in 1 s: midpoint rule, small steps."""
        pose, h = self.start, 1.0 / steps
        for _ in range(steps):
            half = moved(pose, self.allowed(pose) @ w, h / 2)
            pose = moved(pose, self.allowed(half) @ w, h)
        return pose


def moved(pose: Pose, V: np.ndarray, h: float) -> Pose:
    """pose times exp(h V)."""
    X = np.zeros((4, 4))
    X[:3, :3], X[:3, 3] = skew(V[:3]), V[3:]
    E = expm(h * X)
    return pose[0] + pose[1] @ E[:3, 3], pose[1] @ E[:3, :3]


def bracket(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.r_[np.cross(X[:3], Y[:3]), np.cross(X[:3], Y[3:]) - np.cross(Y[:3], X[3:])]


def departures(kind: str, seed: int) -> tuple[float, float, float]:
    """How far the allowed twists are from closed, from constant, and how far an exponential leaves the joint, m."""
    rng = np.random.default_rng(seed)
    held = Held(mechanism(kind, rng))
    assert np.abs(held.rows(held.start)[0]).max() < 1e-12
    P, w = held.allowed(held.start), 0.7 * rng.normal(size=6)
    elsewhere = held.wander(w)
    assert np.abs(held.rows(elsewhere)[0]).max() < 1e-2  # a walk, not an integration: still near the joint
    open_by = max(np.abs(X_Y - P @ X_Y).max() for X in P for Y in P for X_Y in [bracket(X, Y)])
    turned = np.abs(held.allowed(elsewhere) - P).max()
    left = np.abs(held.rows(moved(held.start, P @ w, 1.0))[0]).max()
    return open_by, turned, left


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if JOINTS.load(kind).lower_pair] + [SCHOENFLIES])
@pytest.mark.parametrize("seed", range(3))
def test_lower_pairs_leave_a_subgroup(kind: str, seed: int) -> None:
    open_by, turned, left = departures(kind, seed)
    assert open_by < 1e-12
    assert turned < 1e-12
    assert left < 1e-12  # one step of any size along one twist


@pytest.mark.parametrize("kind", [kind for kind in HOLDING if not JOINTS.load(kind).lower_pair and kind != SCHOENFLIES])
@pytest.mark.parametrize("seed", range(3))
def test_other_joints_leave_none(kind: str, seed: int) -> None:
    open_by, turned, left = departures(kind, seed)
    assert max(open_by, turned) > 1e-4
    if kind == "constant-velocity":  # it may turn about any fixed axis in its half-way plane, as far as one likes
        assert left < 1e-12
    elif kind != "knife-edge":  # which holds no position
        assert left > 1e-4


def test_the_flag_reaches_the_lowered_joint() -> None:
    rng = np.random.default_rng(1)
    for kind in HOLDING:
        assert mechanism(kind, rng).lower().joints[0].lower_pair == JOINTS.load(kind).lower_pair


def test_drivers_and_raw_constraints_are_no_lower_pairs() -> None:
    mech = mechanism("revolute", np.random.default_rng(2))
    mech.driver("motor", "joint", "0")
    mech.constraint("raw", "CD", "ground", "b", c=[1, 0, 0], s_i=[0, 0, 0], s_j=[0, 0, 0])
    assert [joint.lower_pair for joint in mech.lower().joints] == [True, False, False]
