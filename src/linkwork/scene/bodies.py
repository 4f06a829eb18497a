"""What each body looks like: its visuals, or the shape its mass comes from, or rods between its joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.rotation import rotation_matrix
from linkwork.scene.glyphs import SLIDING
from linkwork.scene.joints import glyph_of
from linkwork.scene.meshes import Mesh, plate, read_mesh
from linkwork.scene.parts import Part, along, half_extents, of_shape, placed, quaternion_of, rod

MANY = 200  # bodies, beyond which stripes are left out
ROD = 0.011  # of the mechanism's size: radius of a rod between joints


class Meshes:
    """Collects the meshes of a scene."""

    def __init__(self, base: str | PathLike[str] | None) -> None:
        self.base = base
        self.meshes: list[Mesh] = []
        self.notes: list[str] = []

    def add(self, mesh: Mesh, body: int) -> Part:
        """A part that shows the mesh about the middle of its box, placed where it was."""
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        self.meshes.append(mesh._replace(points=mesh.points - middle))
        a, b, c = half.tolist()
        return Part(body, "mesh", (len(self.meshes) - 1, a, b, c), tuple(middle.tolist()))

    def read(self, name: str, body: int, owner: str, scale: tuple[float, ...] | None = None) -> Part:
        """A part that shows the mesh in a file, scaled along its axes."""
        mesh = read_mesh(name, self.base, owner)
        if scale is not None:
            turned = slice(None, None, -1 if np.prod(scale) < 0.0 else 1)  # mirrored, its triangles look the other way
            mesh = mesh._replace(points=mesh.points * scale, triangles=mesh.triangles[:, turned])
        if mesh.note:
            self.notes.append(f"{owner}: {mesh.note}")
        return self.add(mesh, body)


def points_of(lowered: Lowered) -> list[list[Array]]:
    """Points of each body at which something holds it: joints, raw constraints, springs, loads; without repeats."""
    found: list[list[Array]] = [[] for _ in lowered.bodies]

    def add(body: int, point: Any) -> None:
        if body >= 0:
            found[body].append(np.asarray(point, dtype=float))

    for joint in lowered.joints:
        if joint.markers is not None and glyph_of(joint.type):
            i, j = joint.markers
            add(joint.body_i, i.point)
            add(joint.body_j, j.point)
    for row in lowered.rows:
        if row.kind == "CD" and not row.driver:
            add(row.body_i, row.s_i)
            add(row.body_j, row.s_j)
    for spring in lowered.lines:
        add(spring.body_i, spring.s_i)
        add(spring.body_j, spring.s_j)
    return [_distinct(points) for points in found]


def _distinct(points: list[Array]) -> list[Array]:
    kept: list[Array] = []
    for point in points:
        if all(float(np.linalg.norm(point - other)) > 1e-6 for other in kept):
            kept.append(point)
    return kept


def size_of(mechanism: Mechanism, lowered: Lowered) -> float:
    """How large the mechanism is: the diagonal of the box around origins, joints and shapes at the start, m, or 1."""
    corners = []
    for body, at, points in zip(lowered.bodies, mechanism.bodies, points_of(lowered), strict=True):
        local = [np.zeros(3), *points]
        shapes = [at.shape, *(visual.shape for visual in at.visual)]
        for part in (of_shape(shape, 0, 0.0) for shape in shapes if shape is not None):
            local += [np.array(half_extents(part)), -np.array(half_extents(part))]
        corners += [body.position + body.rotation @ point for point in local]
    if not corners:
        return 1.0
    size = float(np.linalg.norm(np.ptp(np.array(corners), axis=0)))
    return size if np.isfinite(size) and size > 0.0 else 1.0


def radius_of(mechanism: Mechanism, lowered: Lowered, size: float) -> float:
    """Radius of a rod, m: what glyphs are measured by; thin beside the whole, and beside a body of middling length."""
    spans = []
    for body, points in zip(mechanism.bodies, points_of(lowered), strict=True):
        shapes = [body.shape, *(visual.shape for visual in body.visual)]
        halves = [math.hypot(*half_extents(of_shape(shape, 0, 0.0))) for shape in shapes if shape is not None]
        span = max([float(np.linalg.norm(point)) for point in points] + halves, default=0.0)
        if span > 0.0:
            spans.append(span)
    return min(ROD * size, 0.14 * float(np.median(spans))) if spans else ROD * size


def body_parts(mechanism: Mechanism, lowered: Lowered, size: float, r: float, meshes: Meshes) -> list[Part]:
    """The parts of every body; r: radius of a rod."""
    parts: list[Part] = []
    for k, (body, points) in enumerate(zip(mechanism.bodies, points_of(lowered), strict=True)):
        if body.visual:
            solids = [_visual(visual, k, body, size, meshes) for visual in body.visual]
        elif body.shape is not None:
            at = np.subtract(body.centre_of_mass, body.centre)  # point masses have moved the centre
            solids = [placed(of_shape(body.shape, k, size), at, (0.0, 0.0, 0.0, 1.0))]
        else:
            solids = link(k, points, _slide_of(lowered, k), r, meshes)
        if body.shape is not None or body.visual:
            solids += spokes(k, points, solids, r)
        if len(mechanism.bodies) <= MANY:
            solids += [mark for part in solids for mark in marks(part)]
        parts += [part._replace(of=k) for part in solids]
    return parts


def marks(part: Part) -> list[Part]:
    """Stripes on round solids, which would not be seen to turn without."""
    radius, *inner, length = (*part.size, 0.0) if part.kind == "sphere" else part.size
    if part.kind == "sphere":
        return [part._replace(kind="cylinder", size=(1.004 * radius, 0.12 * radius), role="mark")]
    if part.kind not in ("cylinder", "tube", "capsule") or radius < 0.2 * length:
        return []
    hole = sum(inner)
    long = length + (2.0 * radius if part.kind == "capsule" else 0.0)
    size = (0.94 * (radius - hole), 0.1 * radius, 1.02 * long + 0.004 * radius)
    bar = Part(part.body, "box", size, ((radius + hole) / 2.0, 0.0, 0.0), colour=part.colour, role="mark")
    return [placed(bar, part.position, part.quaternion)]


def _visual(visual: Any, k: int, body: Any, size: float, meshes: Meshes) -> Part:
    """A visual's part; its place is given in the described frame, whose origin may be away from the centre of mass."""
    if visual.mesh is not None:
        part = meshes.read(visual.mesh, k, body.name, visual.scale)
    else:
        part = of_shape(visual.shape, k, size)
    A, _ = rotation_matrix(visual.rotation)
    at = np.array(visual.position) - np.array(body.centre)
    return placed(part, at, quaternion_of(A))._replace(colour=visual.colour or "")


def _slide_of(lowered: Lowered, k: int) -> Array | None:
    """The direction in body k of the first joint that it slides along."""
    for joint in lowered.joints:
        if glyph_of(joint.type) in SLIDING and joint.markers is not None and k in (joint.body_i, joint.body_j):
            i, j = joint.markers
            return np.array(i.z if joint.body_i == k else j.z)
    return None


def link(k: int, points: Sequence[Array], slide: Array | None, r: float, meshes: Meshes) -> list[Part]:
    """A body without a shape: a rod between two joints, a plate between more, a block where it slides."""
    far = [point for point in points if np.linalg.norm(point) > 2.0 * r]
    parts: list[Part] = []
    if not far:
        if slide is not None:
            return [Part(k, "box", (5.0 * r, 5.0 * r, 8.0 * r), quaternion=quaternion_of(along(slide)))]
        return [Part(k, "sphere", (2.6 * r,))]
    if len(points) == 1:
        return [rod(k, far[0], np.zeros(3), r), Part(k, "sphere", (2.6 * r,))]
    if len(points) == 2:
        a, b = points
        parts.append(rod(k, a, b, r))
        t = float(np.clip(-a @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0))
        foot = a + t * (b - a)
        if np.linalg.norm(foot) > 2.0 * r:  # the centre of mass is off the rod
            parts += [rod(k, foot, np.zeros(3), 0.5 * r), Part(k, "sphere", (1.6 * r,))]
        return parts
    flat = plate(np.array(points), 1.2 * r)
    if flat is not None:
        return [meshes.add(flat, k)]
    return [*(rod(k, point, np.zeros(3), r) for point in far), Part(k, "sphere", (1.6 * r,))]


def spokes(k: int, points: Sequence[Array], solids: Sequence[Part], r: float) -> list[Part]:
    """Thin rods from the centre of mass to joints that lie outside the body's solids."""
    boxes = [(np.array(part.position), np.linalg.norm(half_extents(part))) for part in solids]
    outside = [p for p in points if all(np.linalg.norm(p - middle) > 1.05 * reach for middle, reach in boxes)]
    return [rod(k, np.zeros(3), point, 0.5 * r) for point in outside if np.linalg.norm(point) > r]
