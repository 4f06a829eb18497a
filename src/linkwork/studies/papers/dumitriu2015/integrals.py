"""First integrals of a freely turning body: two that are, and the eigenvalues of -Lambda, quoted as three more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import FORMULATION, PUBLISHED, Array
from linkwork.studies.runs import Runs

# principal moments [kg m^2] and angular velocity at the start [rad/s], in body axes
BODIES = {
    "three moments": ((3.0, 4.0, 5.0), (1.0, 2.0, 3.0)),
    "axis of symmetry": ((3.0, 3.0, 5.0), (1.0, 2.0, 3.0)),
    "steady spin": ((3.0, 4.0, 5.0), (0.0, 0.0, 3.0)),
}
GENERAL, SYMMETRIC, STEADY = BODIES
T_END, STEP = 10.0, 1e-3
LOOK = 2.0  # s, when the eigenvalues are compared with those of the start
KEPT = 1e-12  # N m: an eigenvalue that is less negative is rounding
CONSTANT = 1e-9  # relative
TIME = "time [s]"


def first_integrals(_: Runs) -> Finding:
    """What of Lambda is constant, by body."""
    result = turning()
    values = {name: eigenvalues(result, name) for name in BODIES}
    changed = {name: relative_change(found) for name, found in values.items()}
    twice, second = zip(*(integrals(result, name) for name in BODIES), strict=True)
    kept = max(map(relative_change, (*twice, *second)))
    energy = 2.0 * result["kinetic_energy"]
    right = float(np.abs(np.sum(twice, axis=0) / energy - 1.0).max())
    at = round(LOOK / STEP)
    before, after = (", ".join(f"{x:.3g}" for x in values[GENERAL][k]) for k in (0, at))
    return Finding(
        **PUBLISHED["first-integrals"].told,
        measured=f"tr(-Λ) = 2 T and tr(K^-1 Λ K^-1) are constant to {kept:.1g} in {T_END:g} s. The eigenvalues of -Λ "
        f"are too with an axis of symmetry ({changed[SYMMETRIC]:.1g}) and in a steady spin ({changed[STEADY]:.1g}), "
        f"but not in general: J = diag(3, 4, 5) kg m², ω = (1, 2, 3) rad/s gives {before} at the start and {after} N "
        f"m after {LOOK:g} s. The least that any of them becomes is {min(float(v.min()) for v in values.values()):.1g} "
        "N m.",
        why="What a free body's angular velocity keeps are energy and the magnitude of angular momentum. The two "
        "traces are functions of these; the determinant of Λ and the trace of its square are not, unless two moments "
        "are equal.",
        verdict=verdict(min(float(found.min()) for found in values.values()), changed),
        panels=tuple(
            Panel(
                name,
                TIME,
                "eigenvalues of -Λ [N m]",
                tuple(Curve(f"{k + 1}", result.time, values[name][:, k]) for k in range(3)),
            )
            for name in BODIES
        ),
        numbers={
            "largest relative change of the two integrals [1]": kept,
            "tr(-Λ) over 2 T, off one [1]": right,
            "least eigenvalue of -Λ [N m]": min(float(found.min()) for found in values.values()),
            **{f"{name}, relative change of the eigenvalues [1]": change for name, change in changed.items()},
            **{
                f"{GENERAL}, eigenvalue {k + 1} at {t:g} s [N m]": float(values[GENERAL][n, k])
                for t, n in ((0.0, 0), (LOOK, at))
                for k in range(3)
            },
        },
        table=columns(
            ("body", "tr(-Λ) [N m]", "its change", "tr(K^-1 Λ K^-1)", "change of it", "of the eigenvalues"),
            [
                (name, float(a[0]), relative_change(a), float(b[0]), relative_change(b), changed[name])
                for name, a, b in zip(BODIES, twice, second, strict=True)
            ],
        ),
        data={TIME: result.time}
        | {f"{name}, eigenvalue {k + 1} [N m]": values[name][:, k] for name in BODIES for k in range(3)},
    )


def verdict(least: float, changed: Mapping[str, float]) -> Verdict:
    """Whether -Lambda is positive and its eigenvalues are constant, for some bodies or all of them.

    least : N m, eigenvalue of -Lambda. changed : by body, relative change of the eigenvalues.
    """
    constant = [change < CONSTANT for change in changed.values()]
    if all(constant) and least > -KEPT:
        return Verdict.AGREES
    return Verdict.PARTLY if any(constant) and least > -KEPT else Verdict.DIFFERS


@cache
def turning() -> Result:
    """All of them free, without weight."""
    bodies = [
        {
            "name": name,
            "mass": 1.0,
            "inertia": list(moments),
            "position": [float(k), 0.0, 0.0],
            "velocity": [0.0, 0.0, 0.0],
            "angular_velocity": list(omega),
        }
        for k, (name, (moments, omega)) in enumerate(BODIES.items())
    ]
    mechanism = Mechanism("turning bodies", bodies, gravity=(0.0, 0.0, 0.0))
    return simulate(mechanism, T_END, STEP, FORMULATION, "dop853")


def eigenvalues(result: Result, body: str) -> Array:
    """(nt, 3) N m of -Lambda, ascending."""
    found: Array = np.linalg.eigvalsh(-result["multiplier_matrix"][:, result.index("body", body)])
    return found


def integrals(result: Result, body: str) -> tuple[Array, Array]:
    """tr(-Lambda) and tr(K^-1 Lambda K^-1) over time (nt,)."""
    moments = np.array(BODIES[body][0])
    over = 1.0 / (0.5 * moments.sum() - moments)
    diagonal = np.diagonal(result["multiplier_matrix"][:, result.index("body", body)], axis1=1, axis2=2)
    return -diagonal.sum(axis=1), (diagonal * over**2).sum(axis=1)


def relative_change(values: Array) -> float:
    """The largest change since the start over the largest value."""
    return float(np.abs(values - values[0]).max() / np.abs(values).max())
