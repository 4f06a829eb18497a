"""Constraint stabilisation, which the paper names and leaves out: what it does to the violations and to the energy."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.result import Result
from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.muller2013.examples import (
    EXAMPLES,
    LINKAGE,
    MIXED,
    PENDULUM,
    PUBLISHED,
    SE3,
    STEP,
    T_END,
    Array,
    energy_drift,
    largest,
    run,
)
from linkwork.studies.runs import Runs
from linkwork.studies.violations import joint_violations, slip_work

WAYS: dict[str, dict[str, Any]] = {
    "none": {},
    "baumgarte": {"stabilisation": "baumgarte"},
    "projection": {"stabilisation": "projection"},
    "projection, every 10th step": {"stabilisation": "projection", "project_every": 10},
}
MODELS = (PENDULUM, LINKAGE)
TIME = "time [s]"
WINDOW = 50  # samples: violations are drawn as the largest within so many
Key = tuple[str, str]


def stabilisation(runs: Runs) -> Finding:
    """Violations and energy over time with lie-mixed and every way of stabilisation."""
    results = {(model, way): run(runs, model, MIXED, **options) for model in MODELS for way, options in WAYS.items()}
    worst = {key: violations(runs, key[0], result) for key, result in results.items()}
    drift = {key: energy_drift(result) for key, result in results.items()}
    work = {key: reaction_work(runs, key[0], result) for key, result in results.items()}
    lines = [
        (
            EXAMPLES[model], way, largest(worst[model, way]), largest(result["velocity_violation"]),
            float(drift[model, way][-1]), work[model, way], end_error(runs, model, result),
        )
        for (model, way), result in results.items()
    ]  # fmt: skip
    names = ("positions [m]", "velocities [m/s]", "energy drift / T0 [1]", "work of reactions / T0 [1]", "error [m]")
    share = work[LINKAGE, "none"] / float(drift[LINKAGE, "none"][-1])
    left, damped = (
        largest(drift[LINKAGE, way]) / largest(drift[LINKAGE, "none"]) for way in ("projection", "baumgarte")
    )
    return Finding.judged(
        improves(worst),
        **PUBLISHED["stabilisation"].told,
        measured=" ".join(said(model, worst, drift) for model in MODELS),
        why="Without stabilisation reactions do work along the violation (power "
        f"λ·dg/dt), {100 * share:.1f} % of the linkage's drift in energy. Projection every step leaves no violation to "
        f"work along, and {left:.1g} of the drift; Baumgarte's terms, whose forces do work themselves, leave "
        f"{damped:.1g} of it.",
        panels=tuple(page(model, results, worst, drift)[k] for model in MODELS for k in (0, 1)),
        numbers={
            f"{line[0]}, {line[1]}, {name}": value
            for line in lines
            for name, value in zip(names, line[2:], strict=True)
        },
        table=columns(("example", "stabilisation", *names), lines),
        data={TIME: results[PENDULUM, "none"].time}
        | {f"{EXAMPLES[model]}, {way}, violation [m]": values for (model, way), values in worst.items()}
        | {f"{EXAMPLES[model]}, {way}, energy drift / T0 [1]": values for (model, way), values in drift.items()},
    )


def violations(runs: Runs, model: str, result: Result) -> Array:
    """(nt,) m, the worst joint."""
    found: Array = np.max(list(joint_violations(runs.mechanism(model), result).values()), axis=0)
    return found


def reaction_work(runs: Runs, model: str, result: Result) -> float:
    """Work that all reactions have done along the violation by the end, over T0."""
    work = sum(values[-1] for values in slip_work(runs.mechanism(model), result).values())
    return float(work / result["kinetic_energy"][0])


def end_error(runs: Runs, model: str, result: Result) -> float:
    """m, against order 8 at a twentieth of the step; NaN for the pendulum, whose end nobody knows."""
    if model != LINKAGE:
        return float("nan")
    n = round(20 * T_END / STEP)
    exact = runs.simulate(model, T_END, T_END / n, SE3, "dop853", every=n)
    return largest(result["position"][-1] - exact["position"][-1])


def improves(worst: dict[Key, Array]) -> bool:
    """Whether every way leaves less violation than none."""
    return all(largest(worst[key]) < largest(worst[key[0], "none"]) for key in worst if key[1] != "none")


def said(model: str, worst: dict[Key, Array], drift: dict[Key, Array]) -> str:
    """An example's numbers in a sentence."""
    pairs = {way: (largest(worst[model, way]), largest(drift[model, way])) for way in WAYS}
    parts = "; ".join(f"{way} {a:.2g} m and {b:.2g}" for way, (a, b) in pairs.items())
    return f"{EXAMPLES[model].capitalize()}, largest violation and energy drift over T0: {parts}."


def page(
    model: str, results: dict[Key, Result], worst: dict[Key, Array], drift: dict[Key, Array]
) -> tuple[Panel, Panel]:
    """An example's joints and energy, a curve per way."""
    time = results[model, "none"].time
    joints = tuple(Curve(way, time[WINDOW - 1 :: WINDOW], windowed(worst[model, way])) for way in WAYS)
    energies = tuple(Curve(way, time, drift[model, way]) for way in WAYS)
    return (
        Panel(f"{EXAMPLES[model]}: joints", TIME, f"largest violation in {WINDOW} steps [m]", joints, "y"),
        Panel(f"{EXAMPLES[model]}: energy", TIME, "change / T0 [1]", energies),
    )


def windowed(values: Array) -> Array:
    """The largest of every `WINDOW` samples."""
    count = values.size // WINDOW
    largest_of: Array = values[: count * WINDOW].reshape(count, WINDOW).max(axis=1)
    return largest_of
