"""What two runs of a mechanism are compared in besides their motion: accelerations, reactions and energies.

Each difference is a share of the largest value of its quantity over both runs, as velocities are in `studies.motion`.
Torques count as forces at the mechanism's length, angular accelerations as accelerations there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies.motion import Difference, Motion, difference, digits
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
LINEAR = {"accelerations": "acceleration", "reactions": "reaction_force"}
ANGULAR = {"accelerations": "angular_acceleration", "reactions": "reaction_torque"}
ENERGIES = ("kinetic_energy", "potential_energy")
QUANTITIES = ("poses", "velocities", "accelerations", "reactions", "energies")
ROUNDING = 1e-9  # of what length, gravity, mass and span make: quantities that stay below it are rounding


@dataclass(frozen=True)
class Size:
    """What makes numbers of a mechanism large or small: length [m], mass [kg], gravity [m/s^2], span [s]."""

    length: float
    mass: float = 1.0
    gravity: float = 0.0
    span: float = 1.0

    @classmethod
    def of(cls, mechanism: CompiledMechanism, span: float) -> Size:
        """Of a mechanism over a span of time."""
        gravity = float(np.linalg.norm(mechanism.system.gravity))
        return cls(mechanism.extent, float(np.sum(mechanism.system.bodies.mass)), gravity, span)

    @property
    def least(self) -> Mapping[str, float]:
        """By quantity, the size below which it is nothing but rounding."""
        acceleration = ROUNDING * max(self.gravity, self.length / self.span**2)
        force = self.mass * acceleration
        return {"accelerations": acceleration, "reactions": force, "energies": force * self.length}


@dataclass(frozen=True)
class Sampled:
    """A run at some of its samples: its motion, and what else of these is known, name -> (n, ...)."""

    motion: Motion
    loads: Mapping[str, Array]

    @classmethod
    def of(cls, result: Result, pick: Any = slice(None)) -> Sampled:
        """Of a result, at the samples picked."""
        wanted = (*LINEAR.values(), *ANGULAR.values(), *ENERGIES)
        loads = {name: np.asarray(result[name], dtype=float)[pick] for name in wanted if name in result}
        return cls(Motion.of(result, pick), loads)


@dataclass(frozen=True)
class Apart:
    """How far one quantity of two runs is apart. relative : (n,) of its largest size. worst : (n,) index of the
    body, or of the joint for reactions; None for energies, which are of the whole mechanism."""

    time: Array
    relative: Array
    worst: NDArray[np.intp] | None = None

    @property
    def at(self) -> int:
        """The sample at which it is largest."""
        return int(np.argmax(self.relative))

    @property
    def digits(self) -> float:
        """To how many digits the two agree; NaN where the share is not finite."""
        return digits(float(self.relative[self.at])) if len(self.relative) else math.nan


def apart(one: Sampled, other: Sampled, size: Size, idle: Collection[int] = ()) -> dict[str, Apart]:
    """How far two runs are apart over their common times, by quantity; those that one of them lacks are left out.

    idle : joints whose reactions are not unique and are not compared.
    """
    moved = difference(one.motion, other.motion, size.length)
    found = {
        "poses": Apart(moved.time, moved.pose, moved.worst_body),
        "velocities": Apart(moved.time, moved.rate, moved.worst_rate_body),
    }
    n = len(moved.time)
    for what, linear in LINEAR.items():
        names = [name for name in (linear, ANGULAR[what]) if name in one.loads and name in other.loads]
        count = one.loads[names[0]].shape[1] if names else 0
        keep = [k for k in range(count) if what != "reactions" or k not in idle]
        if len(names) == 2 and keep:
            arms = (1.0, size.length if what == "accelerations" else 1.0 / size.length)
            share, worst = _vectors(one, other, names, arms, np.array(keep), n, size.least[what])
            found[what] = Apart(moved.time, share, worst)
    if all(name in run.loads for run in (one, other) for name in ENERGIES):
        found["energies"] = Apart(moved.time, _energies(one, other, n, size.least["energies"]))
    return found


def _vectors(
    one: Sampled,
    other: Sampled,
    names: list[str],
    arms: tuple[float, float],
    keep: NDArray[np.intp],
    n: int,
    least: float,
) -> tuple[Array, NDArray[np.intp]]:
    """The largest difference of two vector variables, angular ones times their arm, as a share; whose it is."""
    off, most = np.zeros((n, len(keep))), least
    for name, arm in zip(names, arms, strict=True):
        a, b = (arm * run.loads[name][:n, keep] for run in (one, other))
        off = np.maximum(off, np.linalg.norm(a - b, axis=-1))
        most = max(most, *(float(np.linalg.norm(x, axis=-1).max(initial=0.0)) for x in (a, b)))
    return off.max(axis=1) / most, keep[off.argmax(axis=1)]


def _energies(one: Sampled, other: Sampled, n: int, least: float) -> Array:
    """The larger difference of kinetic and potential energy, as a share of the largest kinetic energy or change of
    potential energy."""
    kinetic, potential = (np.array([run.loads[name][:n] for run in (one, other)]) for name in ENERGIES)
    most = max(least, float(kinetic.max(initial=0.0)), float(np.ptp(potential, axis=1).max(initial=0.0)) if n else 0.0)
    ratio: Array = np.maximum(np.abs(kinetic[0] - kinetic[1]), np.abs(potential[0] - potential[1])) / most
    return ratio


def motion_of(found: Mapping[str, Apart]) -> Difference:
    """The part of a comparison that is about motion."""
    poses, velocities = found["poses"], found["velocities"]
    assert poses.worst is not None
    assert velocities.worst is not None
    return Difference(poses.time, poses.relative, velocities.relative, poses.worst, velocities.worst)
