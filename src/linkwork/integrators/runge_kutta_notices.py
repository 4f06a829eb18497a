"""What a user should know of a run with Runge-Kutta steps when it is over."""

from __future__ import annotations

from typing import Any

MUCH = 20.0  # times the tolerances: a sample so far off is worth a word


def samples_within_steps(run: Any) -> list[str]:
    """That samples within steps are much less exact than the ends of steps. run : the record of the run's kernels."""
    times = float(run.between_error[0])
    if not times > MUCH:
        return []
    return [
        f"samples within steps are off by up to about {times:.2g} times what the tolerances ask of a step: they "
        "follow a polynomial whose error no step is chosen by. A smaller rtol or max_step brings samples nearer; "
        "fixed steps with `every` end at their samples."
    ]


def rank_losses(run: Any, changes: int) -> list[str]:
    """Where constraints lost rank, and how often it changed. changes : of rank, after the start."""
    said, limits = [], int(run.stencil.limits[0])
    if limits:
        first = run.stencil.first_loss[0]
        said.append(
            f"constraints lose rank near t = {first:.6g} s; {limits} accelerations, there and in such places "
            "later, are limits of those on both sides; positions and velocities were projected onto them afterwards"
        )
    if changes:
        said.append(
            f"constraints changed rank {changes} times; positions and velocities were projected onto them there"
        )
    return said
