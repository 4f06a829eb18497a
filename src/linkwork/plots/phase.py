"""Phase plane: the rates of joint coordinates over the coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkwork.plots.coordinates import coordinates
from linkwork.plots.style import largest_in_colour, legend, look, nothing, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result


def draw(ax: Axes, result: Result, *, joints: Sequence[str] | None = None, **style: Any) -> None:
    """Each coordinate's rate over the coordinate, with a dot at the start."""
    found, left_out = coordinates(result, joints)
    if not found or not result.time.size:
        nothing(ax, "Phase plane", "no joint with coordinates, or no motion recorded")
        return
    for k, one in enumerate(found):
        ax.plot(one.values, one.rate, label=words(one.label), **{**look(k), **style})
        ax.plot(one.values[:1], one.rate[:1], "o", color=look(k)["color"], markersize=4)
    ax.set_title(f"Phase plane (dot: at the start){left_out}", loc="left")
    angle = found[0].unit == "rad"
    ax.set_xlabel("angle [rad]" if angle else "displacement [m]")
    ax.set_ylabel("rate [rad/s]" if angle else "rate [m/s]")
    if joints is None:
        largest_in_colour(ax)
    legend(ax)
