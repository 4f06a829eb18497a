"""Which reactions a run cannot tell apart: where rows depend on others, joints share a load in many ways.

Formulations differ in how they meet such rows. Most have room for them made when they turn up; then what was found on
the way is read off. Solvers that run through them without noticing say how they share (`Solver.shares`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.one_thread import one_blas_thread
from linkwork.problems.sparse_redundancy import is_sparse, without_null
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.rank import rank_of_parts, tolerance_at
from linkwork.system.topology import topology_of

LEAST = "the least ones are reported"
SHARE = 1e-6  # of a combination's largest entry: below it is rounding
FEW = 12  # names in a message
IMPLIED = "rows that others imply"  # how a run begins to say that some of its reactions are not unique


@dataclass(frozen=True)
class Unclear:
    """Rows that others imply, and whose reactions are not unique: joints, drivers and raw constraints, by name."""

    rows: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    shares: str = LEAST

    def __bool__(self) -> bool:
        return bool(self.rows or self.joints)

    def __str__(self) -> str:
        return f"{IMPLIED}: {listed(self.rows)}; reactions of {listed(self.joints)} are not unique, " + (self.shares)


def unclear(problem: Any, time: float = 0.0) -> Unclear:
    """What is not unique at the state that a problem was last factored at, or started from.

    time : where the problem itself does not look for dependent rows [s].
    """
    if all_independent(problem):
        return Unclear()
    with one_blas_thread():
        return _of_dependent(problem, getattr(problem, "solver", None), time)


def all_independent(problem: Any) -> bool:
    """Whether a problem takes all rows to be independent: it has no room for others, and a solver that meets none."""
    return not problem.droppable and getattr(getattr(problem, "solver", None), "shares", None) is None


def _of_dependent(problem: Any, solver: Any, time: float) -> Unclear:
    """`unclear`, where rows may depend on others."""
    mechanism = problem.mechanism.bare
    if problem.droppable:
        return _from_dependence(mechanism, problem.dependence)
    if solver.undetermined is not None:
        rows, idle = solver.undetermined(solver.records)
        return _named(mechanism, rows, idle, solver.shares)
    if not len(topology_of(mechanism).cuts.arc):
        return Unclear()
    return unclear_at(mechanism, Pose(mechanism.r, mechanism.A), time, solver.shares)


def unclear_at(mechanism: CompiledMechanism, pose: Pose, time: float = 0.0, shares: str = LEAST) -> Unclear:
    """What is not unique at a pose and time [s], from the rank of the rows there."""
    parts = row_parts(mechanism, pose, drives(mechanism, time))
    rank = rank_of_parts(mechanism, parts, tolerance=tolerance_at(mechanism, parts.phi))
    return _named(mechanism, rank.redundant, touched(rank.combinations), shares)


def touched(combinations: Any) -> list[int]:
    """Rows with a share in combinations (d, nc) of rows that vanish: multipliers along these have no effect."""
    sizes = np.abs(combinations)
    largest = sizes.max(axis=1, keepdims=True, initial=0.0)
    return np.flatnonzero(np.any(sizes > SHARE * largest, axis=0)).tolist()


def _from_dependence(mechanism: CompiledMechanism, dependence: Any) -> Unclear:
    found = dependence.found
    kept, dropped = found.kept[: found.sizes[0]], found.dropped[: found.sizes[1]]
    if is_sparse(dependence.sparse):  # no combinations are made there: what vanishes of any multipliers tells
        some = np.random.default_rng(2021).uniform(1.0, 2.0, mechanism.nc)
        rest = np.empty_like(some)
        without_null(dependence.sparse, some, rest)
        return _named(mechanism, dropped, touched((some - rest)[None]), LEAST)
    combinations = np.zeros((len(dropped), mechanism.nc))
    combinations[:, kept] = found.C[: len(dropped), : len(kept)]
    combinations[np.arange(len(dropped)), dropped] = -1.0
    return _named(mechanism, dropped, touched(combinations), LEAST)


def _named(mechanism: CompiledMechanism, rows: Iterable[int], idle: Iterable[int], shares: str) -> Unclear:
    names, some = mechanism.row_names, set(idle)
    joints = [joint.name for joint in mechanism.lowered.joints if not some.isdisjoint(joint.rows)]
    return Unclear(tuple(names[k] for k in rows), tuple(joints), shares)


def listed(names: tuple[str, ...]) -> str:
    """The first names, and how many more."""
    more = f" and {len(names) - FEW} others" if len(names) > FEW else ""
    return ", ".join(f"'{name}'" for name in names[:FEW]) + more
