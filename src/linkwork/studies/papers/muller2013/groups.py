"""What each choice of group costs per step, and what it keeps."""

from __future__ import annotations

from functools import partial

import numpy as np

from linkwork.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.muller2013.examples import (
    EXAMPLES,
    GROUPS,
    MIXED,
    PENDULUM,
    PRODUCT,
    PUBLISHED,
    SE3,
    STEP,
    energy_drift,
    largest,
    run,
)
from linkwork.studies.runs import Runs
from linkwork.studies.timing import processor_time
from linkwork.studies.violations import joint_violations

NAMES = ("example", "formulation", "cost per step [us]", "joints to ground [m]", "others [m]", "energy drift / T0 [1]")
SPANS = (0.1, 8.1)  # s, two spans: the difference of their times is that of the steps between
REPEATS = 9
AT = np.arange(1.0, len(EXAMPLES) + 1.0)


def groups(runs: Runs) -> Finding:
    """Microseconds per step of RK4, violations and energy drift of the three formulations on the four examples."""
    cost = {(model, group): us for model in EXAMPLES for group, us in microseconds(runs, model).items()}
    lines = [(EXAMPLES[model], group, us, *kept(runs, model, group)) for (model, group), us in cost.items()]
    ratio = {model: cost[model, SE3] / cost[model, PRODUCT] for model in EXAMPLES}
    whole = sum(cost[model, SE3] for model in EXAMPLES) / sum(cost[model, PRODUCT] for model in EXAMPLES)
    held = max(line[3] for line in lines if line[1] == MIXED and line[3] == line[3])
    saved = cost[PENDULUM, MIXED] / cost[PENDULUM, SE3]
    return Finding(
        **PUBLISHED["groups"].told,
        measured=f"A step of RK4 with lie-se3 takes {min(ratio.values()):.2f} to {max(ratio.values()):.2f} times as "
        f"long as with lie-product, {whole:.2f} times over all examples. lie-mixed keeps every joint to ground to "
        f"{held:.1g} m; on the double pendulum, where it mixes, its step takes {saved:.2f} times as long as that of "
        "lie-se3.",
        why="The price of SE(3) is small beside rows, matrix and solution, which are the same for both.",
        verdict=Verdict.AGREES if held < 1e-12 and whole > 1.0 and saved < 0.97 else Verdict.PARTLY,
        panels=(
            Panel(
                "RK4, cost per step",
                "",
                "time per step [µs]",
                tuple(Curve(group, AT, np.array([cost[m, group] for m in EXAMPLES]), dots=True) for group in GROUPS),
                names=tuple(EXAMPLES.values()),
            ),
        ),
        numbers={f"{EXAMPLES[model]}, lie-se3 / lie-product": value for model, value in ratio.items()},
        table=columns(NAMES, lines),
    )


def kept(runs: Runs, model: str, group: str) -> tuple[float, float, float]:
    """Largest violations of joints to ground and of others, m (NaN where there is none); the energy drift over T0."""
    result, described = run(runs, model, group), runs.mechanism(model)
    found = joint_violations(described, result)
    grounded = {joint.name: "ground" in (joint.first, joint.second) for joint in described.joints}
    worst = [
        max((largest(found[name]) for name in found if grounded[name] == which), default=float("nan"))
        for which in (True, False)
    ]
    return worst[0], worst[1], largest(energy_drift(result))


def microseconds(runs: Runs, model: str) -> dict[str, float]:
    """Processor time per step of fixed-step RK4 by formulation, without preparation and records."""
    mechanism = runs.mechanism(model)

    def run(group: str, span: float) -> None:
        simulate(mechanism, span, STEP, group, "rk4", every=round(span / STEP))

    found = processor_time({group: partial(run, group) for group in GROUPS}, SPANS, REPEATS)
    return {group: 1e6 * STEP * seconds for group, seconds in found.items()}
