"""What a description states of the start, and in which steps assembly may change it.

A step of a body is a velocity or a small move, u = (translation global, rotation in body components). Its unit steps
are the columns of a matrix (6, 6): what is stated has short ones (`share` of the usual) or none, what is not stated has
whole ones, so that a step of least size changes the unknown first. A stated velocity or position belongs to the
described frame's origin: with the rotation unknown, its centre of mass moves along, u_C = A (u_omega x c).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SHARE = 1e-3  # of a stated quantity's unit steps, where it has to change with the unknown ones
LIGHTEST = 1e-6  # of the largest mass, or m L^2: what a lighter body counts in velocities


@dataclass(frozen=True)
class Held:
    """Which translations and rotations of the bodies are stated (nb,), and where their centres of mass are (nb, 3)."""

    translation: Mask
    rotation: Mask
    centre: Array

    @property
    def anything_free(self) -> bool:
        """Whether something is unknown."""
        return not (np.all(self.translation) and np.all(self.rotation))

    def steps(self, units: Array, A: Array, share: float) -> Array:
        """Unit steps: (6 nb,), or (nb, 6, 6) where an origin stays while its body turns.

        units : (6 nb,) the usual sizes. A : (nb, 9) or (nb + 1, 9) attitudes. share : of the stated ones, 0 to 1.
        """
        nb = len(self.translation)
        sizes = units.reshape(nb, 6) * np.where(
            np.repeat(np.stack([self.translation, self.rotation], axis=1), 3, axis=1), share, 1.0
        )
        about_origin = np.flatnonzero(self.translation & ~self.rotation & np.any(self.centre != 0.0, axis=1))
        if not len(about_origin):
            return sizes.ravel()
        out = np.zeros((nb, 6, 6))
        out[:, np.arange(6), np.arange(6)] = sizes
        for b in about_origin:
            arm = -np.cross(self.centre[b], np.eye(3)).T  # column d: e_d x c
            out[b, :3, 3:] = (A[b].reshape(3, 3) @ arm) * sizes[b, 3:]
        return out


def held_poses(mechanism: CompiledMechanism) -> Held:
    """The stated positions and rotations."""
    return _held(mechanism, "position", "rotation")


def held_velocities(mechanism: CompiledMechanism) -> Held:
    """The stated velocities and angular velocities."""
    return _held(mechanism, "velocity", "angular_velocity")


def _held(mechanism: CompiledMechanism, translation: str, rotation: str) -> Held:
    bodies = mechanism.lowered.bodies
    return Held(
        np.array([getattr(body.stated, translation) for body in bodies], dtype=bool),
        np.array([getattr(body.stated, rotation) for body in bodies], dtype=bool),
        np.array([body.centre for body in bodies], dtype=float).reshape(len(bodies), 3),
    )


def velocity_units(mechanism: CompiledMechanism, weights: Array | None = None) -> Array:
    """Unit changes of velocity (6 nb,): of equal kinetic energy, by masses and moments about the body axes.

    So unknown velocities are those of least energy that fit the stated ones, as a start from rest by impulses gives
    them [Kelvin's theorem], and a light body does not push a heavy one. Where masses are missing, a length counts as a
    radian.
    weights : (nb,) multiply the masses; infinite: the body's velocity stays.
    """
    nb, L = mechanism.nb, mechanism.length
    mass = mechanism.system.bodies.mass[:nb]
    J = mechanism.system.bodies.inertia[:nb].reshape(nb, 9)[:, [0, 4, 8]]
    known = all(body.mass is not None and body.inertia is not None for body in mechanism.lowered.bodies)
    heaviest = float(np.max(mass, initial=0.0))
    of_body = np.array([L, L, L, 1.0, 1.0, 1.0])
    if not known or heaviest == 0.0:
        units = np.tile(of_body, (nb, 1))
    else:
        weight = np.maximum(np.hstack([np.repeat(mass[:, None], 3, axis=1) * L**2, J]), LIGHTEST * heaviest * L**2)
        units = np.sqrt(heaviest * L**2 / weight) * of_body
    if weights is not None:
        units = units / np.sqrt(weights)[:, None]
    return units.ravel()
