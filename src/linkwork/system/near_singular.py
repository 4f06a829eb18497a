"""Loops whose rows nearly depend on each other at the start: the last digits of points and axes say whether they move.

A planar linkage of revolute joints whose axes are parallel to seven digits is one; so is one beside a dead centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.one_thread import one_blas_thread
from linkwork.shown import some
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.rank import block, components

DEPENDENT = 5e-9  # of the largest singular value: below it every formulation takes rows for dependent
CONDITION = 1e4  # above it a start is near a singular position
LARGEST = 30  # bodies: larger parts of a mechanism are not looked at
TAKES_PART = 0.1  # of the largest entry of a singular vector


@dataclass(frozen=True)
class NearlyDependent:
    """condition : the largest singular value of rows of unit length over the smallest that is not taken for zero, of
    bodies that joints tie to each other. elements : joints, drivers and constraints whose rows that is about."""

    condition: float
    elements: tuple[str, ...] = ()

    def told(self) -> str:
        """What is found, after "the start is"; of one with elements."""
        names = some([f"'{name}'" for name in self.elements])
        return (
            f"near a singular position: the smallest singular value of the rows of {names} is "
            f"{1.0 / self.condition:.2g} of the largest"
        )


def nearly_dependent(mechanism: CompiledMechanism, limit: float) -> NearlyDependent:
    """The worst of a mechanism's parts at its start; elements where the condition is above the limit.

    Rows are scaled as in `system.least_change`. What is in no loop, and parts of more than LARGEST bodies, are not
    looked at."""
    found: NearlyDependent = mechanism.once(("nearly dependent", limit), lambda: _looked_at(mechanism, limit))
    return found


@one_blas_thread()
def _looked_at(mechanism: CompiledMechanism, limit: float) -> NearlyDependent:
    worst, owners = NearlyDependent(1.0), [row.owner for row in mechanism.lowered.rows]
    tied = in_loops(mechanism, owners)
    if not tied.any():
        return worst
    parts, every = row_parts(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0)), np.flatnonzero(tied)
    J = Jacobian(mechanism, parts, tied, unit_columns(mechanism))
    for bodies, rows in components(J):
        if not len(rows) or not 0 < len(bodies) <= LARGEST:
            continue
        G = block(J, bodies, rows)
        sigma = np.linalg.svd(G, compute_uv=False)
        counted = sigma[sigma > DEPENDENT * sigma[0]]
        if not len(counted) or not (condition := float(sigma[0] / counted[-1])) > worst.condition:
            continue
        worst = NearlyDependent(condition)
        if condition > limit:
            vectors, _, _ = np.linalg.svd(G, full_matrices=False)
            sizes = np.abs(vectors[:, len(counted) - 1])
            some = every[rows[sizes > TAKES_PART * np.max(sizes)]]
            worst = NearlyDependent(condition, tuple(dict.fromkeys(owners[k] for k in some.tolist())))
    return worst


def in_loops(mechanism: CompiledMechanism, owners: Sequence[str]) -> NDArray[np.bool_]:
    """(nc,) rows of what is in a loop, or between loops: all but what hangs on by one element alone, ground included.

    owners : of rows. Couplings, which tie many bodies, leave every row there."""
    rows = mechanism.system.rows
    if len(mechanism.couplings.about):
        return np.ones(len(owners), dtype=bool)
    ties = {owner: (i, j) for owner, i, j in zip(owners, rows.body_i.tolist(), rows.body_j.tolist(), strict=True)}
    of_body: dict[int, set[str]] = {}
    for owner, ends in ties.items():
        for body in ends:
            of_body.setdefault(body, set()).add(owner)
    ended = [body for body, some in of_body.items() if len(some) == 1]
    while ended:
        some = of_body[ended.pop()]
        for owner in tuple(some):
            for body in ties.pop(owner):
                of_body[body].discard(owner)
                if len(of_body[body]) == 1:
                    ended.append(body)
    return np.array([owner in ties for owner in owners], dtype=bool)
