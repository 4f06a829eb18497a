"""Joints of a scene: their glyphs, where they are, how far they go, and what a page is told of them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.lowered import Lowered, LoweredJoint
from linkwork.scene.glyphs import GLYPHS, SLIDING, Seen
from linkwork.scene.parts import Part

Travel = dict[int, tuple[float, float]]  # of a sliding joint: how far the second point goes along the axis, m
ON_RAILS = (*SLIDING, "line")


@cache
def glyph_of(kind: str) -> str:
    """The glyph that joints of this type name, '' for drivers and raw constraints."""
    return str(JOINTS.load(kind).glyph) if kind in JOINTS else ""


def with_near_points(lowered: Lowered) -> Lowered:
    """The same joints, those that slide shown near their second body.

    Where along the axis a sliding joint's point lies makes no difference to the motion; one that lies further from the
    body than its other joints is moved to where the axis passes the centre of mass.
    """
    reach = [0.0] * len(lowered.bodies)
    for joint in lowered.joints:
        if joint.markers is not None and glyph_of(joint.type) not in SLIDING:
            for body, marker in zip((joint.body_i, joint.body_j), joint.markers, strict=True):
                if body >= 0:
                    reach[body] = max(reach[body], math.hypot(*marker.point))
    return replace(lowered, joints=tuple(_near(joint, reach) for joint in lowered.joints))


def _near(joint: LoweredJoint, reach: list[float]) -> LoweredJoint:
    if glyph_of(joint.type) not in SLIDING or joint.markers is None or joint.body_j < 0:
        return joint
    i, j = joint.markers
    point, z = np.array(j.point), np.array(j.z)
    foot = point - z * (point @ z)
    if np.linalg.norm(point) <= 1.5 * max(reach[joint.body_j], float(np.linalg.norm(foot))) + 1e-9:
        return joint
    a, b, c = foot.tolist()
    return replace(joint, markers=(i, j._replace(point=(a, b, c))))


def joint_parts(lowered: Lowered, r: float, size: float, travel: Travel) -> list[Part]:
    """The glyphs of all joints; r: radius of a rod."""
    parts: list[Part] = []
    for number, joint in enumerate(lowered.joints):
        draw = GLYPHS.get(glyph_of(joint.type))
        if joint.markers is None or draw is None:
            continue
        i, j = joint.markers
        way = travel.get(number, (-0.12 * size, 0.12 * size))
        parts += [part._replace(of=number) for part in draw(Seen((joint.body_i, i), (joint.body_j, j), r, size, way))]
    return parts


def travels(lowered: Lowered, position: Array, rotation: Array) -> Travel:
    """How far each sliding joint goes, from poses (n, nb, 3), (n, nb, 3, 3)."""
    found: Travel = {}
    for number, joint in enumerate(lowered.joints):
        if joint.markers is None or glyph_of(joint.type) not in ON_RAILS:
            continue
        i, j = joint.markers
        apart = world(joint.body_j, j.point, position, rotation) - world(joint.body_i, i.point, position, rotation)
        axis = turned(joint.body_i, i.z, rotation, len(position))
        s = np.sum(apart * axis, axis=1)
        if s.size and np.isfinite(s).all():
            found[number] = (float(s.min()), float(s.max()))
    return found


def world(body: int, point: Any, position: Array, rotation: Array) -> Array:
    """(n, 3) m, a point of a body (-1: ground) in global components."""
    if body < 0:
        return np.tile(np.asarray(point, dtype=float), (len(position), 1))
    return np.asarray(position[:, body] + rotation[:, body] @ np.asarray(point, dtype=float))


def turned(body: int, vector: Any, rotation: Array, n: int) -> Array:
    """(n, 3), a direction of a body in global components."""
    if body < 0:
        return np.tile(np.asarray(vector, dtype=float), (n, 1))
    return np.asarray(rotation[:, body] @ np.asarray(vector, dtype=float))


def described(joint: LoweredJoint) -> dict[str, Any]:
    """What a page knows of a joint: names, places, axes, rows."""
    body, point = joint.reaction_at
    coordinates = JOINTS.load(joint.type).coordinates if joint.type in JOINTS else ()
    data: dict[str, Any] = {
        "name": joint.name, "type": joint.type, "kind": joint.kind, "glyph": glyph_of(joint.type),
        "coordinates": list(coordinates), "first": joint.body_i, "second": joint.body_j, "rows": list(joint.rows),
        "at": [body, *point],
    }  # fmt: skip
    if joint.markers is not None:
        i, j = joint.markers
        data |= {"i": [*i.point, *i.x, *i.z], "j": [*j.point, *j.x, *j.z]}
    return data
