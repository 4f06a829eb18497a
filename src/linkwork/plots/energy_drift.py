"""The change of the total energy over time, and what of it no work explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.series import thin
from linkwork.plots.style import COLOURS, legend, marker, nothing, over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.header import Array
    from linkwork.result import Result


def draw(ax: Axes, result: Result, *, with_legend: bool = True, **style: Any) -> None:
    """Total energy less its start value, joule; where the work is known also the work and the rest."""
    title = "Change of the total energy"
    if "kinetic_energy" not in result or "potential_energy" not in result or not result.time.size:
        nothing(ax, title, "no energies: they need masses\nand at least one sample")
        return
    balance = result.energy_balance()
    lines: list[tuple[str, Array, dict[str, Any]]] = []
    dashed: dict[str, Any] = {}
    if balance.work is not None:  # one of them is the change as a rule: dashes above it leave it to be seen
        lines += [("work done", balance.work, {"color": COLOURS[2]})]
        lines += [("unexplained", balance.residual, {"color": COLOURS[1]})]
        dashed = {"linestyle": (0, (5, 4)), "zorder": 3}
    lines += [("change", balance.change, {"color": "#222222", **dashed})]
    for label, values, look in lines:
        time, line = thin(result.time, values)
        ax.plot(time, line, label=label, **{**look, **marker(time.size), **style})
    largest, scale = float(np.abs(balance.residual).max()), float(balance.kinetic.max())
    if np.isfinite(largest) and scale > 0.0:
        what = "up to" if balance.work is None else "unexplained"
        title += f"\n({what} {100 * largest / scale:.2g} % of the kinetic)"
    over_time(ax, title, "energy [J]", result)
    if with_legend and len(lines) > 1:
        legend(ax)
