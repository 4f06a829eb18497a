"""The mechanism at one instant, or at several over each other, drawn by Matplotlib: no browser, no display.

Faces are projected along the look of the scene and painted from the farthest to the nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array
from linkwork.plots.style import COLOURS
from linkwork.scene import Scene, scene_of
from linkwork.scene.faces import Faces, faces_of
from linkwork.scene.joints import world
from linkwork.scene.looking import Look, look_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from linkwork.mechanism import Mechanism
    from linkwork.result import Result

GREY, RAIL, GRID, COIL = "#4A4F59", "#A9AEB8", "#E4E6EA", "#7C828E"
LIGHT = (0.35, 0.75, 0.95)  # where it comes from: right, up, towards who looks


class Painter(NamedTuple):
    """What is the same in all pictures of a scene."""

    scene: Scene
    faces: Faces
    look: Look
    colour: Array  # (n, 3) of each face

    @property
    def span(self) -> tuple[Array, Array]:
        """Lowest and highest (2,) m of the picture, to the right and up."""
        low, high = self.scene.low, self.scene.high
        corners = np.array([[(low, high)[k >> c & 1][c] for c in range(3)] for k in range(8)])
        flat = corners @ np.stack([self.look.right, self.look.up], axis=1)
        room = 0.05 * float(np.ptp(flat, axis=0).max()) + 3.0 * self.scene.rod
        return flat.min(axis=0) - room, flat.max(axis=0) + room


def painter_of(scene: Scene) -> Painter:
    """A scene made ready."""
    faces = faces_of(scene)
    colours = np.array([rgb(_colour(part)) for part in scene.parts]).reshape(-1, 3)
    return Painter(scene, faces, look_at(scene), colours[faces.part])


@cache
def rgb(colour: str) -> tuple[float, float, float]:
    """A colour as three numbers; grey for what is none."""
    from matplotlib.colors import is_color_like, to_rgb

    return to_rgb(colour) if is_color_like(colour) else to_rgb(GREY)


def _colour(part: Any) -> str:
    if part.role == "body":
        return str(part.colour or COLOURS[part.of % len(COLOURS)])
    return {"mark": "#F4F5F7", "rail": RAIL}.get(part.role, GREY)


def paint(ax: Axes, painter: Painter, frame: int, alpha: float = 1.0) -> None:
    """The scene at a frame of its first run, into plain axes."""
    from matplotlib.collections import LineCollection, PolyCollection

    scene, faces, look, colour = painter
    run, *_ = scene.runs
    r = np.concatenate([run.position[frame], np.zeros((1, 3))])
    A = np.concatenate([run.rotation[frame], np.eye(3)[None]])
    points = r[faces.body][:, None] + np.einsum("nij,nkj->nki", A[faces.body], faces.corners)
    normal = np.cross(points[:, 2] - points[:, 0], points[:, 3] - points[:, 1])
    flat = np.linalg.norm(normal, axis=1) < 1e-30  # a triangle: its last corner is there twice
    normal[flat] = np.cross(points[flat, 1] - points[flat, 0], points[flat, 2] - points[flat, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    seen = normal @ look.towards > 0.0
    points, normal, colour = points[seen], normal[seen], colour[seen]
    order = np.argsort((points @ look.towards).mean(axis=1))
    axes = np.stack([look.right, look.up], axis=1)
    light = np.array(LIGHT) @ np.stack([look.right, look.up, look.towards])
    shade = 0.45 + 0.55 * np.clip(normal @ light / np.linalg.norm(light), 0.0, 1.0)
    fill = np.clip(colour * shade[:, None] * 1.12, 0.0, 1.0)[order]
    solid = PolyCollection(list((points @ axes)[order]), facecolors=fill, edgecolors=fill, linewidths=0.3, alpha=alpha)
    ax.add_collection(solid)
    lines = [_coil(painter, s, frame) @ axes for s in scene.lowered.lines]
    ax.add_collection(LineCollection(lines, colors=COIL, linewidths=1.4, alpha=alpha, capstyle="round"))


def _coil(painter: Painter, spring: Any, frame: int) -> Array:
    """A spring as a zigzag, (n, 3) m."""
    run, *_ = painter.scene.runs
    pose = run.position[frame : frame + 1], run.rotation[frame : frame + 1]
    (a,), (b,) = world(spring.body_i, spring.s_i, *pose), world(spring.body_j, spring.s_j, *pose)
    aside = np.cross(b - a, painter.look.towards)
    aside /= max(float(np.linalg.norm(aside)), 1e-300)
    s = np.concatenate([[0.0], np.linspace(0.08, 0.92, 21), [1.0]])
    swing = 2.4 * painter.scene.rod * np.concatenate([[0.0, 0.0], np.resize([1.0, -1.0], 19), [0.0, 0.0]])
    return np.asarray(a + s[:, None] * (b - a) + swing[:, None] * aside)


def frame_axes(ax: Axes, painter: Painter) -> None:
    """Equal scales, a grid behind everything with its cell named."""
    low, high = painter.span
    cell = _nice(float(np.max(high - low)) / 8.0)
    for k, draw in enumerate((ax.axvline, ax.axhline)):
        for n in range(int(np.ceil(low[k] / cell)), int(np.floor(high[k] / cell)) + 1):
            draw(n * cell, color=GRID, linewidth=0.8, zorder=-5)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.text(
        0.01, 0.01, f"1 square = {cell:g} m", transform=ax.transAxes, fontsize=7, color="#69707C", va="bottom"
    )  # fmt: skip


def _nice(step: float) -> float:
    power = 10.0 ** np.floor(np.log10(step))
    return float(next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= step * 0.999))


def nearest(time: Array, t: float) -> int:
    """The number of the sample nearest to a time."""
    return int(np.argmin(np.abs(time - t)))


def picture(
    what: Result | Mechanism, t: float | Sequence[float] | None = None, path: str | PathLike[str] | None = None, *,
    size: tuple[float, float] = (6.4, 4.8), dpi: float = 150, force: bool = False,
    base: str | PathLike[str] | None = None,
) -> Figure:  # fmt: skip
    """The mechanism at the sample nearest to time t; at several times over each other, earlier ones paler.

    Parameters
    ----------
    t : s; the start if left out. Of a mechanism only the start pose can be drawn.
    path, force : ``.png``, ``.svg`` or ``.pdf``; whether it may replace another file.
    size : width and height in inches. base : the folder that meshes with relative names are looked for in.

    Raises UsageError (a time outside the run, another ending), OutputExistsError, ModelError (a mesh).
    """
    from matplotlib.figure import Figure

    from linkwork.plots import save_figure, suffix

    if path is not None:
        suffix(path)
    painter = painter_of(scene_of(what, base=base))
    run, *_ = painter.scene.runs
    first, last = float(run.time[0]), float(run.time[-1])
    times = [first] if t is None else [float(one) for one in np.atleast_1d(np.asarray(t, dtype=float))]
    for one in times:
        if not first - 1e-9 <= one <= last + 1e-9:
            raise UsageError(f"there is no picture at t = {one:g} s: the run goes from {first:g} to {last:g} s.")
    figure = Figure(figsize=size)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    stroboscope(ax, painter, [nearest(run.time, one) for one in times])
    words = f"t = {times[0]:g} s" if len(times) == 1 else f"t = {min(times):g} to {max(times):g} s"
    if run.result is not None:
        ax.text(0.99, 0.01, words, transform=ax.transAxes, fontsize=8, ha="right", va="bottom", color="#333333")
    if path is not None:
        save_figure(figure, path, force=force, dpi=dpi)
    return figure


def stroboscope(ax: Axes, painter: Painter, frames: Sequence[int]) -> None:
    """The scene at several frames over each other, the last one as it is, those before paler."""
    frame_axes(ax, painter)
    for k, frame in enumerate(frames):
        paint(ax, painter, frame, 1.0 if k == len(frames) - 1 else 0.18 + 0.3 * k / len(frames))
