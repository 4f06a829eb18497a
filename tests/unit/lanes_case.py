"""Runs in lanes: held runs, instances of them, and what one run alone comes to."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import linkwork as lw
from linkwork.lanes.runner import run_lanes
from linkwork.run.held import Held
from linkwork.run.simulate import Call, held_of
from linkwork.run.starting import prepare
from linkwork.studies.generated import chain

BARS, STEPS, EVERY = 3, 60, 5


class Spot(NamedTuple):
    array: str
    at: int


class Instances(NamedTuple):
    spots: tuple[Spot, ...]
    values: np.ndarray
    units: int


class Room(NamedTuple):
    time: np.ndarray
    motion: np.ndarray
    status: np.ndarray
    columns: np.ndarray
    multiplier: np.ndarray


def held(mech: lw.Mechanism, formulation: str = "articulated-body", integrator: str = "rk4", **options: Any) -> Held:
    call = Call.of(mech, 1e-3 * STEPS, 1e-3, formulation, integrator, lw.Samples(every=EVERY), None, options)
    return held_of(call, prepare(mech, dynamics=True))


@cache
def swing() -> Held:
    return held(chain(BARS))


def in_lanes(one: Held, spots: tuple[Spot, ...], values: np.ndarray) -> Room:
    n, mechanism, ns = len(values), one.run.problem.mechanism, STEPS // EVERY + 1
    size = 24 * mechanism.nb
    room = Room(np.zeros(ns), np.full((n, ns, size), np.nan), np.full(n, -1), np.arange(size), np.zeros((n, ns, 0)))
    assert run_lanes(one, Instances(spots, values, STEPS), room)
    return room._replace(motion=room.motion.reshape(n, ns, mechanism.nb, 24))


def alone(one: Held, spots: tuple[Spot, ...], values: np.ndarray) -> np.ndarray:
    one.placed.restore(one.run)
    for spot, value in zip(spots, values, strict=True):
        one.arrays[spot.array].reshape(-1)[spot.at] = value
    assert one.run.initialise() == 0
    first = one.run.first()
    status, block = one.run.advance(STEPS)
    assert status == 0
    return np.concatenate([first["motion"], block["motion"]])


def starts(many: int, seed: int = 1) -> tuple[tuple[Spot, ...], np.ndarray]:
    """Angles and rates at the start."""
    one = swing()
    base = one.run.problem.solver.recursion.base
    name = next(name for name, array in one.arrays.items() if array is base)
    spots = tuple(Spot(name, 2 * k) for k in range(2 * BARS))
    return spots, np.random.default_rng(seed).uniform(-0.6, 0.6, (many, 2 * BARS))
