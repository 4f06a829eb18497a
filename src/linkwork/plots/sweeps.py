"""Pictures of sweeps: lines with bands, heat map, parallel coordinates, pairs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.plots.style import COLOURS, legend, look, nothing, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.ticker import ScalarFormatter

    from linkwork.sweeps.found import Sweep

Array = NDArray[np.float64]
MOST_LINES = 2000  # runs in parallel coordinates, and dots of a pair times ten
INNER, OUTER = (0.25, 0.75), (0.05, 0.95)  # shares of the runs within the bands
OF_RUNS = "judgement", "in_lanes"  # what is said of runs besides their numbers: drawn where it is named
CELLS, RUNS_IN_A_CELL = 24, 2  # of a heat map's side at most, where runs stand on no grid; on average at least
GRAINS = 200  # of an axis: numbers that are nearer to each other are one in how they are distributed
FEW = 12  # different values: each has a bar of its own
WIDE = 20  # letters in a line of a label
Size = tuple[float, float]  # inches


def plot(
    sweep: Sweep,
    kind: str = "bands",
    path: str | PathLike[str] | None = None,
    *,
    force: bool = False,
    size: tuple[float, float] | None = None,
    dpi: float = 150,
    **options: Any,
) -> Figure:
    """Draw one kind of plot of a sweep, write it to `path` if given, and return the figure.

    Parameters
    ----------
    kind : ``bands`` (a quantity over time: median and bands of the runs), ``heat-map`` (a number over two swept ones),
        ``parallel`` (a line for each run through all numbers), ``pairs`` (every number over every other).
    options : names of the sweep, by plot: ``of`` (bands, heat-map, parallel's colour), ``over`` (heat-map: two names),
        ``names`` (parallel, pairs).

    Raises UsageError for an unknown kind, name or ending, OutputExistsError, ResultFileError.
    """
    from matplotlib.figure import Figure

    from linkwork.plots import SWEEP_PLOTS, save_figure, suffix
    from linkwork.plots import style as looks
    from linkwork.plots.options import check_page, in_words

    draw = SWEEP_PLOTS.load(kind)
    check_page(size, dpi)
    if path is not None:
        suffix(path)
    with looks.applied(), in_words(kind, options):
        figure = Figure(figsize=size or (7.0, 4.4), layout="constrained")
        wanted = draw(figure, sweep, **options)
        if size is None and wanted is not None:
            figure.set_size_inches(*wanted)
    if path is not None:
        save_figure(figure, path, force=force, dpi=dpi)
    return figure


def bands(figure: Figure, sweep: Sweep, *, of: str | Sequence[str] | None = None) -> None:
    """Quantities over time: the median of the runs, the middle half and the middle nine tenths of them."""
    ax = figure.add_subplot()
    known = [name for name, dims in sweep.dims.items() if dims == ("run", "time")]
    names = known[:1] if of is None else [of] if isinstance(of, str) else [*of]
    if not known:
        nothing(ax, "Bands", "the sweep keeps no number over time")
        return
    for k, name in enumerate(_known(names, known)):
        values, style = _good(sweep, sweep.arrays[name]), look(k)
        if not len(values):
            continue
        low, first, middle, third, high = np.quantile(values, (OUTER[0], INNER[0], 0.5, INNER[1], OUTER[1]), axis=0)
        ax.fill_between(sweep.time, low, high, color=style["color"], alpha=0.15, linewidth=0)
        ax.fill_between(sweep.time, first, third, color=style["color"], alpha=0.3, linewidth=0)
        ax.plot(sweep.time, middle, label=words(name), **style)
    ax.set_title("Median of the runs, middle half, middle nine tenths", loc="left")
    ax.set_xlabel("time [s]")
    legend(ax)


def heat_map(figure: Figure, sweep: Sweep, *, of: str | None = None, over: Sequence[str] | None = None) -> None:
    """A number over two swept ones: on their grid, or the mean of the runs in each cell."""
    ax = figure.add_subplot()
    numbers, swept = _numbers(sweep), [*sweep.values]
    pair = [*over] if over is not None else swept[:2]
    if len(pair) != 2 or not numbers:
        nothing(ax, "Heat map", "it takes two swept numbers, and one that is kept of each run")
        return
    x, y = (sweep.values[name] for name in _known(pair, swept))
    name = _known([of or numbers[0]], [*numbers, *_said_of_runs(sweep)])[0]
    cells = min(CELLS, max(3, math.isqrt(sweep.runs // RUNS_IN_A_CELL)))
    edges = [_edges(one, cells) for one in (x, y)]
    good = np.isfinite(sweep.arrays[name])
    where = [np.clip(np.searchsorted(e, one, "right") - 1, 0, len(e) - 2) for e, one in zip(edges, (x, y), strict=True)]
    total, count = np.zeros((2, len(edges[1]) - 1, len(edges[0]) - 1))
    np.add.at(total, (where[1][good], where[0][good]), sweep.arrays[name][good])
    np.add.at(count, (where[1][good], where[0][good]), 1.0)
    with np.errstate(invalid="ignore"):
        shown = ax.pcolormesh(*edges, np.ma.masked_invalid(total / count), cmap="viridis")
    figure.colorbar(shown, ax=ax, label=words(name))
    ax.grid(False)
    ax.set_title(words(name), loc="left")
    ax.set_xlabel(words(pair[0]))
    ax.set_ylabel(words(pair[1]))


def parallel(figure: Figure, sweep: Sweep, *, names: Sequence[str] | None = None, of: str | None = None) -> Size | None:
    """A line for each run through all its numbers, each axis from least to most; coloured by one of them: the last that
    differs, if nothing is said."""
    ax = figure.add_subplot()
    drawn = [*sweep.values, *_numbers(sweep)]
    known = [*drawn, *_said_of_runs(sweep)]
    chosen = drawn if names is None else _known([*names], known)
    if len(chosen) < 2:
        nothing(ax, "Parallel coordinates", "it takes two numbers of each run")
        return None
    table = np.stack([sweep[name] for name in chosen], axis=1)
    table = table[np.isfinite(table).all(axis=1)]
    if not len(table):
        nothing(ax, "Parallel coordinates", "no run has all these numbers")
        return None
    table = table[:: -(-len(table) // MOST_LINES)]
    low, high = table.min(axis=0), table.max(axis=0)
    differs = high > low
    share = np.where(differs, (table - low) / np.where(differs, high - low, 1.0), 0.5)
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    k = max(np.flatnonzero(differs), default=0) if of is None else chosen.index(_known([of], chosen)[0])
    points = np.stack([np.broadcast_to(np.arange(len(chosen)), share.shape), share], axis=2)
    colours = colormaps["viridis"](share[:, k])
    ax.add_collection(
        LineCollection(list(points), colors=colours, linewidths=0.7, alpha=max(0.15, len(table) ** -0.25))
    )
    ax.set_xlim(0, len(chosen) - 1)
    ax.set_ylim(-0.02, 1.02)
    ends = [_ends(float(a), float(b)) for a, b in zip(low, high, strict=True)]
    labels = [f"{_in_lines(name)}\n{end}" for name, end in zip(chosen, ends, strict=True)]
    ax.set_xticks(range(len(chosen)), labels, fontsize=7.5)
    ax.set_yticks([])
    ax.set_title(f"Runs, coloured by {words(chosen[k])}", loc="left")
    return max(7.0, 1.35 * len(chosen)), 4.4


def _ends(low: float, high: float) -> str:
    """Two numbers, with as many digits as tell them apart."""
    if low == high:
        return f"always {low:.4g}"
    digits = max(4, 3 + math.ceil(math.log10(max(abs(low), abs(high)) / (high - low))))
    return f"{low:.{digits}g} to {high:.{digits}g}"


def pairs(figure: Figure, sweep: Sweep, *, names: Sequence[str] | None = None) -> Size:
    """Every number over every other; how each is distributed on the diagonal."""
    drawn = [*sweep.values, *_numbers(sweep)]
    chosen = drawn[:6] if names is None else _known([*names], [*drawn, *_said_of_runs(sweep)])
    axes = figure.subplots(len(chosen), len(chosen), squeeze=False)
    for i, down in enumerate(chosen):
        for j, across in enumerate(chosen):
            _pair(axes[i, j], sweep[across], sweep[down], diagonal=i == j)
    for k, name in enumerate(chosen):
        for one in axes[:, k]:
            one.set_xlim(axes[k, k].get_xlim())
        for one in (*axes[k, :k], *axes[k, k + 1 :]):
            one.set_ylim(axes[k, k].get_xlim())
        for axis in (*(one.xaxis for one in axes[:-1, k]), *(one.yaxis for one in axes[k, 1:])):
            axis.set_tick_params(label1On=False)
            axis.offsetText.set_visible(False)
        axes[-1, k].set_xlabel(_in_lines(name) + _offset(axes[-1, k].xaxis), fontsize=7)
        axes[k, 0].set_ylabel(_in_lines(name) + (_offset(axes[k, 0].yaxis) if k else ""), fontsize=7)
    figure.align_labels()
    return max(7.0, 1.5 * len(chosen)), max(4.4, 1.3 * len(chosen))


def _offset(axis: Axis) -> str:
    """What its ticks are to be multiplied by or added to, in a line, for its label; it is not drawn beside the axis."""
    formatter = axis.get_major_formatter()
    formatter.set_locs(list(axis.get_majorticklocs()))
    axis.offsetText.set_visible(False)
    said = formatter.get_offset()
    return f"\n({said})" if said else ""


def _pair(ax: Axes, x: Array, y: Array, *, diagonal: bool) -> None:
    good = np.isfinite(x) & np.isfinite(y)
    ax.tick_params(labelsize=6)
    ax.locator_params(nbins=2)
    for axis in (ax.xaxis, ax.yaxis):  # few digits: what ticks have in common is told once
        axis.set_major_formatter(_formatter())
    if not good.any():
        return
    if diagonal:
        ax.set_yticks([])  # how many runs, of which only the shape is shown
        values, first, count = np.unique(np.round(x[good] / _grain(x[good])), return_index=True, return_counts=True)
        if len(values) <= FEW:
            width = 0.6 * float(np.min(np.diff(values), initial=GRAINS)) * _grain(x[good])
            ax.bar(x[good][first], count, width, color=COLOURS[0])
        else:
            ax.hist(x[good], bins=min(40, max(5, math.isqrt(int(good.sum())))), color=COLOURS[0])
    else:
        step = -(-int(good.sum()) // (10 * MOST_LINES))
        ax.plot(x[good][::step], y[good][::step], ".", markersize=2, alpha=0.5, color=COLOURS[0], rasterized=True)


def _formatter() -> ScalarFormatter:
    from matplotlib.ticker import ScalarFormatter

    made = ScalarFormatter(useOffset=True, useMathText=True)
    made.set_powerlimits((-3, 4))
    return made


def _grain(values: Array) -> float:
    return float(np.ptp(values)) / GRAINS or 1.0 / GRAINS


def _numbers(sweep: Sweep) -> list[str]:
    """What is kept as one number of each run."""
    return [name for name, dims in sweep.dims.items() if dims == ("run",) and name not in OF_RUNS]


def _said_of_runs(sweep: Sweep) -> list[str]:
    return [name for name in OF_RUNS if name in sweep.arrays]


def _in_lines(name: str) -> str:
    """A name in lines that are short, broken behind its dots, brackets and blanks."""
    lines = [""]
    for part in re.findall(r"[^.( *+/-]*[.( *+/-]*", words(name)):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > WIDE:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _good(sweep: Sweep, values: Array) -> Array:
    return values[np.isfinite(values).all(axis=tuple(range(1, values.ndim)))]


def _known(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """The names, if all are there. Raises UsageError with the nearest."""
    for name in names:
        if name not in known:
            raise UsageError(f"there is no {name!r} to be drawn so.", remedy=near_names(name, tuple(known)))
    return [*names]


def _edges(values: Array, cells: int) -> Array:
    """Edges of cells: between the values of a grid, or so many even ones."""
    found = np.unique(values)
    if len(found) > 2 * CELLS:
        return np.linspace(found[0], found[-1], cells + 1)
    if len(found) == 1:
        return np.array([found[0] - 0.5, found[0] + 0.5])
    middle = 0.5 * (found[1:] + found[:-1])
    return np.concatenate([[2 * found[0] - middle[0]], middle, [2 * found[-1] - middle[-1]]])
