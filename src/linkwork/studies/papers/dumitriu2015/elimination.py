"""The two eliminations: size of the linear system and cost of a step as the number of bodies grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import FORMULATION, METHOD, MODEL, PUBLISHED, largest
from linkwork.studies.runs import Runs
from linkwork.studies.timing import STEP, microseconds

STEWART = "stewart_platform"
COUNTS = (1, 2, 3, 5, 10, 20, 50)
BUDGET = 400_000  # steps of a timed run times the square of the unknowns
WAYS: dict[str, dict[str, Any]] = {
    f"{elimination}, {matrix}": {"elimination": elimination, "matrix": matrix}
    for elimination in ("two-step", "one-shot")
    for matrix in ("dense", "sparse")
}
TWO, TWO_SPARSE, ONE, ONE_SPARSE = WAYS
WANTED = 3.0  # times faster on the Stewart platform
LEAN, TURN = np.radians(10.0), np.radians(20.0)


@dataclass(frozen=True)
class Case:
    """A mechanism with its bodies and rows.

    cost : microseconds per step by way. apart : relative difference of the ways' accelerations at the start.
    """

    name: str
    bodies: int
    rows: int
    cost: dict[str, float]
    apart: float

    @property
    def unknowns(self) -> tuple[int, int]:
        """Of the two-step and of the one-shot system."""
        return self.rows, 6 * self.bodies + self.rows

    @property
    def ratio(self) -> float:
        """One-shot over two-step, dense."""
        return self.cost[ONE] / self.cost[TWO]


def elimination(runs: Runs) -> Finding:
    """Chains of ball joints, the double pendulum and the Stewart platform."""
    chains = [case(chain(n), f"chain of {n}") for n in COUNTS]
    platform = case(runs.mechanism(STEWART), "Stewart platform")
    cases = [*chains, case(runs.mechanism(MODEL), "double pendulum"), platform]
    ahead, last = min(cases, key=lambda one: one.ratio), chains[-1]
    sparse = [one.cost[ONE_SPARSE] / one.cost[TWO_SPARSE] for one in cases]
    x = np.array([one.bodies for one in chains], dtype=float)
    return Finding.judged(
        ahead.ratio > 1.0 and platform.ratio > WANTED,
        otherwise=Verdict.PARTLY,
        **PUBLISHED["elimination"].told,
        measured=f"A step of {METHOD} with dense matrices takes {ahead.ratio:.2g} to {last.ratio:.2g} times as long "
        f"with the one-shot elimination; on the Stewart platform {platform.ratio:.2g} times ({platform.unknowns[1]} "
        f"unknowns against {platform.unknowns[0]}). With sparse matrices it is {min(sparse):.2g} to {max(sparse):.2g} "
        f"times, on the Stewart platform {sparse[-1]:.2g}. Both find the same accelerations to "
        f"{max(one.apart for one in cases):.1g}.",
        why="Dense elimination costs the cube of the unknowns, (6 n + n_c)³ against n_c³. A sparse factorisation "
        "takes the six unknowns of each body first, which is the two-step method found by itself, at the cost of more "
        "entries.",
        panels=(
            Panel("chains of ball joints", "bodies", "time per step [µs]", curves(x, chains), log="xy"),
            Panel(
                "unknowns",
                "bodies",
                "size of the linear system",
                tuple(
                    Curve(name, x, np.array([one.unknowns[k] for one in chains], dtype=float), dots=True)
                    for k, name in enumerate(("two-step", "one-shot"))
                ),
                log="xy",
            ),
        ),
        numbers={f"{one.name}, one-shot / two-step, dense": one.ratio for one in cases}
        | {f"{one.name}, one-shot / two-step, sparse": ratio for one, ratio in zip(cases, sparse, strict=True)}
        | {"accelerations apart, relative": max(one.apart for one in cases)},
        table=columns(
            ("mechanism", "bodies", "unknowns, two-step", "one-shot", *(f"{way} [us]" for way in WAYS), "dense ratio"),
            [
                (one.name, one.bodies, *one.unknowns, *(round(one.cost[way], 2) for way in WAYS), round(one.ratio, 2))
                for one in cases
            ],
        ),
    )


def case(mechanism: Mechanism, name: str) -> Case:
    """Time all ways on a mechanism."""
    lowered = mechanism.lower()
    bodies, rows = len(lowered.bodies), len(lowered.rows)
    options = {way: {"formulation": FORMULATION, "integrator": METHOD, **given} for way, given in WAYS.items()}
    steps = max(10, min(1000, BUDGET // (6 * bodies + rows) ** 2))
    found = []
    for way in WAYS:
        start = simulate(mechanism, STEP, STEP, **options[way])
        found.append(np.concatenate([start["acceleration"][0].ravel(), start["angular_acceleration"][0].ravel()]))
    apart = max(largest(other - found[0]) for other in found) / largest(found[0])
    return Case(name, bodies, rows, microseconds(mechanism, options, steps), apart)


def curves(x: Any, chains: list[Case]) -> tuple[Curve, ...]:
    """A line per way."""
    return tuple(Curve(way, x, np.array([one.cost[way] for one in chains]), dots=True) for way in WAYS)


def chain(count: int) -> Mechanism:
    """The paper's bars hung from each other on ball joints, at rest, leaning to all sides by turns."""
    bodies, joints, end, before = [], [], np.zeros(3), "ground"
    for k in range(count):
        up, side = LEAN * (-1) ** k, TURN * (-1) ** (k // 2)
        c, s, e, f = np.cos(up), np.sin(up), np.cos(side), np.sin(side)
        A = np.array([[e, -f, 0.0], [f, e, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
            [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
        )
        name, along = f"bar {k + 1}", 0.2 * A[:, 0]
        bodies.append(
            {
                "name": name,
                "mass": 0.108,
                "shape": {"type": "box", "size": [0.2, 0.02, 0.01]},
                "position": (end + 0.5 * along).tolist(),
                "rotation": A.tolist(),
                "velocity": [0.0, 0.0, 0.0],
                "angular_velocity": [0.0, 0.0, 0.0],
            }
        )
        joints.append(
            {"name": f"ball {k + 1}", "type": "spherical", "first": before, "second": name, "point": end.tolist()}
        )
        end, before = end + along, name
    return Mechanism(f"chain of {count} balls", bodies, joints, gravity=(9.81, 0.0, 0.0))
