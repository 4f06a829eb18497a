"""The error analysis that the paper leaves open: error over step, with multipliers of every stage and of the step."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.studies.convergence import Convergence, measure
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import PUBLISHED, angle_error, largest, out_of_plane, run
from linkwork.studies.runs import Runs

METHODS = {"euler": 1, "heun": 2, "bs32": 3, "rk4": 4, "dp54": 5, "ts54": 5, "dop853": 8}
STAGE, STEP = "stage", "step"
# spans in s: a method of low order needs so many steps that a short one must do, one of high order reaches rounding in
# a short one before its leading error rules
SPANS = {1: 0.1, 3: 0.3, 8: 3.0}
STEP_SPAN = 0.1
INSTANTS = 10  # the error is the largest at so many instants
MOST = {STAGE: 200_000, STEP: 50_000}  # steps
Key = tuple[str, str]


def errors(runs: Runs) -> Finding:
    """Slopes of the angles' largest error, fitted between 1e-4 and 1e-11 rad."""
    found = {(kind, method): converge(runs, kind, method) for kind in (STAGE, STEP) for method in METHODS}
    slopes = {key: convergence.order for key, convergence in found.items()}
    aside = max(out_of_plane(run(runs, method=method)) for method in METHODS)
    held = [slopes[STEP, method] for method in METHODS]
    return Finding(
        **PUBLISHED["errors"].told,
        measured="Orders with the multipliers of every stage: "
        + ", ".join(f"{method} {slopes[STAGE, method]:.2f}" for method in METHODS)
        + f". With multipliers held over the step: {min(held):.2f} to {max(held):.2f}, whatever the method. Largest "
        f"component along z0 in 10 s with any method: {aside:.2g}.",
        why="Held multipliers are those of the start of the step: the force they stand for is late by half a step on "
        "average, which no tableau can mend. The pairs of order 5 have so small leading errors that the next order "
        "shows.",
        verdict=verdict(slopes),
        panels=(panel("multipliers of every stage", STAGE, found), panel("held over the step", STEP, found)),
        numbers={f"{method}, {kind}": slope for (kind, method), slope in slopes.items()}
        | {"largest component along z0 [m, 1]": aside},
        table=columns(
            ("method", "order", "multipliers of every stage", "held over the step"),
            [
                (name, order, round(slopes[STAGE, name], 3), round(slopes[STEP, name], 3))
                for name, order in METHODS.items()
            ],
        ),
        data=columns(
            ("multipliers", "method", "step [s]", "error [rad]", "fitted"),
            [
                (kind, method, step, error, trusted)
                for (kind, method), convergence in found.items()
                for step, error, trusted in zip(
                    convergence.steps.tolist(), convergence.errors.tolist(), convergence.trusted.tolist(), strict=True
                )
            ],
        ),
    )


def verdict(slopes: Mapping[Key, float]) -> Verdict:
    """Whether holding the multipliers costs no method its order, as is said; half an order less counts as lost."""
    lost = [method for method in METHODS if slopes[STEP, method] < slopes[STAGE, method] - 0.5]
    return Verdict.DIFFERS if lost else Verdict.AGREES


def converge(runs: Runs, kind: str, method: str) -> Convergence:
    """Errors of one method over ever smaller steps; kind 'stage' or 'step' says when multipliers are found."""
    order = METHODS[method]
    t_end = STEP_SPAN if kind == STEP else next(span for most, span in SPANS.items() if order <= most)

    def error(n: int) -> float:  # n steps from instant to instant
        found = run(runs, t_end / (INSTANTS * n), method, t_end, INSTANTS, multipliers=kind)
        return largest(angle_error(found))

    growth = 2.0 if order < 8 or kind == STEP else 2.0**0.5
    return measure(error, t_end / INSTANTS, 1, MOST[kind] // INSTANTS, growth)


def panel(title: str, kind: str, found: dict[Key, Convergence]) -> Panel:
    """Error over step, a line per method."""
    curves = tuple(Curve(name, found[kind, name].steps, found[kind, name].errors, dots=True) for name in METHODS)
    return Panel(title, "step [s]", "largest error of the angles [rad]", curves, log="xy")
