"""Work and precision: what each tableau makes of a second of computing, with fixed and with adaptive steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.lie_truth import COMPARED, Truth, truth_of

FIXED = ("euler", "heun", "bs32", "rk4", "dp54", "ts54", "dop853")
PAIRS = ("bs32", "dp54", "ts54", "dop853")
FORMULATION = "lie-mixed"
STEPS = tuple(20 * 2**k for k in range(14))  # of the whole run
RTOLS = tuple(10.0**-k for k in range(2, 14))
LONGEST = 0.3  # s of computing: finer steps are left out
FLOOR, LOST = 1e-11, 1.0  # errors (m, rad) below which rounding rules, and above which nothing is told
TRIES = 3


@dataclass
class Point:
    """One run. size : step (s), or relative tolerance where steps are adaptive.   seconds : of its compiled loop, the
    least of a few.   evaluations : of the right side.   error : see `Truth.error`."""

    mechanism: str
    integrator: str
    adaptive: bool
    size: float
    seconds: float
    evaluations: int
    error: float


def curves(lw: Any, name: str) -> list[Point]:
    """All tableaux on one mechanism."""
    mechanism, truth = lw.load(name), truth_of(name)
    made = []
    for integrator in FIXED:
        made += list(fixed(lw, name, mechanism, truth, integrator))
    for integrator in PAIRS:
        made += list(adaptive(lw, name, mechanism, truth, integrator))
    return made


def fixed(lw: Any, name: str, mechanism: Any, truth: Truth, integrator: str) -> Iterator[Point]:
    """Ever smaller steps, until rounding or patience ends it."""
    for steps in STEPS:
        options = {"every": steps // COMPARED}
        point = best(lw, name, mechanism, truth, integrator, step=truth.until / steps, options=options)
        if point is not None and point.error < LOST:
            yield point
        if point is not None and (point.error < FLOOR or point.seconds > LONGEST):
            return


def adaptive(lw: Any, name: str, mechanism: Any, truth: Truth, integrator: str) -> Iterator[Point]:
    """Ever smaller tolerances."""
    for rtol in RTOLS:
        options = {"rtol": rtol, "atol": 1e-2 * rtol, "t_eval": truth.samples}
        point = best(lw, name, mechanism, truth, integrator, step=float(truth.samples[0]), options=options)
        if point is not None and point.error < LOST:
            yield point
        if point is not None and (point.error < FLOOR or point.seconds > LONGEST):
            return


def best(
    lw: Any, name: str, mechanism: Any, truth: Truth, integrator: str, *, step: float, options: dict[str, Any]
) -> Point | None:
    """The quickest of a few runs; None where the method cannot take these steps."""
    found: list[Point] = []
    for _ in range(TRIES):
        try:
            result = lw.simulate(mechanism, truth.until, step, FORMULATION, integrator, **options)
        except Exception:  # steps beyond stability: no point on the curve
            return None
        error = truth.error(*(np.asarray(result[key]) for key in ("time", "position", "rotation")))
        size = float(options.get("rtol", step))
        seconds, evaluations = float(result.info["run_seconds"]), int(result.info["evaluations"])
        found.append(Point(name, integrator, "rtol" in options, size, seconds, evaluations, error))
    return min(found, key=lambda point: point.seconds)


def seconds_for(points: Sequence[Point], error: float) -> float | None:
    """Seconds in which a method reaches an error, between its points by logarithms; None where it does not."""
    ordered = sorted(points, key=lambda point: -point.error)
    for coarse, fine in pairwise(ordered):
        if fine.error <= error <= coarse.error:
            if coarse.error == fine.error:
                return fine.seconds
            share = np.log(coarse.error / error) / np.log(coarse.error / fine.error)
            return float(coarse.seconds * (fine.seconds / coarse.seconds) ** share)
    return None


def picture(points: Sequence[Point], path: Path) -> None:
    """Seconds against error: fixed steps in full lines, adaptive ones dashed."""
    from matplotlib.figure import Figure

    from linkwork.plots.style import COLOURS, applied

    names = list(dict.fromkeys(point.mechanism for point in points))
    with applied():
        page = Figure(figsize=(10.4, 4.6), layout="constrained")
        for k, name in enumerate(names):
            ax = page.add_subplot(1, len(names), k + 1)
            for number, integrator in enumerate(FIXED):
                for chosen, look in ((False, "-"), (True, (0, (4, 2)))):
                    some = [p for p in points if (p.mechanism, p.integrator, p.adaptive) == (name, integrator, chosen)]
                    label = f"{integrator}, adaptive" if chosen else integrator
                    if some:
                        ax.loglog(
                            [p.error for p in some],
                            [1e3 * p.seconds for p in some],
                            color=COLOURS[number % len(COLOURS)],
                            linestyle=look,
                            marker="o",
                            markersize=3.0,
                            label=label,
                        )
            ax.invert_xaxis()
            ax.set_title(name.removeprefix("muller2013_").replace("_", " "), loc="left")
            ax.set_xlabel("largest error [m, rad]")
            ax.set_ylabel("computing time [ms]")
        handles, labels = page.axes[0].get_legend_handles_labels()
        page.legend(handles, labels, loc="outside right center", fontsize=8.0)
        path.parent.mkdir(parents=True, exist_ok=True)
        page.savefig(path, dpi=150)
