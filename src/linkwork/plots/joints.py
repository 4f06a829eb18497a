"""Joint coordinates over time, angles with their turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkwork.plots.coordinates import coordinates
from linkwork.plots.series import thin
from linkwork.plots.style import largest_in_colour, legend, look, marker, nothing, over_time, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result

UNITS = {False: {"rad": "angle [rad]", "m": "displacement [m]"}, True: {"rad": "rate [rad/s]", "m": "rate [m/s]"}}


def draw(
    ax: Axes,
    result: Result,
    *,
    joints: Sequence[str] | None = None,
    rates: bool = False,
    with_legend: bool = True,
    **style: Any,
) -> None:
    """Coordinates of joints, or with `rates` their rates. Angles, unless there are none: then displacements."""
    title = "Rates of joint coordinates" if rates else "Joint coordinates"
    found, left_out = coordinates(result, joints)
    if not found or not result.time.size:
        nothing(ax, title, "no joint with coordinates, or no motion recorded")
        return
    for k, one in enumerate(found):
        time, values = thin(result.time, one.rate if rates else one.values)
        ax.plot(time, values, label=words(one.label), **{**look(k), **marker(time.size), **style})
    over_time(ax, title + left_out, UNITS[rates][found[0].unit], result)
    if joints is None:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
