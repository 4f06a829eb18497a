"""The paths of the bodies' origins: in the plane of largest extent if the motion is flat, in space otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.series import strided
from linkwork.plots.style import chosen, largest_in_colour, legend, look, marker, nothing, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.header import Array
    from linkwork.result import Result

FLAT = 0.02  # a motion thinner than this part of its length is drawn in a plane


def extents(positions: Array) -> Array:
    """(3,) m, how far the bodies' origins reach along x, y, z over the run; zeros where nothing is finite."""
    flat = positions.reshape(-1, 3)
    flat = flat[np.isfinite(flat).all(axis=1)]
    out: Array = np.ptp(flat, axis=0) if flat.size else np.zeros(3)
    return out


def projection(result: Result) -> str | None:
    """``"3d"`` where the paths of a run fill space, None where they are as good as flat."""
    if not result.bodies:
        return None
    reach = np.sort(extents(strided(result, "position")))
    return "3d" if reach[0] > FLAT * reach[2] else None


def plane(reach: Array) -> tuple[int, int]:
    """The two axes of largest extent, in the order x, y, z."""
    thinnest = 2 - int(np.argmin(reach[::-1]))  # of equals the last: x-y before x-z
    first, second = (k for k in range(3) if k != thinnest)
    return first, second


def draw(
    ax: Axes,
    result: Result,
    *,
    bodies: Sequence[str] | None = None,
    points: Sequence[tuple[str, Sequence[float]]] = (),
    with_legend: bool = True,
    **style: Any,
) -> None:
    """Paths of the bodies' origins with a dot at their ends, metres, equal scales.

    points : paths of these points instead (unless `bodies` are given, too), each (body, point in its components [m]).
    ax : plain axes for the plane of largest extent, three-dimensional ones for the paths in space.
    """
    from matplotlib.ticker import MaxNLocator

    title = "Paths of the bodies"
    if not result.bodies or not result.time.size:
        nothing(ax, title, "no sample")
        return
    positions = strided(result, "position")
    from mpl_toolkits.mplot3d import Axes3D

    spatial = isinstance(ax, Axes3D)
    axes: tuple[int, ...] = (0, 1, 2) if spatial else plane(extents(positions))
    wanted = () if points and bodies is None else chosen(result.bodies, bodies, result, "body")
    drawn = [(k, words(result.bodies[k]), positions[:, k]) for k in wanted]
    for body, place in points:
        where = ", ".join(f"{x:g}" for x in place)
        drawn.append((len(drawn), words(f"{body} ({where})"), result.point(body, place).position))
    for k, label, path in drawn:
        line = [path[:, axis] for axis in axes]
        ax.plot(*line, label=label, **{**look(k), **marker(len(line[0])), **style})
        ax.plot(*(part[-1:] for part in line), "o", color=look(k)["color"], markersize=4)
    names = [f"{'xyz'[axis]} [m]" for axis in axes]
    ax.set_title(title + (" (dot: at the end)" if result.time.size > 1 else ""), loc="left")
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    if isinstance(ax, Axes3D):
        ax.set_zlabel(names[2])
        ax.set_aspect("equal")
        ax.tick_params(labelsize=7, pad=0)
        for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
            axis.set_major_locator(MaxNLocator(nbins=4))
    else:
        ax.set_aspect("equal", adjustable="datalim")
    if bodies is None and not points:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
