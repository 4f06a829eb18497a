"""A motion in which everything turns with one angular velocity, drifts, and bodies spin about axes of symmetry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.quantities.table import measure
from linkwork.kernels.so3 import exp_so3
from linkwork.linearisation.equations import diagonal, tilde
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import angles_at_start
from linkwork.system.dense import Pose

Array = NDArray[np.float64]
SYMMETRIC = 1e-9  # of the largest moment of inertia


@dataclass(frozen=True)
class TurningMotion:
    """A motion that would be steady: the mechanism at its poses and velocities, W, drift, spins about axes."""

    at: CompiledMechanism
    turning: Array
    drift: Array
    spin: Array
    axis: Array

    @classmethod
    def of(cls, start: CompiledMechanism, W: Array) -> TurningMotion:
        """What is nearest to the start's velocities."""
        nb = start.nb
        A, w = start.A[:nb].reshape(nb, 3, 3), start.w[:nb]
        rest = w - A.transpose(0, 2, 1) @ W
        axis = axes_of_symmetry(start.system.bodies.inertia[:nb].reshape(nb, 3, 3), rest)
        mass = start.system.bodies.mass[:nb]
        drift = np.average(start.v[:nb] - np.cross(W, start.r[:nb]), axis=0, weights=mass if mass.sum() else None)
        return cls(start, W, drift, np.einsum("bi,bi->b", rest, axis), axis).moving()

    def moving(self) -> TurningMotion:
        """With the velocities of the motion."""
        nb = self.at.nb
        v, w = np.zeros_like(self.at.v), np.zeros_like(self.at.w)
        v[:nb] = np.cross(self.turning, self.at.r[:nb]) + self.drift
        w[:nb] = self.along + self.spins
        return replace(self, at=self.at.at(self.at.r, self.at.A, v, w))

    @property
    def along(self) -> Array:
        """(nb, 3) A^T W."""
        nb = self.at.nb
        found: Array = self.at.A[:nb].reshape(nb, 3, 3).transpose(0, 2, 1) @ self.turning
        return found

    @property
    def spins(self) -> Array:
        """(nb, 3) s e."""
        found: Array = self.spin[:, None] * self.axis
        return found

    def moved(self, displacement: Array, drift: Array, spin: Array) -> TurningMotion:
        """Displacements (6 nb,), drift and spins added."""
        pose: Any = Pose(self.at.r, self.at.A).moved(displacement)
        at = self.at.at(pose.r, pose.A, self.at.v, self.at.w)
        return replace(self, at=at, drift=self.drift + drift, spin=self.spin + spin).moving()

    def later(self, angle: float) -> CompiledMechanism:
        """Where it is after a turn or spin of about this angle [rad], drift included."""
        rate = max(float(np.linalg.norm(self.turning)), float(np.max(np.abs(self.spin), initial=0.0)))
        t = angle / rate if rate > 0.0 else angle
        R = np.array(exp_so3(tuple(self.turning * t))).reshape(3, 3)
        r, A = self.at.r.copy(), self.at.A.copy()
        grown = _integral(self.turning, t) @ self.drift
        for b in range(self.at.nb):
            spun = np.array(exp_so3(tuple(self.spins[b] * t))).reshape(3, 3)
            r[b] = R @ r[b] + grown
            A[b] = (R @ A[b].reshape(3, 3) @ spun).ravel()
        found = replace(self, at=self.at.at(r, A, self.at.v, self.at.w)).moving().at
        return replace(found, counted_angles=angles_after(self.at, t)) if self.at.rigid else found


def angles_after(at: CompiledMechanism, t: float) -> Array:
    """(angles,) rad: counted angles of a steady motion after t: quantities, the last ones, go on at their rates."""
    angles, q = angles_at_start(at).copy(), at.system.quantities
    first, found = len(angles) - len(q.kind), np.zeros(2 * len(q.kind))
    measure(q, at.r, at.A, at.v, at.w, angles, first, found)
    angles[first:] = found[::2] + t * found[1::2]
    return angles


def _integral(W: Array, t: float) -> Array:
    """(3, 3) the integral of exp(W~ tau) over tau from 0 to t."""
    w = float(np.linalg.norm(W))
    if w * abs(t) < 1e-6:
        return t * np.eye(3)
    n = tilde(W[None] / w)[0]
    found: Array = t * np.eye(3) + (1.0 - np.cos(w * t)) / w * n + (t - np.sin(w * t) / w) * (n @ n)
    return found


def axes_of_symmetry(inertia: Array, spin: Array) -> Array:
    """(nb, 3) about which bodies with inertia (nb, 3, 3) may spin in steady motion, zero where there is none.

    spin (nb, 3) : rad/s; its direction is taken where all moments of inertia are alike.
    """
    out = np.zeros((len(inertia), 3))
    for b, J in enumerate(inertia):
        values, vectors = np.linalg.eigh(J)
        alike = [abs(values[k] - values[j]) <= SYMMETRIC * abs(values[2]) for k, j in ((1, 2), (0, 2), (0, 1))]
        if all(alike):
            size = float(np.linalg.norm(spin[b]))
            out[b] = spin[b] / size if size > 0.0 else 0.0
        elif any(alike):
            out[b] = vectors[:, alike.index(True)]
    return out


def accelerations_of(guess: TurningMotion) -> Array:
    """(6 nb,) the accelerations of the motion."""
    nb = guess.at.nb
    return np.hstack([np.cross(guess.turning, guess.at.v[:nb]), np.cross(guess.along, guess.spins)]).ravel()


def derivatives(guess: TurningMotion) -> tuple[Array, Array]:
    """(6 nb, 6 nb + 3 + nb) of velocities and of accelerations, by displacements, drift and spins."""
    nb, across, along = guess.at.nb, tilde(guess.turning[None])[0], tilde(guess.along)
    speed_d, speed_s = np.zeros((nb, 6, 3)), np.zeros((nb, 6, nb))
    accel_d, accel_s = np.zeros((nb, 6, 3)), np.zeros((nb, 6, nb))
    speed_d[:, :3], accel_d[:, :3] = np.eye(3), across
    speed_s[range(nb), 3:, range(nb)] = guess.axis
    accel_s[range(nb), 3:, range(nb)] = np.einsum("bij,bj->bi", along, guess.axis)
    speeds = (_blocks(nb, across, along), speed_d.reshape(-1, 3), speed_s.reshape(-1, nb))
    accelerations = (
        _blocks(nb, across @ across, -tilde(guess.spins) @ along),
        accel_d.reshape(-1, 3),
        accel_s.reshape(-1, nb),
    )
    return np.hstack(speeds), np.hstack(accelerations)


def _blocks(nb: int, linear: Array, angular: Array) -> Array:
    """(6 nb, 6 nb): the same block for all translations, one of each body for rotations."""
    out = np.zeros((nb, 6, 6))
    out[:, :3, :3], out[:, 3:, 3:] = linear, angular
    return diagonal(out)
