"""The orders of all Runge-Kutta methods on the four examples and both groups: does Munthe-Kaas keep them?"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.result import Result
from linkwork.studies.convergence import Convergence, measure
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.muller2013.examples import (
    EXAMPLES,
    LINKAGE,
    PAIR,
    PENDULUM,
    PRODUCT,
    SE3,
    TOP,
)
from linkwork.studies.runs import Runs

METHODS = {"euler": 1, "heun": 2, "bs32": 3, "rk4": 4, "dp54": 5, "ts54": 5, "dop853": 8}
# spans in s. Low orders need so many steps that a short span must do; high ones reach rounding in a short span
# before their leading error rules; the double pendulum's sensitivity forbids more than half a second
SPANS = {
    TOP: {3: 0.02, 4: 0.2, 8: 5.0},
    PENDULUM: {3: 0.02, 4: 0.2, 8: 0.5},
    PAIR: {3: 0.1, 4: 1.0, 8: 3.0},
    LINKAGE: {3: 0.03, 4: 0.3, 8: 2.0},
}
FASTEST = {TOP: 75.0, PENDULUM: 90.0, PAIR: 15.0, LINKAGE: 65.0}  # rad/s, about
INSTANTS = 10  # the error is the largest at so many instants: at a single one it can vanish by accident
MOST = 400_000
REFERENCE = ("dop853", 40_000)  # method and steps of the solution that errors are measured against
Key = tuple[str, str, str]


def orders(runs: Runs) -> Finding:
    """Slopes of the error, fitted between 1e-4 and 1e-11 (m; entries of the rotation matrix)."""
    found = {
        (model, group, method): converge(runs, model, group, method)
        for model in EXAMPLES
        for group in (SE3, PRODUCT)
        for method in METHODS
    }
    slopes = {key: convergence.order for key, convergence in found.items()}
    ranges = {method: spread(slopes, method) for method in METHODS}
    first, last = ends(found[LINKAGE, PRODUCT, "dp54"])
    return Finding(
        claim="Does every Runge-Kutta method keep its order as a Munthe-Kaas method, on both groups?",
        measured="Fitted slopes over four examples and both groups: "
        + ", ".join(f"{method} {low:.2f} to {high:.2f}" for method, (low, high) in ranges.items())
        + ".",
        why="Where pairs of order 5 show more, their errors of the next order outweigh the leading ones almost down to "
        f"rounding: from step to step the slope of dp54 on the linkage falls from {first:.2f} to {last:.2f}. The top "
        "over 5 s and the linkage show the orders clean.",
        verdict=Verdict.OWN,
        panels=tuple(panel(model, group, found) for model in (TOP, LINKAGE) for group in (SE3, PRODUCT)),
        numbers={f"{EXAMPLES[m]}, {group}, {method}": slope for (m, group, method), slope in slopes.items()},
        table=table(slopes),
        data=data(found),
    )


def converge(runs: Runs, model: str, group: str, method: str) -> Convergence:
    """Errors of one method on one example and group."""
    order = METHODS[method]
    t_end = next(span for most, span in SPANS[model].items() if order <= most)
    reference = sampled(runs, model, SE3, REFERENCE[0], t_end, REFERENCE[1])

    def error(n: int) -> float:  # n steps from instant to instant
        run = sampled(runs, model, group, method, t_end, INSTANTS * n)
        return max(float(np.abs(run[name] - reference[name]).max()) for name in ("position", "rotation"))

    fewest = max(1, round(t_end * FASTEST[model] / INSTANTS))
    return measure(error, t_end / INSTANTS, fewest, MOST // INSTANTS, growth=2.0 if order < 8 else 2.0**0.5)


def sampled(runs: Runs, model: str, group: str, method: str, t_end: float, n: int) -> Result:
    """A run of n steps, kept at INSTANTS times and the start."""
    return runs.simulate(model, t_end, t_end / n, group, method, every=n // INSTANTS)


def spread(slopes: dict[Key, float], method: str) -> tuple[float, float]:
    """The smallest and the largest slope of a method."""
    values = [slope for key, slope in slopes.items() if key[2] == method]
    return min(values), max(values)


def ends(convergence: Convergence) -> tuple[float, float]:
    """The slopes between the two coarsest and the two finest fitted steps."""
    inside = convergence.trusted
    h, e = np.log(convergence.steps[inside]), np.log(convergence.errors[inside])
    slopes = np.diff(e) / np.diff(h)
    return float(slopes[0]), float(slopes[-1])


def table(slopes: dict[Key, float]) -> dict[str, list[Any]]:
    """One line per example and group, one column per method."""
    lines = [
        (EXAMPLES[model], group, *(round(slopes[model, group, method], 3) for method in METHODS))
        for model in EXAMPLES
        for group in (SE3, PRODUCT)
    ]
    return columns(("example", "formulation", *(f"{method} ({order})" for method, order in METHODS.items())), lines)


def panel(model: str, group: str, found: dict[Key, Convergence]) -> Panel:
    """Error over step, a line per method."""
    curves = tuple(
        Curve(method, found[model, group, method].steps, found[model, group, method].errors, dots=True)
        for method in METHODS
    )
    return Panel(f"{EXAMPLES[model]}, {group}", "step [s]", "largest error [m, 1]", curves, log="xy")


def data(found: dict[Key, Convergence]) -> dict[str, list[Any]]:
    """Every error, one per line."""
    lines = [
        (EXAMPLES[model], group, method, step, error, trusted)
        for (model, group, method), convergence in found.items()
        for step, error, trusted in zip(
            convergence.steps.tolist(), convergence.errors.tolist(), convergence.trusted.tolist(), strict=True
        )
    ]
    return columns(("example", "formulation", "method", "step [s]", "error [m, 1]", "fitted"), lines)
