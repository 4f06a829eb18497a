"""The joint graph of a mechanism: its tree in layers, cut joints dashed.

`save(topology, "graph.png")` writes it; `draw(ax, topology)` puts it into axes of yours.
"""

from __future__ import annotations

import textwrap
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from linkwork.header import Array
from linkwork.plots.graph_layout import Layout, curve, layout, route
from linkwork.plots.style import ALARM, COLOURS, QUIET, applied, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.system.topology import Arc, Topology

TREE: dict[str, Any] = {"color": COLOURS[0], "linewidth": 1.6, "solid_capstyle": "round"}
CUT: dict[str, Any] = {"color": ALARM, "linewidth": 1.2, "linestyle": (0, (4, 2))}
NAMES, NUMBERS = 1.0, 0.3  # inches per body that names, and that numbers need
ROUTED = 150  # bodies up to which cut joints are led round the others
SMOOTH = np.linspace(0.0, 1.0, 33)


def figure(topology: Topology) -> Figure:
    """A page of the size that the graph needs."""
    with applied():
        page = Figure(figsize=layout(topology).size, layout="constrained")
        draw(page.add_subplot(), topology)
    return page


def save(topology: Topology, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write the picture to a .png, .svg or .pdf file. Raises OutputExistsError, UsageError, ResultFileError."""
    from linkwork.plots import save_figure

    save_figure(figure(topology), path, force=force)


def draw(ax: Axes, topology: Topology) -> None:
    """Bodies by label and name, layer by layer from ground; solid lines carry the tree, dashed ones close loops."""
    where = layout(topology)
    room = min(where.unit[0] if where.sideways else where.unit[1], 2.0 * min(where.unit))
    named = room >= NAMES
    _ground(ax, topology, where)
    taken = _tree(ax, topology, where, named)
    _cut(ax, topology, where, taken, min(room / NAMES, 1.0))
    _bodies(ax, topology, where, named, room >= NUMBERS)
    ax.set_title(words(f"{topology.name}: joint graph"), loc="left")
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.autoscale_view()
    handles = [Line2D([], [], label="joint of the tree", **TREE)]
    if len(topology.cuts.arc):
        handles.append(Line2D([], [], label="cut joint", **CUT))
    ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, fontsize=8.0)


def _ground(ax: Axes, topology: Topology, where: Layout) -> None:
    """Ground's line, hatched, beside the parts that are tied to it."""
    tied = [k for k in range(len(topology.tree.part)) if topology.grounded[topology.tree.part[k]]]
    if not tied:
        return
    places = [where.along(k) for k in tied]
    low, high = min(places) - 0.55, max(places) + 0.55
    a, b = where.ground(low), where.ground(high)
    ax.plot(*np.stack([a, b], axis=1), color="#333333", linewidth=2.2, solid_capstyle="butt", zorder=3)
    out = np.array([-0.13, 0.0]) if where.sideways else np.array([0.0, 0.13])
    slant = np.array([0.0, 0.1]) if where.sideways else np.array([0.1, 0.0])
    for s in np.arange(low, high - 0.08, 0.16):
        foot = where.ground(float(s))
        ax.plot(*np.stack([foot, foot + out + slant], axis=1), color="#333333", linewidth=0.7, zorder=2)
    place = where.ground(low) - np.array([0.0, 0.1]) if where.sideways else where.ground(high) + np.array([0.12, 0.0])
    align: dict[str, Any] = {"ha": "center", "va": "top"} if where.sideways else {"ha": "left", "va": "center"}
    ax.text(place[0], place[1], "ground", fontsize=8.0, color="#333333", **align)


def _tree(ax: Axes, topology: Topology, where: Layout, named: bool) -> list[Array]:
    """The joints of the tree; returns the middles of their lines."""
    middles = []
    for k, (p, a) in enumerate(zip(topology.tree.parent.tolist(), topology.tree.arc.tolist(), strict=True)):
        if a < 0:
            continue
        start = where.xy[p] if p >= 0 else where.ground(where.along(k))
        stop = where.xy[k]
        ax.plot(*np.stack([start, stop], axis=1), zorder=4, **TREE)
        middles.append((start + stop) / 2.0)
        if named:
            _name(ax, topology.arcs[a], middles[-1], COLOURS[0])
    return middles


def _cut(ax: Axes, topology: Topology, where: Layout, taken: list[Array], scale: float) -> None:
    """The cut joints, bent round bodies and other joints that are in their way."""
    for a, i, j in zip(topology.cuts.arc, topology.cuts.i.tolist(), topology.cuts.j.tolist(), strict=True):
        aside = where.along(max(i, j)) + 0.4 * scale
        ends = [where.xy[k] if k >= 0 else where.ground(aside) for k in (i, j)]
        bend = 0.25 * scale
        if len(topology.bodies) <= ROUTED:
            others = np.delete(where.xy, [k for k in (i, j) if k >= 0], axis=0)
            bend = route(ends[0], ends[1], others, taken, scale)
        line = curve(ends[0], ends[1], bend, SMOOTH)
        ax.plot(*line.T, zorder=3, **CUT)
        taken.append(line[len(line) // 2])
        if scale >= 1.0:
            _name(ax, topology.arcs[a], taken[-1], ALARM)


def _bodies(ax: Axes, topology: Topology, where: Layout, named: bool, numbered: bool) -> None:
    if not named and not numbered:
        ax.plot(*where.xy.T, linestyle="none", marker="o", markersize=3.0, color=COLOURS[0], zorder=5)
        return
    for k, place in enumerate(where.xy):
        text = f"{k + 1}  {_short(topology.body(k))}" if named else str(k + 1)
        box = {"boxstyle": "round,pad=0.35", "facecolor": "#EAF2F8", "edgecolor": COLOURS[0], "linewidth": 1.0}
        ax.text(place[0], place[1], text, ha="center", va="center", fontsize=8.5 if named else 6.5, bbox=box, zorder=6)


def _name(ax: Axes, arc: Arc, place: Array, colour: str) -> None:
    box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.9}
    text = f"{_short(arc.name)}\n{arc.type}" + (", driven" if arc.drivers else "")
    ax.text(place[0], place[1], text, ha="center", va="center", fontsize=6.5, color=colour or QUIET, bbox=box, zorder=5)


def _short(name: str, width: int = 16) -> str:
    """A name in at most two lines."""
    lines = textwrap.wrap(name, width) or [name]
    return words("\n".join(lines[:2]) + ("..." if len(lines) > 2 else ""))
