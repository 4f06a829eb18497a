"""How long the steps of a run were that finds their size, kept while it is carried out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.runge_kutta_run import RungeKuttaRun

MOST = 2**20  # steps whose sizes are kept


def keep_sizes(run: RungeKuttaRun) -> None:
    """From now on sizes of steps are kept."""
    run.run = run.run._replace(sizes=np.zeros(MOST))
    vars(run).pop("_table", None)  # with another array in it


def sizes_of(run: RungeKuttaRun) -> NDArray[np.float64]:
    """(steps,) of those kept [s], the one that samples wait in included."""
    found: NDArray[np.float64] = run.run.sizes[: int(run.run.steps[0] + run.run.pending[0])]
    return found
