"""Figure 3: the heavy top's kinetic energy, and why two orders between the groups cannot be had."""

from __future__ import annotations

import numpy as np

from linkwork.result import Result
from linkwork.studies.finding import Curve, Finding, Panel
from linkwork.studies.papers.muller2013.examples import (
    MIXED,
    PRODUCT,
    PUBLISHED,
    SE3,
    STEP,
    T_END,
    TOP,
    Array,
    energy_drift,
    largest,
    run,
)
from linkwork.studies.runs import Runs

T0 = PUBLISHED["figure 3"].value("T0_J")
SAME = 1e-3  # of T0: it is printed with four digits
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)
TWO_ORDERS = 0.3 * PUBLISHED["figure 3"].value("drift_ratio")  # a ratio of more would count as the paper's two orders


def figure_3(runs: Runs) -> Finding:
    """The drift of T on both groups, the part of it that omega alone explains, and how it goes with the step."""
    results = {group: run(runs, TOP, group) for group in (SE3, PRODUCT, MIXED)}
    drifts = {group: energy_drift(result) for group, result in results.items()}
    alone = {group: spin_energy(runs, result) for group, result in results.items()}
    found = {group: largest(drift) for group, drift in drifts.items()}
    apart = largest(alone[SE3] - alone[PRODUCT]) / alone[SE3][0]
    slip = largest(drifts[PRODUCT] - (alone[PRODUCT] / alone[PRODUCT][0] - 1.0))
    start, ratio = float(results[SE3]["kinetic_energy"][0]), found[PRODUCT] / found[SE3]
    by_step = {h: [largest(energy_drift(coarse(runs, group, h))) for group in (SE3, PRODUCT)] for h in STEPS}
    short = {group: largest(drift[results[group].time <= 2.0 + 1e-9]) for group, drift in drifts.items()}
    time = results[SE3].time
    curves = tuple(Curve(group, time, drifts[group]) for group in (SE3, PRODUCT))
    rest = Curve("lie-product, from ω alone", time, alone[PRODUCT] / alone[PRODUCT][0] - 1.0)
    return Finding.judged(
        as_printed(start, ratio),
        **PUBLISHED["figure 3"].told,
        measured=f"T0 = {start / 1e3:.5g} kJ. Largest drift over T0: lie-se3 {found[SE3]:.2g}, lie-product "
        f"{found[PRODUCT]:.2g} in {T_END:g} s (ratio {ratio:.2g}); {short[SE3]:.2g} and {short[PRODUCT]:.2g} in 2 s.",
        why=because(start, ratio, apart, slip),
        panels=(
            Panel("kinetic energy of the heavy top", "time [s]", "change / T0 [1]", (*curves, rest)),
            step_panel(by_step),
        ),
        numbers={
            "T0 [J]": start,
            "lie-se3, largest drift / T0 [1]": found[SE3],
            "lie-product, largest drift / T0 [1]": found[PRODUCT],
            "ratio [1]": ratio,
            "energy of omega, difference between the groups / T0 [1]": apart,
            "energy of the pivot's slip on the product group / T0 [1]": slip,
        },
        table={
            "step [s]": list(by_step),
            "lie-se3, drift / T0": [values[0] for values in by_step.values()],
            "lie-product, drift / T0": [values[1] for values in by_step.values()],
            "ratio": [values[1] / values[0] for values in by_step.values()],
        },
        data={"time [s]": time}
        | {f"{group} [1]": drifts[group] for group in (SE3, PRODUCT)}
        | {"lie-product from omega alone [1]": rest.y},
    )


def as_printed(start: float, ratio: float) -> bool:
    """Whether T0 [J] is the printed one, and the drifts lie two orders apart."""
    return ratio > TWO_ORDERS and abs(start / T0 - 1.0) < SAME


def because(start: float, ratio: float, apart: float, slip: float) -> str:
    """What the numbers say about the printed T0 and two orders. apart, slip : shares of T0, see `figure_3`."""
    off = abs(start / T0 - 1.0)
    said = f"T0 {'agrees with' if off < SAME else 'differs from'} the printed one: {off:.1g} off, relative. "
    if ratio > TWO_ORDERS:
        return said
    return said + (
        "Without forces the angular velocity obeys Euler's equations about the pivot on either group, so that two "
        f"orders cannot come from it: the energies of ω of the two runs are {apart:.1g} of T0 apart. The group "
        "enters only where the centre's velocity leaves that of a body turning about the pivot, worth "
        f"{slip:.1g} of T0 with lie-product. The paper does not say which tableau it uses; on the product group a less "
        "accurate or wrong dexp costs energy, on SE(3) it cannot."
    )


def coarse(runs: Runs, group: str, h: float) -> Result:
    """A run at another step, sampled as often as the paper's."""
    return run(runs, TOP, group) if h == STEP else runs.simulate(TOP, T_END, h, group, "rk4")


def spin_energy(runs: Runs, result: Result) -> Array:
    """(nt,) J, of a body that turns about the pivot with the run's omega, wherever its centre went."""
    (body,) = runs.mechanism(TOP).lower().bodies
    r_0, J, m = body.position, body.inertia, body.mass
    assert J is not None
    assert m is not None
    about_pivot = J + m * ((r_0 @ r_0) * np.eye(3) - np.outer(r_0, r_0))
    w = result.angular_velocity(body.name)
    energy: Array = 0.5 * np.einsum("ti,ij,tj->t", w, about_pivot, w)
    return energy


def step_panel(by_step: dict[float, list[float]]) -> Panel:
    """Drift against step, with a line of slope 5."""
    h = np.array(list(by_step))
    drift = np.array(list(by_step.values()))
    curves = tuple(Curve(group, h, drift[:, k], dots=True) for k, group in enumerate((SE3, PRODUCT)))
    guide = Curve("slope 5", h, drift[1, 0] * (h / h[1]) ** 5, guide=True)
    return Panel(f"largest drift in {T_END:g} s", "step [s]", "drift / T0 [1]", (*curves, guide), log="xy")
