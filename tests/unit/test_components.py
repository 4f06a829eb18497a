"""Joint coordinates of many runs at once: the bits of each run alone, and of parts of it, for every kind of joint."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles.joint_examples import mechanism

import linkwork as lw
from linkwork.kernels.so3 import exp_so3
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.variants import variant
from linkwork.quantities.components import Motion
from linkwork.quantities.joints import coordinates_between, seen_from_first
from linkwork.quantities.relative import axes_of
from linkwork.sweeps import shards

RUNS, SAMPLES = 5, 37
TIME = np.linspace(0.0, 1.0, SAMPLES)


def moving(rng: np.random.Generator) -> Motion:
    vectors = rng.normal(size=(5, RUNS, SAMPLES, 3))
    turns = rng.normal(size=(RUNS * SAMPLES, 3))
    A = np.array([exp_so3(tuple(w)) for w in turns]).reshape(RUNS, SAMPLES, 3, 3)
    r, *rest = vectors
    return Motion(r, A, *rest)


def part(motion: Motion, run: int, samples: int = SAMPLES) -> Motion:
    return Motion(*(one[run, :samples] for one in motion))


@pytest.mark.parametrize("kind", sorted(JOINTS))
def test_coordinates_have_the_same_bits_in_any_company(kind: str) -> None:
    rng = np.random.default_rng(5)
    joint = mechanism(kind, rng).lower().joints[0]
    first, second = moving(rng), moving(rng)
    every = coordinates_between(first, second, TIME, joint)
    for run in range(RUNS):
        for samples in (SAMPLES, 9):
            alone = coordinates_between(part(first, run, samples), part(second, run, samples), TIME[:samples], joint)
            for name, one in alone.items():
                for whole, found in zip(every[name].values, one.values, strict=True):
                    assert_array_equal(whole[run, :samples], found, err_msg=name)


def test_one_body_is_seen_from_another_as_by_products_of_matrices() -> None:
    rng = np.random.default_rng(6)
    joint = mechanism("revolute", rng).lower().joints[0]
    one, other = part(moving(rng), 0), part(moving(rng), 1)
    seen = seen_from_first(one, other, joint)
    assert joint.markers is not None
    (i, j), (M, N) = joint.markers, (axes_of(marker) for marker in joint.markers)
    to_first = np.swapaxes(one.A, 1, 2)
    assert_allclose(np.moveaxis(seen.R, -1, 0), M.T @ to_first @ other.A @ N, atol=1e-15)
    apart = other.r + other.A @ np.array(j.point) - one.r - one.A @ np.array(i.point)
    assert_allclose(seen.p.T, np.einsum("tij,tj->ti", M.T @ to_first, apart), atol=1e-14)
    w = np.einsum("tij,tj->ti", other.A, other.w) - np.einsum("tij,tj->ti", one.A, one.w)
    assert_allclose(seen.w.T, np.einsum("tij,tj->ti", M.T @ to_first, w), atol=1e-14)
    assert_allclose(seen.w_second.T, np.einsum("tji,tj->ti", other.A @ N, w), atol=1e-14)


CASES: tuple[tuple[str, dict[str, list[float]]], ...] = (
    ("kissel2021_slider_crank", {"crank.mass": [0.5, 1.0, 1.5]}),
    ("spatial_slider_crank_spring", {"gravity.z": [-9.81, -1.6, -4.0]}),
    ("suspension", {"gravity.z": [-9.81, -9.0, -9.5]}),
    ("cart_pole", {"push": [0.1, 0.5, -0.2]}),
)


@pytest.mark.parametrize(("name", "over"), CASES)
@pytest.mark.parametrize("bytes_of_a_part", [1.0, 5e5])
def test_sweeps_keep_what_results_have(
    name: str, over: dict[str, list[float]], bytes_of_a_part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "PART_BYTES", bytes_of_a_part)
    mech, span = lw.load(name), (0.02, 1e-3)
    result = lw.simulate(mech, *span, "rA")
    keep = ["energy", "power", "position_violation", "velocity_violation", *mech.sensors]
    for joint in mech.joints:
        keep += [f"{joint.name!r}.{one}" for one in (*result.joint(joint.name), "reaction_force", "reaction_torque.y")]
    whole = lw.sweep(mech, over, keep=keep, t_end=span[0], step=span[1], judge=False, threads=1)
    (number, values), *_ = over.items()
    for k, value in enumerate(values):
        wanted = lw.simulate(variant(mech, {number: value}), *span, "rA")
        for text in keep:
            assert_array_equal(whole[text][k], wanted.value(text), err_msg=f"{text} of run {k}")
