"""Series, exponential, logarithm and Jacobians of rotations, and quaternions, at chosen points."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm, polar

from linkwork.kernels import quaternion, series, so3
from linkwork.kernels.mat33 import IDENTITY, matmul, rotate, skew

STEP = 1e-30
FIRST = {series.sine_quotient: 1, series.cosine_quotient: 2, series.cubic_quotient: 3}
POINTS = [0.0, 1e-12, 1e-4, 0.1, 0.9999999, 1.0, 1.0000001, 1.5, 3.0, 6.0]


def exact(first: int, x: float) -> float:
    """sum (-1)^k x^2k / (2k + first)! in rational arithmetic."""
    y = Fraction(x) ** 2
    return float(sum((-y) ** k / factorial(2 * k + first) for k in range(40)))


@pytest.mark.parametrize("function", FIRST)
@pytest.mark.parametrize("x", POINTS)
def test_quotients_are_exact_to_rounding(function: Any, x: float) -> None:
    assert_allclose(function(x * x), exact(FIRST[function], x), rtol=2e-15)


@pytest.mark.parametrize("function", [*FIRST, series.cotangent_quotient])
def test_quotients_agree_at_the_switch_with_their_slopes(function: Any) -> None:
    at = 4.0 * series.SWITCH if function is series.cotangent_quotient else series.SWITCH
    below, above = at * (1.0 - 1e-15), at * (1.0 + 1e-15)
    assert_allclose(function(below), function(above), rtol=3e-15)
    slopes = [function(complex(x2, STEP)).imag / STEP for x2 in (below, above)]
    assert_allclose(slopes[0], slopes[1], rtol=1e-13)
    assert np.isfinite(function(complex(0.0, STEP)))


@pytest.mark.parametrize("x", [1e-3, 0.5, 1.9, 2.1, 4.0, 6.0])
def test_cotangent_quotient(x: float) -> None:
    plain = (1.0 - 0.5 * x / np.tan(0.5 * x)) / x**2
    assert_allclose(series.cotangent_quotient(x * x), plain, rtol=1e-16 / x**2 * 20 + 1e-14)
    assert_allclose(series.cotangent_quotient(0.0), 1.0 / 12.0, rtol=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1.0, -2.0, 3.1, np.pi, -np.pi / 2])
def test_angle_of_a_point_and_its_derivative(angle: float) -> None:
    turning = complex(angle, STEP)
    got = series.angle_of(5.0 * np.sin(turning), 5.0 * np.cos(turning))
    assert_allclose(got.real, angle, atol=1e-15)
    assert_allclose(got.imag / STEP, 1.0, rtol=1e-14)
    assert series.angle_of(0.0, 0.0) == 0.0


VECTORS = [
    (0.0, 0.0, 0.0),
    (1e-9, -2e-9, 3e-10),
    (0.1, 0.02, -0.3),
    (0.6, 0.7, -0.3),
    (1.0, -2.0, 0.5),
    (0.0, 0.0, 3.1),
    (-1.8, 1.8, 1.8),
]


@pytest.mark.parametrize("w", VECTORS)
def test_exponential_and_logarithm(w: Any) -> None:
    A = np.array(so3.exp_so3(w))
    assert_allclose(A.reshape(3, 3), expm(np.array(skew(w)).reshape(3, 3)), atol=1e-14)
    assert_allclose(so3.log_so3(tuple(A)), w, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    "axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, -0.8), (0.48, 0.6, 0.64)]
)
@pytest.mark.parametrize("short_of_pi", [0.0, 1e-15, 1e-8, 1e-3])
def test_logarithm_near_half_a_turn(axis: Any, short_of_pi: float) -> None:
    w = tuple((np.pi - short_of_pi) * x for x in axis)
    got = so3.log_so3(so3.exp_so3(w))
    assert_allclose(np.linalg.norm(got), np.pi - short_of_pi, atol=2e-15)
    assert_allclose(so3.exp_so3(got), so3.exp_so3(w), atol=2e-15)


@pytest.mark.parametrize("w", VECTORS)
def test_jacobians_against_complex_steps(w: Any) -> None:
    A = np.array(so3.exp_so3(w)).reshape(3, 3)
    left, right = (np.array(f(w)).reshape(3, 3) for f in (so3.left_jacobian, so3.right_jacobian))
    log_rate = np.empty((3, 3))
    for k in range(3):
        d = np.array(w, dtype=complex)
        d[k] += 1j * STEP
        dA = np.array(so3.exp_so3(tuple(d))).reshape(3, 3).imag / STEP
        for W, J in ((dA @ A.T, left), (A.T @ dA, right)):
            assert_allclose([W[2, 1], W[0, 2], W[1, 0]], J[:, k], rtol=1e-13, atol=1e-13)
        step = tuple(1j * STEP * (k == c) for c in range(3))
        moved = matmul(tuple(A.ravel()), so3.exp_so3(step))
        log_rate[:, k] = np.array(so3.log_so3(moved)).imag / STEP
    inverse = np.array(so3.right_jacobian_inverse(w)).reshape(3, 3)
    assert_allclose(inverse @ right, np.eye(3), atol=1e-13)
    assert_allclose(np.array(so3.left_jacobian_inverse(w)).reshape(3, 3) @ left, np.eye(3), atol=1e-13)
    assert_allclose(log_rate, inverse, rtol=1e-12, atol=1e-12)


def test_orthonormalise_removes_drift_towards_the_polar_factor() -> None:
    rng = np.random.default_rng(0)
    A = np.array(so3.exp_so3((0.4, -1.0, 0.3))).reshape(3, 3)
    drifted = A + 1e-9 * rng.normal(size=(3, 3))
    got = np.array(so3.orthonormalise(tuple(drifted.ravel()))).reshape(3, 3)
    assert np.abs(drifted.T @ drifted - np.eye(3)).max() > 1e-10
    assert_allclose(got.T @ got, np.eye(3), atol=4e-16)
    assert_allclose(got, polar(drifted)[0], atol=4e-16)


def test_quaternion_products() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        p, q, x = (tuple(rng.normal(size=4)) for _ in range(3))
        y = tuple(rng.normal(size=3))
        product = quaternion.rotation_of(quaternion.multiply(p, q))
        assert_allclose(product, matmul(quaternion.rotation_of(p), quaternion.rotation_of(q)), atol=1e-14)
        back = matmul(quaternion.rotation_of(p), quaternion.rotation_of(quaternion.conj(p)))
        assert_allclose(back, IDENTITY, atol=1e-14)
        B = np.array(quaternion.body_map(p)).reshape(3, 4)
        assert_allclose(quaternion.body_map_times(p, x), B @ x, atol=1e-14)
        assert_allclose(quaternion.body_map_t_times(p, y), B.T @ y, atol=1e-14)
        assert_allclose(B @ p, 0.0, atol=1e-15)
        assert_allclose(B @ B.T, np.dot(p, p) * np.eye(3), atol=1e-14)
        around = quaternion.multiply(quaternion.multiply(p, (0.0, *y)), quaternion.conj(p))
        assert_allclose(around[1:], np.dot(p, p) * np.array(rotate(quaternion.rotation_of(p), y)), atol=1e-13)


@pytest.mark.parametrize("w", VECTORS)
def test_quaternion_of_a_rotation_follows_complex_steps(w: Any) -> None:
    A = so3.exp_so3(w)
    p = np.array(quaternion.of_rotation(A))
    assert p[0] >= 0.0
    assert_allclose(p @ p, 1.0, rtol=1e-15)
    B = np.array(quaternion.body_map(tuple(p))).reshape(3, 4)
    for k in range(3):
        moved = matmul(A, so3.exp_so3(tuple(1j * STEP * (k == c) for c in range(3))))
        dp = np.array(quaternion.of_rotation(moved)).imag / STEP
        assert_allclose(2.0 * B @ dp, np.eye(3)[k], atol=1e-13)
        assert abs(p @ dp) < 1e-13
