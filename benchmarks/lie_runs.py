"""Runs to be timed beside each other, linkwork's and Exudyn's, and the figures made of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.lie_truth import Truth, gap
from benchmarks.models import ModelData
from benchmarks.timing import Spread, Timed, alternate, spread

STEP = 1e-3


@dataclass
class Figures:
    """One method on one mechanism.

    call : microseconds per step of the whole call; of Exudyn, of its solver's call.   loop : of the compiled loop.
    every : which steps were kept; errors are known where all were.   error : see `Truth.error`.   gap : largest
    violation of a ball joint, m.   failure : why there are no figures.
    """

    mechanism: str
    program: str
    method: str
    steps: int
    every: int = 1
    call: Spread | None = None
    loop: Spread | None = None
    error: float | None = None
    gap: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Run:
    """Something to be timed: `call` carries it out once."""

    program: str
    method: str
    call: Callable[[], Timed]
    every: int = 1


def ours(
    lw: Any, mechanism: Any, formulation: str, integrator: str, t_end: float, every: int = 1, **options: Any
) -> Run:
    """A run of `lw.simulate` as a user would make it; each `every`-th step is kept."""

    def call() -> Timed:
        start = time.perf_counter()
        result = lw.simulate(mechanism, t_end, STEP, formulation, integrator, every=every, **options)
        seconds = time.perf_counter() - start
        kept = {name: np.asarray(result[name]) for name in ("time", "position", "rotation")}
        return Timed(seconds, float(result.info["run_seconds"]), kept)

    words = [formulation, integrator, *(f"{name} {value}" for name, value in options.items())]
    return Run("linkwork", ", ".join(words), call, every)


def theirs(model: ModelData, settings: Any, t_end: float, every: int = 1) -> Run:
    """A run of Exudyn; building and assembling its model is not in its seconds."""
    from benchmarks.peers_exudyn import ExudynModel

    def call() -> Timed:
        run = ExudynModel(model, settings).run(t_end, STEP, every)
        return Timed(run.seconds, float("nan"), {"time": run.time, **run.kept})

    return Run("Exudyn", str(settings), call, every)


def first_line(error: Exception) -> str:
    """What went wrong, in a line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def measure(
    name: str, model: ModelData, truth: Truth, runs: Sequence[Run], t_end: float, repetitions: int
) -> list[Figures]:
    """Time all runs in turn. Those that fail are left out of the rounds and say why."""
    steps = round(t_end / STEP)
    made = [Figures(name, run.program, run.method, steps, run.every) for run in runs]
    good = []
    for run, figures in zip(runs, made, strict=True):
        try:
            run.call()  # compiles, or loads what is compiled
            good.append((run, figures))
        except Exception as error:  # the others' figures still count
            figures.failure = first_line(error)
    for (_, figures), timed in zip(good, alternate([run.call for run, _ in good], repetitions), strict=True):
        kept = timed[-1].kept
        figures.call = spread([one.seconds for one in timed], 1e6 / steps)
        loops = [one.loop for one in timed]
        figures.loop = None if np.any(np.isnan(loops)) else spread(loops, 1e6 / steps)
        if figures.every == 1:
            figures.error = truth.error(kept["time"], kept["position"], kept["rotation"])
            figures.gap = gap(model, kept["position"], kept["rotation"])
    return made
