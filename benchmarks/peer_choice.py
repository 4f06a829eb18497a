"""Which of Exudyn's settings to time: the fastest that still computes the motion."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.models import ModelData
from benchmarks.peers_exudyn import ExudynModel, PeerRun, Settings
from benchmarks.references import position_error

NODES = ("RotationEulerParameters", "RotationRxyz", "RotationRotationVector")
SOLVERS = ("GeneralizedAlpha", "TrapezoidalIndex2")
OTHER_LINEAR = ("EigenDense", "EigenSparse")  # tried on what won with Exudyn's own dense solver
DEFAULT_TOLERANCE, LOOSE = 1e-8, (1e-4, 1e-2)


@dataclass
class Chosen:
    """The settings that won, their error, and the seconds of the one run that chose them."""

    settings: Settings
    seconds: float
    error: float


def tried(name: str, model: ModelData, settings: Settings, t_end: float, step: float, allowed: float) -> Chosen | None:
    """One run; None where it stops early or ends up further than `allowed` m from the truth.

    Not every candidate runs every mechanism: Rxyz angles have singular attitudes, a loose tolerance diverges.
    """
    try:
        run = ExudynModel(model, settings).run(t_end, step)
    except (RuntimeError, ValueError):  # Exudyn's own errors derive from these
        return None
    error = position_error(name, run.time, run.kept["position"])
    return Chosen(settings, run.seconds, error) if error <= allowed else None


def choose(
    name: str,
    model: ModelData,
    t_end: float,
    step: float,
    allowed: float,
    tolerances: Sequence[float],
    nodes: Sequence[str] = NODES,
) -> Chosen | None:
    """The fastest of the candidates whose positions stay within `allowed` m of the truth; None if none does."""
    candidates = [Settings(*three) for three in itertools.product(nodes, SOLVERS, tolerances)]
    best = fastest([tried(name, model, one, t_end, step, allowed) for one in candidates])
    if best is None:
        return None
    others = [replace(best.settings, linear=linear) for linear in OTHER_LINEAR]
    return fastest([best, *(tried(name, model, one, t_end, step, allowed) for one in others)])


def fastest(found: Sequence[Chosen | None]) -> Chosen | None:
    """The one with the fewest seconds, None where all failed."""
    return min((one for one in found if one is not None), key=lambda one: one.seconds, default=None)


def again(model: ModelData, settings: Settings, t_end: float, step: float, repetitions: int) -> list[PeerRun]:
    """Fresh runs with settings already chosen; building and assembling the model is not in their seconds."""
    return [ExudynModel(model, settings).run(t_end, step) for _ in range(repetitions)]
