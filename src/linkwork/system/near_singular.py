"""Loops whose rows nearly depend on each other at the start: the last digits of points and axes say whether they move.

A planar linkage of revolute joints whose axes are parallel to seven digits is one; so is one beside a dead centre.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.one_thread import one_blas_thread
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.rank import block, components

DEPENDENT = 5e-9  # of the largest singular value: below it every formulation takes rows for dependent
LARGEST = 150  # columns: larger parts of a mechanism are not looked at
TAKES_PART = 0.1  # of the largest entry of a singular vector


@dataclass(frozen=True)
class NearlyDependent:
    """condition : the largest singular value of rows of unit length over the smallest that is not taken for zero, of
    bodies that joints tie to each other. elements : joints, drivers and constraints whose rows that is about."""

    condition: float
    elements: tuple[str, ...] = ()


def nearly_dependent(mechanism: CompiledMechanism, limit: float) -> NearlyDependent:
    """The worst of a mechanism's parts at its start; elements where the condition is above the limit.

    Rows are scaled as in `system.least_change`. Parts without a loop, and large ones, are not looked at."""
    found: NearlyDependent = mechanism.once(("nearly dependent", limit), lambda: _looked_at(mechanism, limit))
    return found


@one_blas_thread()
def _looked_at(mechanism: CompiledMechanism, limit: float) -> NearlyDependent:
    worst, owners = NearlyDependent(1.0), [row.owner for row in mechanism.lowered.rows]
    if not owners:
        return worst
    parts = row_parts(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))
    J = Jacobian(mechanism, parts, np.ones(mechanism.nc, dtype=bool), unit_columns(mechanism))
    for bodies, rows in components(J):
        tied = bool(np.any(J.body[rows] == J.nb))  # to ground
        if not 0 < 6 * len(bodies) <= LARGEST or len({owners[k] for k in rows.tolist()}) < len(bodies) + tied:
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
            some = rows[sizes > TAKES_PART * np.max(sizes)]
            worst = NearlyDependent(condition, tuple(dict.fromkeys(owners[k] for k in some.tolist())))
    return worst
