"""Energy over a long time: canonical momenta beside joint rates at the same step and order, and symplectic methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.judgement.limits import UNENDED
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.runs import Runs

Array = NDArray[np.float64]
T_END = 1000.0  # s
STEPS = (0.02, 0.01, 0.005)  # s
EVERY, WINDOW = 0.5, 10.0  # s: between samples, and of which the picture shows the largest
FORMULATIONS = ("canonical", "articulated-body")
SYMPLECTIC = ("implicit-midpoint", "stormer-verlet")
LENGTH, MASS = 0.5, 1.0  # m, kg
ANGLES = (0.6, 0.9)  # rad, from straight down: it swings, and does not go over the top
GROWN = 1.5  # an error this much larger in the second half of a run grows
SHARES = (0.3, 1.0, 2.0)  # of these angles, for a comparison at other amplitudes


def double_pendulum(share: float = 1.0) -> Mechanism:
    """Two slender bars on pins, released at rest, at `share` times ANGLES."""
    bodies, joints, end = [], [], np.zeros(3)
    for k, angle in enumerate(share * a for a in ANGLES):
        along = LENGTH * np.array([np.sin(angle), 0.0, -np.cos(angle)])
        moment = MASS * LENGTH**2 / 12.0
        bodies.append(
            {
                "name": f"bar {k + 1}",
                "mass": MASS,
                "inertia": [moment, moment, moment / 100.0],
                "position": (end + 0.5 * along).tolist(),
                "rotation": {"axis": [0.0, -1.0, 0.0], "angle": angle},
            }
        )
        first = "ground" if k == 0 else f"bar {k}"
        joints.append(
            {
                "name": f"pin {k + 1}",
                "type": "revolute",
                "first": first,
                "second": f"bar {k + 1}",
                "point": end.tolist(),
                "axis": [0.0, 1.0, 0.0],
            }
        )
        end = end + along
    return Mechanism.from_dict(
        {"name": "double pendulum of bars", "gravity": [0.0, 0.0, -9.81], "bodies": bodies, "joints": joints}
    )


def drift_of(result: Result) -> Array:
    """(nt,) total energy less that of the start, over the span of the potential energy."""
    energy = result["kinetic_energy"] + result["potential_energy"]
    drift: Array = (energy - energy[0]) / np.ptp(result["potential_energy"])
    return drift


def largest(time: Array, drift: Array) -> tuple[Array, Array]:
    """The largest size in each window, so that errors which swing do not hide those which grow; when windows end."""
    count = round(WINDOW / EVERY)
    windows = np.abs(drift[1:]).reshape(-1, count)
    return time[count::count], windows.max(axis=1)


def at_amplitude(share: float) -> float:
    """Mean drift at the end with rates over that with momenta, RK4 at the middle step."""
    mechanism, h = double_pendulum(share), STEPS[1]
    ends = []
    for formulation in FORMULATIONS:
        drift = drift_of(simulate(mechanism, T_END, h, formulation, "rk4", every=round(EVERY / h), limits=UNENDED))
        ends.append(abs(float(np.mean(drift[-max(1, drift.size // 10) :]))))
    return ends[1] / ends[0]


def because(ratios: Sequence[float], bounded: Mapping[str, float]) -> str:
    """What drifts say about the two forms, and about the symplectic methods.

    ratios : rates over momenta, by step and amplitude. bounded : largest error of a run's second half over its first.
    """
    if min(ratios) > 1.0 or max(ratios) < 1.0:
        better = "momenta" if min(ratios) > 1.0 else "rates"
        first = f"At every step and amplitude here {better} drift less."
    else:
        first = "Which form drifts less changes with the motion, so that neither is better in general."
    kept = [name for name, growth in bounded.items() if growth < GROWN]
    lost = [name for name in bounded if name not in kept]
    second = (
        f" The error of {' and '.join(kept)} in (q, p) does not grow with the run: they are symplectic." if kept else ""
    )
    return first + second + (f" That of {' and '.join(lost)} does." if lost else "")


def energy_over_time(_: Runs) -> Finding:
    """RK4 in (q, p) and in (q, qdot) at the same steps, and the symplectic methods in (q, p)."""
    mechanism = double_pendulum()
    pairs = [(f, "rk4") for f in FORMULATIONS] + [("canonical", i) for i in SYMPLECTIC]
    found, table = {}, []
    curves: list[Curve] = []
    for formulation, integrator in pairs:
        for h in STEPS:
            every = round(EVERY / h)
            result = simulate(mechanism, T_END, h, formulation, integrator, every=every, limits=UNENDED)
            drift = drift_of(result)
            found[formulation, integrator, h] = drift
            half = len(drift) // 2
            table.append(
                (
                    f"{formulation}, {integrator}",
                    h,
                    float(np.max(np.abs(drift))),
                    float(np.mean(drift[-half // 5 :])),
                    int(result.info.get("evaluations", 0)),
                )
            )
            if h == STEPS[1]:
                curves.append(Curve(f"{formulation}, {integrator}", *largest(result.time, drift)))
    tail = min(200, round(0.1 * T_END / EVERY))
    mean = {(f, h): abs(float(np.mean(found[f, "rk4", h][-tail:]))) for f in FORMULATIONS for h in STEPS}
    ratio = {h: mean["articulated-body", h] / mean["canonical", h] for h in STEPS}
    others = {share: at_amplitude(share) for share in SHARES}
    half = round(0.5 * T_END / EVERY)
    bounded = {
        i: float(
            np.max(np.abs(found["canonical", i, STEPS[1]][half:]))
            / np.max(np.abs(found["canonical", i, STEPS[1]][: half + 1]))
        )
        for i in SYMPLECTIC
    }
    said = ", ".join(f"{ratio[h]:.2g} at {h:g} s" for h in STEPS)
    return Finding(
        verdict=Verdict.OWN,
        claim="The paper compares operations, not errors. One may hope that momenta drift less in energy than rates.",
        measured=f"RK4 over {T_END:g} s: drift in energy with rates over drift with momenta {said}; at {STEPS[1]:g} s "
        + "and "
        + ", ".join(f"{share:g} times these angles {x:.2g}" for share, x in others.items())
        + ". "
        + "; ".join(
            f"{i} in (q, p): largest error of the second half {x:.2f} times that of the first"
            for i, x in bounded.items()
        )
        + ".",
        why=because([*ratio.values(), *others.values()], bounded),
        panels=(
            Panel(
                f"double pendulum, step {STEPS[1]:g} s",
                "time [s]",
                f"largest |change of energy| in {WINDOW:g} s / span [1]",
                tuple(curves),
                log="y",
            ),
        ),
        numbers={f"RK4, rates over momenta at {h:g} s [1]": r for h, r in ratio.items()}
        | {f"RK4, rates over momenta, {share:g} times the angles [1]": x for share, x in others.items()},
        table=columns(("method", "step [s]", "largest |drift| [1]", "mean drift at the end [1]", "evaluations"), table),
    )
