"""Table 1: additions and multiplications of a chain of pins, counted on our own kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwork.analysis.counts import counts_of
from linkwork.mechanism import Mechanism
from linkwork.mechanism.rotation import turn
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.published import published
from linkwork.studies.runs import Runs

PUBLISHED = published("naudet2003")
OURS = {"canonical": "Naudet-Lefebvre", "articulated-body": "Featherstone"}  # formulation -> the line it belongs to
WAYS = {  # frames, weight
    "frames on the axes": ("screws", False),
    "frames on the axes, weight": ("screws", True),
    "any frames": ("joints", False),
    "any frames, weight": ("joints", True),
}
THEIRS, WEIGHED = list(WAYS)[:2]  # what a count of 363 n - 475 presupposes, and the same with weight
BODIES = (3, 4, 5, 8, 12)
SHOWN = np.array([3.0, 5.0, 10.0, 20.0, 30.0])
ARM, TWIST, SLANT = 0.4, 0.7, 0.3  # m, rad, rad: nothing in the chain is parallel or at right angles
Line = tuple[int, int]  # so many per body, and a constant


class Cost(NamedTuple):
    """Operations as lines over the number of bodies; divisions stand with multiplications."""

    additions: Line
    multiplications: Line

    @property
    def total(self) -> Line:
        """Both."""
        return self.additions[0] + self.multiplications[0], self.additions[1] + self.multiplications[1]


def table_1(_: Runs) -> Finding:
    """Counts for some lengths, which must lie on a line, beside the printed ones."""
    found = {(f, way): cost(f, *WAYS[way]) for f in OURS for way in WAYS}
    return compared(found)


def cost(formulation: str, frames: str, weight: bool) -> Cost:
    """The operations of one evaluation."""
    counts = [counts_of(chain(n), formulation, frames=frames, weight=weight) for n in BODIES]
    return Cost(line([c.additions for c in counts]), line([c.multiplications + c.divisions for c in counts]))


def line(values: list[int]) -> Line:
    """The line through all counts. Raises ValueError where they do not lie on one."""
    slope = (values[-1] - values[0]) // (BODIES[-1] - BODIES[0])
    constant = values[0] - slope * BODIES[0]
    if any(value != slope * n + constant for n, value in zip(BODIES, values, strict=True)):
        raise ValueError(f"operation counts {values} for {BODIES} bodies do not lie on a line")
    return slope, constant


def compared(found: dict[tuple[str, str], Cost]) -> Finding:
    """Ours beside the table."""
    table = PUBLISHED["table 1"]
    printed = {
        name: {kind: printed_line(name, kind) for kind in ("additions", "multiplications", "total")}
        for name in table.values
    }
    ours, rival = ({way: found[f, way].total for way in (THEIRS, WEIGHED)} for f in ("canonical", "articulated-body"))
    theirs = printed[OURS["canonical"]]["total"]
    lines: list[tuple[Any, ...]] = [
        (name, "printed", *(said(kinds[kind]) for kind in ("additions", "multiplications", "total")))
        for name, kinds in printed.items()
    ]
    lines += [
        (f, way, said(one.additions), said(one.multiplications), said(one.total)) for (f, way), one in found.items()
    ]
    curves = [
        Curve(f"{name}, printed", SHOWN, at(kinds["total"]), guide=name not in OURS.values())
        for name, kinds in printed.items()
    ]
    curves += [Curve(f"{f}, ours", SHOWN, at(found[f, THEIRS].total), dots=True) for f in OURS]
    return Finding(
        **table.told,
        measured=f"Our kernels, with {THEIRS} and no weight: canonical {said(ours[THEIRS])}, articulated-body "
        f"{said(rival[THEIRS])} operations, multiplications and divisions together. With weight: canonical "
        f"{said(ours[WEIGHED])}, articulated-body {said(rival[WEIGHED])}. Canonical with any frames: "
        f"{said(found['canonical', 'any frames'].total)}.",
        verdict=verdict(ours, rival, theirs),
        why="Counted by running the kernels on numbers that count, sines and cosines left out. The recovery of "
        "accelerations and reactions, which canonical momenta do not give by themselves, is not in the counts of the "
        "paper and not in these.",
        panels=(Panel("operations of a chain of pins", "bodies", "operations [1]", tuple(curves)),),
        numbers={f"{f}, {way}, total per body": float(one.total[0]) for (f, way), one in found.items()},
        table=columns(("algorithm", "count", "additions", "multiplications", "total"), lines),
    )


def verdict(ours: Mapping[str, Line], rival: Mapping[str, Line], theirs: Line) -> Verdict:
    """Fewer than with accelerations, and no more than printed: without weight and with it, since the paper does not say
    which it counts. In part where fewer are needed in one of the two settings only, or more than printed."""
    fewer = [ours[way][0] < rival[way][0] for way in (THEIRS, WEIGHED)]
    printed = [ours[way][0] <= theirs[0] for way in (THEIRS, WEIGHED)]
    if all(fewer) and all(printed):
        return Verdict.AGREES
    return Verdict.PARTLY if any(fewer) else Verdict.DIFFERS


def printed_line(name: str, kind: str) -> Line:
    """A printed count."""
    table = PUBLISHED["table 1"]
    return int(table.value(name, kind, "per_body")), int(table.value(name, kind, "constant"))


def said(count: Line) -> str:
    """As the table prints it."""
    slope, constant = count
    return f"{slope} n {'-' if constant < 0 else '+'} {abs(constant)}"


def at(count: Line) -> Any:
    """The line's values at `SHOWN`."""
    return count[0] * SHOWN + count[1]


def chain(n: int) -> Mechanism:
    """n bodies on pins in general position: each axis is offset from, and twisted against, the one before."""
    bodies, joints = [], []
    A, pin = np.eye(3), np.zeros(3)
    for k in range(n):
        axis = A[:, 2]
        bodies.append(
            {
                "name": f"body {k + 1}",
                "mass": 1.0,
                "inertia": [[0.02, 0.001, 0.002], [0.001, 0.03, 0.003], [0.002, 0.003, 0.04]],
                "position": (pin + A @ np.array([0.5 * ARM, 0.03, 0.02])).tolist(),
                "rotation": A.tolist(),
            }
        )
        before = f"body {k}" if k else "ground"
        joints.append(
            {
                "name": f"pin {k + 1}",
                "type": "revolute",
                "first": before,
                "second": f"body {k + 1}",
                "point": pin.tolist(),
                "axis": axis.tolist(),
            }
        )
        pin = pin + A @ np.array([ARM, 0.05, 0.1])
        A = A @ turn(np.array([0.0, 0.0, 1.0]), SLANT) @ turn(np.array([1.0, 0.0, 0.0]), TWIST)
    return Mechanism(f"chain of {n} pins", bodies, joints)
