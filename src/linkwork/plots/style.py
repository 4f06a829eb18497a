"""How plots look: colours that colour-blind eyes tell apart, quiet axes, legends that do not cover the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from linkwork.result import Result

# Okabe and Ito's palette less its yellow and black; then the same colours dashed
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#6B6B6B")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
ALARM = "#B03A00"
QUIET = "#666666"
MOST_LABELS = 24
MOST_NAMED = 6  # names in a legend of quantities that nobody chose, the grey rest one of them
REST = "#C4C4C4"

RC: Any = {  # Matplotlib's own type for it is the list of all its settings
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.edgecolor": "#888888",
    "axes.labelcolor": "#222222",
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "axes.formatter.useoffset": False,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "lines.linewidth": 1.3,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "linkwork",
    "path.simplify": True,
}


@contextmanager
def applied() -> Iterator[None]:
    """Draw in our looks, and leave the user's settings as they were."""
    with mpl.rc_context(RC):
        yield


def single(result: Result, *, spatial: bool, size: tuple[float, float] | None) -> tuple[Figure, Axes]:
    """A figure with one pair of axes and the run's name above it; three-dimensional for spatial paths."""
    from linkwork.plots.paths import projection

    figure = Figure(figsize=size or (7.0, 4.2), layout="constrained")
    kind = projection(result) if spatial else None
    ax = figure.add_subplot(projection=kind) if kind else figure.add_subplot()
    if standing(result):
        figure.suptitle(ending(result), color=ALARM, fontsize=9)
    return figure, ax


def standing(result: Result) -> str:
    """Not completed, judged wrong, or doubtful; empty for a run that nothing is said against."""
    if not result.success:
        return "judged wrong" if result.completed else "not completed"
    return "doubtful" if result.verdicts else ""


def ending(result: Result, width: int = 95) -> str:
    """What is said against a run, in lines of a page's width; empty if nothing is."""
    import textwrap

    first = str(result.verdicts[0]) if result.success and result.verdicts else result.message
    text = f"{standing(result).capitalize()}: {first or 'no reason given'}"
    return words("\n".join(textwrap.wrap(text, width)[:3])) if standing(result) else ""


def look(k: int) -> dict[str, Any]:
    """Colour and dashes of the k-th line of a family."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k // len(COLOURS) % len(DASHES)]}


def marker(count: int) -> dict[str, Any]:
    """A dot where there is nothing to join by a line."""
    return {"marker": "o", "markersize": 4, "clip_on": False} if count < 2 else {}


def chosen(names: Sequence[str], wanted: Sequence[str] | None, result: Result, dim: str) -> list[int]:
    """Indices of the wanted names, all by default; UsageError for one that does not exist."""
    if wanted is None:
        return list(range(len(names)))
    return [result.index(dim, name) for name in ([wanted] if isinstance(wanted, str) else wanted)]


def words(text: str) -> str:
    """A name as Matplotlib shows it unchanged: no formula between dollars, no hiding behind an underscore."""
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


WIDTH, ROWS = 62, 3  # letters in a row above the axes; rows


def columns(labels: Sequence[str]) -> int:
    """How many names fit side by side above the axes in at most `ROWS` rows; 0: they do not fit."""
    for count in range(min(4, len(labels)), 0, -1):
        widths = [max(len(label) for label in labels[k::count]) + 6 for k in range(count)]
        if sum(widths) <= WIDTH and count * ROWS >= len(labels):
            return count
    return 0


def largest_in_colour(ax: Axes) -> None:
    """Of more than `MOST_NAMED` lines the largest keep their colours and names; the rest turn grey, and are counted.

    Large is what reaches far from zero over time, and what takes much room in a picture of paths.
    """
    lines = list(ax.get_lines())
    named = [k for k, line in enumerate(lines) if not str(line.get_label()).startswith("_")]
    if len(named) <= MOST_NAMED:
        return
    sizes = {k: _reach(lines[k]) for k in named}
    rest = sorted(named, key=lambda k: -sizes[k])[MOST_NAMED - 1 :]
    for k in rest:
        dots = lines[k + 1 : k + 2] if k + 1 < len(lines) and k + 1 not in named else []  # that belong to it
        for line in (lines[k], *dots):
            line.set(color=REST, linestyle="-" if line is lines[k] else "none", zorder=1.5, label="_rest")
    # names stand in the order of lines: this one comes last
    ax.plot([], [], color=REST, label=f"... {len(rest)} more")


def _reach(line: Line2D) -> float:
    """How far a line over time is from zero; how far one in space extends."""
    data = line.get_data_3d() if hasattr(line, "get_data_3d") else line.get_data()
    values = np.array([np.asarray(part, dtype=float) for part in data])
    with np.errstate(all="ignore"):
        wide = np.nan_to_num(np.nanmax(values, axis=1) - np.nanmin(values, axis=1)) if values.size else np.zeros(2)
        if line.axes is not None and line.axes.get_xlabel().startswith("time"):
            return float(np.nan_to_num(np.nanmax(np.abs(values[1])))) if values.size else 0.0
    return float(np.linalg.norm(wide))


def legend(ax: Axes) -> None:
    """A legend that never covers the data: a few names in rows under the title, more beside the axes.

    Beside, letters shrink with their number, and what would not fit is counted.
    """
    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        return
    labels = [label if len(label) <= 28 else label[:26] + "..." for label in labels]
    count, spatial = len(labels), ax.name == "3d"
    side_by_side = columns(labels)
    if side_by_side:
        rows = -(-count // side_by_side)
        # Matplotlib fills column by column: reorder, so that names run along the rows
        order = [k for start in range(side_by_side) for k in range(start, count, side_by_side)]
        handles, labels = [handles[k] for k in order], [labels[k] for k in order]
        if not spatial:
            ax.set_title(ax.get_title(loc="left"), loc="left", pad=7.0 + 13.0 * rows)
        ax.legend(
            handles, labels, loc="upper left" if spatial else "lower left", fontsize=8.0, ncols=side_by_side,
            bbox_to_anchor=(0.0, -0.1 if spatial else 1.0), borderaxespad=0.2, borderpad=0.2, columnspacing=1.2,
            handletextpad=0.5, handlelength=1.6, labelspacing=0.25,
        )  # fmt: skip
        return
    if count > MOST_LABELS:
        handles = handles[:MOST_LABELS]
        labels = [*labels[: MOST_LABELS - 1], f"... {count - MOST_LABELS + 1} more"]
    ax.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(1.22 if spatial else 1.0, 1.0), borderaxespad=0.2,
        fontsize=8.0 if count <= 8 else 7.0 if count <= 14 else 5.8, labelspacing=0.35, handlelength=2.8,
    )  # fmt: skip


def over_time(ax: Axes, title: str, label: str, result: Result) -> None:
    """Title, labels and limits of an axis over time."""
    ax.set_title(title, loc="left")
    ax.set_xlabel("time [s]")
    ax.set_ylabel(label)
    ax.yaxis.get_offset_text().set_horizontalalignment("right")  # a power of ten stays clear of the legend
    time = result.time
    if time.size > 1 and time[-1] > time[0]:
        ax.set_xlim(float(time[0]), float(time[-1]))


def from_zero(ax: Axes) -> None:
    """An axis of magnitudes, from zero to somewhat more than the largest: a constant one is no upper edge."""
    highest = float(np.nan_to_num(ax.dataLim.y1, posinf=0.0, neginf=0.0))
    ax.set_ylim(0.0, max(ax.get_ylim()[1], 1.08 * highest) if highest > 0.0 else None)


def nothing(ax: Axes, title: str, reason: str) -> None:
    """Say why there is nothing to see."""
    ax.set_title(title, loc="left")
    text = ax.text2D if hasattr(ax, "text2D") else ax.text
    text(0.5, 0.5, reason, transform=ax.transAxes, ha="center", va="center", color=QUIET, wrap=True)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(False)
