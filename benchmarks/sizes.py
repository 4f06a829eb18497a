"""How the cost grows: a chain of N bars on parallel pins in absolute coordinates, rA beside Exudyn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.build import as_mechanism
from benchmarks.kissel import bar_inertia
from benchmarks.linkwork_runs import DYNAMICS, DYNAMICS_TOLERANCE
from benchmarks.models import GROUND, BodyData, JointData, ModelData
from benchmarks.timing import Spread, repeat, spread

LENGTH, WIDTH, MASS, STEP = 0.2, 0.02, 0.6, 1e-3
COUNTS, QUICK_COUNTS = (10, 30, 100, 300, 1000), (10, 100)


@dataclass
class Size:
    """Microseconds per step and body of one chain.

    ours : the whole call.   compiled : its compiled loop alone.   apart : the largest distance (m) between the two
    programs' bodies at the end, ours being of first order and the peer of second.
    """

    bodies: int
    steps: int
    ours: Spread | None = None
    compiled: float | None = None
    peer: Spread | None = None
    apart: float | None = None
    failure: str = ""


def chain(count: int) -> ModelData:
    """Bars along x on pins along y, released at rest; their angles alternate by 10 degrees."""
    bodies, joints, end, before = [], [], np.zeros(3), GROUND
    for k in range(count):
        angle = np.radians(10.0) * (-1) ** k
        c, s = np.cos(angle), np.sin(angle)
        A = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        name = f"bar {k + 1}"
        here = (float(end[0]), float(end[1]), float(end[2]))
        joints.append(JointData(f"pin {k + 1}", "revolute", before, name, here, (0.0, 1.0, 0.0)))
        centre = end + A @ np.array([LENGTH / 2.0, 0.0, 0.0])
        bodies.append(BodyData(name, MASS, bar_inertia(MASS, LENGTH, WIDTH), centre, A, np.zeros(3), np.zeros(3)))
        end, before = end + A @ np.array([LENGTH, 0.0, 0.0]), name
    return ModelData(f"chain of {count}", tuple(bodies), tuple(joints))


def measure(lw: Any, count: int, repetitions: int, peers: bool) -> Size:
    """One chain; the number of steps shrinks with its length so that the whole stays short."""
    model = chain(count)
    made = Size(count, steps=max(30, min(1000, 20_000 // count)))
    t_end = made.steps * STEP
    scale = 1e6 / (made.steps * count)
    ends = []
    try:
        mechanism = as_mechanism(lw, model)
        how = {"formulation": "rA", "integrator": DYNAMICS, "tolerance": DYNAMICS_TOLERANCE}
        lw.simulate(mechanism, t_end=2 * STEP, step=STEP, **how)
        seconds, result = repeat(lambda: lw.simulate(mechanism, t_end=t_end, step=STEP, **how), repetitions)
        made.ours = spread(seconds, scale)
        made.compiled = scale * float(result.info.get("run_seconds", np.nan))
        ends.append(np.asarray(result["position"])[-1])
    except Exception as error:  # the other sizes still count
        made.failure = f"{type(error).__name__}: {error}".splitlines()[0]
    if peers:
        from benchmarks.peers_exudyn import ExudynModel, Settings

        # The fastest of all combinations tried on 10, 30 and 100 bodies that stayed within 0.2 mm of the tightest.
        settings = Settings(solver="TrapezoidalIndex2", relative_tolerance=1e-4, linear="EigenSparse")
        runs = [ExudynModel(model, settings).run(t_end, STEP) for _ in range(repetitions)]
        made.peer = spread([run.seconds for run in runs], scale)
        ends.append(runs[0].kept["position"][-1])
    if len(ends) == 2:
        made.apart = float(np.max(np.linalg.norm(ends[0] - ends[1], axis=-1)))
    return made


def run(quick: bool, peers: bool = True, say: Callable[[str], None] = print) -> list[Size]:
    """All lengths."""
    import linkwork as lw

    made = []
    for count in QUICK_COUNTS if quick else COUNTS:
        say(f"chain of {count}")
        made.append(measure(lw, count, 3, peers))
    return made
