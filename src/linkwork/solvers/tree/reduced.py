"""The tree's unknowns and the rows left, by dense L D L^T: solvers joint_rates and barycentric.

Z is not stored. A unit of an unknown moves the branch behind its joint; the wrench that the branch's inertia answers
with is carried from joint to joint towards the base and leaves its part with each unknown on the way: one row of
Z^T M Z. The rows of R Z come about in the same way, from the wrenches of the rows left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_saddle import SaddleFactors, clear_saddle, factor_saddle, saddle_factors, solve_saddle
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.solvers.choice import invertible
from linkwork.solvers.singularity_threshold import least_pivot_beside
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree, new_tree
from linkwork.solvers.tree.sixes import column, column_of, own_inertia, part_at, transposed_times
from linkwork.solvers.tree.sweeps import (
    begin,
    demand_nothing,
    demands,
    free_sizes,
    gather,
    imbalance,
    judge,
    missing,
    move,
    react,
    spread,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK = int(Status.OK)
PASSES = 2  # Z^T M Z is as ill-conditioned as n^4 along chains of n joints; the second pass finds the digits lost


class Reduced(NamedTuple):
    """What the solver keeps besides the tree's tables and the factors."""

    inertia: Floats  # (n, 36) of the branch that each body carries
    z: Floats  # unknowns and multipliers of the rows left
    lift: Floats  # (1,) how much of the rows left is added to Z^T M Z; 0 where no body lacks inertia
    share: Floats  # the same for each of `Tree.left`, in its units
    shift: Floats  # multipliers that this puts on them


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, first: int, root: str | None
) -> tuple[Any, ...]:
    """Arrays of the solver: a Tree, a Reduced, SaddleFactors. first, root : as in `new_tree`."""
    tree, unknowns = new_tree(mechanism, group, droppable, first, root)
    size = unknowns + len(tree.rest)
    lift = 0.0 if invertible(mechanism) else float(np.mean(mechanism.system.bodies.mass[:-1])) * mechanism.length**2
    space = Reduced(
        inertia=np.zeros((mechanism.nb, 36)),
        z=np.zeros(size),
        lift=np.array([lift]),
        share=np.zeros(len(tree.rest)),
        shift=np.zeros(len(tree.rest)),
    )
    return (*tree, *space, *saddle_factors(size))


@kernel
def factorise(tables: Any, work: Any, dependent: Any, tree: Tree, space: Reduced, factors: SaddleFactors) -> int:
    """Form the reduced system of the placed state and factor it."""
    status = solve_joints(tables, work, dependent, tree)
    if status != OK:
        return int(status)
    form(tables, work, tree, space, factors)
    y, n = tree.sizes[0], tree.sizes[0] + tree.sizes[1]
    free_sizes(tables, work, tree, factors.reference, y)
    return judge(work, factor_saddle(factors, n, y, least_pivot_beside(work, tree.usual), tree.report), tree, y)


@kernel
def form(tables: Any, work: Any, tree: Tree, space: Reduced, factors: SaddleFactors) -> None:
    """Z^T M Z and R Z."""
    n = tree.sizes[0] + tree.sizes[1]
    clear_saddle(factors, n)
    carry_inertias(tables, tree, space.inertia)
    values = factors.values
    for k in range(tree.body.shape[0]):
        for e in range(6 - tree.held[k]):
            F = inertia_times(tree, space.inertia, k, e)
            leave(tree, k, F, tree.col[k, e], n, values, tree.col[k, e])
    for q in range(tree.sizes[1]):
        row = tree.left[q]
        for side in range(2):
            k = tree.label[tables.row_int[row, 1 + side]]
            if k >= 0:
                leave(tree, k, part_at(work.J, row, side), tree.sizes[0] + q, n, values, -1)
    if space.lift[0] != 0.0:
        lift_rows(tree, space, values)


@kernel
def leave(tree: Tree, k: Any, F: Any, number: Any, n: Any, values: Any, own: Any) -> None:
    """Carry a wrench F on body k to the base; add what unknowns feel of it in the matrix's row or column `number`.

    own : an unknown of joint k, for which only those of the same joint that come later count; else -1.
    """
    a = k
    while a >= 0:
        for e in range(6 - tree.held[a]):
            other = tree.col[a, e]
            if a != k or own < 0 or other >= own:
                values[n * min(number, other) + max(number, other)] += column(tree.N, a, e, F)
        F = transposed_times(tree.G, a, F)
        a = tree.parent[a]


@kernel
def carry_inertias(tables: Any, tree: Tree, inertia: Any) -> None:
    """Of each body with all that hangs on it, as if unknowns stood still: M_k + sum of G^T M_c G over its children."""
    body, G = tables.body, tree.G
    for k in range(tree.body.shape[0]):
        own_inertia(body, tree.body[k], inertia, k)
    for k in range(tree.body.shape[0] - 1, -1, -1):
        p = tree.parent[k]
        if p >= 0:
            for c in range(6):
                up = transposed_times(G, k, transposed_times(inertia, k, column_of(G, k, c)))
                for r in range(6):
                    inertia[p, 6 * r + c] += up[r]


@kernel
def inertia_times(tree: Tree, inertia: Any, k: Any, e: Any) -> Any:
    """The wrench that a unit of a joint's unknown asks for; `inertia` is symmetric."""
    return transposed_times(inertia, k, column_of(tree.N, k, e))


@kernel
def lift_rows(tree: Tree, space: Reduced, values: Any) -> None:
    """Z^T M Z + sum of share r^T r over the rows left: regular where the whole system is.

    Bodies without inertia about an axis that joints hold leave Z^T M Z alone singular. With share r^T eta_R on the
    right the solution is the same.
    """
    y = tree.sizes[0]
    n = y + tree.sizes[1]
    for q in range(tree.sizes[1]):
        size = 0.0
        for i in range(y):
            size = max(size, abs(values[n * i + y + q]))
        share = space.lift[0] / (size * size) if size > 0.0 else 0.0
        for i in range(y):
            h = share * values[n * i + y + q]
            if h != 0.0:
                for j in range(i, y):
                    values[n * i + j] += h * values[n * j + y + q]
        space.share[q] = share


@kernel
def solve_system(tables: Any, work: Any, dependent: Any, tree: Tree, space: Reduced, factors: SaddleFactors) -> int:
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    z, y, m = space.z, tree.sizes[0], tree.sizes[1]
    begin(work, dependent, tree)
    for _ in range(PASSES):
        for c in range(y + m):
            z[c] = 0.0
        demands(tables, work, tree)
        spread(tree, z)
        move(work, tree)
        for q in range(m):
            row = tree.left[q]
            z[y + q] = missing(tables, work, tree, row)
            space.shift[q] = space.share[q] * z[y + q]
            work.lam[row] -= space.shift[q]
        imbalance(tables, work, tree)
        gather(tree, z)
        solve_saddle(factors, y + m, z)
        demand_nothing(tree)
        spread(tree, z)
        move(work, tree)
        for q in range(m):
            work.lam[tree.left[q]] += space.shift[q] + z[y + q]
    react(tables, work, dependent, tree)
    return OK
