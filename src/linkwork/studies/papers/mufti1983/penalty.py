"""The penalty method's error against its parameter, for one solution and for several."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.accelerations import accelerations
from linkwork.analysis.assembly import assemble
from linkwork.analysis.state import State
from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.mufti1983.agreement import REFERENCE, relative, stacked
from linkwork.studies.papers.mufti1983.methods import MECHANISMS, PUBLISHED, mechanism
from linkwork.studies.runs import Runs

FACTORS = tuple(float(f"1e{k}") for k in range(2, 17))
PASSES = (1, 2, 3, 5, 100)
CALLED = {1: "1 solution", 100: "until it stands still"}
NEAR, GOOD = 1e-4, 1e-9  # relative


def penalty(runs: Runs) -> Finding:
    """Errors of accelerations and forces over penalty_factor, on all mechanisms at the start."""
    found = runs.once("mufti1983 penalty", lambda: errors(runs))
    worst, median = found.max(axis=2), np.median(found, axis=2)  # (passes, factors, 2)
    best = np.argmin(worst[0, :, 0])
    usual = FACTORS.index(1e6)
    x = np.array(FACTORS)
    lines = [
        (called(passes), factor, *(float(of[p, k, part]) for part in (0, 1) for of in (worst, median)))
        for p, passes in enumerate(PASSES)
        for k, factor in enumerate(FACTORS)
    ]
    least = {called(passes): float(worst[p, :, 0].min()) for p, passes in enumerate(PASSES)}
    slope = float(np.polyfit(np.log(x[2:6]), np.log(median[0, 2:6, 0]), 1)[0])
    return Finding.judged(
        approximate_then_exact(least["1 solution"], float(worst[-1, usual].max())),
        **PUBLISHED["penalty"].told,
        measured=f"With one solution the error of the accelerations falls like the factor to the power {slope:.2f}, "
        "until "
        f"rounding grows: best {least['1 solution']:.1g} at {FACTORS[best]:.0e} on the worst of {found.shape[2]} "
        "mechanisms "
        f"(median {float(median[0, :, 0].min()):.1g}). Iterated, "
        f"{', '.join(f'{n} {v:.1g}' for n, v in least.items())}. At "
        f"1e6 and iterated, the default, accelerations are right to {worst[-1, usual, 0]:.1g} and forces of "
        "constraint to "
        f"{worst[-1, usual, 1]:.1g}.",
        why="Approximate with one solution, as the paper says; with the multipliers raised by what the constraints are "
        "missed by, and solved again with the same factors (augmented Lagrangian), exact to rounding. Forces keep "
        "fewer "
        "digits the larger the factor is, about the factor times rounding.",
        panels=(
            panel("accelerations, worst mechanism", worst, 0),
            panel("accelerations, median", median, 0),
            panel("forces of constraint, worst mechanism", worst, 1),
            panel("forces of constraint, median", median, 1),
        ),
        numbers={f"best of {name}": value for name, value in least.items()} | {"slope of one solution": slope},
        table=columns(
            ("passes", "factor", "accelerations, worst", "median", "forces, worst", "median of forces"), lines
        ),
    )


def called(passes: int) -> str:
    """In words."""
    return CALLED.get(passes, f"{passes} solutions")


def approximate_then_exact(once: float, iterated: float) -> bool:
    """Whether one solution can be near, and iteration is right, by relative errors."""
    return once < NEAR and iterated < GOOD


def panel(title: str, of: Any, part: int) -> Panel:
    """A curve per number of passes."""
    curves = tuple(
        Curve(called(passes), np.array(FACTORS), np.maximum(of[p, :, part], 1e-17), dots=True)
        for p, passes in enumerate(PASSES)
    )
    return Panel(title, "penalty factor", f"off {REFERENCE}, relative", curves, log="xy")


def errors(runs: Runs) -> Any:
    """(passes, factors, mechanisms, 2): accelerations and forces of constraint."""
    found = np.zeros((len(PASSES), len(FACTORS), len(MECHANISMS), 2))
    for m, name in enumerate(MECHANISMS):
        made = assemble(mechanism(runs, name)).mechanism
        state = State.start(made)
        wanted = accelerations(made, state, REFERENCE)
        for p, passes in enumerate(PASSES):
            for k, factor in enumerate(FACTORS):
                one = accelerations(
                    made, state, "penalty", options={"penalty_factor": factor, "penalty_passes": passes}
                )
                found[p, k, m] = (
                    relative(stacked(one), stacked(wanted)),
                    relative(one.constraint_forces, wanted.constraint_forces),
                )
    return found
