"""A scene as the server of a live view is told it: solids of one geometry together, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.scene import Scene
from linkwork.scene.faces import HIDDEN, solid
from linkwork.scene.looking import look_at
from linkwork.scene.parts import Part, matrix_of

COLOURS = ["#3f7fd0", "#e0802a", "#2f9e77", "#c25fa0", "#8a6fd1", "#b58a1e", "#4aa3b8", "#d0554f", "#6f8f3a", "#7d7d86"]
GREY, RAIL, SPRING = "#646a76", "#b4b9c2", "#7c828e"


def described(scene: Scene) -> dict[str, Any]:
    """What the server draws, lengths in m.

    groups : vertices (n, 3), triangles (m, 3), and of each instance its body (ground: nb), place (3,) and rotation
    (3, 3) on the body, scale (3,), colour. between : two points on bodies, with a radius, that a cylinder joins.
    """
    nb = len(scene.lowered.bodies)
    groups: dict[Any, dict[str, Any]] = {}
    for part in scene.parts:
        if part.role in HIDDEN:
            continue
        unit, scale = unit_of(part)
        made = groups.setdefault((unit.kind, unit.size), {"unit": unit, "instances": []})
        body = part.body if part.body >= 0 else nb
        made["instances"].append(
            [body, list(part.position), matrix_of(part.quaternion).tolist(), scale, colour_of(part)]
        )
    look, centre = look_at(scene), (scene.low + scene.high) / 2.0
    radius = max(0.5 * float(np.linalg.norm(scene.high - scene.low)), 0.3 * scene.size)
    ends = [(s.body_i, s.s_i, s.body_j, s.s_j) for s in scene.lowered.lines]
    return {
        "name": scene.mechanism.name,
        "bodies": nb,
        "up": look.up.tolist() if scene.plane is not None else _up(scene),
        "centre": centre.tolist(),
        "eye": (centre + 3.2 * radius * look.towards).tolist(),
        "radius": radius,
        "floor": float(min(scene.low @ _up(scene), scene.high @ _up(scene))),
        "start": [[*body.position, *np.ravel(body.rotation)] for body in scene.lowered.bodies],
        "groups": [{**triangles(one["unit"], scene), "instances": one["instances"]} for one in groups.values()],
        "between": [
            [i if i >= 0 else nb, list(a), j if j >= 0 else nb, list(b), 0.6 * scene.rod] for i, a, j, b in ends
        ],
        "between_colour": SPRING,
    }


def _up(scene: Scene) -> list[float]:
    """Against gravity, or z."""
    gravity = np.asarray(scene.lowered.gravity, dtype=float)
    size = float(np.linalg.norm(gravity))
    return [0.0, 0.0, 1.0] if size == 0.0 else (-gravity / size).tolist()


def unit_of(part: Part) -> tuple[Part, list[float]]:
    """The solid of edges, or radius and length, of 1 that a part is when scaled along its axes by three numbers."""
    bare = part._replace(body=0, position=(0.0, 0.0, 0.0), quaternion=(0.0, 0.0, 0.0, 1.0))
    if part.kind in ("box", "ellipsoid"):
        return bare._replace(size=(1.0, 1.0, 1.0)), list(part.size)
    if part.kind == "sphere":
        (radius,) = part.size
        return bare._replace(size=(1.0,)), [radius] * 3
    if part.kind in ("cylinder", "cone"):
        radius, length = part.size
        return bare._replace(size=(1.0, 1.0)), [radius, radius, length]
    return bare, [1.0, 1.0, 1.0]


def colour_of(part: Part) -> str:
    """As in the page: bodies in turn, joints grey."""
    if part.colour:
        return part.colour
    if part.role == "mark":
        return "#dfe3ea"
    if part.role == "rail":
        return RAIL
    return COLOURS[part.of % len(COLOURS)] if part.role == "body" else GREY


def triangles(part: Part, scene: Scene) -> dict[str, Any]:
    """The solid's faces of four corners as triangles, each with corners of its own."""
    faces: Array = solid(part, scene)
    n = 4 * np.arange(len(faces))[:, None]
    found = np.concatenate([n + np.array([0, 1, 2]), n + np.array([0, 2, 3])])
    return {"vertices": faces.reshape(-1, 3).tolist(), "triangles": found.tolist()}
