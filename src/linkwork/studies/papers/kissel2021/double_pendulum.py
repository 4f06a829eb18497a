"""Figure 3: the double pendulum's second bar beside an ODE in two angles, over the step."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.kissel2021.mechanisms import DOUBLE, EULER, FORMULATIONS, PUBLISHED
from linkwork.studies.runs import Runs

Array = NDArray[Any]

STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)
SHOWN = (1e-2, 1e-3, 1e-4, 1e-5)  # over time
INSTANTS = 100  # the largest difference is sought at so many
LATE = 1e-4  # s: the order is fitted from this step down, where differences are small enough to be of first order
TENDS, ALIKE, NEAR = 0.05, 0.25, 0.2  # of the coarsest difference; relative; of order 1
POSITIONS = 1e-11  # tolerance, a share of the mechanism's length
m1, m2, l1, l2, width, g = 78.0, 39.0, 4.0, 2.0, 0.05, 9.81  # kg, m, m/s^2 [Kissel 2021, section 4.2]


def figure_3(runs: Runs) -> Finding:
    """|z - z_ref| at 5 s and the largest on the way."""
    said = PUBLISHED["figure 3"]
    span = said.settings["span_s"]
    off = {(h, f): difference(runs, span, h, f) for h in STEPS for f in FORMULATIONS}
    end = {key: float(values[-1]) for key, values in off.items()}
    most = {key: float(values.max()) for key, values in off.items()}
    slopes = {f: fitted_order([most[h, f] for h in STEPS if h <= LATE]) for f in FORMULATIONS}
    apart = max(float(np.ptp([most[h, f] for f in FORMULATIONS]) / most[h, "rA"]) for h in STEPS)
    fine = STEPS[-1]
    time = np.linspace(0.0, span, INSTANTS + 1)
    return Finding.judged(
        tends([max(most[h, f] for f in FORMULATIONS) for h in (STEPS[0], fine)], apart, list(slopes.values())),
        **said.told,
        measured=f"The largest difference in {span:g} s falls from {most[STEPS[0], 'rA']:.3g} m at h = {STEPS[0]:g} s "
        f"to {most[fine, 'rA']:.2g} m at {fine:g} s with rA; formulations are within {100 * apart:.0f} % of each "
        "other at every step. Below 1e-4 s it is of order "
        + ", ".join(f"{value:.2f} ({f})" for f, value in slopes.items())
        + ". Reference: Lagrange's equations in two angles to 1e-12.",
        why=f"The motion is sensitive: from h = {STEPS[0]:g} s to {LATE:g} s the largest difference falls by "
        f"{most[STEPS[0], 'rA'] / most[LATE, 'rA']:.2g}, where order 1 would make it {STEPS[0] / LATE:.3g}.",
        panels=(
            Panel(f"z of the second bar at {span:g} s", "step [s]", "|Δz| [m]", curves(end), log="xy"),
            Panel(f"largest within {span:g} s", "step [s]", "|Δz| [m]", (*curves(most), guide(most)), log="xy"),
            Panel(
                "rA over time",
                "time [s]",
                "|Δz| [m]",
                tuple(Curve(f"h = {h:g} s", time[1:], off[h, "rA"][1:]) for h in SHOWN),
                log="y",
            ),
        ),
        numbers={f"{f}, h = {h:g} s, at {span:g} s [m]": value for (h, f), value in end.items()}
        | {f"{f}, order": value for f, value in slopes.items()},
        table=columns(
            (
                "step [s]",
                *(f"{f}, at {span:g} s [m]" for f in FORMULATIONS),
                *(f"{f}, largest [m]" for f in FORMULATIONS),
            ),
            [(h, *(end[h, f] for f in FORMULATIONS), *(most[h, f] for f in FORMULATIONS)) for h in STEPS],
        ),
    )


def tends(most: list[float], apart: float, slopes: list[float]) -> bool:
    """Whether the result tends to the reference alike with all formulations.

    most : m, the largest difference at the coarsest and the finest step. apart : between formulations, relative.
    slopes : orders.
    """
    return most[1] < TENDS * most[0] and apart < ALIKE and all(abs(value - 1.0) < NEAR for value in slopes)


def difference(runs: Runs, span: float, h: float, formulation: str) -> Array:
    """|z - z_ref| (INSTANTS + 1,) m of the second bar's centre."""
    every = round(span / h / INSTANTS)
    run = runs.simulate(DOUBLE, span, h, formulation, EULER, every=every, position_tolerance=POSITIONS)
    off: Array = np.abs(run.position("bar 2")[:, 2] - heights(span, INSTANTS))
    return off


def curves(values: dict[Any, float]) -> tuple[Curve, ...]:
    """One line per formulation."""
    return tuple(Curve(f, np.array(STEPS), np.array([values[h, f] for h in STEPS]), dots=True) for f in FORMULATIONS)


def guide(values: dict[Any, float]) -> Curve:
    """A line of order 1 through the finest step."""
    h = np.array(STEPS)
    return Curve("order 1", h, values[STEPS[-1], "rA"] * h / h[-1], guide=True)


def fitted_order(values: list[float]) -> float:
    """The order over the finest steps."""
    return float(np.polyfit(np.log(STEPS[-len(values) :]), np.log(values), 1)[0])


@cache
def heights(span: float, n: int) -> Array:
    """(n + 1,) m, z of the second bar's centre by Lagrange's equations, integrated to 1e-12."""
    angle = angles(np.linspace(0.0, span, n + 1))
    z: Array = -l1 * np.cos(angle[0]) - 0.5 * l2 * np.cos(angle[1])
    return z


def angles(times: Array) -> Array:
    """(4, nt): both bars' angles from the downward vertical, and their rates, from rest at 90 and 0 degrees."""
    from scipy.integrate import solve_ivp

    J1, J2 = m1 * (width**2 + l1**2) / 12.0, m2 * (width**2 + l2**2) / 12.0

    def rates(_: float, y: Array) -> Array:
        a, b, da, db = y
        c, s = m2 * l1 * l2 / 2.0 * np.cos(a - b), m2 * l1 * l2 / 2.0 * np.sin(a - b)
        M = np.array([[J1 + m1 * l1**2 / 4.0 + m2 * l1**2, c], [c, J2 + m2 * l2**2 / 4.0]])
        f = [-s * db**2 - (m1 / 2.0 + m2) * g * l1 * np.sin(a), s * da**2 - m2 * g * l2 / 2.0 * np.sin(b)]
        return np.concatenate(([da, db], np.linalg.solve(M, f)))

    start, tight = [np.pi / 2.0, 0.0, 0.0, 0.0], {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    found: Array = solve_ivp(rates, (0.0, float(times[-1])), start, t_eval=times, **tight).y
    return found
