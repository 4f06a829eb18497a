"""Mechanisms as plain data, so that a peer can be given what linkwork is given.

Everything is stated once, in global coordinates at t = 0, SI units; rotations turn body into global components;
the angular velocity is in body components, the inertia about the centre of mass, where the body's frame is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
GROUND = "ground"


@dataclass(frozen=True)
class BodyData:
    """A rigid body: kg, (3, 3) kg m^2, m, (3, 3), m/s (global), rad/s (body)."""

    name: str
    mass: float
    inertia: Array
    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array


@dataclass(frozen=True)
class JointData:
    """A joint at a global point with a global axis; `axis2` is a universal joint's axis on the second body.

    `type` is linkwork's name: revolute, spherical, universal, translational, cylindrical, rolling-disc, ...
    A rolling disc touches ground's plane through `point` with normal `axis`; `axis2` is the disc's own axis.
    """

    name: str
    type: str
    first: str
    second: str
    point: Vector
    axis: Vector = (0.0, 0.0, 1.0)
    axis2: Vector = (0.0, 0.0, 1.0)
    radius: float = 0.0


@dataclass(frozen=True)
class DriverData:
    """The angle by which a revolute joint has turned since t = 0: rate t + swing (cos(frequency t) - 1), rad."""

    joint: str
    rate: float = 0.0
    swing: float = 0.0
    frequency: float = 0.0


@dataclass(frozen=True)
class SpringData:
    """A translational spring-damper between points given in body components; N/m, N s/m, m."""

    first: str
    second: str
    on_first: Vector
    on_second: Vector
    stiffness: float
    damping: float
    length: float


@dataclass(frozen=True)
class ModelData:
    """A mechanism, whole.

    planar : the bodies that form a planar loop carry redundant revolute joints; a peer that cannot take redundant
        rows drops these joints' out-of-plane equations.
    """

    name: str
    bodies: tuple[BodyData, ...]
    joints: tuple[JointData, ...]
    drivers: tuple[DriverData, ...] = ()
    springs: tuple[SpringData, ...] = ()
    gravity: Vector = (0.0, 0.0, -9.81)
    planar: frozenset[str] = field(default=frozenset())

    def joint(self, name: str) -> JointData:
        """The joint of this name."""
        return next(joint for joint in self.joints if joint.name == name)


def unit(v: Array) -> Array:
    """v / |v|."""
    return np.asarray(v / np.sqrt(v @ v))


def columns(*vectors: Array) -> Array:
    """The matrix with these columns."""
    return np.column_stack(vectors)


def complex_rate(pose: Callable[[complex], tuple[NDArray[np.complex128], NDArray[np.complex128]]]) -> tuple[Array, ...]:
    """r, A, rdot and body angular velocity at t = 0 of a pose given as a smooth function of t.

    The derivative is taken along an imaginary step, exact to rounding.
    """
    step = 1e-30
    r, A = pose(0.0 + 1j * step)
    R, Rdot = A.real, A.imag / step
    W = R.T @ Rdot
    return r.real, R, r.imag / step, np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2.0
