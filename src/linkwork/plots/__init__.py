"""Pictures of a result. Each plot is one file with `draw(ax, result, **style)`; `overview` is a page of six.

Figures are made without pyplot: nothing opens a window, no display is needed.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import UsageError
from linkwork.registry import Registry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from linkwork.result import Result

OVERVIEW = "overview"

# kind -> a module with `draw(ax, result, **style)`; the overview composes several
PLOTS = Registry(
    "plot",
    {
        OVERVIEW: "linkwork.plots.overview:overview",
        "paths": "linkwork.plots.paths:draw",
        "stroboscope": "linkwork.plots.stroboscope:draw",
        "phase": "linkwork.plots.phase:draw",
        "spectrum": "linkwork.plots.spectrum:draw",
        "positions": "linkwork.plots.positions:draw",
        "velocities": "linkwork.plots.velocities:draw",
        "joints": "linkwork.plots.joints:draw",
        "energy": "linkwork.plots.energy:draw",
        "energy-drift": "linkwork.plots.energy_drift:draw",
        "violations": "linkwork.plots.violations:draw",
        "reactions": "linkwork.plots.reactions:draw",
        "torques": "linkwork.plots.torques:draw",
        "iterations": "linkwork.plots.iterations:draw",
    },
)
# kind -> a function of a figure and a sweep
SWEEP_PLOTS = Registry(
    "sweep plot",
    {
        "bands": "linkwork.plots.sweeps:bands",
        "heat-map": "linkwork.plots.sweeps:heat_map",
        "parallel": "linkwork.plots.sweeps:parallel",
        "pairs": "linkwork.plots.sweeps:pairs",
    },
)
HANDED_ON = {OVERVIEW: ("violations",), "torques": ("reactions",)}  # whose options a plot takes as well
SUFFIXES = (".png", ".svg", ".pdf")


def plot(
    result: Result,
    kind: str = OVERVIEW,
    path: str | PathLike[str] | None = None,
    *,
    force: bool = False,
    size: tuple[float, float] | None = None,
    dpi: float = 150,
    **style: Any,
) -> Figure:
    """Draw one kind of plot, write it to `path` if given, and return the figure.

    Parameters
    ----------
    kind : a key of `PLOTS`.
    path, force : ``.png``, ``.svg`` or ``.pdf``; whether it may replace another file.
    size : width and height in inches.
    style : options of the plot, such as ``bodies=["crank"]``.

    Raises UsageError for an unknown kind, option or ending, OutputExistsError, ResultFileError.
    """
    from linkwork.plots import style as looks
    from linkwork.plots.options import check_options, check_page, in_words

    draw = PLOTS.load(kind)
    check_options(kind, draw, [PLOTS.load(name) for name in HANDED_ON.get(kind, ())], style)
    check_page(size, dpi)
    if path is not None:
        suffix(path)
    with looks.applied(), in_words(kind, style):
        if kind == OVERVIEW:
            figure: Figure = draw(result, size=size, **style)
        else:
            figure, ax = looks.single(result, spatial=kind == "paths", size=size)
            draw(ax, result, **style)
    if path is not None:
        with in_words(kind, style):
            save_figure(figure, path, force=force, dpi=dpi)
    return figure


def suffix(path: str | PathLike[str]) -> str:
    """The ending of a picture's name; UsageError if pictures are not written so."""
    found = Path(fspath(path)).suffix.lower()
    if found not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise UsageError(f"pictures are not written as {found!r}.", file=fspath(path), remedy=f"Use one of {known}.")
    return found


def save_figure(figure: Figure, path: str | PathLike[str], *, force: bool = False, dpi: float = 150) -> None:
    """Write a figure whole or not at all; the same figure gives the same bytes."""
    from linkwork.io.results.atomic import writing
    from linkwork.plots import style as looks

    kind = suffix(path)
    dates: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with writing(path, force=force) as temporary, looks.applied():
        figure.savefig(temporary, format=kind[1:], dpi=dpi, metadata=dates.get(kind))
