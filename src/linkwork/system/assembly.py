"""Assembly: start positions, then velocities, made to fit the constraints with the least change.

Positions: Gauss-Newton with steps of least weighted size, never accepted unless they bring the rows closer, so
that a pose which fits already stays as it is. Velocities: one linear least-change problem. Rows at velocity
level take part in the second only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import AssemblyError
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, Rates, constraints, drives, velocity_rhs

Array = NDArray[np.float64]

ITERATIONS = 60
LARGEST_TURN = 0.5  # rad per Gauss-Newton step
FITS = 1e-13  # of the typical length: what rounding leaves
ACCEPTED = 1e-10


@dataclass(frozen=True)
class Assembled:
    """A consistent start and what it took.

    moved, turned : how far each body moved [m] and turned [rad]; (nb,)
    velocity_change, spin_change : sizes of the changes of velocity [m/s] and angular velocity [rad/s]; (nb,)
    before, after : largest constraint violation before and after, of positions; and of velocities.
    """

    pose: Pose
    rates: Rates
    moved: Array
    turned: Array
    velocity_change: Array
    spin_change: Array
    before: float
    after: float
    velocity_before: float
    velocity_after: float


def assemble(mechanism: CompiledMechanism, t: float = 0.0) -> Assembled:
    """Make the start pose and velocity of a mechanism consistent at time t.

    Raises AssemblyError naming the rows that cannot be met, with the closest values found.
    """
    start = Pose(mechanism.r, mechanism.A)
    drive = drives(mechanism, t)
    pose, before, after = _assemble_positions(mechanism, start, drive)
    rates, velocity_before, velocity_after = _assemble_velocities(mechanism, pose, drive)
    nb = mechanism.nb
    turned = np.array([_turn(start.A[b], pose.A[b]) for b in range(nb)])
    return Assembled(
        pose=pose,
        rates=rates,
        moved=np.linalg.norm(pose.r[:nb] - start.r[:nb], axis=1),
        turned=turned,
        velocity_change=np.linalg.norm(rates.v[:nb] - mechanism.v[:nb], axis=1),
        spin_change=np.linalg.norm(rates.w[:nb] - mechanism.w[:nb], axis=1),
        before=before,
        after=after,
        velocity_before=velocity_before,
        velocity_after=velocity_after,
    )


def _turn(A: Array, B: Array) -> float:
    cosine = (float(A @ B) - 1.0) / 2.0  # trace of A^T B
    sine = np.linalg.norm(A.reshape(3, 3).T @ B.reshape(3, 3) - (A.reshape(3, 3).T @ B.reshape(3, 3)).T) / np.sqrt(8.0)
    return float(np.arctan2(sine, cosine))


def _weights(mechanism: CompiledMechanism) -> Array:
    """Column scaling: one unit is a turn of 1 rad or a move of the typical length."""
    return np.tile(np.r_[np.full(3, mechanism.length), np.ones(3)], mechanism.nb)


def least_change(G: Array, rhs: Array, weights: Array) -> Array:
    """The smallest weighted step with G step = rhs, in the least-squares sense where rows conflict."""
    if not len(rhs):
        return np.zeros(len(weights))
    size = np.linalg.norm(G * weights, axis=1)
    size = np.where(size > 0, size, 1.0)
    step: Array = np.linalg.lstsq(G * weights / size[:, None], rhs / size, rcond=1e-11)[0]
    return step * weights


def _assemble_positions(mechanism: CompiledMechanism, start: Pose, drive: Array) -> tuple[Pose, float, float]:
    held = mechanism.system.rows.nonholonomic == 0
    weights = _weights(mechanism)
    pose = start
    phi, G = constraints(mechanism, pose, drive)
    before = error = _largest(phi[held])
    fits = FITS * max(1.0, mechanism.length)
    for _ in range(ITERATIONS):
        if error <= fits:
            break
        step = least_change(G[held], -phi[held], weights)
        turn = float(np.max(np.abs(step.reshape(-1, 6)[:, 3:]), initial=0.0))
        share = min(1.0, LARGEST_TURN / turn) if turn > 0 else 1.0
        for _ in range(12):
            trial = pose.moved(share * step)
            phi_trial, G_trial = constraints(mechanism, trial, drive)
            if _total(phi_trial[held]) < _total(phi[held]):
                break
            share /= 2
        else:
            break
        pose, phi, G = trial, phi_trial, G_trial
        error = _largest(phi[held])
    if not error <= ACCEPTED * max(1.0, mechanism.length):
        worst = [int(k) for k in np.argsort(-np.abs(np.where(held, phi, 0.0)))[:4] if held[k] and abs(phi[k]) > 0.01 * error]
        rows = ", ".join(f"'{mechanism.row_names[k]}' ({phi[k]:+.3g})" for k in worst)
        raise AssemblyError(
            f"its constraints cannot be met together; closest found: {rows}.",
            element=f"mechanism {mechanism.lowered.name!r}",
            remedy="Check lengths and start positions of the parts these rows join, and drivers at t = 0.",
        )
    return pose, before, error


def _assemble_velocities(mechanism: CompiledMechanism, pose: Pose, drive: Array) -> tuple[Rates, float, float]:
    nb = mechanism.nb
    _, G = constraints(mechanism, pose, drive)
    nu = velocity_rhs(mechanism, pose, drive)
    u = np.hstack([mechanism.v[:nb], mechanism.w[:nb]]).ravel()
    missing = nu - G @ u
    before = _largest(missing)
    weights = _weights(mechanism)
    step = least_change(G, missing, weights) if before > 0 else np.zeros_like(u)
    if before > 0:
        step += least_change(G, missing - G @ step, weights)  # once more, for the last digits
    u = u + step
    rest = nu - G @ u
    after = _largest(rest)
    speed = max(1.0, _largest(nu), float(np.max(np.abs(u), initial=0.0)) * mechanism.length)
    if not after <= 1e-9 * speed:
        k = int(np.argmax(np.abs(rest)))
        raise AssemblyError(
            f"no velocities meet row '{mechanism.row_names[k]}' together with the others (off by {rest[k]:+.3g}).",
            element=f"mechanism {mechanism.lowered.name!r}",
            remedy="A driver asks for a motion that the joints lock, or two drivers conflict; `linkwork check` names them.",
        )
    v, w = np.zeros((nb + 1, 3)), np.zeros((nb + 1, 3))
    v[:nb], w[:nb] = u.reshape(nb, 6)[:, :3], u.reshape(nb, 6)[:, 3:]
    return Rates(v, w), before, after


def _largest(x: Array) -> float:
    if not np.all(np.isfinite(x)):
        return float("inf")
    return float(np.max(np.abs(x), initial=0.0))


def _total(x: Array) -> float:
    total = float(x @ x)
    return total if np.isfinite(total) else float("inf")
