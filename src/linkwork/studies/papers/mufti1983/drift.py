"""How far the methods drift off the constraints and from the energy: alone, rebuilt, stabilised, projected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.judgement.limits import UNENDED
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.mufti1983.methods import PUBLISHED, WAYS
from linkwork.studies.runs import Runs

LOOP, TREE = "muller2013_three_bar", "muller2013_spherical_double_pendulum"
SPAN, STEP, METHOD, EVERY = 10.0, 2e-3, "rk4", 10
TREATMENTS: dict[str, dict[str, Any]] = {
    "none": {},
    "baumgarte": {"stabilisation": "baumgarte"},
    "projection": {"stabilisation": "projection"},
}
REBUILT = "positions rebuilt (7)"
ALONG = ("joint-rates", "barycentric", "cut-joint", "null-space, graph")
SHOWN = "cut-joint"
APART = 0.1  # m, between runs that have parted
NAMES = ("position [m, m²]", "velocity [m/s, m²/s]", "energy [J]")


def drift(runs: Runs) -> Finding:
    """Ten seconds of a closed chain and of a tree of ball joints."""
    results = measured(runs)
    values = {key: worst(result) for key, result in results.items()}
    lines = [(*key, *three) for key, three in values.items()]
    alone = {model: [values[model, way, "none"][0] for way in WAYS] for model in (LOOP, TREE)}
    spread = max(alone[LOOP]) / min(alone[LOOP]) - 1.0
    held = {way: max(three[0] for key, three in values.items() if key[2] == way) for way in TREATMENTS}
    rebuilt, closed = (
        max(three[0] for key, three in values.items() if key[0] == model and key[2] == REBUILT)
        for model in (TREE, LOOP)
    )
    return Finding.judged(
        better_held(min(alone[LOOP]), held["baumgarte"], held["projection"]),
        **PUBLISHED["drift"].told,
        measured=f"{METHOD}, h = {STEP:g} s, {SPAN:g} s: left alone, the closed chain drifts by "
        f"{max(alone[LOOP]):.2g} m, "
        f"the same with every method to {spread:.1g} relative, and the tree by {min(alone[TREE]):.1g} to "
        f"{max(alone[TREE]):.1g} m. Baumgarte's terms leave {held['baumgarte']:.1g}, projection "
        f"{held['projection']:.1g}. "
        f"With positions rebuilt along the tree its balls hold to {rebuilt:.1g} m; the loop's last ball, "
        f"{closed:.1g} m.",
        why="Drift belongs to the integration of the equations, not to how they are solved. The double pendulum is "
        "sensitive: the methods differ by rounding alone, and "
        f"{parted(results)}. Projection costs two more solutions per "
        "step; rebuilding costs one pass along the tree, and pushes a loop's whole error into its cut joint.",
        panels=(
            panel("closed chain of three bars", LOOP, results),
            panel("two bars on balls", TREE, results),
            Panel(
                "energy of the closed chain",
                "time [s]",
                "off its start [J]",
                tuple(
                    Curve(how, r.time[1:], np.abs(r.energy - r.energy[0])[1:])
                    for (model, way, how), r in results.items()
                    if model == LOOP and way == SHOWN
                ),
                log="y",
            ),
        ),
        numbers={
            ", ".join((*key, name)): v for key, three in values.items() for name, v in zip(NAMES, three, strict=True)
        },
        table=columns(("mechanism", "method", "treatment", *NAMES), lines),
    )


def better_held(alone: float, baumgarte: float, projection: float) -> bool:
    """Whether Baumgarte's terms leave less violation than nothing does, and projection less than these, m."""
    return projection < baumgarte < alone


def measured(runs: Runs) -> dict[tuple[str, str, str], Result]:
    """By mechanism, method and treatment."""
    return runs.once("mufti1983 drift", lambda: carry_out(runs))


def parted(results: Mapping[tuple[str, str, str], Result]) -> str:
    """When the tree's runs with different methods part, in words."""
    every = [r for (model, _, how), r in results.items() if (model, how) == (TREE, "none")]
    apart = np.ptp([r["position"] for r in every], axis=0).max(axis=(1, 2))
    away = every[0].time[apart > APART]
    return (
        f"its runs are more than {APART:g} m apart from {away[0]:.2g} s on"
        if away.size
        else f"its runs stay within {apart.max():.1g} m of each other"
    )


def carry_out(runs: Runs) -> dict[tuple[str, str, str], Result]:
    """All runs."""
    found = {}
    for model in (LOOP, TREE):
        made = runs.mechanism(model)
        for way, how in WAYS.items():
            for treatment, options in TREATMENTS.items():
                found[model, way, treatment] = run(made, how, **options)
            if way in ALONG:
                found[model, way, REBUILT] = run(made, with_option(how, rebuild=True))
    return found


def run(made: Mechanism, how: dict[str, Any], **options: Any) -> Result:
    """One of them."""
    return simulate(made, SPAN, STEP, integrator=METHOD, every=EVERY, limits=UNENDED, **how, **options)


def with_option(how: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The same method with a further option."""
    return {**how, "options": {**how.get("options", {}), **more}}


def worst(result: Result) -> tuple[float, float, float]:
    """The largest violations of positions and velocities, and of the energy."""
    energy = result.energy - result.energy[0]
    return (
        float(np.max(result["position_violation"])),
        float(np.max(result["velocity_violation"])),
        float(np.max(np.abs(energy))),
    )


def panel(title: str, model: str, results: dict[tuple[str, str, str], Result]) -> Panel:
    """Violations of positions over time with one method, which are those of all."""
    curves = tuple(
        Curve(how, r.time[1:], np.asarray(r["position_violation"])[1:])
        for (of, way, how), r in results.items()
        if of == model and way == SHOWN
    )
    return Panel(title, "time [s]", "largest position violation [m]", curves, log="y")
