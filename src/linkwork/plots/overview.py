"""A run on one page: paths, speeds, energy, reactions, violations, iterations or what energy was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from linkwork.plots import energy, energy_drift, iterations, paths, reactions, stroboscope, velocities, violations
from linkwork.plots.style import ALARM, QUIET, ending, standing, words
from linkwork.shown import parts_counted

if TYPE_CHECKING:
    from linkwork.result import Result


MOST_BODIES = 60  # that are drawn at several instants; paths of more


def overview(result: Result, *, size: tuple[float, float] | None = None, **style: Any) -> Figure:
    """The page as a figure; `style` goes to every panel."""
    room = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.10, wspace=0.03, hspace=0.04)
    figure = Figure(figsize=size or (13.0, 8.0), layout=room)
    grid = figure.add_gridspec(2, 3)
    known = bool(result.mechanism_document) and 0 < len(result.bodies) <= MOST_BODIES
    kind = None if known else paths.projection(result)
    first = figure.add_subplot(grid[0, 0], projection=kind) if kind else figure.add_subplot(grid[0, 0])
    (stroboscope if known else paths).draw(first, result, **style)
    velocities.draw(figure.add_subplot(grid[0, 1]), result, **style)
    energy.draw(figure.add_subplot(grid[0, 2]), result, **style)
    reactions.draw(figure.add_subplot(grid[1, 0]), result, **style)
    violations.draw(figure.add_subplot(grid[1, 1]), result, **style)
    last = iterations if "iterations" in result else energy_drift  # explicit methods do not iterate
    last.draw(figure.add_subplot(grid[1, 2]), result, **style)
    against = standing(result)
    title = heading(result) + (f"  -  {against.upper()}" if against else "")
    figure.suptitle(title, x=0.012, ha="left", fontsize=13, fontweight="bold", color=ALARM if against else "black")
    figure.supxlabel(footer(result), x=0.012, ha="left", fontsize=7.5, color=ALARM if against else QUIET)
    return figure


def heading(result: Result) -> str:
    """What ran: the mechanism and the method."""
    info = result.info
    method = " with ".join(str(info[key]) for key in ("formulation", "integrator") if info.get(key))
    name = str(info.get("model") or "Mechanism")
    step = f", step {info['step']:g} s" if isinstance(info.get("step"), (int, float)) else ""
    return words(f"{name}: {method}{step}" if method else name + step)


def footer(result: Result) -> str:
    """How it ended if not well, and where it comes from."""
    info = result.info
    forms = {"linkwork_version": "linkwork {}", "source_hash": "sources {}", "model_hash": "model {}"}
    made = ", ".join(form.format(info[key]) for key, form in forms.items() if info.get(key))
    counts = parts_counted({**result.header.elements, "sample": int(result.time.size)})
    parts = [ending(result, 150)] if standing(result) else []
    return "\n".join([*parts, words("; ".join(part for part in (counts, made) if part))])
