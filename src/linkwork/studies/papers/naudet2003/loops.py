"""Closed loops: index 2, with impulses, beside index 1, with forces; and impulses that are left to grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.runs import Runs

MECHANISMS = {"planar_four_bar": 5.0, "kissel2021_slider_crank": 3.0, "stewart_platform": 2.0}  # s
STEP = 2e-3
ROUNDING = 1e-11  # m/s
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "canonical (index 2)": ("canonical", {}),
    "canonical, sigma grows": ("canonical", {"sigma": "grow"}),
    "articulated-body (index 1)": ("articulated-body", {}),
    "canonical, projected": ("canonical", {"project_every": 1}),
    "articulated-body, projected": ("articulated-body", {"project_every": 1}),
}


def loops(runs: Runs) -> Finding:
    """Violations of position and velocity constraints, with RK4 at one step."""
    table, panels, position, velocity = [], [], {}, {}
    for model, t_end in MECHANISMS.items():
        curves = []
        for label, (formulation, options) in WAYS.items():
            mechanism = runs.mechanism(model)
            result = runs.simulate(
                model, t_end, STEP, formulation, "rk4", accept_drivers=bool(mechanism.drivers), **options
            )
            p, v = result["position_violation"], result["velocity_violation"]
            position[model, label], velocity[model, label] = float(p.max()), float(v.max())
            table.append((model, label, float(p.max()), float(v.max())))
            curves.append(Curve(label, result.time, np.maximum(p, 1e-17)))
        panels.append(Panel(f"{model}, RK4, {STEP:g} s", "time [s]", "position violation [m]", tuple(curves), log="y"))
    two, grown, one = list(WAYS)[:3]
    ratio = {m: position[m, one] / max(position[m, two], 1e-17) for m in MECHANISMS}
    exact = max(velocity[m, two] for m in MECHANISMS)
    return Finding.judged(
        one_integration(exact, list(ratio.values())),
        claim="Multipliers of velocity constraints close loops, and leave one integration to go wrong instead of two "
        "[eqs. 6-8 and the text there].",
        measured=f"Velocities of canonical meet the constraints to {exact:.1g} m/s. Positions drift with both; index 1 "
        + "over index 2: "
        + ", ".join(f"{r:.3g} ({m})" for m, r in ratio.items())
        + ". sigma left to grow against sigma reset: "
        + ", ".join(f"{position[m, grown] / max(position[m, two], 1e-17):.2g} ({m})" for m in MECHANISMS)
        + ".",
        why="With index 2 the velocity is that of the constraints at every stage, so that only the integration of "
        "positions can leave them; with index 1 errors of velocities add up as well: violations of velocities reach "
        f"{max(velocity[m, one] for m in MECHANISMS):.1g} m/s there.",
        panels=tuple(panels),
        numbers={f"position violation, index 1 over index 2, {m} [1]": r for m, r in ratio.items()},
        table=columns(("mechanism", "method", "position violation [m]", "velocity violation [m/s]"), table),
    )


def one_integration(exact: float, ratios: list[float]) -> bool:
    """Whether velocities meet the constraints [m/s], and positions drift more with accelerations, by these ratios."""
    return exact < ROUNDING and all(r > 1.0 for r in ratios)
