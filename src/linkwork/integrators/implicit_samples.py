"""Samples of runs on implicit problems: room for some, and the present state as one."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.integrators.contract import Block
from linkwork.problems.implicit import ImplicitProblem

RECORDED = 24  # columns of motion that are recorded: r, A, v, omega, a, alpha


def room_for(problem: ImplicitProblem, samples: int) -> Any:
    """Room for so many samples of one chunk, as compiled code fills it."""
    from linkwork.integrators import newton

    layout = problem.layout
    return newton.Block(
        time=np.empty(samples),
        motion=np.empty((samples, layout.nb, RECORDED)),
        multiplier=np.empty((samples, layout.nc)),
        iterations=np.empty(samples, dtype=np.int64),
    )


def state_as_sample(problem: ImplicitProblem, time: float) -> Block:
    """The state in the problem's arrays, reached at this time [s]."""
    work, layout = problem.work, problem.layout
    return {
        "time": np.array([time]),
        "motion": work.motion[None, : layout.nb, :RECORDED].copy(),
        "multiplier": work.z[None, layout.multipliers].copy(),
        "iterations": np.zeros(1, dtype=np.int64),
    }
