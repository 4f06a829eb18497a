"""What a study found, as a page of panels: curves that the study hands over as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from linkwork.plots.series import MOST, thin
from linkwork.plots.style import QUIET, applied, columns, legend
from linkwork.plots.style import look as style_of
from linkwork.plots.svg import svg_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.studies.finding import Curve, Panel

WIDTH, HEIGHT = 5.2, 3.9  # inches per panel
DASHES = ((2, 2), (6, 2), (6, 2, 1, 2), (1, 1), (12, 3), (6, 2, 1, 2, 1, 2))  # points, of guides
WIDTHS = (2.4, 1.4, 1.0)  # points, of the first curves
MOST_IN_SVG = 900  # points of a line: more than its panel has dots across, and half of what weighs in a page
FEW = 7  # points that each get a tick of their own
MANY = 8  # names that stand upright below the axis


def figure(panels: Sequence[Panel], title: str = "") -> Figure:
    """All panels on one page, at most two beside each other, so that letters can be read where pages are narrow.

    Where a place is left over, names that would take each panel's room stand there once.
    """
    with applied():
        count = max(1, len(panels))
        across = min(count, 2)
        down = -(-count // across)
        page = Figure(figsize=(max(7.0, WIDTH * across), HEIGHT * down + 0.4), layout="constrained")
        once = across * down > count and names_alike(panels)
        for k, panel in enumerate(panels):
            ax = page.add_subplot(down, across, k + 1)
            draw(ax, panel, title if count == 1 and title else panel.title, named=not once)
        if once:
            names_apart(page.add_subplot(down, across, count + 1), page.axes[0])
        if title and count > 1:
            page.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return page


def names_alike(panels: Sequence[Panel]) -> bool:
    """Whether all panels have curves of the same names in the same looks, too many or too long to stand above one."""
    first = [(curve.label, curve.dots, curve.guide) for curve in panels[0].curves]
    alike = all([(curve.label, curve.dots, curve.guide) for curve in panel.curves] == first for panel in panels)
    return alike and not columns([label for label, _, _ in first])


def names_apart(ax: Axes, other: Axes) -> None:
    """The names of another panel's curves, in a place of their own."""
    ax.set_axis_off()
    ax.legend(*other.get_legend_handles_labels(), loc="center left", handlelength=2.8)


def save(panels: Sequence[Panel], path: str | PathLike[str], *, title: str = "", force: bool = False) -> None:
    """Write the page to a .png, .svg or .pdf file."""
    from linkwork.plots import save_figure

    save_figure(figure(panels, title), path, force=force)


def svg(panel: Panel, title: str = "") -> str:
    """One panel as SVG text, a little smaller than on a page of its own, so that letters can be read on a phone."""
    with applied():
        page = Figure(figsize=(0.88 * WIDTH, 0.88 * HEIGHT), layout="constrained")
        draw(page.add_subplot(), panel, title or panel.title, most=MOST_IN_SVG)
    return svg_text(page)


def draw(ax: Axes, panel: Panel, title: str, *, most: int = MOST, named: bool = True) -> None:
    """One panel, lines of at most so many points. Zeros have no place on a logarithmic axis and are left out.

    named : with its curves' names.
    """
    drawn = [_line(ax, curve, panel, k, most) for k, curve in enumerate(c for c in panel.curves if not c.guide)]
    for k, curve in enumerate(c for c in panel.curves if c.guide):
        dashes = (0, DASHES[k % len(DASHES)])
        ax.plot(curve.x, curve.y, color=QUIET, linewidth=0.9, linestyle=dashes, label=curve.label, zorder=1)
    if "x" in panel.log:
        ax.set_xscale("log")
        points = np.unique(np.concatenate([curve.x for curve in panel.curves]))
        if any(curve.dots for curve in panel.curves) and points.size <= FEW:
            ax.set_xticks(points, [f"{x:g}" for x in points])
            ax.xaxis.set_minor_formatter(NullFormatter())
    if "y" in panel.log:
        ax.set_yscale("log")
        _set_floor(ax, drawn)
    if panel.names:
        many = len(panel.names) > MANY
        ax.set_xticks(range(1, len(panel.names) + 1), panel.names, rotation=90.0 if many else 0.0)
        if "y" not in panel.log:
            ax.set_ylim(bottom=0.0)
    ax.set_title(title, loc="left")
    ax.set_xlabel(panel.x)
    ax.set_ylabel(panel.y)
    ax.yaxis.get_offset_text().set_horizontalalignment("right")  # out of the legend's way
    if not any(curve.dots for curve in panel.curves) and panel.curves:
        ax.set_xlim(min(float(c.x[0]) for c in panel.curves), max(float(c.x[-1]) for c in panel.curves))
    if named and len(panel.curves) > 1:
        legend(ax)


def _line(ax: Axes, curve: Curve, panel: Panel, k: int, most: int) -> np.ndarray:
    """Draw a curve; earlier ones are wider, so that they show where they coincide. Returns the y drawn."""
    y = np.asarray(curve.y, dtype=float)
    if "y" in panel.log:
        y = np.where(y > 0.0, y, np.nan)
    x, y = thin(np.asarray(curve.x, dtype=float), y, most)
    look: dict[str, Any] = {**style_of(k), "linewidth": WIDTHS[min(k, len(WIDTHS) - 1)]}
    if curve.dots:
        look |= {"marker": "o", "markersize": 3.5, "linewidth": WIDTHS[1]}
    if panel.names:
        look |= {"linestyle": "none", "markersize": max(4.0, 10.0 - 3.0 * k)}
    ax.plot(x, y, label=curve.label, zorder=2 + k, **look)
    return y


def _set_floor(ax: Axes, drawn: Sequence[np.ndarray]) -> None:
    """A start that is met to the last bit must not stretch a logarithmic axis."""
    floors = [0.1 * np.nanquantile(y, 0.01) for y in drawn if np.isfinite(y).any()]
    if floors:
        ax.set_ylim(bottom=max(float(min(floors)), ax.get_ylim()[0]))
