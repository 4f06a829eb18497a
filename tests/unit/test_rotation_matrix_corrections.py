"""The rotation-matrix formulation off its constraints: Baumgarte's terms, projection, and what settles a state."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.everything import everything
from oracles.rotation_matrix_parts import vee
from oracles.turning_body import tilde
from scipy.spatial.transform import Rotation
from unit.rotation_matrix_case import Case

import linkwork as lw
from linkwork.formulations.rotation_matrix import accept_step, rhs
from linkwork.problems.explicit import W
from linkwork.problems.implicit import NU, PHI
from linkwork.problems.request import POSITION_LEVEL, VELOCITY_LEVEL
from linkwork.status import Status
from linkwork.system import compile_mechanism


@pytest.mark.parametrize("seed", range(3))
def test_baumgartes_terms_are_those_of_a_damped_oscillator(seed: int) -> None:
    """For rows, and for e = A^T A - I: e'' + 2 alpha e' + beta^2 e = 0 to first order in e."""
    alpha, beta = 3.0, 7.0
    case = Case(everything(seed), seed).drifted()
    plain_eta, plain_Q = case.placed(t=0.37).work.eta.copy(), case.elements.Q[:-1].reshape(-1, 3, 3).copy()
    s = case.state
    AT = np.swapaxes(s.R, 1, 2)
    assert_allclose(plain_Q, (np.swapaxes(s.Rdot, 1, 2) @ s.Rdot)[:-1], atol=1e-13)
    case.work.request.damping[0], case.work.request.stiffness[0] = 2.0 * alpha, beta**2
    case.placed(t=0.37)
    e, rate = AT @ s.R - np.eye(3), AT @ s.Rdot
    rate = rate + np.swapaxes(rate, 1, 2)
    added = case.elements.Q[:-1].reshape(-1, 3, 3) - plain_Q
    assert_allclose(added, 0.5 * (2.0 * alpha * rate + beta**2 * e)[:-1], atol=1e-12)
    along_r, along_A = case.rows()
    speed = np.einsum("kbi,bi->k", along_r, s.Tdot) + np.einsum("kbij,bij->k", along_A, s.Rdot) - case.work.row[:, NU]
    slow = case.mechanism.system.rows.nonholonomic == 1
    assert 0 < slow.sum() < len(slow)
    terms = np.where(slow, alpha * speed, 2.0 * alpha * speed + beta**2 * case.work.row[:, PHI])
    back = np.swapaxes(np.linalg.inv(s.R[:-1]), 1, 2) @ added  # the way back to rotations, which rows feel
    drawn = np.einsum("kbij,bij->k", along_A[:, :-1], back)
    assert_allclose(case.work.eta - plain_eta, drawn - terms, atol=1e-10)


@pytest.mark.parametrize("seed", range(2))
def test_corrections_have_no_forces_and_ask_for_what_is_missing(seed: int) -> None:
    case = Case(everything(seed), seed).drifted().placed(t=0.37, level=POSITION_LEVEL)
    assert np.all(case.work.f == 0.0)
    assert np.all(case.elements.Q == 0.0)
    assert np.all(case.elements.Y == 0.0)
    assert_allclose(case.work.eta, -case.work.row[:, PHI], rtol=0)
    case.placed(t=0.37, level=VELOCITY_LEVEL)
    assert np.all(case.work.f == 0.0)
    s, (along_r, along_A) = case.state, case.rows()
    rate = np.einsum("kbi,bi->k", along_r, s.Tdot) + np.einsum("kbij,bij->k", along_A, s.Rdot)
    assert_allclose(case.work.eta, case.work.row[:, NU] - rate, atol=1e-12)


def test_a_correction_of_poses_turns_bodies_and_leaves_rotations() -> None:
    """What drift has done to A and A^T Adot is put right first, so that the correction is that of rotations."""
    case = Case(everything(0), 0).drifted(1e-5).placed(level=POSITION_LEVEL)
    before, spin = case.state, case.work.motion[:, W : W + 3].copy()
    assert_rotations(before.R)
    x = 1e-3 * case.rng.normal(size=(case.nb, 6))
    case.work.x[:-1] = x
    case.begin_here()
    assert rhs.retract(case.tables, case.work, case.elements) == Status.OK
    after = case.placed(level=POSITION_LEVEL).state
    assert_rotations(after.R)
    assert_allclose(after.T[:-1], before.T[:-1] + x[:, 3:], atol=1e-15)
    assert_allclose(after.Tdot, before.Tdot, rtol=0)
    for b in range(case.nb):
        assert_allclose(after.R[b], before.R[b] @ Rotation.from_rotvec(x[b, :3]).as_matrix(), atol=1e-14)
        assert_allclose(after.Rdot[b], after.R[b] @ tilde(spin[b]), atol=1e-13)


def test_a_correction_of_velocities_leaves_skew_rates() -> None:
    case = Case(everything(0), 0).drifted(1e-5).placed(level=VELOCITY_LEVEL)
    before, spin = case.state, case.work.motion[:, W : W + 3].copy()
    x = case.rng.normal(size=(case.nb, 6))
    case.work.x[:-1] = x
    case.begin_here()
    assert rhs.retract(case.tables, case.work, case.elements) == Status.OK
    after = case.placed(level=VELOCITY_LEVEL).state
    assert_allclose(after.T, before.T, rtol=0)
    assert_allclose(after.R, before.R, atol=1e-15)
    assert_allclose(after.Tdot[:-1], before.Tdot[:-1] + x[:, 3:], atol=1e-14)
    for b in range(case.nb):
        assert_allclose(after.Rdot[b], after.R[b] @ tilde(spin[b] + x[b, :3]), atol=1e-13)


def assert_rotations(A_: np.ndarray) -> None:
    assert_allclose(np.swapaxes(A_, 1, 2) @ A_, np.broadcast_to(np.eye(3), A_.shape), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_one_correction_of_velocities_meets_the_rows(seed: int) -> None:
    """They are linear in velocities: nothing is left of what drift in A^T Adot had added."""
    mechanism = compile_mechanism(lw.load("stewart_platform_actuated").lower())
    case = Case(mechanism, seed).drifted(1e-4).placed(t=0.2, level=VELOCITY_LEVEL).newton_euler()
    case.begin_here()
    assert np.abs(case.work.eta).max() > 1e-5
    rhs.retract(case.tables, case.work, case.elements)
    case.placed(t=0.2, level=VELOCITY_LEVEL)
    assert np.abs(case.work.eta).max() < 1e-10


@pytest.mark.parametrize("seed", range(2))
def test_settling_makes_the_placed_state_the_start(seed: int) -> None:
    case = Case(everything(seed), seed).drifted().placed()
    before, rate = case.work.motion.copy(), case.elements.Adot.copy()
    assert accept_step.accept_step(case.tables, case.work, case.elements) == 0
    case.work.psi[:] = 0.0
    case.placed()
    assert_allclose(case.work.motion[:, :18], before[:, :18], rtol=0)
    assert_allclose(case.elements.Adot, rate, rtol=0)
    size = case.work.size.reshape(2, -1)
    speeds = np.abs(case.elements.start[:-1, 12:]) / np.r_[np.full(3, case.work.length[0]), np.ones(9)]
    assert_allclose(size[1], speeds.max(), rtol=1e-14)
    assert_allclose(size[0], 1.0, rtol=0)


def test_rotations_are_restored_when_that_is_due() -> None:
    case = Case(everything(3), 3, every=3)
    for step in range(1, 7):
        case.drifted(1e-4).placed()
        due = step % 3 == 0
        moved = case.elements.start[:-1, 3:12] + case.work.psi.reshape(2, -1, 12)[0, :, 3:12]
        B = moved.reshape(-1, 3, 3)
        before = np.linalg.norm(np.swapaxes(B, 1, 2) @ B - np.eye(3), 2, axis=(1, 2)).max()
        spin = case.work.motion[:, W : W + 3].copy()
        assert accept_step.accept_step(case.tables, case.work, case.elements) == int(due)
        start = case.elements.start[:-1]
        A_, rate = start[:, 3:12].reshape(-1, 3, 3), start[:, 15:24].reshape(-1, 3, 3)
        off = np.abs(np.swapaxes(A_, 1, 2) @ A_ - np.eye(3)).max()
        drawn = np.swapaxes(A_, 1, 2) @ rate
        skew = np.abs(drawn + np.swapaxes(drawn, 1, 2)).max()
        if due:  # one Newton step squares the error, and angular velocity is kept
            assert off < before**2 < 1e-6  # 3/4 of its square, that is
            assert skew < 2.0 * before**2 * max(1.0, float(np.linalg.norm(spin, axis=1).max()))
            assert_allclose(np.array([vee(d) for d in drawn]), spin[:-1], atol=1e-3)
        else:
            assert min(off, skew) > 1e-5
