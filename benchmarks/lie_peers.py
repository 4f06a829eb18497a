"""Which of Exudyn's settings to time on mechanisms with joints: its Lie-group nodes, and whatever it is fastest with.

A candidate counts if loosening its Newton tolerance from the default at most doubles the error that its solver has at
this step, so that no run is quick because it computes another motion.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.lie_runs import STEP
from benchmarks.lie_truth import Truth
from benchmarks.models import ModelData
from benchmarks.peers_exudyn import ExudynModel, Settings

LIE = "RotationRotationVector"
NODES = (LIE, "RotationEulerParameters", "RotationRxyz")
SOLVERS = ("GeneralizedAlpha", "TrapezoidalIndex2")
DEFAULT, LOOSE = 1e-8, (1e-4, 1e-2)
OTHER_LINEAR = ("EigenDense", "EigenSparse")
ENOUGH, AT_MOST = 1e-4, 0.2  # errors (m, rad) that always and that never count as the motion
TRIES = 3


@dataclass
class Candidate:
    """Settings tried: seconds of the quickest of a few runs, and their error."""

    settings: Settings
    seconds: float
    error: float


def tried(model: ModelData, truth: Truth, settings: Settings) -> Candidate | None:
    """The settings as long as runs are compared; None where Exudyn gives up."""
    seconds, error = float("inf"), float("inf")
    for _ in range(TRIES):
        try:
            run = ExudynModel(model, settings).run(truth.until, STEP)
        except (RuntimeError, ValueError):
            return None
        seconds = min(seconds, run.seconds)
        error = truth.error(run.time, run.kept["position"], run.kept["rotation"])
    return Candidate(settings, seconds, error)


def admissible(error: float, default: float | None) -> bool:
    """Whether a run with this error counts, its solver having the error `default` at the default tolerance."""
    return error <= min(max(ENOUGH, 2.0 * (default or 0.0)), AT_MOST)


def lasts(model: ModelData, settings: Settings, t_end: float) -> bool:
    """Whether a run reaches t_end (s)."""
    try:
        ExudynModel(model, settings).run(t_end, STEP)
    except (RuntimeError, ValueError):
        return False
    return True


def choose(
    model: ModelData, truth: Truth, nodes: Sequence[str], tolerances: Sequence[float], t_end: float
) -> Settings | None:
    """The quickest admissible settings on these nodes that last until t_end; None if nothing gives the motion."""
    found: list[Candidate] = []
    for node, solver, renew in itertools.product(nodes, SOLVERS, (False, True)):
        default = tried(model, truth, Settings(node, solver, DEFAULT, renew=renew))
        others = [tried(model, truth, Settings(node, solver, x, renew=renew)) for x in tolerances if x != DEFAULT]
        own = None if default is None else default.error
        found += [one for one in (default, *others) if one is not None and admissible(one.error, own)]
    ordered = sorted(found, key=lambda one: one.seconds)
    best = next((one for one in ordered if lasts(model, one.settings, t_end)), None)
    if best is None:
        return None
    linear = [tried(model, truth, replace(best.settings, linear=name)) for name in OTHER_LINEAR]
    same = [one for one in linear if one is not None and one.error <= max(ENOUGH, 1.1 * best.error)]
    same = [one for one in same if lasts(model, one.settings, t_end)]
    return min([best, *same], key=lambda one: one.seconds).settings
