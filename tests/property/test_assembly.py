"""What holds for assembly whatever the mechanism and wherever it starts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.system import compile_mechanism
from linkwork.system.assembly import assemble
from linkwork.system.dense import Pose, Rates, constraints, drives, velocity_rhs

SHIPPED = (
    "gyroscope", "kissel2021_double_pendulum", "kissel2021_four_link", "kissel2021_single_pendulum",
    "kissel2021_slider_crank", "planar_four_bar", "rolling_disc", "spatial_slider_crank_spring",
)  # fmt: skip


def violation(compiled, pose: Pose, rates: Rates) -> tuple[float, float]:
    drive = drives(compiled, 0.0)
    phi, G = constraints(compiled, pose, drive)
    nb = compiled.nb
    u = np.hstack([rates.v[:nb], rates.w[:nb]]).ravel()
    rest = G @ u - velocity_rhs(compiled, pose, drive)
    return float(np.max(np.abs(phi), initial=0.0)), float(np.max(np.abs(rest), initial=0.0))


def perturbed(compiled, seed: int, size: float):
    rng = np.random.default_rng(seed)
    step = size * rng.uniform(-1.0, 1.0, (compiled.nb, 6))
    step[:, :3] *= compiled.length
    pose = Pose(compiled.r, compiled.A).moved(step.ravel())
    v, w = compiled.v.copy(), compiled.w.copy()
    v[:-1] += size * rng.normal(size=v[:-1].shape)
    w[:-1] += size * rng.normal(size=w[:-1].shape)
    return compiled.at(pose.r, pose.A, v, w)


@pytest.mark.parametrize("model", SHIPPED)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**31), size=st.sampled_from([1e-6, 1e-3, 0.05, 0.3]))
def test_perturbed_mechanisms_come_together_again_and_then_stay(model: str, seed: int, size: float) -> None:
    start = perturbed(compile_mechanism(lw.load(model).lower()), seed, size)
    found = assemble(start)
    positions, velocities = violation(start, found.pose, found.rates)
    assert positions < 1e-10 * max(1.0, start.length)
    assert velocities < 1e-9 * max(1.0, float(np.max(np.abs(found.rates.v))), float(np.max(np.abs(found.rates.w))))
    assert np.max(found.moved) < 12 * size * start.length

    again = assemble(start.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w))
    assert np.max(again.moved) < 1e-9 * start.length
    assert again.after <= again.before
    assert again.velocity_after <= max(again.velocity_before, 1e-13)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**31))
def test_an_assembled_mechanism_is_left_exactly_as_it_is(seed: int) -> None:
    compiled = compile_mechanism(random_mechanism(seed).lower())
    found = assemble(compiled)
    np.testing.assert_array_equal(found.pose.r, compiled.r)
    np.testing.assert_array_equal(found.pose.A, compiled.A)
    scale = 1.0 + np.max(np.abs(compiled.v)) + np.max(np.abs(compiled.w))
    assert np.max(found.velocity_change) < 1e-12 * scale
    assert np.max(found.spin_change) < 1e-12 * scale


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_random_mechanisms_nudged_apart_come_together(seed: int) -> None:
    start = perturbed(compile_mechanism(random_mechanism(seed).lower()), seed, 1e-3)
    found = assemble(start)
    positions, _ = violation(start, found.pose, found.rates)
    assert positions < 1e-10 * max(1.0, start.length)
    for A in found.pose.A:
        np.testing.assert_allclose(A.reshape(3, 3) @ A.reshape(3, 3).T, np.eye(3), atol=1e-12)
