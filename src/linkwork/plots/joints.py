"""Joint coordinates over time, angles with their turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkwork.plots.series import thin
from linkwork.plots.style import largest_in_colour, legend, look, marker, nothing, over_time, words
from linkwork.quantities.joints import joint_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.quantities.joints import JointMotion
    from linkwork.result import Result

UNITS = {"": {"rad": "angle [rad]", "m": "displacement [m]"}, "_rate": {"rad": "rate [rad/s]", "m": "rate [m/s]"}}


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
    moving = joint_names(result) if result.mechanism_document and "acceleration" in result else ()
    found: list[JointMotion] = [result.joint(name) for name in (moving if joints is None else joints)]
    lines = [(one, name) for one in found for name in one.coordinates]
    if not lines or not result.time.size:
        nothing(ax, title, "no joint with coordinates, or no motion recorded")
        return
    unit = "rad" if any(one.variables[name].units == "rad" for one, name in lines) else "m"
    ending = "_rate" if rates else ""
    for k, (one, name) in enumerate(line for line in lines if line[0].variables[line[1]].units == unit):
        time, values = thin(result.time, one[name + ending])
        ax.plot(time, values, label=words(f"{one.name}.{name}"), **{**look(k), **marker(time.size), **style})
    over_time(ax, title, UNITS[ending][unit], result)
    if joints is None:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
