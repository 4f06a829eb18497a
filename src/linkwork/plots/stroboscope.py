"""The mechanism at several instants over each other, earlier ones paler; paths where the mechanism is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import LinkworkError, UsageError
from linkwork.plots import paths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.result import Result

TITLE, MOST_FRAMES = "Motion", 2000


def draw(ax: Axes, result: Result, *, instants: int = 8, **style: Any) -> None:
    """The mechanism at `instants` times spread evenly over the run, into plain axes."""
    from linkwork.plots.picture import painter_of, stroboscope
    from linkwork.scene import scene_of

    if not 1 <= instants <= 100:
        raise UsageError(f"instants must be from 1 to 100, not {instants}.")
    try:
        painter = painter_of(scene_of(result, most_frames=MOST_FRAMES))
    except LinkworkError:
        paths.draw(ax, result, **style)
        return
    run, *_ = painter.scene.runs
    times = np.linspace(run.time[0], run.time[-1], instants)
    stroboscope(ax, painter, [int(np.argmin(np.abs(run.time - t))) for t in times])
    ax.set_title(f"{TITLE}, {instants} instants from {run.time[0]:g} to {run.time[-1]:g} s", loc="left")
