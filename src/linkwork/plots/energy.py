"""Kinetic, potential and total energy over time, and by how much the total changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.series import thin
from linkwork.plots.style import COLOURS, legend, marker, nothing, over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result


def draw(ax: Axes, result: Result, *, with_legend: bool = True, **style: Any) -> None:
    """Energies in joule; the legend says how much of the total is not accounted for."""
    title = "Energy"
    if "kinetic_energy" not in result or "potential_energy" not in result or not result.time.size:
        nothing(ax, title, "no energies: they need masses\nand at least one sample")
        return
    balance = result.energy_balance()
    lines: list[tuple[str, Any, str, Any]] = [
        ("kinetic", balance.kinetic, COLOURS[0], "-"),
        ("potential", balance.potential, COLOURS[1], "-"),
        (remark(result), balance.total, "#222222", (0, (5, 1.6))),
    ]
    if balance.work is not None and np.any(balance.work):
        lines.append(("work done", balance.work, COLOURS[2], (0, (1.2, 1.2))))
    for label, values, color, dashes in lines:
        time, line = thin(result.time, values)
        ax.plot(time, line, label=label, color=color, linestyle=dashes, **{**marker(time.size), **style})
    over_time(ax, title, "energy [J]", result)
    if with_legend:
        legend(ax)


def remark(result: Result) -> str:
    """The total's label: with its largest change, or where the work is known with what no work explains."""
    balance = result.energy_balance()
    largest = float(np.abs(balance.residual).max())
    if not np.isfinite(largest):
        return "total (not finite)"
    return f"total ({'changes' if balance.work is None else 'off by'} {largest:.2g} J)"
