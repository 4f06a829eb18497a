"""A mechanism drawn from a run: its bodies at a few instants, the last one bold, and the paths of their origins."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.plots.paths import plane, projection
from linkwork.plots.style import look
from linkwork.result import Result

SHADES = (0.12, 0.22, 0.38, 1.0)  # of the instants drawn
ROUND = np.linspace(0.0, 2.0 * np.pi, 41)


def draw(ax: Any, mechanism: Mechanism, result: Result, instants: list[int]) -> None:
    """All bodies at the instants, in space or in the plane of the motion; ground's joints as triangles."""
    lowered = mechanism.lower()
    lines = outlines(mechanism)
    axes: tuple[int, ...] = (0, 1, 2) if ax.name == "3d" else seen_in(result)
    for k, body in enumerate(mechanism.bodies):
        r, A = result.position(body.name), result.rotation(body.name)
        colour = look(k)["color"]
        ax.plot(*r[:, axes].T, color=colour, linewidth=0.8, alpha=0.6)
        for shade, n in zip(SHADES[-len(instants) :], instants, strict=True):
            for line in lines[body.name]:
                points = r[n] + line @ A[n].T
                ax.plot(*points[:, axes].T, color=colour, alpha=shade, linewidth=1.8 if shade == 1.0 else 1.0)
    last = instants[-1]
    places = {k: (result.position(b.name)[last], result.rotation(b.name)[last]) for k, b in enumerate(mechanism.bodies)}

    def place(body: int, point: Any) -> Any:
        return np.asarray(point) if body < 0 else places[body][0] + places[body][1] @ np.asarray(point)

    for joint in lowered.joints:
        for body, marker in zip((joint.body_i, joint.body_j), joint.markers or (), strict=False):
            if body < 0 or joint.body_i >= 0:
                mark = "^" if body < 0 else "o"
                at = place(body, marker.point)
                ax.plot(*([x] for x in at[list(axes)]), mark, color="#222222", markersize=7 if body < 0 else 3.5)
    for spring in lowered.lines:
        ends = np.array([place(spring.body_i, spring.s_i), place(spring.body_j, spring.s_j)])
        ax.plot(*ends[:, axes].T, color="#444444", linestyle=(0, (1.5, 1.5)), linewidth=1.6)
    label(ax, axes)


def seen_in(result: Result) -> tuple[int, int]:
    """The plane of a flat motion."""
    from linkwork.plots.paths import extents

    return plane(extents(result["position"]))


def label(ax: Any, axes: tuple[int, ...]) -> None:
    """Units and equal scales."""
    for name, axis in zip("xyz", axes, strict=False):
        getattr(ax, f"set_{name}label")(f"{'xyz'[axis]} [m]", labelpad=-4 if ax.name == "3d" else 2)
    if ax.name == "3d":
        ax.set_aspect("equal")
        ax.tick_params(labelsize=7, pad=-2)
        ax.locator_params(nbins=4)
    else:
        ax.set_aspect("equal", adjustable="datalim")


def spatial(result: Result) -> bool:
    """Whether the motion fills space."""
    return projection(result) == "3d"


def outlines(mechanism: Mechanism) -> dict[str, list[Any]]:
    """body -> lines (n, 3) in its components: its shape's edges, or its joints joined with its centre of mass."""
    points: dict[int, list[Any]] = {k: [] for k in range(len(mechanism.bodies))}
    for joint in mechanism.lower().joints:
        for body, marker in zip((joint.body_i, joint.body_j), joint.markers or (), strict=False):
            if body >= 0:
                points[body].append(marker.point)
    return {
        body.name: [*shape_lines(body.shape), *stalks(body.shape, points[k])] or joint_lines(points[k])
        for k, body in enumerate(mechanism.bodies)
    }


def stalks(shape: Any, points: list[Any]) -> list[Any]:
    """From a shape's centre to joints that lie outside it."""
    if not shape_lines(shape):
        return []
    reach = np.abs(np.concatenate(shape_lines(shape))).max(axis=0) + 1e-9
    return [np.array([np.zeros(3), point]) for point in points if (np.abs(point) > reach).any()]


def joint_lines(points: list[Any]) -> list[Any]:
    """From joint to joint and to the centre of mass; a small cross for a body without joints away from it."""
    ends = [np.asarray(p, dtype=float) for p in points]
    if len(ends) > 2:
        lines = [np.array([p, q]) for p, q in pairwise([*ends, ends[0]])]
    else:
        lines = [np.array([np.zeros(3), p]) for p in ends]
    return lines if any(np.ptp(line) > 1e-9 for line in lines) else [0.03 * np.array([-e, e]) for e in np.eye(3)]


def shape_lines(shape: Any) -> list[Any]:
    """A box's edges, the rims of what is round; nothing for other shapes."""
    if shape is None:
        return []
    if shape.type == "box":
        corners = [np.array(c) * np.array(shape.size) / 2 for c in product((-1, 1), repeat=3)]
        return [np.array([p, q]) for p in corners for q in corners if (p < q).sum() == 1 and (p == q).sum() == 2]
    if shape.type in ("disc", "cylinder", "tube"):
        half = getattr(shape, "length", 0.0) / 2
        rims = [
            np.stack([shape.radius * np.cos(ROUND), shape.radius * np.sin(ROUND), h + 0 * ROUND], 1)
            for h in (-half, half)
        ]
        spokes = [np.array([-rims[0][k], rims[0][k]]) for k in (0, 10)]
        turn = {"x": (2, 0, 1), "y": (1, 2, 0), "z": (0, 1, 2)}[shape.axis]
        return [line[:, turn] for line in (*rims, *spokes)]
    return []
