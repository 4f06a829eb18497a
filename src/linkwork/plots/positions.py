"""Positions of the bodies over time: a colour for each body, a dash pattern for each component that moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.series import thin
from linkwork.plots.style import COLOURS, DASHES, chosen, largest_in_colour, legend, marker, nothing, over_time, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.header import Array
    from linkwork.result import Result

STILL = 1e-6  # a component that moves less than this part of the largest motion is left out


def moving(values: Array) -> list[int]:
    """Which of x, y, z move at all; all three where nothing does."""
    with np.errstate(invalid="ignore"):
        reach = np.nan_to_num(np.ptp(values, axis=0)).max(axis=0)
    out = [k for k in range(3) if reach[k] > STILL * reach.max()]
    return out or [0, 1, 2]


def draw(
    ax: Axes,
    result: Result,
    *,
    bodies: Sequence[str] | None = None,
    components: str | None = None,
    with_legend: bool = True,
    **style: Any,
) -> None:
    """Position of the bodies' origins over time, metres, global components; those that move, or `components`."""
    title = "Positions of the bodies"
    if not result.bodies or not result.time.size:
        nothing(ax, title, "no sample")
        return
    values = result["position"]
    axes = moving(values) if components is None else ["xyz".index(letter) for letter in components]
    for k in chosen(result.bodies, bodies, result, "body"):
        for axis in axes:
            time, line = thin(result.time, values[:, k, axis])
            ax.plot(
                time,
                line,
                color=COLOURS[k % len(COLOURS)],
                linestyle=DASHES[axis],
                label=f"{words(result.bodies[k])}  {'xyz'[axis]}",
                **{**marker(time.size), **style},
            )
    over_time(ax, title, "position [m]", result)
    if bodies is None:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
