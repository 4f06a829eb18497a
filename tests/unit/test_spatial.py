"""Twists, wrenches and spatial inertias from frame to frame, against 6 x 6 matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.kernels.spatial import inertias, vectors

ANGLES = st.floats(-4.0, 4.0)
SHIFTS = st.floats(-3.0, 3.0)


def skew(r: Any) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def transform(r: Any, R: np.ndarray) -> np.ndarray:
    """From a twist in one frame to that in the frame at r, turned by R."""
    return np.block([[R.T, np.zeros((3, 3))], [-R.T @ skew(r), R.T]])


def about(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    if axis == 0:
        return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def matrix(A: Any) -> np.ndarray:
    """The 6 x 6 of 21 numbers."""
    I = np.array([[A[0], A[1], A[2]], [A[1], A[3], A[4]], [A[2], A[4], A[5]]])
    H = np.reshape(A[6:15], (3, 3))
    M = np.array([[A[15], A[16], A[17]], [A[16], A[18], A[19]], [A[17], A[19], A[20]]])
    return np.block([[I, H], [H.T, M]])


def numbers(seed: int, n: int) -> tuple[float, ...]:
    return tuple(np.random.default_rng(seed).normal(size=n))


@given(angle=ANGLES, shift=SHIFTS, seed=st.integers(0, 1000), axis=st.sampled_from((0, 2)))
def test_screws_move_twists_down_and_wrenches_up(angle: float, shift: float, seed: int, axis: int) -> None:
    V, P = numbers(seed, 6), numbers(seed + 1, 6)
    r = np.array([shift, 0.0, 0.0]) if axis == 0 else np.array([0.0, 0.0, shift])
    R, c, s = about(axis, angle), np.cos(angle), np.sin(angle)
    X = transform(r, R)
    down = vectors.twist_down_x if axis == 0 else vectors.twist_down_z
    up = vectors.wrench_up_x if axis == 0 else vectors.wrench_up_z
    assert np.allclose(down(V, shift, c, s), X @ V, atol=1e-13)
    assert np.allclose(up(P, shift, c, s), X.T @ P, atol=1e-13)
    assert np.allclose(vectors.twist_down(V, tuple(r), tuple(R.ravel())), X @ V, atol=1e-13)
    assert np.allclose(vectors.wrench_up(P, tuple(r), tuple(R.ravel())), X.T @ P, atol=1e-13)


def test_crosses_are_those_of_spatial_algebra() -> None:
    V, W, P = numbers(1, 6), numbers(2, 6), numbers(3, 6)
    motion = np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])
    assert np.allclose(vectors.cross_motion(V, W), motion @ W, atol=1e-14)
    assert np.allclose(vectors.cross_force(V, P), -motion.T @ P, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_a_rigid_body_maps_a_twist_to_its_momentum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(3, 3))
    m, c, J = 1.5, rng.normal(size=3), B @ B.T
    I = J + m * ((c @ c) * np.eye(3) - np.outer(c, c))
    row = np.array([[0.0, I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2], *(m * c), m]])
    V = rng.normal(size=6)
    v = V[3:] + np.cross(V[:3], c)
    wanted = np.r_[J @ V[:3] + np.cross(c, m * v), m * v]
    assert np.allclose(inertias.rigid_times(row, 0, 1, tuple(V)), wanted, atol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_an_inertia_maps_a_twist_to_a_momentum(seed: int) -> None:
    A, V = numbers(seed, 21), numbers(seed + 7, 6)
    assert np.allclose(inertias.inertia_times(A, V), matrix(A) @ V, atol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_an_inertia_goes_up_through_any_displacement(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, r = numbers(seed, 21), rng.normal(size=3)
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R *= np.sign(np.linalg.det(R))
    X = transform(r, R)
    assert np.allclose(matrix(inertias.inertia_up(A, tuple(r), tuple(R.ravel()))), X.T @ matrix(A) @ X, atol=1e-12)


@given(seed=st.integers(0, 1000))
def test_blocks_of_an_inertia_turn_and_shift_by_themselves(seed: int) -> None:
    """What a ball leaves, and what a free translation leaves, as `inertia_up` would have it."""
    S, r, none = numbers(seed, 6), numbers(seed + 1, 3), (0.0,) * 15
    R = np.linalg.qr(np.reshape(numbers(seed + 2, 9), (3, 3)))[0]
    R = R * np.linalg.det(R)
    turn = tuple(R.ravel())
    mass = inertias.masses_up(inertias.turned(S, turn), r)
    assert np.allclose(matrix(mass), matrix(inertias.inertia_up((*none, *S), r, turn)), atol=1e-12)
    moment = (*inertias.turned(S, turn), *none)
    assert np.allclose(matrix(moment), matrix(inertias.inertia_up((*S, *none), r, turn)), atol=1e-12)
