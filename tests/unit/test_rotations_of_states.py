"""Rotations of states: those of runs whose matrices have drifted are made rotations, what is no rotation is refused."""

from __future__ import annotations

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.errors import UsageError


@pytest.mark.parametrize("seed", [8016, 8019, 8036])
def test_runs_go_on_from_matrices_that_have_drifted(seed: int) -> None:
    """Redundant rows cannot be met together by matrices that are off SO(3) by 1e-7: the start was refused."""
    mech = random_mechanism(seed)
    run = lw.simulate(mech, 1.0, 0.1, "rotation-matrix", "dop853", rtol=1e-6)
    R = run["rotation"][-2]
    assert np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max() > 1e-10
    state = run.state(-2)
    assert np.abs(np.swapaxes(state.rotation, 1, 2) @ state.rotation - np.eye(3)).max() < 1e-14
    assert np.abs(state.rotation - R).max() < 1e-4
    on = lw.simulate(mech, 1.0, 0.1, "rotation-matrix", "dop853", rtol=1e-6, state=state)
    np.testing.assert_allclose(on["position"][-1], run["position"][-1], atol=1e-4)
    np.testing.assert_allclose(on["velocity"][-1], run["velocity"][-1], atol=1e-4 * np.abs(run["velocity"]).max())


def test_rotations_of_other_runs_keep_their_bits() -> None:
    run = lw.simulate(random_mechanism(8019), 0.1, 0.01, "lie-mixed", "rk4")
    np.testing.assert_array_equal(run.state(-1).rotation, run["rotation"][-1])


@pytest.mark.parametrize(
    "matrix", [1.1 * np.eye(3), np.eye(3) + 0.01 * np.eye(3, k=1), np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3))]
)
def test_what_is_no_rotation_is_refused(matrix: np.ndarray) -> None:
    """An equilibrium of a body that was stretched by a tenth was found with it, without a word."""
    zero = np.zeros((2, 3))
    with pytest.raises(UsageError, match="rotation of body number 1 is none"):
        lw.State(zero, np.stack([np.eye(3), matrix]), zero, zero)


def test_rounding_is_taken_out() -> None:
    near = np.eye(3) + 1e-8 * np.arange(9.0).reshape(3, 3)
    zero = np.zeros((1, 3))
    found = lw.State(zero, near[None], zero, zero).rotation[0]
    np.testing.assert_allclose(found @ found.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(found, near, atol=1e-7)


def test_a_sample_is_told_by_its_number() -> None:
    """A time is none, though it is what one thinks of."""
    run = lw.simulate(lw.load("kissel2021_double_pendulum"), 0.02, 0.01)
    assert run.state(np.int64(1)).time == run.state(1).time
    for k, why in ((0.01, "by its number, not by 0.01"), ("end", "not by 'end'"), (3, "there is no sample 3")):
        with pytest.raises(UsageError, match=why):
            run.state(k)  # type: ignore[arg-type]
