"""The eliminations: size of the linear system and cost of a step as the number of bodies grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.noise import Answer, Ratio, all_of, ratio
from linkwork.studies.papers.dumitriu2015.case import FORMULATION, METHOD, MODEL, PUBLISHED, Array, largest
from linkwork.studies.runs import Runs
from linkwork.studies.timing import STEP, microseconds

STEWART = "stewart_platform"
COUNTS = (1, 2, 3, 5, 10, 20, 50)
BUDGET = 400_000  # steps of a timed run times the square of the unknowns
LEAN_WAY, TWO_STEP, ONE_SHOT = "newton-euler", "two-step", "one-shot"
WAYS: dict[str, dict[str, Any]] = {
    f"{elimination}, {matrix}": {"elimination": elimination, "matrix": matrix}
    for elimination in (LEAN_WAY, TWO_STEP, ONE_SHOT)
    for matrix in ("dense", "sparse")
}
NEWTON_EULER, NEWTON_EULER_SPARSE, TWO, TWO_SPARSE, ONE, ONE_SPARSE = WAYS
WANTED = 3.0  # times faster on the Stewart platform
LEAN, TWIST = np.radians(10.0), np.radians(20.0)


@dataclass(frozen=True)
class Case:
    """A mechanism with its bodies and rows.

    cost : microseconds per step in every round, by way. apart : relative difference of the ways' accelerations at the
    start.
    """

    name: str
    bodies: int
    rows: int
    cost: dict[str, Array]
    apart: float

    @property
    def unknowns(self) -> tuple[int, int]:
        """Of the two-step and of the one-shot system."""
        return self.rows, 6 * self.bodies + self.rows

    def least(self, way: str) -> float:
        """Microseconds of the quickest round."""
        return float(self.cost[way].min())

    @property
    def dense(self) -> Ratio:
        """One-shot over two-step."""
        return ratio(self.cost[ONE], self.cost[TWO])

    @property
    def sparse(self) -> Ratio:
        """The same with sparse matrices."""
        return ratio(self.cost[ONE_SPARSE], self.cost[TWO_SPARSE])

    @property
    def literal(self) -> Ratio:
        """Two-step over newton-euler, sparse: what solving for Lambda costs where it is not needed."""
        return ratio(self.cost[TWO_SPARSE], self.cost[NEWTON_EULER_SPARSE])


def elimination(runs: Runs) -> Finding:
    """Measure chains of ball joints, the double pendulum and the Stewart platform."""
    chains = [case(chain(n), f"chain of {n}") for n in COUNTS]
    platform = case(runs.mechanism(STEWART), "Stewart platform")
    return compared([*chains, case(runs.mechanism(MODEL), "double pendulum")], platform)


def compared(small: list[Case], platform: Case) -> Finding:
    """Chains and the double pendulum, and the Stewart platform."""
    cases, chains = [*small, platform], [one for one in small if one.name.startswith("chain")]
    dense, sparse, literal = ([getattr(one, kind).middle for one in cases] for kind in ("dense", "sparse", "literal"))
    x = np.array([one.bodies for one in chains], dtype=float)
    return Finding.judged(
        clearly_better(cases, platform),
        otherwise=Verdict.PARTLY,
        **PUBLISHED["elimination"].told,
        measured=f"A step of {METHOD} with dense matrices takes {min(dense):.2g} to {max(dense):.2g} times as long "
        f"with the one-shot elimination as in two steps; on the Stewart platform {platform.dense:.2g} times "
        f"({platform.unknowns[1]} unknowns against {platform.unknowns[0]}). With sparse matrices it is "
        f"{min(sparse):.2g} to {max(sparse):.2g} times, on the Stewart platform {platform.sparse:.2g}. Without solving "
        f"for Lambda at all ({LEAN_WAY}) a step is shorter still: two steps take {min(literal):.2g} to "
        f"{max(literal):.2g} times as long. All find the same accelerations to {max(one.apart for one in cases):.1g}. "
        "Ratios: the middle of all rounds, and in parentheses between what it is.",
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
                    for k, name in enumerate((TWO_STEP, ONE_SHOT))
                ),
                log="xy",
            ),
        ),
        numbers={f"{one.name}, one-shot / two-step, dense": one.dense.middle for one in cases}
        | {f"{one.name}, one-shot / two-step, sparse": one.sparse.middle for one in cases}
        | {f"{one.name}, two-step / newton-euler, sparse": one.literal.middle for one in cases}
        | {"accelerations apart, relative": max(one.apart for one in cases)},
        table=columns(
            (
                "mechanism",
                "bodies",
                "unknowns, two-step",
                "one-shot",
                *(f"{way} [us]" for way in WAYS),
                "one-shot / two-step, dense",
                "sparse",
            ),
            [
                (
                    one.name,
                    one.bodies,
                    *one.unknowns,
                    *(round(one.least(way), 2) for way in WAYS),
                    f"{one.dense:.2f}",
                    f"{one.sparse:.2f}",
                )
                for one in cases
            ],
        ),
    )


def clearly_better(cases: list[Case], platform: Case) -> Answer:
    """Two steps shorter than one shot everywhere, and far shorter on the platform; with dense matrices, as the size of
    the system decides there."""
    return all_of((*(one.dense.above(1.0) for one in cases), platform.dense.above(WANTED)))


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
    return tuple(Curve(way, x, np.array([one.least(way) for one in chains]), dots=True) for way in WAYS)


def chain(count: int) -> Mechanism:
    """The paper's bars hung from each other on ball joints, at rest, leaning to all sides by turns."""
    bodies, joints, end, before = [], [], np.zeros(3), "ground"
    for k in range(count):
        up, side = LEAN * (-1) ** k, TWIST * (-1) ** (k // 2)
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
