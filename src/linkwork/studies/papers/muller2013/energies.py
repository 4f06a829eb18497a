"""Figures 7, 10, 15: what the method does to the energy on either group."""

from __future__ import annotations

from typing import Any

from linkwork.studies.finding import Curve, Finding, Panel
from linkwork.studies.papers.muller2013.examples import (
    EXAMPLES,
    GROUPS,
    LINKAGE,
    PAIR,
    PENDULUM,
    PRODUCT,
    PUBLISHED,
    SE3,
    T_END,
    energy_drift,
    largest,
    run,
)
from linkwork.studies.runs import Runs

ALIKE = 3.0


def figure_7(runs: Runs) -> Finding:
    """The double pendulum's total energy."""
    return alike(runs, "figure 7", PENDULUM, "total")


def figure_10(runs: Runs) -> Finding:
    """The floating pair's kinetic energy."""
    return alike(runs, "figure 10", PAIR, "kinetic")


def figure_15(runs: Runs) -> Finding:
    """The linkage's total energy."""
    return alike(runs, "figure 15", LINKAGE, "total")


def kept_alike(ratio: float) -> bool:
    """Whether largest changes of an energy on the two groups, one over the other, are of one size."""
    return 1.0 / ALIKE < ratio < ALIKE


def alike(runs: Runs, item: str, model: str, which: str) -> Finding:
    """An energy that both groups should keep alike."""
    drifts = {group: energy_drift(run(runs, model, group)) for group in GROUPS}
    found = {group: largest(drift) for group, drift in drifts.items()}
    ratio = found[SE3] / found[PRODUCT]
    first = run(runs, model, SE3)
    T0, words = float(first["kinetic_energy"][0]), ", ".join(f"{group} {found[group]:.2g}" for group in GROUPS)
    data: dict[str, Any] = {"time [s]": first.time} | {f"{group} [1]": drifts[group] for group in GROUPS}
    curves = tuple(Curve(group, first.time, drifts[group]) for group in GROUPS)
    return Finding.judged(
        kept_alike(ratio),
        **PUBLISHED[item].told,
        measured=f"Largest change of the {which} energy in {T_END:g} s, in parts of the kinetic energy at the start "
        f"(T0 = {T0:.4g} J): {words}.",
        panels=(Panel(f"{EXAMPLES[model]}, {which} energy", "time [s]", "change / T0 [1]", curves),),
        numbers={"T0 [J]": T0} | {f"{group}, largest change / T0 [1]": found[group] for group in GROUPS},
        data=data,
    )
