"""What every space must do: its kernels agree with each other, with complex steps and with A itself."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels.jit import compiled
from linkwork.kernels.mat33 import IDENTITY
from linkwork.kernels.so3 import exp_so3
from linkwork.spaces import euler_angles, euler_parameters, rotation_matrix

SPACES = (rotation_matrix, euler_parameters, euler_angles)
STEP = 1e-30
SEEDS = range(4)


def ids(module: Any) -> str:
    return module.__name__.rsplit(".", 1)[-1] if isinstance(module, ModuleType) else str(module)


each_space = pytest.mark.parametrize("space", SPACES, ids=ids)
each_seed = pytest.mark.parametrize("seed", SEEDS)


def numbers(rng: np.random.Generator, n: int) -> tuple[float, ...]:
    return tuple(float(x) for x in rng.uniform(-1.0, 1.0, n))


class Motion:
    """Random numbers for one body: base, increment, rates and accelerations, unused coordinates zero."""

    def __init__(self, space: ModuleType, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.A0 = exp_so3(numbers(rng, 3))
        self.R = exp_so3(numbers(rng, 3)) if space is euler_angles else IDENTITY
        self.q0, self.dq, self.qd, self.qdd = (np.array(numbers(rng, 4)) for _ in range(4))
        if space is euler_angles:
            self.q0[1] = 1.3 + 0.5 * self.q0[1]
            self.dq *= 0.2
        if space is rotation_matrix:
            self.q0[:] = 0.0
        if space.SIZE == 3:
            for x in (self.q0, self.dq, self.qd, self.qdd):
                x[3] = 0.0
        if space is euler_parameters:  # far enough from zero, but not on the unit sphere
            self.q0[0] += 3.0
        self.y = np.array(numbers(rng, 3))
        self.c_v, self.c_q = 0.7, 0.3

    def q(self, space: ModuleType) -> Any:
        return space.retract(self.A0, self.R, tuple(self.q0), tuple(self.dq))[1]


def body_rotation(A: np.ndarray, dA: np.ndarray) -> np.ndarray:
    """theta with dA = A theta~."""
    W = A.T @ dA
    assert_allclose(W, -W.T, atol=1e-12)
    return np.array([W[2, 1], W[0, 2], W[1, 0]])


def rotation(space: ModuleType, m: Motion, dq: Any) -> np.ndarray:
    return np.array(space.retract(m.A0, m.R, tuple(m.q0), tuple(dq))[0]).reshape(3, 3)


@each_space
@each_seed
def test_place_gives_a_rotation(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    A = rotation(space, m, m.dq)
    assert_allclose(A.T @ A, np.eye(3), atol=1e-14)
    assert np.linalg.det(A) > 0.0


@each_space
@each_seed
def test_tangent_is_the_variation_of_place_at_zero_increment(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    if space.NORMALISED:
        m.q0 /= np.linalg.norm(m.q0)
    A = rotation(space, m, np.zeros(4))
    B = np.array(space.tangent(tuple(m.q0))).reshape(3, 4)
    for k in range(space.SIZE):
        d = np.zeros(4, dtype=complex)
        d[k] = 1j * STEP
        theta = body_rotation(A, rotation(space, m, d).imag / STEP)
        assert_allclose(B[:, k], theta, rtol=1e-12, atol=1e-12)


@each_space
@each_seed
def test_omega_and_alpha_are_the_rates_of_retract(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    if space.NORMALISED:  # a motion on the unit sphere
        m.q0 /= np.linalg.norm(m.q0)
        m.qd -= (m.q0 @ m.qd) * m.q0
    q, qd, qdd = tuple(m.q0), tuple(m.qd), tuple(m.qdd)
    A = rotation(space, m, np.zeros(4))
    w = np.array(space.omega(q, qd))
    assert_allclose(w, body_rotation(A, rotation(space, m, 1j * STEP * m.qd).imag / STEP), rtol=1e-12, atol=1e-12)
    if space is rotation_matrix:
        moved = np.array(space.omega(q, tuple(m.qd + 1j * STEP * m.qdd)))
    else:
        moved = np.array(space.omega(tuple(m.q0 + 1j * STEP * m.qd), tuple(m.qd + 1j * STEP * m.qdd)))
    assert_allclose(np.array(space.alpha(q, qd, qdd)), moved.imag / STEP, rtol=1e-12, atol=1e-12)
    assert_allclose(np.array(space.tangent(q)).reshape(3, 4) @ m.qd, w, rtol=1e-13, atol=1e-14)


@each_space
@each_seed
def test_linearise_is_exact(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    A = rotation(space, m, m.dq)
    parts = space.linearise(tuple(m.dq), m.q(space), tuple(m.qd), tuple(m.qdd), m.c_v, m.c_q)
    T_a, T_w, T_th = (np.array(T).reshape(3, 4) for T in parts)
    for k in range(space.SIZE):
        d = np.zeros(4, dtype=complex)
        d[k] = 1j * STEP
        dq = m.dq + m.c_q * d
        At, q = space.retract(m.A0, m.R, tuple(m.q0), tuple(dq))
        qd, qdd = tuple(m.qd + m.c_v * d), tuple(m.qdd + d)
        assert_allclose(T_a[:, k], np.array(space.alpha(q, qd, qdd)).imag / STEP, rtol=1e-12, atol=1e-12)
        assert_allclose(T_w[:, k], np.array(space.omega(q, qd)).imag / STEP, rtol=1e-12, atol=1e-12)
        theta = body_rotation(A, np.array(At).reshape(3, 3).imag / STEP)
        assert_allclose(T_th[:, k], theta, rtol=1e-12, atol=1e-12)
    assert not np.any(np.array([T_a, T_w, T_th])[:, :, space.SIZE :])


@each_space
@each_seed
def test_rates_and_accelerations_are_inverted(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    q, w, al = m.q(space), tuple(m.qd[:3]), tuple(m.qdd[:3])
    qd = space.rates_from(q, w)
    qdd = space.accelerations_from(q, qd, w, al)
    assert_allclose(space.omega(q, qd), w, rtol=1e-12, atol=1e-12)
    assert_allclose(space.alpha(q, qd, qdd), al, rtol=1e-12, atol=1e-12)
    if space.NORMALISED:
        assert abs(np.dot(q, qd)) < 1e-12
        assert abs(np.dot(q, qdd) + np.dot(qd, qd)) < 1e-12


@each_space
@each_seed
def test_transpose_and_its_variation(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    q, y = np.array(m.q(space)), tuple(m.y)
    B = np.array(space.tangent(tuple(q))).reshape(3, 4)
    assert_allclose(space.transpose_apply(tuple(q), y), B.T @ m.y, rtol=1e-13, atol=1e-14)
    variation = np.array(space.transpose_variation(tuple(q), y)).reshape(4, 4)
    for k in range(4):
        d = np.zeros(4, dtype=complex)
        d[k] = 1j * STEP
        moved = np.array(space.transpose_apply(tuple(q + d), y))
        assert_allclose(variation[:, k], moved.imag / STEP, rtol=1e-12, atol=1e-12)


@each_space
@each_seed
def test_rebase_writes_the_same_motion(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    A, w, al = m.A0, tuple(m.y), tuple(m.qdd[:3])
    R, q, qd, qdd = space.rebase(A, w, al)
    assert_allclose(space.retract(A, R, q, (0.0, 0.0, 0.0, 0.0))[0], A, atol=1e-14)
    assert_allclose(space.omega(q, qd), w, atol=1e-14)
    assert_allclose(space.alpha(q, qd, qdd), al, atol=1e-14)
    assert not space.needs_rebase(q)
    assert abs(space.normalisation(q)) < 1e-15


@each_space
@each_seed
def test_coordinates_of_a_rotation(space: ModuleType, seed: int) -> None:
    m = Motion(space, seed)
    q = space.coordinates_of(m.A0, m.R)
    assert_allclose(space.retract(m.A0, m.R, q, (0.0, 0.0, 0.0, 0.0))[0], m.A0, atol=1e-14)


KERNELS = (
    "retract",
    "omega",
    "alpha",
    "rates_from",
    "accelerations_from",
    "tangent",
    "linearise",
    "transpose_apply",
    "transpose_variation",
    "normalisation",
    "coordinates_of",
    "needs_rebase",
    "rebase",
)


@pytest.mark.parametrize("name", KERNELS)
def test_spaces_have_one_face(name: str) -> None:
    signatures = {str(inspect.signature(getattr(space, name))) for space in SPACES}
    assert len(signatures) == 1


@each_space
def test_every_kernel_compiles_to_the_same_numbers(space: ModuleType) -> None:
    def everything(A0, R, q0, dq, qd, qdd, w, y):  # type: ignore[no-untyped-def]
        A, q = space.retract(A0, R, q0, dq)
        R2, q2, qd2, qdd2 = space.rebase(A, w, y)
        parts = space.linearise(dq, q, qd, qdd, 0.7, 0.3)
        back = space.rates_from(q, w), space.accelerations_from(q, qd, w, y)
        out = A, q, space.omega(q, qd), space.alpha(q, qd, qdd), space.tangent(q), R2, q2, qd2, qdd2
        rest = space.transpose_apply(q, y), space.transpose_variation(q, y), space.coordinates_of(A, R)
        return out, rest, parts, back, space.normalisation(q), space.needs_rebase(q)

    def flat(nested: Any) -> list[float]:
        return [x for item in nested for x in flat(item)] if isinstance(nested, tuple) else [float(nested)]

    m = Motion(space, 5)
    w = tuple(float(x) for x in m.qdd[:3])
    numbers = m.A0, m.R, *(tuple(float(x) for x in v) for v in (m.q0, m.dq, m.qd, m.qdd)), w, tuple(map(float, m.y))
    assert_allclose(flat(compiled(everything, kept=False)(*numbers)), flat(everything(*numbers)), atol=1e-13)
