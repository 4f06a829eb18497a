"""A part: one solid of a scene, fixed to a body, and the solids that a description's shapes become."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from linkwork.header import Array

IDENTITY = (0.0, 0.0, 0.0, 1.0)
THIN = 0.004  # of the mechanism's size: how thick rods, plates and discs without a thickness are drawn


class Part(NamedTuple):
    """A solid on a body (-1: ground). Round solids are long in their own z axis.

    kind : box (three edges), cylinder, capsule, cone (radius, length), tube (radius, inner radius, length), sphere
        (radius), ellipsoid (three semi-axes), mesh (its number among the scene's meshes, half the edges of its box).
    position, quaternion : its place on the body, in components about the centre of mass, m; x, y, z, w.
    role : body, mark (a stripe on one), joint, rail (what a joint slides on) or plane.
    of : number of the body or joint that it shows.
    """

    body: int
    kind: str
    size: tuple[float, ...]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quaternion: tuple[float, float, float, float] = IDENTITY
    colour: str = ""
    role: str = "body"
    of: int = -1


def quaternion_of(A: Any) -> tuple[float, float, float, float]:
    """x, y, z, w of a rotation matrix (3, 3), w not negative."""
    x, y, z, w = quaternions(np.asarray(A, dtype=float)[None])[0].tolist()
    return (x, y, z, w)


def quaternions(A: Array) -> Array:
    """(n, 4) x, y, z, w of rotation matrices (n, 3, 3), from the largest of the four, which loses no digits."""
    a, b, c = A[:, 0, 0], A[:, 1, 1], A[:, 2, 2]
    squares = np.stack([1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c], axis=1)
    most = np.argmax(squares, axis=1)
    half = 2.0 * np.sqrt(np.maximum(np.max(squares, axis=1), 1e-300))
    sums = {(0, 1): A[:, 0, 1] + A[:, 1, 0], (0, 2): A[:, 0, 2] + A[:, 2, 0], (1, 2): A[:, 1, 2] + A[:, 2, 1]}
    sums |= {(0, 3): A[:, 2, 1] - A[:, 1, 2], (1, 3): A[:, 0, 2] - A[:, 2, 0], (2, 3): A[:, 1, 0] - A[:, 0, 1]}
    out = np.empty((len(A), 4))
    for k in range(4):
        for m in range(4):
            value = squares[:, k] if k == m else sums[min(k, m), max(k, m)]
            out[:, m] = np.where(most == k, value / half, out[:, m])
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    return np.where(out[:, 3:] < 0.0, -out, out)


def along(z: Any) -> Array:
    """A rotation (3, 3) whose third column is the direction z."""
    z = np.asarray(z, dtype=float)
    z = z / max(float(np.linalg.norm(z)), 1e-300)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


AXES = {
    "x": quaternion_of(np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])),  # its z along the body's x
    "y": quaternion_of(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])),
    "z": IDENTITY,
}


def rod(body: int, a: Any, b: Any, radius: float, **more: Any) -> Part:
    """A cylinder from point a to point b of a body."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    middle = tuple(((a + b) / 2.0).tolist())
    return Part(body, "cylinder", (radius, math.dist(a, b)), middle, quaternion_of(along(b - a)), **more)


def of_shape(shape: Any, body: int, size: float) -> Part:
    """The part that a shape of the description is, at the body's centre of mass; `size` of the mechanism, m."""
    thin = THIN * size
    kind = shape.type
    if kind == "box":
        return Part(body, "box", tuple(shape.size))
    if kind == "plate":
        return Part(body, "box", (shape.width, shape.height, min(thin, shape.width, shape.height)))
    if kind == "sphere":
        return Part(body, "sphere", (shape.radius,))
    if kind == "ellipsoid":
        return Part(body, "ellipsoid", tuple(shape.radii))
    about = AXES[shape.axis]
    if kind == "rod":
        return Part(body, "cylinder", (min(2.0 * thin, 0.1 * shape.length), shape.length), quaternion=about)
    if kind == "disc":
        return Part(body, "cylinder", (shape.radius, min(2.0 * thin, 0.1 * shape.radius)), quaternion=about)
    if kind == "tube":
        return Part(body, "tube", (shape.radius, shape.inner_radius, shape.length), quaternion=about)
    middle = [0.0, 0.0, 0.0]
    if kind == "cone":  # its centre of mass is below its middle
        middle["xyz".index(shape.axis)] = shape.length / 4.0
    x, y, z = middle
    return Part(body, kind, (shape.radius, shape.length), (x, y, z), about)  # cylinder, capsule, cone


def half_extents(part: Part) -> tuple[float, float, float]:
    """Half the edges of the box around a part, in its own axes; a mesh's are kept in `size` behind its number."""
    a, *rest = part.size
    if part.kind in ("cylinder", "cone", "tube", "capsule"):
        length = rest[-1] + (2.0 * a if part.kind == "capsule" else 0.0)
        return (a, a, length / 2.0)
    if part.kind == "sphere":
        return (a, a, a)
    if part.kind == "mesh":
        x, y, z = rest
        return (x, y, z)
    b, c = rest
    return (a, b, c) if part.kind == "ellipsoid" else (a / 2.0, b / 2.0, c / 2.0)


def placed(part: Part, position: Any, quaternion: Any) -> Part:
    """A part that was made about a frame, with that frame's place on the body put before its own."""
    A = matrix_of(quaternion)
    p = np.asarray(position, dtype=float) + A @ np.asarray(part.position)
    q = quaternion_of(A @ matrix_of(part.quaternion))
    return part._replace(position=tuple(p.tolist()), quaternion=q)


def matrix_of(quaternion: Any) -> Array:
    """The rotation (3, 3) of x, y, z, w."""
    x, y, z, w = (float(c) for c in quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
