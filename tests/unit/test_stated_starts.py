"""Stated starts by compiled code: those of `system.assembly`, up to rounding, and the same bits whoever asks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.stated_start import StatedStarts
from linkwork.run.starting import all_stated
from linkwork.system.assembly import assemble
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import row_sizes

ALL_PLAIN = (
    "kissel2021_slider_crank",  # a driven angle
    "kissel2021_four_link",
    "kissel2021_double_pendulum",
    "stewart_platform",
    "rolling_disc",  # rows of velocities
    "suspension",
)
CLOSE = 1e-12  # lengths, rad, and per second


def consistent(name: str) -> tuple[StatedStarts, CompiledMechanism]:
    starts = StatedStarts(all_stated(lw.load(name)))
    found = assemble(starts.described)
    return starts, starts.described.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w)


def beside(at: CompiledMechanism, off: float, seed: int = 3) -> CompiledMechanism:
    rng, nb = np.random.default_rng(seed), at.nb
    r, v, w = at.r.copy(), at.v.copy(), at.w.copy()
    for array in (r, v, w):
        array[:nb] += off * rng.normal(size=(nb, 3))
    return at.at(r, at.A, v, w)


@pytest.mark.parametrize("name", ALL_PLAIN)
@pytest.mark.parametrize("off", [1e-9, 1e-5])
def test_starts_beside_consistent_ones_are_those_of_assembly(name: str, off: float) -> None:
    starts, at = consistent(name)
    start = beside(at, off)
    found, wanted = starts.assembled(start, 0.0), assemble(start)
    assert found is not None
    for mine, theirs in zip((*found.pose, *found.rates), (*wanted.pose, *wanted.rates), strict=True):
        assert np.abs(mine - theirs).max() < CLOSE
    for size in ("moved", "turned", "velocity_change", "spin_change"):
        assert np.abs(getattr(found, size) - getattr(wanted, size)).max() < CLOSE
    assert abs(found.before - wanted.before) < CLOSE
    assert abs(found.velocity_before - wanted.velocity_before) < CLOSE
    assert found.after < CLOSE
    assert found.velocity_after < CLOSE


@pytest.mark.parametrize("name", [*ALL_PLAIN, "planar_four_bar", "muller2013_three_bar"])
def test_a_consistent_start_stays_to_the_bit_and_tells_the_sizes_of_its_rows(name: str) -> None:
    starts, at = consistent(name)
    found = starts.assembled(at, 0.0)
    assert found is not None
    assert found.stands
    assert found.pose.r is at.r
    assert found.rates.w is at.w
    units, known = (1.0 / at.length, 2.0), replace(at, squares=found.squares)
    np.testing.assert_allclose(row_sizes(known, *units), row_sizes(at, *units), rtol=1e-14)
    assert known.at(at.r, at.A, at.v, at.w).squares is None


def test_what_is_not_plain_is_left_to_assembly() -> None:
    """Poses far off, rows that depend on others, and an angle that is half a turn from its driver's, of zero sine."""
    starts, at = consistent("kissel2021_slider_crank")
    assert starts.assembled(beside(at, 0.01), 0.0) is None
    redundant, there = consistent("planar_four_bar")
    assert redundant.assembled(beside(there, 1e-9), 0.0) is None
    mech = lw.Mechanism("wheel")
    mech.body("wheel", mass=1.0, inertia=[1.0, 1.0, 1.0], position=[0, 0, 0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    mech.driver("motor", "axle", f="0.3*t")
    wheel = StatedStarts(all_stated(mech))
    turned, half = wheel.described, wheel.described.A.copy()
    half[0] = np.diag([-1.0, -1.0, 1.0]).ravel()
    assert wheel.assembled(turned.at(turned.r, half, turned.v, turned.w), 0.0) is None
    found = wheel.assembled(turned, 0.0)
    assert found is not None
    np.testing.assert_allclose(found.rates.w[0], [0.0, 0.0, 0.3], atol=1e-15)


def test_threads_come_to_the_same_bits() -> None:
    starts, at = consistent("kissel2021_slider_crank")
    asked = [beside(at, 1e-6, seed) for seed in range(24)]

    def found(start: CompiledMechanism) -> bytes:
        one = starts.assembled(start, 0.0)
        assert one is not None
        return b"".join(array.tobytes() for array in (*one.pose, *one.rates))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found, asked)) == [found(start) for start in asked]
    fresh = StatedStarts(starts.described)
    last = fresh.assembled(asked[-1], 0.0)
    assert last is not None
    assert b"".join(array.tobytes() for array in (*last.pose, *last.rates)) == found(asked[-1])
