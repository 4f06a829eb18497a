"""Accelerations, forces of constraint and unique reactions of all methods at the same states, beside formulation rA."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.analysis.accelerations import Accelerations, accelerations
from linkwork.analysis.assembly import assemble
from linkwork.analysis.state import State
from linkwork.mechanism import Mechanism
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.mufti1983.methods import MECHANISMS, PUBLISHED, WAYS, mechanism, short
from linkwork.studies.runs import Runs

REFERENCE = "rA"  # its matrix, its rows and its way to multipliers are others than those of the methods compared
LATER, STEP = 0.2, 2e-3  # s: the second state, and the step towards it
AGREED = 1e-9


@dataclass(frozen=True)
class Apart:
    """How far a method is from the reference at one state, relative and norm-wise."""

    accelerations: float
    forces: float
    reactions: float

    @property
    def worst(self) -> float:
        """Of all."""
        return max(self.accelerations, self.forces, self.reactions)


def agreement(runs: Runs) -> Finding:
    """All methods on all mechanisms, at the start and on the way."""
    found = measured(runs)
    worst = {way: max(one.worst for (_, _, w), one in found.items() if w == way) for way in WAYS}
    direct = max(value for way, value in worst.items() if way != "penalty")
    lines = []
    for name in MECHANISMS:
        lowered = mechanism(runs, name).lower()
        of_it = {way: max(found[name, k, way].worst for k in (0, 1)) for way in WAYS}
        last = max(of_it, key=lambda way: of_it[way])
        lines.append((short(name), len(lowered.bodies), len(lowered.rows), of_it[last], last))
    x = np.arange(1.0, len(WAYS) + 1.0)
    parts = ("accelerations", "forces", "reactions")
    return Finding.judged(
        agree(worst),
        **PUBLISHED["agreement"].told,
        measured=f"On {len(MECHANISMS)} mechanisms at two states each, accelerations, forces of constraint and unique "
        f"reactions are those of {REFERENCE} to {direct:.1g} relative, with iterated penalties to "
        f"{worst['penalty']:.1g}.",
        panels=(
            Panel(
                "largest difference over all mechanisms and states",
                "",
                f"largest difference from {REFERENCE}, relative",
                tuple(Curve(part, x, np.array([most(found, way, part) for way in WAYS]), dots=True) for part in parts),
                log="y",
                names=tuple(WAYS),
            ),
        ),
        numbers={f"{way}, relative": value for way, value in worst.items()},
        table=columns(("mechanism", "bodies", "rows", "largest difference", "of"), lines),
        data=columns(
            ("mechanism", "state", "method", *parts),
            [
                (name, ("start", f"{LATER:g} s")[k], way, one.accelerations, one.forces, one.reactions)
                for (name, k, way), one in found.items()
            ],
        ),
    )


def agree(worst: Mapping[str, float]) -> bool:
    """Whether every method is the reference's, relative."""
    return max(worst.values()) < AGREED


def most(found: dict[tuple[str, int, str], Apart], way: str, part: str) -> float:
    """The largest of one kind; rounding's unit where it is less, so that it can be drawn."""
    return max(max(float(getattr(one, part)) for (_, _, w), one in found.items() if w == way), 1e-17)


def measured(runs: Runs) -> dict[tuple[str, int, str], Apart]:
    """By mechanism, state and method."""
    return runs.once("mufti1983 agreement", lambda: compare(runs))


def compare(runs: Runs) -> dict[tuple[str, int, str], Apart]:
    """Measure all of it."""
    found = {}
    for name in MECHANISMS:
        made = assemble(mechanism(runs, name)).mechanism
        for k, state in enumerate(states(made)):
            wanted = accelerations(made, state, REFERENCE)
            for way, how in WAYS.items():
                found[name, k, way] = apart(accelerations(made, state, **how), wanted)
    return found


def states(made: Mechanism) -> tuple[State, State]:
    """At the start, and later on the constraints."""
    result = simulate(made, LATER, STEP, "lie-product", "rk4", stabilisation="projection", every=100)
    return State.start(made), State.of(result, -1)


def apart(found: Accelerations, wanted: Accelerations) -> Apart:
    """Norms of differences over norms."""
    size = max(1.0, float(np.linalg.norm(wanted.constraint_forces)))
    shared = set(wanted.not_unique) | set(found.not_unique)
    off = [
        float(np.linalg.norm(np.concatenate(one) - np.concatenate(wanted.reactions[joint]))) / size
        for joint, one in found.reactions.items()
        if joint not in shared
    ]
    motion = relative(stacked(found), stacked(wanted))
    return Apart(motion, relative(found.constraint_forces, wanted.constraint_forces), max(off, default=0.0))


def stacked(found: Accelerations) -> Any:
    """rddot and omegadot."""
    return np.hstack([found.rddot, found.omegadot])


def relative(found: Any, wanted: Any) -> float:
    """Norm of the difference, measured against the norm where that is above one."""
    return float(np.linalg.norm(found - wanted)) / max(1.0, float(np.linalg.norm(wanted)))
