"""Magnitudes of the joint reaction torques over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.plots import reactions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result


def draw(ax: Axes, result: Result, **style: Any) -> None:
    """Magnitude of each joint's reaction torque about its point, N m; options as of `reactions.draw`."""
    reactions.draw(ax, result, torque=True, **style)
