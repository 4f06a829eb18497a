"""How far the constraints are from being met, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.series import thin
from linkwork.plots.style import COLOURS, legend, marker, nothing, over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result

LEVELS = (("position_violation", "position", COLOURS[0]), ("velocity_violation", "velocity", COLOURS[1]))


def draw(ax: Axes, result: Result, *, with_legend: bool = True, **style: Any) -> None:
    """Largest absolute residual of the constraint rows at position and velocity level, logarithmic.

    Zeros have no place on a logarithmic axis and are left out.
    """
    title = "Constraint violation"
    found = [(name, label, color) for name, label, color in LEVELS if name in result]
    if not found or not result.time.size:
        nothing(ax, title, "no violations recorded")
        return
    floor, drawn = np.inf, False
    for name, label, color in found:
        values = result[name]
        time, line = thin(result.time, np.where(values > 0.0, values, np.nan))
        if np.isfinite(line).any():
            ax.semilogy(time, line, label=label, color=color, **{**marker(time.size), **style})
            drawn = True
            floor = min(floor, 0.1 * float(np.nanquantile(line, 0.01)))
    if not drawn:
        nothing(ax, title, "exactly zero throughout")
        return
    if result.time.size > 1:  # the start is often met to the last bit: that alone must not stretch the axis
        ax.set_ylim(bottom=max(floor, ax.get_ylim()[0]))
    over_time(ax, title, "largest residual [m, rad; per s]", result)
    if with_legend:
        legend(ax)
