"""Figures 2-6: the angles, and all Lagrange multipliers over time, beside closed forms along the reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel
from linkwork.studies.papers.dumitriu2015.case import (
    METHOD,
    PUBLISHED,
    STEP,
    T_END,
    Array,
    angle_error,
    angles,
    largest,
    out_of_plane,
    reference,
    run,
)
from linkwork.studies.runs import Runs

TIME = "time [s]"
ACCEPTED = 1e-6  # rad
ALIKE = 1e-6  # of the largest value: multipliers follow from a motion that is off by as much
IN_PLANE = ((0, 0), (0, 1), (1, 1))  # elements of Lambda_i that the paper shows
SETTING = f"{METHOD}, h = {STEP:g} s, {T_END:g} s"
PRINTED: dict[str, Any] = {"elimination": "two-step"}  # as the paper eliminates


def figure_2(runs: Runs) -> Finding:
    """phi and psi by rotation matrices, and by eq. 26."""
    result, exact = run(runs, **PRINTED), reference()
    found, off = angles(result), angle_error(result)
    held, lean = run(runs, multipliers="step", **PRINTED), run(runs)
    off_held, off_lean = angle_error(held), angle_error(lean)
    names = ("phi", "psi")
    pairs = [
        (Curve("eq. 26", exact.time, exact.angle[:, k]), Curve("rotation matrices", result.time, found[:, k]))
        for k in range(2)
    ]
    errors = (
        Curve("at every stage", result.time, off),
        Curve("held over the step", held.time, off_held),
        Curve("at every stage, newton-euler", lean.time, off_lean),
    )
    return Finding.judged(
        followed(largest(off), out_of_plane(result)),
        **PUBLISHED["figure 2"].told,
        measured=f"In two steps as printed, with {SETTING}, the angles are within {largest(off):.2g} rad of the "
        f"reference, which is exact to 1e-13; the largest component along z0 is {out_of_plane(result):.2g}. With "
        f"multipliers held over each step, as in the paper, they are within {largest(off_held):.2g} rad; with Λ left "
        f"unsolved (newton-euler) within {largest(off_lean):.2g} rad.",
        panels=(
            *(Panel(name, TIME, f"{name} [rad]", pair) for name, pair in zip(names, pairs, strict=True)),
            Panel("error; multipliers", TIME, "off the reference [rad]", errors, "y"),
        ),
        numbers={
            "largest error of the angles [rad]": largest(off),
            "largest error, multipliers held over the step [rad]": largest(off_held),
            "largest error, newton-euler [rad]": largest(off_lean),
            "largest component along z0 [m, 1]": out_of_plane(result),
        },
        data={TIME: result.time}
        | {f"{name} [rad]": found[:, k] for k, name in enumerate(names)}
        | {f"{name}, eq. 26 [rad]": exact.angle[:, k] for k, name in enumerate(names)}
        | {"error [rad]": off, "error, multipliers held [rad]": off_held},
    )


def figure_3(runs: Runs) -> Finding:
    """Lambda_1."""
    return orthogonality(runs, 0)


def figure_4(runs: Runs) -> Finding:
    """Lambda_2."""
    return orthogonality(runs, 1)


def figure_5(runs: Runs) -> Finding:
    """Lambda_01."""
    return joint(runs, 0, "O", "01", "bar 1 on ground")


def figure_6(runs: Runs) -> Finding:
    """Lambda_12."""
    return joint(runs, 1, "H1", "12", "bar 2 on bar 1")


def orthogonality(runs: Runs, k: int) -> Finding:
    """The elements of one bar's multiplier matrix."""
    result, wanted = run(runs, **PRINTED), reference().multiplier_matrix(k)
    found = result["multiplier_matrix"][:, k]
    others = largest(found[:, :, 2])
    off, size = largest(found - wanted), largest(wanted)
    names = [f"Λ{k + 1},{i + 1}{j + 1}" for i, j in IN_PLANE]
    shown = {name: found[:, i, j] for name, (i, j) in zip(names, IN_PLANE, strict=True)}
    return Finding.judged(
        as_told(others, off, size),
        **PUBLISHED[f"figure {3 + k}"].told,
        measured=f"Those are the ones; the others are {others:.2g} N m. The matrix is within {off:.2g} N m of its "
        f"closed form along the reference (its largest element is {size:.3g} N m).",
        panels=(multiplier_panel(f"Λ{k + 1} [N m]", result.time, shown),),
        numbers={
            "largest element [N m]": size,
            "off the closed form [N m]": off,
            "largest of the other elements [N m]": others,
            **{f"{name} at the start [N m]": float(values[0]) for name, values in shown.items()},
        },
        data={TIME: result.time} | {f"{name} [N m]": values for name, values in shown.items()},
    )


def joint(runs: Runs, k: int, name: str, index: str, acting: str) -> Finding:
    """The vector of one ball joint's multipliers."""
    result, wanted = run(runs, **PRINTED), reference().joint_multipliers()[k]
    found = -result.reaction(name).force
    off, size, aside = largest(found - wanted), largest(wanted), largest(found[:, 2])
    shown = {f"Λ{index},{axis}": found[:, i] for i, axis in enumerate("xyz")}
    return Finding.judged(
        as_told(aside, off, size),
        **PUBLISHED[f"figure {5 + k}"].told,
        measured=f"Λ_{index} is the force of {acting}, minus the reaction that linkwork reports. It is within "
        f"{off:.2g} N of Newton's law along the reference (largest component {size:.3g} N); along z0 it is "
        f"{aside:.2g} N.",
        panels=(multiplier_panel(f"Λ{index} [N]", result.time, shown),),
        numbers={
            "largest component [N]": size,
            "off Newton's law [N]": off,
            "largest component along z0 [N]": aside,
            **{f"{label} at the start [N]": float(values[0]) for label, values in shown.items()},
        },
        data={TIME: result.time} | {f"{label} [N]": values for label, values in shown.items()},
    )


def followed(off: float, aside: float) -> bool:
    """Whether angles follow the reference [rad] and nothing leaves the plane [m, 1]."""
    return off < ACCEPTED and aside < 1e-14


def as_told(null: float, off: float, size: float) -> bool:
    """Whether multipliers that are said to be null are, and the others are the closed form's; size: their largest."""
    return null < 1e-14 * size and off < ALIKE * size


def multiplier_panel(label: str, time: Array, shown: dict[str, Array]) -> Panel:
    """Components over time."""
    title = f"{label.split()[0]}, {SETTING}"
    return Panel(title, TIME, label, tuple(Curve(name, time, np.asarray(y)) for name, y in shown.items()))
