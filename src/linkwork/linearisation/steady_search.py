"""The search for a steady motion: Newton's steps of least size on constraints, balance and rates together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.turning_motion import TurningMotion, accelerations_of, derivatives

Array = NDArray[np.float64]
ITERATIONS = 60
LARGEST = 0.3  # rad, and typical lengths, in one step
BALANCED = 1e-11  # of the forces that act, and of speeds
SINGULAR = 1e-10  # of the largest change that a step may bring


class Free(NamedTuple):
    """What may change: poses, and the spins of which bodies (nb,)."""

    poses: bool
    spins: NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """Where a step came to. left (6 nb,) : forces that nothing balances. off : of rows, as a share."""

    guess: TurningMotion
    equations: Equations
    multipliers: Array
    left: Array
    residual: float
    off: float
    scale: float
    iterations: int

    @property
    def size(self) -> float:
        """What is to become zero."""
        return max(self.residual, self.off)


def search(guess: TurningMotion, applied: AppliedForces, t: float, free: Free) -> Found:
    """Newton's steps of least size; the best of all that they came to."""
    first = balance(guess, applied, t, 0)
    best = now = balance(guess.moved(*_step(first, free, speeds_alone=True)), applied, t, 0)
    for k in range(1, ITERATIONS):
        dq, drift, spin = _step(now, free)
        share = min(1.0, LARGEST / max(float(np.max(np.abs(dq / now.equations.unit), initial=0.0)), 1e-300))
        now = balance(now.guess.moved(share * dq, share * drift, share * spin), applied, t, k)
        if best.size <= BALANCED and now.size >= 0.5 * best.size:
            break
        best = now if now.size < best.size else best
    return best


def balance(guess: TurningMotion, applied: AppliedForces, t: float, k: int) -> Found:
    """What is out of balance, and what rows are off by."""
    e = Equations(guess.at, applied, t)
    inertial = e.mass_matrix() @ accelerations_of(guess)
    load = e.force - e.gyroscopic - inertial
    multipliers = e.velocities.multipliers(load)
    left = load - e.G.T @ multipliers
    scale = max(float(np.max(np.abs(x * e.unit), initial=0.0)) for x in (e.force, e.gyroscopic, inertial, load))
    speed = max(float(np.max(np.abs(e.u / e.unit), initial=0.0)), 1e-300)
    phi = np.max(np.abs(e.phi) / e.row_units, initial=0.0, where=~e.velocity_level)
    rate = np.max(np.abs(e.G @ e.u - e.nu) / e.row_units, initial=0.0) / speed
    residual = float(np.max(np.abs(left * e.unit), initial=0.0)) / scale if scale > 0.0 else 0.0
    return Found(guess, e, multipliers, left, residual, float(max(phi, rate)), scale, k)


def _step(found: Found, free: Free, *, speeds_alone: bool = False) -> tuple[Array, Array, Array]:
    """Displacements (6 nb,), drift and spins: the least that Newton's equations ask for.

    speeds_alone : poses stay, and drift and spins are only to fit the rows' rates, before the first step.
    """
    e, (matrix, right, unit) = found.equations, newton_equations(found, free, speeds_alone=speeds_alone)
    y = np.linalg.lstsq(matrix, right, rcond=SINGULAR)[0] * unit
    return y[: e.size], y[e.size : e.size + 3], y[e.size + 3 :]


def newton_equations(found: Found, free: Free, *, speeds_alone: bool = False) -> tuple[Array, Array, Array]:
    """Matrix and right side of Newton's equations for displacements (6 nb,), drift (3,) and spins (nb,), all in the
    units that come last, zero for what may not change; rows by their sizes."""
    e, guess = found.equations, found.guess
    nb = e.at.nb
    by_speed, by_accel = derivatives(guess)
    place = np.hstack([np.eye(e.size), np.zeros((e.size, 3 + nb))])
    rates, missed = e.rate_derivative() @ place + e.G @ by_speed, e.nu - e.G @ e.u
    Y, level = e.velocities.basis, ~e.velocity_level
    stiffness = e.stiffness(found.multipliers, accelerations_of(guess))
    balance = Y.T @ (stiffness @ place + e.damping() @ by_speed + e.mass_matrix() @ by_accel)
    matrix = rates if speeds_alone else np.vstack([balance, (e.G @ place)[level], rates])
    right = missed if speeds_alone else np.hstack([Y.T @ found.left, -e.phi[level], missed])
    rate = max(float(np.linalg.norm(guess.turning)), float(np.max(np.abs(guess.spin), initial=0.0)), 1e-3)
    unit = np.hstack([e.unit, np.full(3, rate * e.at.extent), np.full(nb, rate)])
    may = np.full(e.size, free.poses and not speeds_alone)
    unit *= np.hstack([may, np.ones(3), free.spins & np.any(guess.axis != 0.0, axis=1)])
    sizes = np.linalg.norm(matrix * np.where(unit > 0.0, unit, 1.0), axis=1)
    blocks = (rates,) if speeds_alone else (Y.T, e.phi[level], rates)
    size = np.concatenate([_sizes(x) for x in np.split(sizes, np.cumsum([len(one) for one in blocks])[:-1])])
    return matrix * unit / size[:, None], right / size, unit


def _sizes(size: Array) -> Array:
    """What equations of one kind are divided by: their sizes, but of those that say nothing the largest of the kind."""
    largest = float(np.max(size, initial=0.0))
    return np.where(size > SINGULAR * largest, size, largest or 1.0)
