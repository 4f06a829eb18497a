"""Table 9, Figures 2 and 4: Newton iterations by formulation, predictor, matrix and step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.kissel2021.mechanisms import (
    DRIVEN,
    EULER,
    FORMULATIONS,
    FOUR_LINK,
    LABELS,
    PUBLISHED,
    STEPS,
)
from linkwork.studies.papers.kissel2021.one_unknown import BEFORE, PREDICTED, mean_iterations
from linkwork.studies.runs import Runs

PREDICTORS = {"velocity": "predictor (11)", "acceleration": "with accelerations", "extrapolated": "extrapolated"}
NEWTONS = {"full": "full", "no-reaction-variation": "no reaction variation", "frozen": "frozen"}
NEAR = 0.5  # iterations, within which counts are the same
ALIKE = 0.5  # iterations, within which formulations are alike
CHANGE = 0.5  # iterations, a dependence on the step
Counts = dict[tuple[float, str, str], float]  # (step, formulation, way)


def table_9(runs: Runs) -> Finding:
    """Means over 3 s with three predictors."""
    table = PUBLISHED["table 9"]
    h, tolerance, span = (table.settings[name] for name in ("step_s", "tolerance", "span_s"))
    found = {
        (model, f, p): mean(runs.kinematics(model, span, h, f, predictor=p, newton="full", tolerance=tolerance))
        for model in DRIVEN
        for f in FORMULATIONS
        for p in PREDICTORS
    }
    printed = {(m, f): table.value(m, f, "C1") for m in DRIVEN for f in FORMULATIONS}
    ours = {key: found[*key, "velocity"] for key in printed}
    alike = apart(ours)
    below = [printed[key] - ours[key] for key in printed]
    low, high = min(below), max(below)
    least = min(DRIVEN, key=lambda model: sum(ours[model, f] for f in FORMULATIONS))
    single = {
        (start, kept): mean_iterations(start, kept=kept, step=h, tolerance=tolerance, t_end=span)
        for start in (PREDICTED, BEFORE)
        for kept in (False, True)
    }
    return Finding(
        **table.told,
        measured=f"With the predictor of eq. 11 {min(ours.values()):.2f} to {max(ours.values()):.2f} iterations, with "
        f"linkwork's extrapolation {min(found[*k, 'extrapolated'] for k in ours):.2f} to "
        f"{max(found[*k, 'extrapolated'] for k in ours):.2f}; formulations within {alike:.2f} of each other, fewest "
        f"for the {LABELS[least]}.",
        verdict=counted(ours, printed),
        why=""
        if counted(ours, printed) is Verdict.AGREES
        else f"The counts lie {low:.2f} to {high:.2f} below the "
        "printed ones. The pose predicted by eq. 11 is off by "
        "h²/2 times the acceleration, about 1e-6, and Newton's method squares that: the first correction is above "
        "1e-10, the second below it. One equation in one unknown, the pendulum's driver, tells what is possible: "
        f"{single[PREDICTED, False]:.2f} iterations from eq. 11's pose, {single[BEFORE, False]:.2f} from that of the "
        f"step before, {single[BEFORE, True]:.2f} if its matrix is kept over the step as well. What the paper prints, "
        f"{min(printed.values()):.2f} to {max(printed.values()):.2f}, does not come from an exact matrix and the "
        "predictor that it gives.",
        panels=tuple(panel_9(model, printed, found) for model in DRIVEN),
        numbers={f"{LABELS[m]}, {f}, {PREDICTORS[p]}": value for (m, f, p), value in found.items()}
        | {f"one unknown, {start}, matrix {'kept' if kept else 'new'}": n for (start, kept), n in single.items()},
        table=columns(
            ("mechanism", "formulation", "paper (C1 = C2)", *(f"ours, {label}" for label in PREDICTORS.values())),
            [(LABELS[m], f, printed[m, f], *(round(found[m, f, p], 2) for p in PREDICTORS)) for m, f in printed],
        ),
    )


def apart(counts: Mapping[tuple[str, str], float]) -> float:
    """Iterations between formulations, on the mechanism where most. counts : by mechanism and formulation."""
    return float(max(np.ptp([counts[m, f] for f in FORMULATIONS]) for m in {m for m, _ in counts}))


def counted(ours: Mapping[tuple[str, str], float], printed: Mapping[tuple[str, str], float]) -> Verdict:
    """The printed counts; in part if there are no more of them and formulations are alike."""
    if all(abs(ours[key] - printed[key]) < NEAR for key in printed):
        return Verdict.AGREES
    fewer = all(ours[key] <= printed[key] for key in printed)
    return Verdict.PARTLY if fewer and apart(ours) < ALIKE else Verdict.DIFFERS


def by_step_alone(between: float, change: float) -> bool:
    """Whether iterations depend on the step and not on the formulation. between : formulations; change : over steps."""
    return between < ALIKE and change > CHANGE


def panel_9(model: str, printed: dict[Any, float], found: dict[Any, float]) -> Panel:
    """One mechanism's counts, by formulation."""
    x = np.arange(1.0, len(FORMULATIONS) + 1.0)
    curves = [Curve("paper", x, np.array([printed[model, f] for f in FORMULATIONS]), dots=True)]
    curves += [
        Curve(label, x, np.array([found[model, f, p] for f in FORMULATIONS]), dots=True)
        for p, label in PREDICTORS.items()
    ]
    return Panel(LABELS[model], "", "iterations per step [1]", tuple(curves), names=FORMULATIONS)


def figure_2(runs: Runs) -> Finding:
    """Kinematics of the four link, tolerance 1e-11."""
    said = PUBLISHED["figure 2"].settings
    predictors = {p: PREDICTORS[p] for p in ("velocity", "extrapolated")}
    found = {
        (h, f, p): mean(
            runs.kinematics(FOUR_LINK, said["span_s"], h, f, predictor=p, newton="full", tolerance=said["tolerance"])
        )
        for h in STEPS
        for f in FORMULATIONS
        for p in predictors
    }
    return over_steps("figure 2", found, predictors, "velocity")


def figure_4(runs: Runs) -> Finding:
    """Dynamics of the four link, Theta h² = 1e-11."""
    said = PUBLISHED["figure 4"].settings
    found = {
        (h, f, n): mean(
            runs.simulate(FOUR_LINK, said["span_s"], h, f, EULER, newton=n, tolerance=said["position_tolerance"] / h**2)
        )
        for h in STEPS
        for f in FORMULATIONS
        for n in NEWTONS
    }
    return over_steps("figure 4", found, NEWTONS, "full")


def over_steps(item: str, found: Counts, predictors: dict[str, str], theirs: str) -> Finding:
    """Counts over the step; `theirs` is the way that the paper describes."""
    shown = {f: [found[h, f, theirs] for h in STEPS] for f in FORMULATIONS}
    between = float(np.ptp(list(shown.values()), axis=0).max())
    change = min(float(np.ptp(counts)) for counts in shown.values())
    middle = {way: [float(np.mean([found[h, f, way] for f in FORMULATIONS])) for h in STEPS] for way in predictors}
    words = "; ".join(f"{label} {middle[way][0]:.2f} to {middle[way][-1]:.2f}" for way, label in predictors.items())
    return Finding.judged(
        by_step_alone(between, change),
        **PUBLISHED[item].told,
        measured=f"From h = {STEPS[0]:g} s to {STEPS[-1]:g} s, mean of the formulations: {words}. Formulations are "
        f"within {between:.2f} iterations of each other at every step ({predictors[theirs]}).",
        panels=tuple(
            Panel(
                label,
                "step [s]",
                "iterations per step [1]",
                tuple(
                    Curve(f, np.array(STEPS), np.array([found[h, f, way] for h in STEPS]), dots=True)
                    for f in FORMULATIONS
                ),
                log="x",
            )
            for way, label in predictors.items()
        ),
        numbers={f"{predictors[way]}, {f}, h = {h:g} s": value for (h, f, way), value in found.items()},
        table=columns(
            ("step [s]", *(f"{label}, {f}" for label in predictors.values() for f in FORMULATIONS)),
            [(h, *(round(found[h, f, way], 2) for way in predictors for f in FORMULATIONS)) for h in STEPS],
        ),
    )


def mean(result: Any) -> float:
    """Iterations per step; none lead to the start."""
    return float(result["iterations"][1:].mean())
