"""Magnitudes of the joint reactions over time."""

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
    joints: Sequence[str] | None = None,
    torque: bool = False,
    with_legend: bool = True,
    **style: Any,
) -> None:
    """Magnitude of each joint's reaction force, N, or with `torque` of its torque, N m."""
    name, title, label = "reaction_force", "Reaction forces", "force [N]"
    if torque:
        name, title, label = "reaction_torque", "Reaction torques", "torque [N m]"
    if name not in result or not result.joints or not result.time.size:
        nothing(ax, title, "no reactions recorded" if result.joints else "no joints")
        return
    lengths = magnitudes(result, name)
    for k in chosen(result.joints, joints, result, "joint"):
        time, line = thin(result.time, lengths[:, k])
        ax.plot(time, line, label=words(result.joints[k]), **{**look(k), **marker(time.size), **style})
    over_time(ax, title, label, result)
    from_zero(ax)
    if joints is None:
        largest_in_colour(ax)
    if with_legend:
        legend(ax)
