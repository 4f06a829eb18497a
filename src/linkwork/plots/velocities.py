"""Speeds of the bodies over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkwork.plots.series import magnitudes, thin
from linkwork.plots.style import chosen, from_zero, largest_in_colour, legend, look, marker, nothing, over_time, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result


def draw(
    ax: Axes,
    result: Result,
    *,
    bodies: Sequence[str] | None = None,
    angular: bool = False,
    with_legend: bool = True,
    **style: Any,
) -> None:
    """Speed of each body's origin, m/s, or with `angular` the rate of its rotation, rad/s."""
    name, title, label = "velocity", "Speeds of the bodies", "speed [m/s]"
    if angular:
        name, title, label = "angular_velocity", "Rotation rates of the bodies", "angular speed [rad/s]"
    if name not in result or not result.bodies or not result.time.size:
        nothing(ax, title, "no velocities recorded")
        return
    speeds = magnitudes(result, name)
    for k in chosen(result.bodies, bodies, result, "body"):
        time, line = thin(result.time, speeds[:, k])
        ax.plot(time, line, label=words(result.bodies[k]), **{**look(k), **marker(time.size), **style})
    over_time(ax, title, label, result)
    from_zero(ax)
    if bodies is None:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
