"""The published forms of A and B [Kissel 2021, eqs. 22, 28, 39c, 43b] as oracles, and the singular places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels import quaternion
from linkwork.kernels.mat33 import IDENTITY
from linkwork.kernels.so3 import exp_so3
from linkwork.spaces import euler_angles, euler_parameters

ZERO4 = (0.0, 0.0, 0.0, 0.0)
RNG = np.random.default_rng(3)
UNIT = [tuple(p / np.linalg.norm(p)) for p in RNG.normal(size=(5, 4))]
ANGLES = [(*x, 0.0) for x in RNG.uniform(-3.0, 3.0, size=(5, 3))]


def eq_22(p: Any) -> np.ndarray:
    e0, e1, e2, e3 = p
    return 2.0 * np.array(
        [
            [e0**2 + e1**2 - 0.5, e1 * e2 - e0 * e3, e1 * e3 + e0 * e2],
            [e1 * e2 + e0 * e3, e0**2 + e2**2 - 0.5, e2 * e3 - e0 * e1],
            [e1 * e3 - e0 * e2, e2 * e3 + e0 * e1, e0**2 + e3**2 - 0.5],
        ]
    )


def eq_28(q: Any) -> np.ndarray:
    def about_z(a: float) -> np.ndarray:
        return np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])

    a = q[1]
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(a), -np.sin(a)], [0.0, np.sin(a), np.cos(a)]])
    return about_z(q[0]) @ about_x @ about_z(q[2])


@pytest.mark.parametrize("p", UNIT)
def test_euler_parameters_as_printed(p: Any) -> None:
    A, q = euler_parameters.retract(IDENTITY, IDENTITY, p, ZERO4)
    assert q == p
    assert_allclose(np.array(A).reshape(3, 3), eq_22(p), atol=1e-15)
    e0, e1, e2, e3 = p
    B = np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])
    assert_allclose(np.array(euler_parameters.tangent(p)).reshape(3, 4), 2.0 * B, atol=0.0)


@pytest.mark.parametrize("p", UNIT)
@pytest.mark.parametrize("length", [1e-3, 0.99, 7.0])
def test_euler_parameters_of_any_length_give_the_same_rotation(p: Any, length: float) -> None:
    scaled = quaternion.scale4(length, p)
    assert_allclose(quaternion.rotation_of(scaled), quaternion.rotation_of(p), atol=1e-15)
    assert_allclose(euler_parameters.normalisation(scaled), 0.5 * (length**2 - 1.0), atol=1e-15)


@pytest.mark.parametrize("q", ANGLES)
def test_euler_angles_as_printed(q: Any) -> None:
    A, _ = euler_angles.retract(IDENTITY, IDENTITY, q, ZERO4)
    assert_allclose(np.array(A).reshape(3, 3), eq_28(q), atol=1e-15)
    _, theta, psi, _ = q
    s, c = np.sin, np.cos
    B = [[s(psi) * s(theta), c(psi), 0.0], [c(psi) * s(theta), -s(psi), 0.0], [c(theta), 0.0, 1.0]]
    got = np.array(euler_angles.tangent(q)).reshape(3, 4)
    assert_allclose(got[:, :3], B, atol=1e-16)
    assert not got[:, 3].any()


@pytest.mark.parametrize("theta", [0.0, np.pi, 1e-18, -1e-18, 1e-9, np.pi - 1e-9])
def test_euler_angles_of_a_rotation_at_the_singularity(theta: float) -> None:
    A = euler_angles.zxz((0.7, theta, -0.4, 0.0))
    q = euler_angles.coordinates_of(A, IDENTITY)
    assert_allclose(euler_angles.zxz(q), A, atol=1e-14)


@pytest.mark.parametrize(
    ("theta", "near"), [(0.0, True), (0.5, True), (0.53, False), (np.pi / 2, False), (-1.0, False), (3.0, True)]
)
def test_rebase_is_asked_for_near_the_singularity_only(theta: float, near: bool) -> None:
    q = (0.3, theta, -2.0, 0.0)
    assert euler_angles.needs_rebase(q) is near
    if not near:  # the condition number that the threshold promises
        B = np.array(euler_angles.tangent(q)).reshape(3, 4)[:, :3]
        assert np.linalg.cond(B) <= 2.0 + np.sqrt(3.0)


def test_rebase_at_the_singularity_keeps_the_motion_through_it() -> None:
    """From A = I, where printed Euler angles have no rates, the rebased ones follow a steady spin exactly."""
    w = (0.3, -0.2, 0.9)
    R, q, qd, qdd = euler_angles.rebase(IDENTITY, w, (0.0, 0.0, 0.0))
    h = 1e-3
    dq = tuple(h * a + 0.5 * h * h * b for a, b in zip(qd, qdd, strict=True))
    A, _ = euler_angles.retract(IDENTITY, R, q, dq)
    assert_allclose(A, exp_so3(tuple(h * x for x in w)), atol=2e-10)  # third order in h
