"""What each choice of group costs per step, and what it keeps."""

from __future__ import annotations

from functools import partial

import numpy as np

from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.noise import Array, Ratio, all_of, opposite, ratio
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
from linkwork.studies.timing import rounds
from linkwork.studies.violations import joint_violations

NAMES = ("example", "formulation", "cost per step [us]", "joints to ground [m]", "others [m]", "energy drift / T0 [1]")
SPANS = (0.1, 8.1)  # s, two spans: the difference of their times is that of the steps between
REPEATS = 9
ROUNDING = 1e-12  # m
AT = np.arange(1.0, len(EXAMPLES) + 1.0)


def groups(runs: Runs) -> Finding:
    """Microseconds per step of RK4, violations and energy drift of the three formulations on the four examples."""
    cost = {(model, group): us for model in EXAMPLES for group, us in microseconds(runs, model).items()}
    lines = [
        (EXAMPLES[model], group, float(us.min()), *kept(runs, model, group)) for (model, group), us in cost.items()
    ]
    dearer = {model: ratio(cost[model, SE3], cost[model, PRODUCT]) for model in EXAMPLES}
    whole = ratio(*(np.sum([cost[model, group] for model in EXAMPLES], axis=0) for group in (SE3, PRODUCT)))
    held = max(line[3] for line in lines if line[1] == MIXED and line[3] == line[3])
    saved = ratio(cost[PENDULUM, MIXED], cost[PENDULUM, SE3])
    middle = [one.middle for one in dearer.values()]
    return Finding(
        **PUBLISHED["groups"].told,
        measured=f"A step of RK4 with lie-se3 takes {min(middle):.2f} to {max(middle):.2f} times as "
        f"long as with lie-product, {whole:.2f} times over all examples. lie-mixed keeps every joint to ground to "
        f"{held:.1g} m; on the double pendulum, where it mixes, its step takes {saved:.2f} times as long as that of "
        "lie-se3.",
        why="Rows, matrix and solution are the same for both; what SE(3) costs is its exponential map. Ratios are the "
        "middle of all rounds, and in parentheses between what it is.",
        verdict=verdict(held, whole, saved),
        panels=(
            Panel(
                "RK4, cost per step",
                "",
                "time per step [µs]",
                tuple(
                    Curve(group, AT, np.array([cost[m, group].min() for m in EXAMPLES]), dots=True) for group in GROUPS
                ),
                names=tuple(EXAMPLES.values()),
            ),
        ),
        numbers={f"{EXAMPLES[model]}, lie-se3 / lie-product": value.middle for model, value in dearer.items()},
        table=columns(NAMES, lines),
    )


def verdict(held: float, whole: Ratio, saved: Ratio) -> Verdict:
    """Whether lie-mixed keeps joints to ground, SE(3) costs more than the product group, and a mix less than SE(3).

    held : m, by how much such joints are missed. In part where one of the three does not hold.
    """
    answer = all_of((held < ROUNDING, whole.above(1.0), opposite(saved.above(1.0))))
    return Verdict.NOISE if answer is None else Verdict.AGREES if answer else Verdict.PARTLY


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


def microseconds(runs: Runs, model: str) -> dict[str, Array]:
    """Processor time per step of fixed-step RK4 in every round, by formulation, without preparation and records."""
    mechanism = runs.mechanism(model)

    def run(group: str, span: float) -> None:
        simulate(mechanism, span, STEP, group, "rk4", every=round(span / STEP))

    found = rounds({group: partial(run, group) for group in GROUPS}, SPANS, REPEATS)
    return {group: 1e6 * STEP * seconds for group, seconds in found.items()}
