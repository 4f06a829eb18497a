"""Laws of the groups on which bodies move, for any poses and increments."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from linkwork.kernels import se3 as kernels
from linkwork.kernels.mat33 import IDENTITY, rotate
from linkwork.kernels.vec3 import add, cross, dot, neg, scale, sub
from linkwork.spaces.groups import GROUPS, product, se3, so3

STEP = 1e-30
ORIGIN = (0.0, 0.0, 0.0)

component = st.floats(-3.0, 3.0) | st.floats(-1e-6, 1e-6) | st.just(0.0)
vector = st.tuples(component, component, component)
direction = vector.filter(lambda n: dot(n, n) > 1e-2).map(lambda n: scale(1.0 / np.sqrt(dot(n, n)), n))
twist = st.tuples(vector, vector)
each_group = pytest.mark.parametrize("group", GROUPS.values(), ids=list(GROUPS))


def turn(angles: Any) -> Any:
    """Rotation vectors with an angle from the strategy, about any axis."""
    return st.tuples(angles, direction).map(lambda a: scale(*a))


moderate = turn(st.floats(0.0, 3.0) | st.floats(0.0, 1e-6) | st.floats(0.9, 1.1))
up_to_pi = turn(st.floats(0.0, 9.0).map(lambda k: np.pi - 10.0**-k))
up_to_2pi = turn(st.floats(0.0, 3.0).map(lambda k: 2.0 * np.pi - 10.0**-k))


def flat(*parts: Any) -> np.ndarray:
    return np.concatenate([np.asarray(x) for x in parts])


def close(a: Any, b: Any, atol: float = 1e-12) -> None:
    assert_allclose(flat(*a), flat(*b), rtol=0.0, atol=atol)


def own(group: ModuleType, X: Any) -> Any:
    """X without what the group has no room for."""
    return (X[0], ORIGIN) if group is so3 else X


def plus(X: Any, Y: Any) -> Any:
    return add(X[0], Y[0]), add(X[1], Y[1])


def minus(X: Any) -> Any:
    return times(-1.0, X)


def times(k: Any, X: Any) -> Any:
    return scale(k, X[0]), scale(k, X[1])


def small(Y: Any) -> Any:
    """Y along the imaginary axis."""
    return times(1j * STEP, Y)


@each_group
@given(w=moderate | up_to_pi, v=vector)
def test_the_logarithm_undoes_the_exponential(group: ModuleType, w: Any, v: Any) -> None:
    X = own(group, (w, v))
    close(group.log(*group.exp(*X)), X)


@each_group
@given(start=twist, w=vector, v=vector)
def test_the_exponential_undoes_the_logarithm_at_any_pose(group: ModuleType, start: Any, w: Any, v: Any) -> None:
    pose, end = group.exp(*own(group, start)), group.exp(*own(group, (w, v)))
    X = group.difference(*pose, *end)
    assert np.sqrt(dot(X[0], X[0])) <= np.pi + 1e-14
    close(group.compose(*pose, *X), end)


@each_group
@given(start=twist, w=moderate, v=vector)
def test_steps_are_undone_by_their_negatives_and_halved_by_their_halves(
    group: ModuleType, start: Any, w: Any, v: Any
) -> None:
    pose, X = group.exp(*start), own(group, (w, v))
    there = group.compose(*pose, *X)
    close(group.compose(*there, *minus(X)), pose)
    half = times(0.5, X)
    close(group.compose(*group.compose(*pose, *half), *half), there)
    close(group.difference(*pose, *there), X)


@each_group
@given(start=twist, w=moderate, v=vector)
def test_a_body_moved_along_an_increment_has_it_as_velocity(group: ModuleType, start: Any, w: Any, v: Any) -> None:
    """d/dt of pose exp(t X) is the velocity X for every t: here at t = 0 and t = 1."""
    A0, r0 = group.exp(*start)
    X = own(group, (w, v))
    for t in (0.0, 1.0):
        A, r = (np.array(part) for part in group.compose(A0, r0, *times(complex(t, STEP), X)))
        A_now, rdot = tuple(A.real), tuple(r.imag / STEP)
        W = A.real.reshape(3, 3).T @ (A.imag / STEP).reshape(3, 3)
        close(([W[2, 1], W[0, 2], W[1, 0]], group.velocity_of(A_now, rdot)), X)
        close((group.rdot_of(A_now, X[1]),), (rdot,))


@each_group
@given(w=moderate, v=vector, Y=twist)
def test_dexp_stands_on_the_left_and_its_negative_on_the_right(group: ModuleType, w: Any, v: Any, Y: Any) -> None:
    X, Y = own(group, (w, v)), own(group, Y)
    moved = group.exp(*plus(X, small(Y)))
    left = group.compose(*group.exp(*small(group.dexp(*X, *Y))), *X)
    right = group.compose(*group.exp(*X), *small(group.dexp(*minus(X), *Y)))
    for other in (left, right):
        assert_allclose(flat(*other).imag / STEP, flat(*moved).imag / STEP, rtol=0.0, atol=1e-12)


@each_group
@given(w=moderate | up_to_2pi, v=vector, Y=twist)
def test_dexp_and_its_inverse(group: ModuleType, w: Any, v: Any, Y: Any) -> None:
    """Digits go near a full turn, where the inverse grows: by 1 / (2 pi - |w|), squared in the coupling."""
    X, Y = own(group, (w, v)), own(group, Y)
    short = 2.0 * np.pi - np.sqrt(dot(X[0], X[0]))
    close(group.dexp_inv(*X, *group.dexp(*X, *Y)), Y, 1e-12 / min(1.0, short) ** 2)
    close(group.dexp(*X, *group.dexp_inv(*X, *Y)), Y, 1e-12 / min(1.0, short) ** 2)
    close(group.increment_rate(*X, *Y), group.dexp_inv(*minus(X), *Y), 0.0)


@each_group
@given(w=moderate, v=vector, Y=twist)
def test_tangents_are_the_matrices_of_dexp_at_minus_the_argument(group: ModuleType, w: Any, v: Any, Y: Any) -> None:
    X, Y = own(group, (w, v)), own(group, Y)
    for blocks, expected in (
        (group.tangent(*X), group.dexp(*minus(X), *Y)),
        (group.tangent_inv(*X), group.increment_rate(*X, *Y)),
    ):
        J, Q, K = blocks
        close((rotate(J, Y[0]), add(rotate(Q, Y[0]), rotate(K, Y[1]))), expected)


@given(w=moderate, v=vector, Y=twist)
def test_rotations_are_a_subgroup_of_both(w: Any, v: Any, Y: Any) -> None:
    for group in (se3, product):
        close(group.exp(w, ORIGIN), so3.exp(w, v), 0.0)
        close(group.dexp(w, ORIGIN, Y[0], ORIGIN), so3.dexp(w, v, *Y), 1e-13)
        close(group.dexp_inv(w, ORIGIN, Y[0], ORIGIN), so3.dexp_inv(w, v, *Y), 1e-13)


@given(X=twist, Y=twist, Z=twist)
def test_the_bracket_is_that_of_a_lie_algebra(X: Any, Y: Any, Z: Any) -> None:
    def bracket(X: Any, Y: Any) -> Any:
        return kernels.ad_se3(*X, *Y)

    close(bracket(X, Y), minus(bracket(Y, X)), 1e-13)
    cycle = plus(plus(bracket(X, bracket(Y, Z)), bracket(Y, bracket(Z, X))), bracket(Z, bracket(X, Y)))
    close(cycle, (ORIGIN, ORIGIN), 1e-11)
    close(kernels.dexp_se3(*X, *X), X)  # X commutes with itself
    close(kernels.dexp_se3(*small(X), *Y), plus(Y, times(0.5, bracket(small(X), Y))), 1e-13)


angle = st.floats(-1.5, 1.5)


@given(n=direction, q=vector, pitch=component, angles=st.tuples(angle, angle))
def test_screws_about_one_axis_stay_about_it(n: Any, q: Any, pitch: Any, angles: Any) -> None:
    """Turns about a line, with any fixed advance, are a subgroup of SE(3): increments add up."""
    unit = (n, add(cross(q, n), scale(pitch, n)))
    first, second = (times(a, unit) for a in angles)
    together = se3.compose(*se3.exp(*first), *second)
    close(together, se3.exp(*plus(first, second)))
    close(se3.log(*together), times(angles[0] + angles[1], unit))


@given(q=vector, steps=st.lists(moderate, min_size=1, max_size=5), start=twist)
def test_turns_about_a_point_keep_the_point_on_se3(q: Any, steps: Any, start: Any) -> None:
    """A ball joint at the body's point q: twists (w, q x w) keep A q + r whatever follows what."""
    A, r = se3.exp(*start)
    pivot = add(r, rotate(A, q))
    for w in steps:
        A, r = se3.compose(A, r, w, cross(q, w))
        close((add(r, rotate(A, q)),), (pivot,), 1e-11)


@given(q=direction, w=turn(st.floats(0.1, 2.0)))
def test_turns_about_a_point_leave_it_on_the_product(q: Any, w: Any) -> None:
    """The hybrid velocity of the same motion, held over a step, moves the point by (1 - cos x)/x**2 |w x (w x q)|
    towards the middle, and along w x q besides."""
    bend = cross(w, cross(w, q))
    assume(dot(bend, bend) > 1e-2)
    A, r = product.compose(IDENTITY, neg(q), w, neg(cross(w, q)))
    drift = add(r, rotate(A, q))
    assert dot(drift, bend) > 0.35 * dot(bend, bend)  # 0.354 at 2 rad


@given(n=direction, steps=st.lists(st.tuples(angle, vector), min_size=1, max_size=4))
def test_planar_motions_stay_planar_on_se3(n: Any, steps: Any) -> None:
    A, r = IDENTITY, ORIGIN
    for a, v in steps:
        A, r = se3.compose(A, r, scale(a, n), sub(v, scale(dot(v, n), n)))
        assert abs(dot(r, n)) < 1e-12
        close((rotate(A, n),), (n,))
