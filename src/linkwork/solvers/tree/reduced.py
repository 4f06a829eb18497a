"""The unknowns of the tree and the kept rows' multipliers by dense L D L^T: solvers joint_rates and barycentric.

joint_rates [Mufti 1983, eqs. 43, 54-61]: all rows of the joints in the tree are taken. Unknown are the quasi-rates of
these joints, as many as a joint has freedoms, and six for a floating base; no angles, so that no coordinates are
singular. barycentric [eqs. 16, 28-38, 51]: translational rows of the tree's joints are taken. Unknown are omegadot of
every body, what joints let slide, and the translation of a floating base, which is eliminated first: what remains is K
= I + D~ M D~^T, the inertias of the augmented bodies about their barycentres.

Z is not stored. A unit of an unknown moves the branch behind its joint; the wrench composite inertia times that motion
is propagated from joint to joint towards the base, and N^T of it at each joint on the way is one row of Z^T M Z
(composite-rigid-body algorithm). The rows of R Z follow in the same way from the wrenches of the kept rows.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_saddle import SaddleFactors, clear_saddle, factor_saddle, saddle_factors, solve_saddle
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.dependent import Dependent
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.solvers.admission import invertible
from linkwork.solvers.residuals import Six, row_residual
from linkwork.solvers.singularity_threshold import pivot_threshold
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree, new_tree
from linkwork.solvers.tree.sixes import body_inertia, column, column_of, row_wrench, transposed_times
from linkwork.solvers.tree.sweeps import (
    add_to_solution,
    backward_pass,
    check_rank,
    clear_particular_rates,
    forward_pass,
    multipliers_of_taken_rows,
    particular_rates,
    reference_pivots,
    residual_of_bodies,
    start,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK = int(Status.OK)
PASSES = 2  # Z^T M Z is as ill-conditioned as n^4 along chains of n joints; the second pass finds the digits lost


class Reduced(NamedTuple):
    """What the solver keeps besides the arrays of the tree and the factors; n unknowns, m kept rows at most."""

    inertia: Annotated[Floats, Shape("nb", 36), "composite inertia of the branch that starts with each body"]
    z: Annotated[Floats, Shape("n + m"), "unknowns and multipliers of the kept rows"]
    weight: Annotated[Floats, Shape(1), "of R^T R added to Z^T M Z [kg m^2]; 0 where every inertia can be inverted"]
    row_weight: Annotated[Floats, Shape("m"), "the same for each of `Tree.kept_rows`, in its units"]
    multiplier_change: Annotated[Floats, Shape("m"), "multipliers that this adds to them"]


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, taken: int, root: str | None = None
) -> tuple[Any, ...]:
    """Records of the solver: Tree, Reduced, SaddleFactors. taken, root : as in `new_tree`."""
    tree, unknowns = new_tree(mechanism, group, droppable, taken, root)
    size = unknowns + len(tree.other_rows)
    weight = 0.0 if invertible(mechanism) else usual_inertia(mechanism.system.bodies, mechanism.length)
    given = {"weight": np.array([weight])}
    space = new_record(Reduced, given=given, nb=mechanism.nb, n=unknowns, m=len(tree.other_rows))
    return tree, space, saddle_factors(size)


def usual_inertia(bodies: Bodies, length: float) -> float:
    """What bodies resist turning with [kg m^2]: that of one of mean mass, over the mechanism's length."""
    return float(np.mean(bodies.mass[:-1])) * length**2


def renew(records: tuple[Any, ...], mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """The weight of the kept rows, of other masses."""
    weight = records[1].weight
    if weight[0] != 0.0:
        weight[0] = usual_inertia(bodies, mechanism.length)


@kernel
def factorise(
    tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Reduced, factors: SaddleFactors
) -> int:
    """Form the reduced system at the state that is set and factor it; returns a Status."""
    status = solve_joints(tables, work, dependent, tree)
    if status != OK:
        return int(status)
    form(tables, work, tree, space, factors)
    y, n = tree.sizes[0], tree.sizes[0] + tree.sizes[1]
    reference_pivots(tables, work, tree, factors.reference, y)
    return check_rank(work, factor_saddle(factors, n, y, pivot_threshold(work, tree.first_pivot), tree.report), tree, y)


@kernel
def form(tables: Tables, work: Work, tree: Tree, space: Reduced, factors: SaddleFactors) -> None:
    """Write Z^T M Z and (R Z)^T into the upper triangle of factors.values."""
    n = tree.sizes[0] + tree.sizes[1]
    clear_saddle(factors, n)
    composite_inertias(tables, tree, space.inertia)
    values = factors.values
    for k in range(tree.body.shape[0]):
        for e in range(6 - tree.taken_count[k]):
            F = inertia_times(tree, space.inertia, k, e)
            propagate_wrench(tree, k, F, tree.unknown[k, e], n, values, tree.unknown[k, e])
    for q in range(tree.sizes[1]):
        row = tree.kept_rows[q]
        for side in range(2):
            k = tree.label[tables.row_int[row, 1 + side]]
            if k >= 0:
                propagate_wrench(tree, k, row_wrench(work.J, row, side), tree.sizes[0] + q, n, values, -1)
    if space.weight[0] != 0.0:
        augment_inertia(tree, space, values)


@kernel
def propagate_wrench(tree: Tree, k: int, F: Six, number: int, n: int, values: Floats, first: int) -> None:
    """Propagate a wrench F on body k to the base; add N^T F of each joint on the way to the matrix, in row or column
    `number` of its upper triangle.

    first : of joint k only unknowns from this number on count; -1: all.
    """
    a = k
    while a >= 0:
        for e in range(6 - tree.taken_count[a]):
            other = tree.unknown[a, e]
            if a != k or first < 0 or other >= first:
                values[n * min(number, other) + max(number, other)] += column(tree.N, a, e, F)
        F = transposed_times(tree.G, a, F)
        a = tree.parent[a]


@kernel
def composite_inertias(tables: Tables, tree: Tree, inertia: Floats) -> None:
    """Composite inertias, unknowns fixed: inertia[k] = M_k + sum of G^T inertia[c] G over the children c of k."""
    body, G = tables.body, tree.G
    for k in range(tree.body.shape[0]):
        body_inertia(body, tree.body[k], inertia, k)
    for k in range(tree.body.shape[0] - 1, -1, -1):
        p = tree.parent[k]
        if p >= 0:
            for c in range(6):
                up = transposed_times(G, k, transposed_times(inertia, k, column_of(G, k, c)))
                for r in range(6):
                    inertia[p, 6 * r + c] += up[r]


@kernel
def inertia_times(tree: Tree, inertia: Floats, k: int, e: int) -> Six:
    """inertia[k] N e_e, the wrench for a unit rate of unknown e of joint k; `inertia` is symmetric."""
    return transposed_times(inertia, k, column_of(tree.N, k, e))


@kernel
def augment_inertia(tree: Tree, space: Reduced, values: Floats) -> None:
    """Z^T M Z += sum of weight r^T r over the kept rows r of R Z: regular where the whole system is.

    Bodies without inertia about an axis that joints hold leave Z^T M Z alone singular. With weight r^T eta_R on
    the right the solution is the same.
    """
    y = tree.sizes[0]
    n = y + tree.sizes[1]
    for q in range(tree.sizes[1]):
        size = 0.0
        for i in range(y):
            size = max(size, abs(values[n * i + y + q]))
        weight = space.weight[0] / (size * size) if size > 0.0 else 0.0
        for i in range(y):
            h = weight * values[n * i + y + q]
            if h != 0.0:
                for j in range(i, y):
                    values[n * i + j] += h * values[n * j + y + q]
        space.row_weight[q] = weight


@kernel
def solve(tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Reduced, factors: SaddleFactors) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    z, y, m = space.z, tree.sizes[0], tree.sizes[1]
    start(work, dependent, tree)
    for _ in range(PASSES):
        for c in range(y + m):
            z[c] = 0.0
        particular_rates(tables, work, tree)
        forward_pass(tree, z)
        add_to_solution(work, tree)
        for q in range(m):
            row = tree.kept_rows[q]
            z[y + q] = row_residual(tables, work, tree.eta, row)
            space.multiplier_change[q] = space.row_weight[q] * z[y + q]
            work.lam[row] -= space.multiplier_change[q]
        residual_of_bodies(tables, work, tree)
        backward_pass(tree, z)
        solve_saddle(factors, y + m, z)
        clear_particular_rates(tree)
        forward_pass(tree, z)
        add_to_solution(work, tree)
        for q in range(m):
            work.lam[tree.kept_rows[q]] += space.multiplier_change[q] + z[y + q]
    multipliers_of_taken_rows(tables, work, dependent, tree)
    return OK


TREE, SPACE, FACTORS = slots(Tree, Reduced, SaddleFactors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, TREE, SPACE, FACTORS)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, TREE, SPACE, FACTORS)
