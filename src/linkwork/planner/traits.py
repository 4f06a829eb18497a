"""What a mechanism is, as far as it decides who can run it and at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.analysis.freedom import RankStudy, study_rank
from linkwork.planner.stiffness import MOST_BODIES, fastest_of
from linkwork.shown import counted
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import position_rows
from linkwork.system.topology import topology_of

STIFF = 200.0  # times faster than the slow motion: a spring or damper that limits an explicit method's steps


@dataclass(frozen=True)
class Traits:
    """Of a mechanism at its start.

    bodies, rows : numbers. loops : joints that close loops of the joint graph, 0 for a tree. cut_rows : rows that joint
    coordinates do not keep by themselves: of these joints, and of those with non-holonomic rows.
    redundant : rows that others imply; singular : whether rows lose rank at the start; both are looked at when they are
    asked for, and None of a large mechanism.
    non_holonomic : rows on velocities alone. drivers : driven rows. formulas : forces by formulas of the state.
    fastest : of the springs, dampers and motors on what yields to them (`stiffness`), 1/s, 0 without any;
    oscillation : of the springs alone.
    slowest : of weight and start speeds over the mechanism's length, 1/s.
    """

    bodies: int
    rows: int
    loops: int
    cut_rows: int
    non_holonomic: int
    drivers: int
    formulas: int
    fastest: float
    slowest: float
    oscillation: float
    compiled: CompiledMechanism = field(repr=False, compare=False)

    @cached_property
    def ranks(self) -> RankStudy | None:
        """Of the rows, here and in usual positions; None of a large mechanism."""
        return study_rank(self.compiled) if self.bodies <= MOST_BODIES else None

    @property
    def redundant(self) -> int | None:
        """How many rows others imply."""
        return None if self.ranks is None else len(self.ranks.usual.redundant)

    @property
    def singular(self) -> bool | None:
        """Whether rows lose rank at the start."""
        return None if self.ranks is None else bool(self.ranks.here.rank < self.ranks.usual.rank)

    @property
    def tree(self) -> bool:
        """Whether no joint closes a loop."""
        return self.loops == 0

    @property
    def motion(self) -> float:
        """How fast a motion is whose steps accuracy decides [1/s]: between the slow one and that of springs, of which
        nobody knows before how far they swing, by the geometric mean."""
        return max(self.slowest, float(np.sqrt(self.slowest * self.oscillation)))

    @property
    def stiff(self) -> bool:
        """Whether a spring or damper is so much faster than the motion that it may decide the steps."""
        return self.fastest > STIFF * max(self.slowest, 1e-300)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "compiled"}
        asked = {"redundant": self.redundant, "singular": self.singular, "tree": self.tree, "stiff": self.stiff}
        return {**plain, **asked}

    def __str__(self) -> str:
        parts = [f"{counted(self.bodies, 'body')}, {counted(self.rows, 'constraint row')}"]
        parts.append("a tree" if self.tree else f"{counted(self.loops, 'joint')} or rows that close loops")
        if self.redundant:
            parts.append(counted(self.redundant, "redundant row"))
        if self.singular:
            parts.append("singular at the start")
        if self.non_holonomic:
            parts.append(counted(self.non_holonomic, "non-holonomic row"))
        if self.drivers:
            parts.append(counted(self.drivers, "driven row"))
        if self.formulas:
            parts.append(f"{counted(self.formulas, 'force')} by formula")
        if self.fastest:
            parts.append(f"springs and dampers up to {self.fastest:.3g}/s{', stiff' if self.stiff else ''}")
        if self.redundant is None:
            parts.append("rank not looked at")
        return "; ".join(parts)


def traits_of(compiled: CompiledMechanism, time: float = 0.0) -> Traits:
    """What `compiled`, assembled, is. time : of its start [s]."""
    rates = fastest_of(compiled, time)
    rows, graph = compiled.lowered.rows, topology_of(compiled)
    holonomic = position_rows(compiled.bare)  # couplings hold positions, and stand on no arc
    arcs = {*graph.cuts.arc.tolist(), *graph.row_arc[~holonomic].tolist()}
    return Traits(
        bodies=compiled.nb,
        rows=compiled.nc,
        loops=len(graph.cuts.arc),
        cut_rows=sum(arc in arcs for arc in graph.row_arc.tolist()),
        non_holonomic=holonomic.tolist().count(False),
        drivers=sum(bool(row.driver) for row in rows),
        formulas=len(compiled.system.efforts.quantity),
        fastest=max(rates),
        slowest=slowest_of(compiled),
        oscillation=rates.oscillation,
        compiled=compiled,
    )


def slowest_of(compiled: CompiledMechanism) -> float:
    """How fast the motion itself is [1/s]: falling over its length, or its start speeds."""
    gravity = float(np.linalg.norm(compiled.system.gravity))
    speed = float(np.max(np.linalg.norm(compiled.v, axis=-1), initial=0.0)) / compiled.extent
    turning = float(np.max(np.linalg.norm(compiled.w, axis=-1), initial=0.0))
    return max(float(np.sqrt(gravity / compiled.extent)), speed, turning)
