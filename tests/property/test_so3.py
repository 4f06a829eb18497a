"""Laws of rotations that hold for any numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from linkwork.kernels import quaternion, so3
from linkwork.kernels.mat33 import determinant, matmul, matmul_t, rotate, transpose
from linkwork.kernels.vec3 import neg
from linkwork.spaces import euler_angles

component = st.floats(-4.0, 4.0) | st.floats(-1e-6, 1e-6)
vector = st.tuples(component, component, component)
wide = st.floats(-1e3, 1e3)


def close(a: Any, b: Any, atol: float = 1e-13) -> None:
    assert_allclose(np.array(a), np.array(b), rtol=0.0, atol=atol)


@given(vector)
def test_the_exponential_is_a_rotation_that_leaves_its_axis(w: Any) -> None:
    A = so3.exp_so3(w)
    close(matmul_t(A, A), np.eye(3).ravel())
    assert abs(determinant(A) - 1.0) < 1e-13
    close(rotate(A, w), w, 1e-12)
    close(so3.exp_so3(neg(w)), transpose(A))


@given(vector)
def test_the_exponential_of_the_logarithm_is_the_rotation(w: Any) -> None:
    A = so3.exp_so3(w)
    log = so3.log_so3(A)
    assert np.linalg.norm(log) <= np.pi + 1e-14
    close(so3.exp_so3(log), A)


@given(vector)
def test_left_and_right_jacobians_are_a_turn_apart(w: Any) -> None:
    close(so3.left_jacobian(w), matmul(so3.exp_so3(w), so3.right_jacobian(w)))
    close(so3.left_jacobian(w), transpose(so3.right_jacobian(w)))


@given(vector)
def test_jacobians_and_their_inverses(w: Any) -> None:
    assume(np.linalg.norm(w) < 5.5)  # singular at 2 pi
    close(matmul(so3.right_jacobian(w), so3.right_jacobian_inverse(w)), np.eye(3).ravel(), 1e-12)


@given(st.tuples(wide, wide, wide, wide))
def test_any_nonzero_quaternion_is_a_rotation_and_comes_back(p: Any) -> None:
    size = np.linalg.norm(p)
    assume(size > 1e-3)
    A = quaternion.rotation_of(p)
    close(matmul_t(A, A), np.eye(3).ravel())
    back = np.array(quaternion.of_rotation(A))
    sign = np.sign(back @ np.array(p))
    close(sign * back * size, p, 1e-13 * size)


@given(vector, vector)
def test_euler_angles_reach_every_rotation(w: Any, base: Any) -> None:
    A, R = so3.exp_so3(w), so3.exp_so3(base)
    q = euler_angles.coordinates_of(A, R)
    close(matmul(R, euler_angles.zxz(q)), A, 1e-12)
    assert 0.0 <= q[1] <= np.pi
