"""SE(3) at chosen twists: 4 x 4 and 6 x 6 matrices, complex steps, and the formulas as the paper prints them."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from linkwork.kernels import se3
from linkwork.kernels.jit import compiled
from linkwork.kernels.mat33 import IDENTITY, skew
from linkwork.spaces.groups import GROUPS

STEP = 1e-30
TWISTS = [
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ((0.0, 0.0, 0.0), (1.0, -2.0, 0.5)),
    ((1e-9, -2e-9, 3e-10), (0.3, 0.1, -0.2)),
    ((0.01, 0.002, -0.003), (1.0, -2.0, 3.0)),
    ((0.6, 0.7, -0.3), (-0.4, 0.8, 1.5)),
    ((0.6, 0.7, -0.5), (-0.4, 0.8, 1.5)),
    ((1.0, -2.0, 0.5), (2.0, 1.0, -1.0)),
    ((0.0, 0.0, 3.1), (0.1, 0.2, 0.3)),
    ((3.0, -3.0, 1.0), (0.5, 0.5, -1.0)),
]
each_twist = pytest.mark.parametrize("X", TWISTS)


def square(m: Any) -> np.ndarray:
    return np.array(m).reshape(3, 3)


def hat(w: Any, v: Any) -> np.ndarray:
    """The 4 x 4 matrix of a twist [Müller 2013, eq. 6]."""
    X = np.zeros((4, 4), dtype=np.result_type(*w, *v))
    X[:3, :3], X[:3, 3] = square(skew(w)), v
    return X


def vee(X: np.ndarray) -> np.ndarray:
    return np.array([X[2, 1], X[0, 2], X[1, 0], *X[:3, 3]])


def pose(A: Any, p: Any) -> np.ndarray:
    C = np.eye(4, dtype=np.result_type(*A, *p))
    C[:3, :3], C[:3, 3] = square(A), p
    return C


def ad(w: Any, v: Any) -> np.ndarray:
    """The 6 x 6 matrix of the bracket [Müller 2013, eq. 7]."""
    W, V = square(skew(w)), square(skew(v))
    return np.block([[W, np.zeros((3, 3))], [V, W]])


def six(f: Any, w: Any, v: Any) -> np.ndarray:
    """The matrix of a linear map on twists, column by column."""
    return np.array([np.concatenate(f(w, v, tuple(y[:3]), tuple(y[3:]))) for y in np.eye(6)]).T


def dexp_by_series(w: Any, v: Any) -> np.ndarray:
    """sum ad**n / (n + 1)!, the definition."""
    a = ad(w, v)
    return sum(np.linalg.matrix_power(a, n) / factorial(n + 1) for n in range(50))


def minus(x: Any) -> Any:
    return tuple(-c for c in x)


@each_twist
def test_exponential_and_logarithm_are_those_of_matrices(X: Any) -> None:
    C = se3.exp_se3(*X)
    assert_allclose(pose(*C), expm(hat(*X)), atol=2e-14)
    if np.linalg.norm(X[0]) < np.pi:
        assert_allclose(np.concatenate(se3.log_se3(*C)), np.concatenate(X), rtol=1e-13, atol=1e-14)
    assert_allclose(pose(*se3.exp_se3(*se3.log_se3(*C))), pose(*C), atol=1e-14)


@each_twist
def test_differential_is_the_sum_of_brackets(X: Any) -> None:
    assert_allclose(six(se3.ad_se3, *X), ad(*X), atol=0.0)
    assert_allclose(six(se3.dexp_se3, *X), dexp_by_series(*X), rtol=1e-13, atol=2e-14)
    assert_allclose(six(se3.dexp_inv_se3, *X), np.linalg.inv(dexp_by_series(*X)), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("X", TWISTS[4:])
def test_inverse_differential_is_equation_10(X: Any) -> None:
    a, x = ad(*X), np.linalg.norm(X[0])
    second = 2.0 / x**2 + (x + 3.0 * np.sin(x)) / (4.0 * x * (np.cos(x) - 1.0))
    fourth = 1.0 / x**4 + (x + np.sin(x)) / (4.0 * x**3 * (np.cos(x) - 1.0))
    printed = np.eye(6) - 0.5 * a + second * a @ a + fourth * np.linalg.matrix_power(a, 4)
    assert_allclose(six(se3.dexp_inv_se3, *X), printed, rtol=1e-12, atol=1e-12)


@each_twist
def test_differential_by_complex_steps_on_both_sides(X: Any) -> None:
    """dC C^-1 = dexp_X dX, and C^-1 dC = dexp_{-X} dX: [Müller 2013, text after eq. 9]."""
    inverse = np.linalg.inv(pose(*se3.exp_se3(*X)))
    left, right = six(se3.dexp_se3, *X), six(se3.dexp_se3, *map(minus, X))
    for k in range(6):
        d = np.concatenate(X).astype(complex)
        d[k] += 1j * STEP
        dC = pose(*se3.exp_se3(tuple(d[:3]), tuple(d[3:]))).imag / STEP
        assert_allclose(vee(dC @ inverse), left[:, k], rtol=1e-13, atol=2e-13)
        assert_allclose(vee(inverse @ dC), right[:, k], rtol=1e-13, atol=2e-13)


@pytest.mark.parametrize("X", TWISTS[:-1])
def test_logarithm_by_complex_steps(X: Any) -> None:
    """log(exp(X) exp(dX)) = X + dexp_{-X}^-1 dX."""
    C = pose(*se3.exp_se3(*X))
    rate = six(se3.dexp_inv_se3, *map(minus, X))
    for k in range(6):
        d = 1j * STEP * np.eye(6)[k]
        moved = C @ pose(*se3.exp_se3(tuple(d[:3]), tuple(d[3:])))
        got = np.concatenate(se3.log_se3(tuple(moved[:3, :3].ravel()), tuple(moved[:3, 3])))
        assert_allclose(got.imag / STEP, rate[:, k], rtol=1e-12, atol=1e-12)


@each_twist
def test_tangent_blocks_and_transposes(X: Any) -> None:
    zero = np.zeros((3, 3))
    for blocks, apply, transposed in (
        (se3.tangent_se3, se3.dexp_se3, se3.dexp_t_se3),
        (se3.tangent_inv_se3, se3.dexp_inv_se3, se3.dexp_inv_t_se3),
    ):
        J, Q = map(square, blocks(*X))
        expected = six(apply, *map(minus, X))
        assert_allclose(np.block([[J, zero], [Q, J]]), expected, rtol=1e-13, atol=1e-14)
        assert_allclose(six(transposed, *map(minus, X)), expected.T, rtol=1e-13, atol=1e-14)


def test_small_turns_keep_all_digits_of_the_coupling() -> None:
    """Beside the second-order terms, what the slopes contribute at 0.01 rad: (w . v) w~ w~ / 360."""
    w, v, y = (0.01, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    got = se3.dexp_inv_se3(w, v, y, (0.0, 0.0, 0.0))[1][1]
    exactly = -0.01 / 6.0 - 4.0 * 0.01**3 / 720.0 - 6.0 * 0.01**5 / 30240.0  # d/de of k(y) y at w + e v
    assert_allclose(got, exactly, rtol=1e-14)


def test_singular_at_a_full_turn() -> None:
    for short, size in ((1e-3, 1e4), (1e-6, 1e7)):
        Y = se3.dexp_inv_se3((0.0, 0.0, 2.0 * np.pi - short), (0.1, 0.2, 0.3), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
        assert np.abs(Y).max() > 0.1 * size
        assert np.isfinite(Y).all()


def velocity(t: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    w = (2.0 * np.cos(3.0 * t), 1.5 * np.sin(2.0 * t), 1.0 - t)
    return w, (np.sin(t), 2.0 - 3.0 * t, np.cos(5.0 * t))


@pytest.mark.parametrize("name", GROUPS)
def test_sign_of_equation_36(name: str) -> None:
    """Psi' = dexp_{-Psi}^-1 V follows C' = C V^; dexp at plus Psi does not."""
    group = GROUPS[name]

    def motion(t: float, C: np.ndarray) -> np.ndarray:
        (w, v), A = velocity(t), C[:9]
        return np.concatenate([(square(A) @ square(skew(w))).ravel(), group.rdot_of(tuple(A), v)])

    def increment(t: float, psi: np.ndarray, f: Any) -> np.ndarray:
        return np.concatenate(f(tuple(psi[:3]), tuple(psi[3:]), *velocity(t)))

    def end(f: Any, start: Any, *args: Any) -> np.ndarray:
        return solve_ivp(f, (0.0, 0.8), start, method="DOP853", rtol=1e-11, atol=1e-12, args=args).y[:, -1]

    A0, r0 = se3.exp_se3((0.3, -0.8, 0.5), (1.0, 2.0, 3.0))
    C = end(motion, [*A0, *r0])
    with_minus = end(increment, np.zeros(6), group.increment_rate)
    with_plus = end(increment, np.zeros(6), group.dexp_inv)
    assert_allclose(np.concatenate(group.compose(A0, r0, with_minus[:3], with_minus[3:])), C, atol=1e-9)
    off = np.concatenate(group.compose(A0, r0, with_plus[:3], with_plus[3:])) - C
    assert np.abs(off).max() > 0.05


@pytest.mark.parametrize("name", GROUPS)
def test_compiled_as_in_python(name: str) -> None:
    group = GROUPS[name]
    compose, difference, increment_rate, dexp = (
        group.compose,
        group.difference,
        group.increment_rate,
        group.dexp,
    )
    tangent, tangent_inv = group.tangent, group.tangent_inv

    def everything(w: Any, v: Any, y_w: Any, y_v: Any) -> Any:
        A, r = compose(IDENTITY, v, w, y_v)
        return (
            (A, r),
            difference(IDENTITY, v, A, r),
            increment_rate(w, v, y_w, y_v),
            dexp(w, v, y_w, y_v),
            tangent(w, v),
            tangent_inv(w, v),
        )

    fast = compiled(everything, kept=False)
    for X in TWISTS[3:7]:
        Y = ((0.3, 0.2, -0.7), (1.1, -0.4, 0.6))
        for got, expected in zip(fast(*X, *Y), everything(*X, *Y), strict=True):
            assert_allclose(np.concatenate(got), np.concatenate(expected), rtol=1e-13, atol=1e-14)
