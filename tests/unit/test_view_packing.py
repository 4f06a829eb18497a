"""Numbers of a page come back as they went in, poses to the error that is stated, in few bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from linkwork.scene.parts import matrix_of
from linkwork.view.packing import QUATERNION_BITS, curve, packed, poses, unpacked


@given(arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 40)), elements=st.integers(-(2**40), 2**40)))
def test_whole_numbers_come_back(values: np.ndarray) -> None:  # type: ignore[type-arg]
    assert (unpacked(packed(values)) == values).all()


def shown(made, n: int, nb: int):  # type: ignore[no-untyped-def]
    """Positions and quaternions as the page reads them."""
    told = unpacked(made.block).reshape(nb, 7, n)
    position = np.array(made.origin) + made.step * told[:, :3].transpose(2, 0, 1)
    quaternion = np.zeros((n, nb, 4))
    three = told[:, 4:] * np.sqrt(2) / (2**QUATERNION_BITS - 1)
    for b in range(nb):
        for k in range(n):
            most = told[b, 3, k]
            quaternion[k, b, [c for c in range(4) if c != most]] = three[b, :, k]
            quaternion[k, b, most] = np.sqrt(1 - (three[b, :, k] ** 2).sum())
    return position, quaternion


def tumbling(n: int, nb: int, seed: int = 1):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 3, n)[:, None, None]
    position = np.cos(t * rng.uniform(1, 6, (1, nb, 3)) + rng.uniform(0, 6, (1, nb, 3)))
    quaternion = np.cos(t * rng.uniform(1, 4, (1, nb, 4)) + rng.uniform(0, 6, (1, nb, 4)))
    return position, quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)


def test_points_are_shown_to_the_stated_error_which_is_below_1e_5_of_the_size() -> None:
    n, nb, size = 60, 4, 2.0
    position, quaternion = tumbling(n, nb)
    made = poses(position, quaternion, size, np.full(nb, 1.0))
    p, q = shown(made, n, nb)
    worst = 0.0
    for corner in np.array([[1, 0, 0], [0, -1, 0], [0.6, 0, 0.8]]):
        for k in range(n):
            for b in range(nb):
                there = position[k, b] + matrix_of(quaternion[k, b]) @ corner
                worst = max(worst, float(np.linalg.norm(p[k, b] + matrix_of(q[k, b]) @ corner - there)))
    assert 0.2 * made.error < worst <= made.error < 1e-5 * size


def test_a_body_that_is_far_away_keeps_its_digits() -> None:
    position, quaternion = tumbling(50, 2)
    position[:, 1] += np.linspace(0, 3000, 50)[:, None]
    assert poses(position, quaternion, 2.0, np.full(2, 1.0)).error < 2e-5


def test_a_pose_takes_twenty_bytes_at_most() -> None:
    n, nb = 3000, 10
    smooth = poses(*tumbling(n, nb), 2.0, np.ones(nb))
    assert len(smooth.block["data"]) < 10 * n * nb
    rng = np.random.default_rng(2)
    quaternion = rng.normal(size=(400, nb, 4))
    noise = poses(
        rng.uniform(-1, 1, (400, nb, 3)),
        quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True),
        3.4,
        np.ones(nb),
    )
    assert len(noise.block["data"]) <= 20.5 * 400 * nb  # no motion is as wild


@pytest.mark.parametrize("log", [False, True])
def test_curves_come_back_to_their_step(log: bool) -> None:
    values = np.array([[1.0, 2.5, np.nan, 10.0], [7.0, 7.0, 7.0, 7.0]])
    made = curve(values, log)
    told = unpacked(made)
    low, high = np.array(made["low"])[:, None], np.array(made["high"])[:, None]
    back = low + (high - low) * told / made["steps"]
    back = np.where(told > made["steps"], np.nan, 10.0**back if log else back)
    assert back == pytest.approx(values, rel=1e-4, nan_ok=True)
