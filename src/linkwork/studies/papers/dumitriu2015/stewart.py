"""The Stewart platform, the paper's further work: the same motion by every formulation, and what a step costs.

The experiment that the paper speaks of is not ours to make: formulations are compared with each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.analysis.accelerations import accelerations
from linkwork.result import Result
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import FORMULATION, PUBLISHED, Array, largest
from linkwork.studies.runs import Runs
from linkwork.studies.timing import microseconds

MODEL, BODY = "stewart_platform", "platform"
RUNGE_KUTTA, ALPHA = "dop853", "generalized-alpha"
STEPS = {RUNGE_KUTTA: 5e-3, ALPHA: 1e-4}  # s, so that either method is as good as exact
TIMED = {RUNGE_KUTTA: "rk4", ALPHA: ALPHA}  # whose steps of 1 ms are timed
EXPLICIT = (FORMULATION, "lie-se3", "lie-product", "lie-mixed")
IMPLICIT = ("rA", "rp", "re", "lie-se3", "lie-product", "lie-mixed")
PAIRS = tuple((name, RUNGE_KUTTA) for name in EXPLICIT) + tuple((name, ALPHA) for name in IMPLICIT)
SPAN, SAMPLES = 2.0, 200
REFERENCE = ("lie-se3", RUNGE_KUTTA, 2e-3)
TIMED_STEPS = 60
TIME = "time [s]"
Pair = tuple[str, str]


@dataclass(frozen=True)
class Way:
    """A formulation with a method.

    path [m], turn [elements of A] : of the platform, off the reference. energy [J] : largest change. start : relative
    difference of all accelerations at the start from those of rA. timed, cost : microseconds per step of 1 ms, by which
    method.
    """

    formulation: str
    method: str
    path: float
    turn: float
    energy: float
    start: float
    timed: str
    cost: float


def stewart(runs: Runs) -> Finding:
    """Paths over 2 s, accelerations at the start, microseconds per step."""
    exact = reference(runs, SPAN, SAMPLES)
    results = {pair: run(runs, *pair) for pair in PAIRS}
    routes = compare(runs, exact, results)
    apart, unlike = max(way.path for way in routes), max(way.start for way in routes)
    start = exact.position(BODY)[0]
    moved = float(np.linalg.norm(exact.position(BODY) - start, axis=1).max())
    cost = {(way.formulation, way.timed): way.cost for way in routes}
    ours, lie = cost[FORMULATION, TIMED[RUNGE_KUTTA]], cost["lie-product", TIMED[RUNGE_KUTTA]]
    return Finding(
        **PUBLISHED["stewart"].told,
        measured=f"All formulations move the platform alike, to {apart:.2g} m over {SPAN:g} s in which it moves by up "
        f"to {moved:.2g} m, and rotation-matrix to {routes[0].path:.2g} m; accelerations at the start agree to "
        f"{unlike:.1g}. A step of rk4 costs {ours:.3g} us with rotation-matrix and {lie:.3g} us with lie-product.",
        why="Twice as many variables to place and to add up, and rows differentiated along nine elements instead of "
        "three, for a linear system of the same size.",
        verdict=Verdict.OWN,
        panels=(
            Panel("path of the platform", TIME, "from the start [m]", path(exact)),
            Panel("off the reference", TIME, "distance [m]", off(exact, results), "y"),
        ),
        numbers={
            "paths apart [m]": apart,
            "accelerations apart, relative": unlike,
            "rotation-matrix / lie-product, rk4": ours / lie,
        },
        table=columns(
            (
                "formulation",
                "path by",
                "path [m]",
                "rotation",
                "energy [J]",
                "start",
                "steps of 1 ms by",
                "us per step",
            ),
            [(w.formulation, w.method, w.path, w.turn, w.energy, w.start, w.timed, round(w.cost, 2)) for w in routes],
        ),
        data={TIME: exact.time}
        | {f"{axis} [m]": exact.position(BODY)[:, k] for k, axis in enumerate("xyz")}
        | {f"{a}, {b}, off [m]": distance(exact, result) for (a, b), result in results.items()},
    )


def reference(runs: Runs, span: float, samples: int) -> Result:
    """By an order of 8 and ten times finer steps than needed."""
    formulation, method, step = REFERENCE
    return runs.simulate(MODEL, span, step, formulation, method, every=round(span / step / samples))


def run(runs: Runs, formulation: str, method: str) -> Result:
    """Over the span of the comparison."""
    step = STEPS[method]
    return runs.simulate(MODEL, SPAN, step, formulation, method, every=round(SPAN / step / SAMPLES))


def compare(runs: Runs, exact: Result, results: dict[Pair, Result]) -> list[Way]:
    """All differences and costs."""
    mechanism = runs.mechanism(MODEL)
    known = {name: start_of(runs, name) for name in dict.fromkeys(name for name, _ in PAIRS)}
    timed = {pair: {"formulation": pair[0], "integrator": TIMED[pair[1]]} for pair in PAIRS}
    names = {f"{a}, {b}": options for (a, b), options in timed.items()}
    cost = {name: float(us.min()) for name, us in microseconds(mechanism, names, TIMED_STEPS).items()}
    wanted = known["rA"]
    return [
        Way(
            name,
            method,
            largest(distance(exact, result)),
            largest(result.rotation(BODY) - exact.rotation(BODY)),
            largest(result.energy - result.energy[0]),
            largest(known[name] - wanted) / largest(wanted),
            TIMED[method],
            cost[f"{name}, {method}"],
        )
        for (name, method), result in results.items()
    ]


def start_of(runs: Runs, formulation: str) -> Array:
    """All accelerations at the start in a row."""
    found = accelerations(runs.mechanism(MODEL), formulation=formulation)
    return np.concatenate([found.rddot.ravel(), found.omegadot.ravel()])


def distance(exact: Result, result: Result) -> Array:
    """(nt,) m, of the platform's centre."""
    found: Array = np.linalg.norm(result.position(BODY) - exact.position(BODY), axis=1)
    return found


def path(exact: Result) -> tuple[Curve, ...]:
    """The centre's coordinates, from the start."""
    moved = exact.position(BODY) - exact.position(BODY)[0]
    return tuple(Curve(axis, exact.time, moved[:, k]) for k, axis in enumerate("xyz"))


def off(exact: Result, results: dict[Pair, Result]) -> tuple[Curve, ...]:
    """One curve for each kind that differs; the lie formulations lie on each other."""
    chosen = ((FORMULATION, RUNGE_KUTTA), ("lie-product", RUNGE_KUTTA), ("rA", ALPHA), ("rp", ALPHA), ("re", ALPHA))
    return tuple(Curve(f"{a}, {b}", exact.time[1:], distance(exact, results[a, b])[1:]) for a, b in chosen)
