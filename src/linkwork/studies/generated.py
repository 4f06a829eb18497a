"""Mechanisms of any size, for studies and benchmarks of how cost grows: chains, trees, ladders of four-bars, a Bricard.

All are made of bars on pins, described in global coordinates at the start, SI units.

`chain`, `tree` : bars of 0.3 m and 1 kg, released at rest.
`ladder` : the N-four-bar problem (A02 of the IFToMM library of computational benchmark problems, after Bayo and Avello
    1994): N + 1 upright cranks on the ground, their tips joined by N level couplers, all 1 m and 1 kg. Whenever the
    cranks lie level its rows lose rank, and the mobility rises from 1 to N + 1.
`bricard` : five bars and six pins along the edges of a cube (A04 of the same library): one redundant row everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.vec3 import cross
from linkwork.mechanism import Mechanism
from linkwork.mechanism.markers import direction

Array = NDArray[np.float64]
Plain = dict[str, Any]
GRAVITY = (0.0, -9.81, 0.0)  # m/s^2
LENGTH, MASS, WIDTH = 0.3, 1.0, 0.03  # m, kg, m: a bar of `chain` and `tree`
X, Y, Z = np.eye(3)
CORNERS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))  # m: pins of `bricard`
AXES = (Y, Z, X, Y, Z, X)
SQUARE = 0.1  # m: side of its bars' section


def chain(n: int, bend: float = 0.1) -> Mechanism:
    """A pendulum of n bars along x on pins whose axes alternate between z and y.

    bend : angle between neighbours, in radians; its sign changes after every second bar.
    """
    A, end = np.eye(3), np.zeros(3)
    bodies, joints = [], []
    for k in range(n):
        axis = A[:, 2 - k % 2]
        joints.append(_pin(f"pin {k + 1}", "ground" if k == 0 else f"bar {k}", f"bar {k + 1}", end, axis))
        A = _rotation(A @ _turned(2 - k % 2, bend if k % 4 < 2 else -bend))
        along = LENGTH * A[:, 0]
        bodies.append(_bar(f"bar {k + 1}", end + 0.5 * along, A, MASS, _moments(MASS, LENGTH, WIDTH)))
        end = end + along
    return Mechanism(f"chain of {n}", bodies, joints, gravity=GRAVITY)


def tree(n: int, branches: int = 2, spread: float = 0.5) -> Mechanism:
    """n bars of which each carries up to `branches` others on pins at its tip; breadth first, so that depth is log n.

    spread : angle in radians over which the branches of a bar fan out.
    """
    bodies, joints = [], []
    places: list[tuple[Array, Array, int]] = []  # tip and rotation of each bar, and the axis of its pin
    for k in range(n):
        parent, side = (k - 1) // branches, (k - 1) % branches
        base, A, axis = (np.zeros(3), np.eye(3), 1) if k == 0 else places[parent]
        axis = 3 - axis  # pins of neighbouring levels are perpendicular
        turn = spread * (side / max(1, branches - 1) - 0.5) if k else 0.0
        before = "ground" if k == 0 else f"bar {parent + 1}"
        joints.append(_pin(f"pin {k + 1}", before, f"bar {k + 1}", base, A[:, axis]))
        A = A @ _turned(axis, turn)
        along = LENGTH * A[:, 0]
        bodies.append(_bar(f"bar {k + 1}", base + 0.5 * along, A, MASS, _moments(MASS, LENGTH, WIDTH)))
        places.append((base + along, A, axis))
    return Mechanism(f"tree of {n}", bodies, joints, gravity=GRAVITY)


def ladder(n: int, closing: Literal["revolute", "point-in-line"] = "revolute", speed: float = 1.0) -> Mechanism:
    """n four-bars in a row: 2 n + 1 links of 1 m and 1 kg in the x-y plane, gravity along -y; B0 starts with `speed`.

    closing : the joint between the far end of a coupler and the next crank. 'revolute': all joints are spatial pins,
        and 3 n rows are redundant. 'point-in-line': it locks in the plane only, and none is (but at level cranks).
    """
    moments = _moments(1.0, 1.0, WIDTH, 1.0 / 12.0)
    spin, swing, along = (0.0, 0.0, -speed), (0.5 * speed, 0.0, 0.0), (speed, 0.0, 0.0)
    upright = np.column_stack([Y, -X, Z])
    bodies, joints = [], []
    for k in range(n + 1):
        place = np.array([k, 0.5, 0.0])
        bodies.append(_bar(f"crank {k}", place, upright, 1.0, moments, velocity=swing, angular_velocity=spin))
        joints.append(_pin(f"A{k}", "ground", f"crank {k}", place - 0.5 * Y, Z))
    for k in range(n):
        left = np.array([k, 1.0, 0.0])
        bodies.append(_bar(f"coupler {k}", left + 0.5 * X, np.eye(3), 1.0, moments, velocity=along))
        joints.append(_pin(f"B{k}", f"crank {k}", f"coupler {k}", left, Z))
        joints.append(_pin(f"C{k}", f"coupler {k}", f"crank {k + 1}", left + X, Z, closing))
    return Mechanism(f"ladder of {n}", bodies, joints, gravity=GRAVITY)


def bricard(section: Literal["square", "thin"] = "square") -> Mechanism:
    """Bricard's six-pin loop of five bars of 1 m and 1 kg, at rest, gravity along -y.

    section : 'square', 0.1 m wide; 'thin', without inertia along the bar (which some methods refuse).
    """
    moments = _moments(1.0, 1.0, SQUARE) if section == "square" else (0.0, 1.0 / 12.0, 1.0 / 12.0)
    corners = np.array(CORNERS, dtype=float)
    bodies = []
    for k in range(5):
        along, across = corners[k + 1] - corners[k], AXES[k]
        A = np.column_stack([along, across, np.cross(along, across)])
        bodies.append(_bar(f"bar {k + 1}", 0.5 * (corners[k] + corners[k + 1]), A, 1.0, moments))
    names = ["ground", *(f"bar {k + 1}" for k in range(5)), "ground"]
    joints = [_pin(f"P{k}", names[k], names[k + 1], corners[k], AXES[k]) for k in range(6)]
    return Mechanism(f"Bricard, {section}", bodies, joints, gravity=GRAVITY)


GENERATORS: dict[str, Callable[[int], Mechanism]] = {"chain": chain, "tree": tree, "ladder": ladder}


def _moments(mass: float, length: float, width: float, across: float | None = None) -> tuple[float, float, float]:
    """Of a square bar along x, kg m^2; `across` instead of what its section makes."""
    normal = mass * (length**2 + width**2) / 12.0 if across is None else across
    return (mass * width**2 / 6.0, normal, normal)


def _turned(axis: int, angle: float) -> Array:
    """The rotation by `angle` about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    A = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    A[i, i] = A[j, j] = c
    A[i, j], A[j, i] = -s, s
    return A


def _rotation(A: Array) -> Array:
    """Orthonormal to the last digit, whatever rounding has done to A."""
    x = direction(A[:, 0].tolist())
    z = direction(cross(x, A[:, 1].tolist()))
    return np.array([x, cross(z, x), z]).T.copy()


def _bar(name: str, place: Array, A: Array, mass: float, moments: Any, **motion: Any) -> Plain:
    shape = {"mass": mass, "inertia": list(moments), "position": place.tolist(), "rotation": A.tolist()}
    return {"name": name, **shape, **{key: list(value) for key, value in motion.items()}}


def _pin(name: str, first: str, second: str, point: Array, axis: Array, type: str = "revolute") -> Plain:
    return {
        "name": name, "type": type, "first": first, "second": second, "point": point.tolist(), "axis": axis.tolist()
    }  # fmt: skip
