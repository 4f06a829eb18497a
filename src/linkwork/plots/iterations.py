"""Newton iterations per step over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.style import COLOURS, legend, marker, nothing, over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.header import Array
    from linkwork.result import Result

FEW = 150  # steps that can still be told apart on a page


def draw(ax: Axes, result: Result, *, with_legend: bool = True, **style: Any) -> None:
    """Iterations of the step that ends at each time; of many steps the mean and the range over short spans."""
    from matplotlib.ticker import MaxNLocator

    title = "Newton iterations per step"
    if "iterations" not in result or result.time.size < 2:
        nothing(ax, title, "no step was made" if "iterations" in result else "no iterations recorded")
        return
    time, counts = result.time[1:], result["iterations"][1:].astype(float)  # no step leads to the start
    over_time(ax, title, "iterations", result)
    if counts.size <= FEW:
        ax.step(time, counts, where="mid", **{"color": COLOURS[0], **marker(counts.size), **style})
    else:
        edges, least, mean, most = spans(counts)
        borders = np.append(time[edges[:-1]], time[-1])
        ax.stairs(most, borders, baseline=least, fill=True, color="#BBD7EA", label="least to most")
        ax.stairs(
            mean, borders, **{"baseline": None, "color": COLOURS[0], "label": f"mean ({counts.mean():.2f})", **style}
        )
        if with_legend:
            legend(ax)
    ax.set_ylim(0, max(1.0, counts.max()) * 1.12)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))


def spans(counts: Array, many: int = 120) -> tuple[Array, Array, Array, Array]:
    """Edges (indices) of equal spans, and the least, mean and largest count of each."""
    edges = np.linspace(0, counts.size, many + 1).astype(int)
    least = np.minimum.reduceat(counts, edges[:-1])
    most = np.maximum.reduceat(counts, edges[:-1])
    mean = np.add.reduceat(counts, edges[:-1]) / np.diff(edges)
    return edges, least, mean, most
