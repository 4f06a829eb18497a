"""Figures 2, 5, 6, 9, 12, 13, 14: how far joints drift apart on either group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, Verdict
from linkwork.studies.papers.muller2013.examples import (
    EXAMPLES,
    GROUPS,
    LINKAGE,
    MIXED,
    PAIR,
    PENDULUM,
    PRODUCT,
    PUBLISHED,
    SE3,
    T_END,
    TOP,
    Array,
    largest,
    run,
    violation,
)
from linkwork.studies.runs import Runs

ROUNDING = 1e-12  # m, over 5 s
VISIBLE = 1e-8  # m
APART = 0.1  # m, between two runs that have parted
ALIKE = 3.0  # ratio of the two groups' largest violations that still counts as alike


def figure_2(runs: Runs) -> Finding:
    """The heavy top's pivot."""
    return kept(runs, "figure 2", TOP, "pivot")


def figure_5(runs: Runs) -> Finding:
    """The double pendulum's joint to ground."""
    return kept(runs, "figure 5", PENDULUM, "joint 1")


def figure_6(runs: Runs) -> Finding:
    """The double pendulum's joint between its bodies, which must be worse off than the one to ground."""
    model, joint = PENDULUM, "joint 2"
    values, found = measured(runs, model, joint)
    first = {group: largest(violation(runs, model, run(runs, model, group), "joint 1")) for group in (SE3, PRODUCT)}
    judged = second_joint(found, first)
    more = [group for group in first if found[group] > first[group]]
    return finding(
        runs, "figure 6", model, joint, values, found,
        verdict=judged,
        why="" if judged is Verdict.AGREES else f"Joint 2 is violated more than joint 1 on {len(more)} of "
        f"{len(first)} groups; the paper says on both. Its violation on SE(3) is {found[SE3] / found[PRODUCT]:.2g} "
        f"times that on the product group, as far as the motion lets one tell: {parted(runs, model)}. Neither body's "
        "motion but the first one's belongs to a subgroup, so that by the paper's own argument SE(3) has an advantage "
        "in joint 1 alone.",
    )  # fmt: skip


def figure_9(runs: Runs) -> Finding:
    """The floating pair's ball."""
    return alike(runs, "figure 9", PAIR, "ball")


def figure_12(runs: Runs) -> Finding:
    """The linkage's first joint to ground."""
    return kept(runs, "figure 12", LINKAGE, "joint 1")


def figure_13(runs: Runs) -> Finding:
    """The linkage's joint between its bodies."""
    return alike(runs, "figure 13", LINKAGE, "joint 2")


def figure_14(runs: Runs) -> Finding:
    """The linkage's other joint to ground."""
    return kept(runs, "figure 14", LINKAGE, "joint 3")


def kept(runs: Runs, item: str, model: str, joint: str) -> Finding:
    """A joint that SE(3) should keep to rounding, and the product group should not."""
    values, found = measured(runs, model, joint)
    return finding(runs, item, model, joint, values, found, verdict=first_joint(found))


def alike(runs: Runs, item: str, model: str, joint: str) -> Finding:
    """A joint that both groups should violate alike."""
    values, found = measured(runs, model, joint)
    return finding(runs, item, model, joint, values, found, verdict=inner_joint(found))


def first_joint(found: Mapping[str, float]) -> Verdict:
    """Whether SE(3) keeps a joint to rounding that the product group leaves. found : largest violation by group, m."""
    return Verdict.AGREES if found[SE3] < ROUNDING and found[PRODUCT] > VISIBLE else Verdict.DIFFERS


def inner_joint(found: Mapping[str, float]) -> Verdict:
    """Whether both groups violate a joint alike."""
    return Verdict.AGREES if 1.0 / ALIKE < found[SE3] / found[PRODUCT] < ALIKE else Verdict.DIFFERS


def second_joint(found: Mapping[str, float], first: Mapping[str, float]) -> Verdict:
    """Whether the joint between two bodies is worse off than the one to ground, and still better off on SE(3)."""
    if any(found[group] <= first[group] for group in first):
        return Verdict.DIFFERS
    return Verdict.AGREES if found[SE3] < found[PRODUCT] / ALIKE else Verdict.PARTLY


def parted(runs: Runs, model: str) -> str:
    """Since when the two groups' runs are somewhere else, in words."""
    one, other = (run(runs, model, group) for group in (SE3, PRODUCT))
    apart = np.linalg.norm(one["position"] - other["position"], axis=2).max(axis=1)
    away = one.time[apart > APART]
    if not away.size:
        return f"the two runs stay within {apart.max():.1g} m of each other"
    return f"from {away[0]:.2g} s on its two runs are more than {APART:g} m apart"


def measured(runs: Runs, model: str, joint: str) -> tuple[dict[str, Array], dict[str, float]]:
    """The violation over time and its largest value, by group."""
    values = {group: violation(runs, model, run(runs, model, group), joint) for group in GROUPS}
    return values, {group: largest(values[group]) for group in GROUPS}


def finding(
    runs: Runs,
    item: str,
    model: str,
    joint: str,
    values: Mapping[str, Array],
    found: Mapping[str, float],
    *,
    verdict: Verdict,
    why: str = "",
) -> Finding:
    """The finding about one joint's violation."""
    time = run(runs, model, SE3).time
    words = ", ".join(f"{group} {found[group]:.2g} m" for group in GROUPS)
    curves = tuple(Curve(group, time, values[group]) for group in GROUPS)
    data: dict[str, Any] = {"time [s]": time} | {f"{group} [m]": values[group] for group in GROUPS}
    return Finding(
        **PUBLISHED[item].told,
        measured=f"Largest violation of {joint!r} in {T_END:g} s: {words}.",
        verdict=verdict,
        why=why,
        panels=(Panel(f"{EXAMPLES[model]}, {joint}", "time [s]", "distance of ball and socket [m]", curves, log="y"),),
        numbers={f"{group}, largest violation [m]": found[group] for group in (SE3, PRODUCT, MIXED)},
        data=data,
    )
