"""Solids as flat faces of four corners, for pictures that are drawn without a graphics card."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.header import Array
from linkwork.scene.parts import Part, matrix_of
from linkwork.scene.scene import Scene

AROUND, DOWN = 16, 8  # faces around and from pole to pole
HIDDEN = ("plane",)


class Faces(NamedTuple):
    """corners (n, 4, 3) m in body components, body (n,) (ground: nb), part (n,): number of the part it belongs to."""

    corners: Array
    body: NDArray[np.int64]
    part: NDArray[np.int64]


def faces_of(scene: Scene) -> Faces:
    """All faces of a scene's parts; a triangle has its last corner twice."""
    nb = len(scene.lowered.bodies)
    found, bodies, numbers = [np.zeros((0, 4, 3))], [], []
    for number, part in enumerate(scene.parts):
        if part.role in HIDDEN:
            continue
        local = solid(part, scene) @ matrix_of(part.quaternion).T + np.array(part.position)
        found.append(local)
        bodies += [part.body if part.body >= 0 else nb] * len(local)
        numbers += [number] * len(local)
    return Faces(np.concatenate(found), np.array(bodies, dtype=np.int64), np.array(numbers, dtype=np.int64))


def solid(part: Part, scene: Scene) -> Array:
    """(n, 4, 3) m, the faces of a part about its own frame, seen from outside counter-clockwise."""
    if part.kind == "mesh":
        number, *_ = part.size
        mesh = scene.meshes[int(number)]
        return np.asarray(mesh.points[np.column_stack([mesh.triangles, mesh.triangles[:, 2]])])
    if part.kind == "box":
        return np.asarray(_box() * np.array(part.size))
    if part.kind in ("sphere", "ellipsoid"):
        angles = np.linspace(0.0, np.pi, DOWN + 1)
        return np.asarray(revolved(np.sin(angles), -np.cos(angles)) * np.array(part.size))
    radius, *_, length = part.size
    half = length / 2.0
    if part.kind == "cone":
        return revolved(np.array([0.0, radius, 0.0]), np.array([-half, -half, half]))
    if part.kind == "capsule":
        angles = np.linspace(0.0, np.pi / 2, DOWN // 2 + 1)
        rim = radius * np.concatenate([np.sin(angles), np.cos(angles)])
        along = np.concatenate([-half - radius * np.cos(angles), half + radius * np.sin(angles)])
        return revolved(rim, along)
    return revolved(np.array([0.0, radius, radius, 0.0]), np.array([-half, -half, half, half]))


def revolved(radius: Array, height: Array) -> Array:
    """(n, 4, 3), the faces of a profile (from the bottom up) turned about z."""
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.empty((len(radius), AROUND + 1, 3))
    points[:, :, :2] = radius[:, None, None] * ring
    points[:, :, 2] = height[:, None]
    corners = (points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1])
    return np.stack(corners, axis=2).reshape(-1, 4, 3)


def _box() -> Array:
    """The faces of a box with edges of 1."""
    a, b = np.array([-0.5, 0.5, 0.5, -0.5]), np.array([-0.5, -0.5, 0.5, 0.5])
    top = np.stack([a, b, np.full(4, 0.5)], axis=1)
    found = []
    for k in range(3):
        found += [np.roll(top, k, axis=1), np.roll(top, k, axis=1)[::-1] * np.where(np.arange(3) == (k + 2) % 3, -1, 1)]
    return np.array(found)
