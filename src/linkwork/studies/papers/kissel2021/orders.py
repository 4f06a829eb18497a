"""Figures 5-7: velocities and accelerations of dynamics beside those of kinematics, over the step."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.kissel2021.mechanisms import (
    EULER,
    FORMULATIONS,
    FOUR_LINK,
    LABELS,
    PUBLISHED,
    SINGLE,
    SLIDER_CRANK,
    STEPS,
)
from linkwork.studies.runs import Runs

QUANTITIES = {"velocity": "m/s", "acceleration": "m/s²"}
LATE = 1.0  # s: the largest error is sought from here on, when the first step's acceleration is long forgotten
NEAR = 0.05  # of the order
ENDS = (STEPS[0], STEPS[-1])
EXACT = 1e-10  # m: positions have no error
TIGHT = 1e-12  # tolerance of the kinematics
Errors = dict[tuple[str, str, float], tuple[float, float]]  # (formulation, quantity, step) -> at the end, largest


def figure_5(runs: Runs) -> Finding:
    """z of the pendulum; rA in the paper, all three here."""
    return order(runs, "figure 5", SINGLE, "bar", "z")


def figure_6(runs: Runs) -> Finding:
    """x of the slider."""
    return order(runs, "figure 6", SLIDER_CRANK, "slider", "x")


def figure_7(runs: Runs) -> Finding:
    """z of the third link."""
    return order(runs, "figure 7", FOUR_LINK, "link 3", "z")


def order(runs: Runs, item: str, model: str, body: str, axis: str) -> Finding:
    """Errors at 3 s and the largest of the last two seconds, and the slopes of both."""
    said = PUBLISHED[item]
    found: Errors = {}
    positions = 0.0
    for f in FORMULATIONS:
        for h in STEPS:
            errors = differences(runs, said.settings, model, body, axis, f, h)
            positions = max(positions, errors.pop("position")[1])
            found |= {(f, quantity, h): pair for quantity, pair in errors.items()}
    slopes = {
        (f, quantity): [fitted([found[f, quantity, h][k] for h in STEPS]) for k in (0, 1)]
        for f in FORMULATIONS
        for quantity in QUANTITIES
    }
    wanted = said.settings["order"]
    ranges = {q: [span_of([slopes[f, q][k] for f in FORMULATIONS]) for k in (0, 1)] for q in QUANTITIES}
    return Finding.judged(
        of_order(wanted, positions, [value for pair in slopes.values() for value in pair]),
        **said.told,
        measured=f"Fitted orders over h = {STEPS[0]:g} to {STEPS[-1]:g} s, all formulations, at 3 s and of the largest "
        f"error from {LATE:g} s on: "
        + "; ".join(f"{quantity} {end} and {most}" for quantity, (end, most) in ranges.items())
        + f". Positions are right to {positions:.1g} m.",
        panels=tuple(panel(model, axis, quantity, found, said.settings["span_s"]) for quantity in QUANTITIES),
        numbers={
            f"{f}, {quantity}, {which}": value
            for (f, quantity), pair in slopes.items()
            for which, value in zip(("order at 3 s", "order of the largest"), pair, strict=True)
        }
        | {"largest error of positions [m]": positions},
        table=columns(
            (
                "formulation",
                "quantity",
                "order at 3 s",
                "order of the largest",
                *(f"error at h = {h:g} s" for h in ENDS),
            ),
            [
                (f, f"{q} [{QUANTITIES[q]}]", *(round(v, 3) for v in pair), *(found[f, q, h][0] for h in ENDS))
                for (f, q), pair in slopes.items()
            ],
        ),
        data=columns(
            ("formulation", "quantity", "step [s]", "error at 3 s", f"largest from {LATE:g} s on"),
            [(*key, *pair) for key, pair in found.items()],
        ),
    )


def of_order(wanted: float, positions: float, slopes: list[float]) -> bool:
    """Whether positions have no error [m] and all fitted orders are the one wanted."""
    return positions < EXACT and all(abs(value - wanted) < NEAR for value in slopes)


def span_of(values: list[float]) -> str:
    """From the least to the most."""
    return f"{min(values):.3f} to {max(values):.3f}"


def differences(
    runs: Runs, said: Any, model: str, body: str, axis: str, formulation: str, h: float
) -> dict[str, tuple[float, float]]:
    """quantity -> |dynamics - kinematics| of one coordinate at the end, and the largest from `LATE` on."""
    span = said["span_s"]
    exact = runs.kinematics(model, span, h, formulation, tolerance=TIGHT)
    run = runs.simulate(model, span, h, formulation, EULER, tolerance=said["position_tolerance"] / h**2)
    k, late = run.index("body", body), run.time >= LATE - 1e-9
    out = {}
    for quantity in ("position", *QUANTITIES):
        apart = np.abs(run[quantity] - exact[quantity])[:, k, "xyz".index(axis)]
        out[quantity] = float(apart[-1]), float(apart[late].max())
    return out


def fitted(errors: list[float]) -> float:
    """The slope over all steps."""
    return float(np.polyfit(np.log(STEPS), np.log(errors), 1)[0])


def panel(model: str, axis: str, quantity: str, found: Errors, span: float) -> Panel:
    """Errors at the end over the step, and a line of order 1."""
    h = np.array(STEPS)
    curves = [Curve(f, h, np.array([found[f, quantity, x][0] for x in STEPS]), dots=True) for f in FORMULATIONS]
    curves.append(Curve("order 1", h, 0.6 * found["rA", quantity, STEPS[0]][0] * h / h[0], guide=True))
    title = f"{LABELS[model]}, {quantity} along {axis} at {span:g} s"
    return Panel(title, "step [s]", f"error [{QUANTITIES[quantity]}]", tuple(curves), log="xy")
