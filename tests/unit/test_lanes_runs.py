"""Whole runs in lanes: what an instance comes to depends on nothing but itself, and is what one run alone finds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.lanes_case import BARS, EVERY, STEPS, Instances, Room, Spot, alone, held, in_lanes, starts, swing

from linkwork.errors import UsageError
from linkwork.lanes import runner
from linkwork.lanes.batch import Batch, why_not
from linkwork.lanes.runner import run_lanes
from linkwork.studies.generated import chain


def test_instances_are_what_one_run_alone_finds() -> None:
    spots, values = starts(7)
    room = in_lanes(swing(), spots, values)
    assert np.all(room.status == 0)
    assert np.allclose(room.time, 1e-3 * EVERY * np.arange(STEPS // EVERY + 1))
    for k, value in enumerate(values):
        found = alone(swing(), spots, value)
        assert np.allclose(room.motion[k], found, rtol=1e-13, atol=1e-13)
        assert np.any(np.abs(found - alone(swing(), spots, values[k - 1])) > 0.1)


def test_what_an_instance_comes_to_does_not_depend_on_the_others() -> None:
    """Not on their order, on how many there are, on the lane, on the thread."""
    spots, values = starts(9)
    room = in_lanes(swing(), spots, values)
    order = np.random.default_rng(4).permutation(9)
    assert np.array_equal(in_lanes(swing(), spots, values[order]).motion, room.motion[order])
    for k in range(3):
        assert np.array_equal(in_lanes(swing(), spots, values[[k]]).motion[0], room.motion[k])
    copies = [held(chain(BARS)) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda one: in_lanes(one, spots, values), copies):
            assert np.array_equal(found.motion, room.motion)


def test_samples_come_in_parts_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """By recorded code, and by compiled kernels in lanes."""
    spots, values = starts(5)
    whole = in_lanes(swing(), spots, values)
    for recorded in (True, False):
        if not recorded:
            monkeypatch.setattr(runner, "run_recorded", lambda *_: None)
            whole = in_lanes(swing(), spots, values)
        with monkeypatch.context() as change:
            change.setattr(runner, "SAMPLES", 5)
            parts = in_lanes(swing(), spots, values)
        assert np.array_equal(parts.time, whole.time)
        assert np.array_equal(parts.motion, whole.motion)


def test_copies_that_fill_up_have_no_say() -> None:
    """Of three instances the first, whose copies stand in the other lanes, goes another way."""
    spots, values = starts(3)
    values[0, 0] += 2e5
    one, batch = swing(), Batch(swing().run, 8)
    one.placed.restore(one.run)
    batch.keep(0)
    batch.alter(values, runner.places_of(batch, one, spots))
    batch.begin(3)
    batch.find_slopes()
    batch.advance(STEPS)
    assert batch.strays == (0,)


def test_an_instance_that_leaves_the_others_path_is_what_it_is_alone() -> None:
    """One angle is beyond what polynomials are for: cosines come from elsewhere then. One is not a number."""
    spots, values = starts(6)
    usual = in_lanes(swing(), spots, values)
    values[2, 0] += 2e5
    values[4, 1] = np.nan
    room = in_lanes(swing(), spots, values)
    others = [0, 1, 3, 5]
    assert np.array_equal(room.motion[others], usual.motion[others])
    assert list(room.status[[0, 1, 2, 3, 5]]) == [0] * 5
    assert room.status[4] != 0
    assert np.array_equal(room.motion[2], in_lanes(swing(), spots, values[[2]]).motion[0])
    assert np.allclose(room.motion[2], alone(swing(), spots, values[2]), rtol=1e-12, atol=1e-9)


def test_numbers_that_compiled_code_does_not_read_are_refused() -> None:
    one = swing()
    name = next(name for name, array in one.arrays.items() if array.dtype != np.float64 and array.size)
    room = Room(*[np.zeros(0)] * 5)
    assert not run_lanes(one, Instances((Spot(name, 0),), np.zeros((3, 1)), STEPS), room)


def test_what_lanes_do_not_carry_is_said() -> None:
    assert "explicit Runge-Kutta methods only" in why_not(held(chain(1), "rA", "implicit-euler").run)
    assert "of articulated-body, and of canonical for trees" in why_not(held(chain(1), "lie-mixed").run)
    adaptive = held(chain(1), "articulated-body", "ts54", rtol=1e-6).run
    with pytest.raises(UsageError, match="steps of one size only"):
        Batch(adaptive)


@pytest.mark.parametrize("seed", [*range(14), 15, 19, 30])
def test_random_mechanisms_with_their_weight_in_other_directions(seed: int) -> None:
    """Trees and loops of all joints, forces, formulas, drivers, redundant rows."""
    one = held(random_mechanism(seed))
    gravity = one.arrays["tables.gravity"].copy()
    spots = tuple(Spot("tables.gravity", k) for k in range(3))
    values = gravity * np.random.default_rng(seed).uniform(0.9, 1.1, (6, 3))
    room = in_lanes(one, spots, values)
    assert list(room.status) == [0] * 6
    for k in range(6):
        found = alone(one, spots, values[k])
        assert np.allclose(room.motion[k], found, rtol=0.0, atol=1e-12 * np.max(np.abs(found)))
    assert np.array_equal(in_lanes(one, spots, values[::-1]).motion[::-1], room.motion)


def test_what_cannot_be_compiled_for_lanes_goes_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.errors import TypingError

    from linkwork.lanes.compiler.entries import LaneEntry

    def fail(entry: LaneEntry) -> None:
        raise TypingError("no such function of lanes")

    monkeypatch.setattr(LaneEntry, "make", fail)
    monkeypatch.setattr(runner, "recorded_batch", lambda held, instances: None)
    one = held(chain(1))
    with pytest.raises(UsageError, match="does what lanes have no code for"):
        Batch(one.run)
    assert not run_lanes(one, Instances((), np.zeros((3, 0)), STEPS), Room(*[np.zeros(0)] * 5))
