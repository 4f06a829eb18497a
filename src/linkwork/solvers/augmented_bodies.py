"""Augmented bodies and their barycentres in closed form [Mufti 1983, eqs. 16, 28-38, 51]: K written out, not reduced.

For trees whose joints hold a point each (balls, universal joints, pins). With l_k from C_k to the hinge that body k
hangs on, m_k from its parent's centre to the same hinge, all in global components, a tree moves as

    rddot_k = rddot_b + sum over i of omegadot_i x d_ik + beta_k,

where d_ik runs from C_i to the hinge behind which body k lies, less l_i (zero at a floating base b). The barycentre of
an augmented body is the centre of its own mass and, at each hinge, of the mass of all that hangs there; measured from
there (d_ik less its mean by mass, eq. 26) the translation of a floating tree drops out, and

    K_ii = A_i I_i A_i^T - sum over k of m_k d~_ik d~_ik        (30), (35)
    K_ij = m d~_ij d~_ji                                         (31), (35), floating, m the mass of the tree
    K_ij = -d~_ij q~_j, q_j = sum of m_k d_jk over k behind j     grounded (Remark 3): j behind i, else zero.

Rotational rows of the joints keep their multipliers (51). beta is the part of rddot that the hinges' right sides give.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_saddle import (
    SaddleFactors,
    clear_saddle,
    factor_saddle,
    name_row,
    saddle_factors,
    solve_saddle,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, mat_add, mat_scale, matmul, rotate, rotate_t, skew, transpose
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.tables import ANGLE, CD, DP1, Bodies, Floats, Ints
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import add, axpy, cross, dot, scale, sub
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.solvers.singularity_threshold import check_pivot, pivot_threshold
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables
from linkwork.system.topology import topology_of

OK = int(Status.OK)
ORTHONORMAL = 1e-9


class AugmentedBodies(NamedTuple):
    """What the solver keeps besides its factors; bodies by label, the parent before all that hangs on it."""

    body: Annotated[Ints, Shape("n"), "number of the body"]
    parent: Annotated[Ints, Shape("n"), "label, -1 at a base"]
    base: Annotated[Ints, Shape("n"), "label of the base of the same tree"]
    end: Annotated[Ints, Shape("n"), "one more than the last label behind"]
    hinge: Annotated[
        Ints,
        Shape("n", 4),
        "the three rows of the point that it hangs on, and its side in them; -1 at a floating base",
    ]
    point: Annotated[Floats, Shape("n", 6), "the hinge in components of the parent, and of the body"]
    kept_rows: Annotated[Ints, Shape("m"), "rotational rows, which keep their multipliers"]
    total: Annotated[Floats, Shape("n"), "mass of a floating tree, at its base; 0 where it is grounded"]
    d: Annotated[Floats, Shape("n n", 3), "d_ik at n i + k, about the barycentre where the tree floats"]
    q: Annotated[Floats, Shape("n", 3), "kg m", "sum of m_k d_ik over the branch that starts with body i"]
    lever: Annotated[Floats, Shape("n", 6), "l and m"]
    beta: Annotated[Floats, Shape("n", 3), "m/s^2", "acceleration from the hinges' right sides"]
    spin: Annotated[Floats, Shape("n", 3), "omegadot, global"]
    rest: Annotated[Floats, Shape("n", 3), "force in each hinge, f - M x summed over the branch behind it"]
    z: Annotated[Floats, Shape("3 n + m"), "omegadot, multipliers of the kept rows"]
    first_pivot: Annotated[Floats, Shape(1), "smallest pivot of the first matrix, 0 before"]
    report: Annotated[Floats, Shape(2), "smallest pivot over its reference, and its row"]


def objection(mechanism: CompiledMechanism, root: str | None = None) -> tuple[str, str] | None:
    """What in a mechanism the closed form does not hold for, and why; None where it holds."""
    rows, topology = mechanism.system.rows, topology_of(mechanism, root)
    if len(topology.cuts.arc):
        return topology.arcs[int(topology.cuts.arc[0])].name, "it closes a loop"
    for k in range(mechanism.nb):
        a = int(topology.tree.arc[k])
        if a < 0:
            continue
        mine = np.array(topology.arcs[a].rows, dtype=np.int64)
        points = mine[rows.kind[mine] == CD]
        others = np.setdiff1d(mine, points)
        axes = rows.a_i[points]
        if len(points) != 3 or np.abs(axes @ axes.T - np.eye(3)).max() > ORTHONORMAL:
            return topology.arcs[a].name, "it holds no point of one body in another"
        if np.ptp(rows.s_i[points], axis=0).max() > 0.0 or np.ptp(rows.s_j[points], axis=0).max() > 0.0:
            return topology.arcs[a].name, "its rows are about different points"
        if not np.isin(rows.kind[others], (DP1, ANGLE)).all():
            return topology.arcs[a].name, "it has rows about translations besides its point"
    return None


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Records of the solver: AugmentedBodies, SaddleFactors; for mechanisms without `objection`."""
    rows, topology, n = mechanism.system.rows, topology_of(mechanism, root), mechanism.nb
    tree = topology.tree
    hinge = np.full((n, 4), -1, dtype=np.int64)
    base = np.arange(n)
    for k in range(n):
        if tree.parent[k] >= 0:
            base[k] = base[tree.parent[k]]
        if (a := int(tree.arc[k])) >= 0:
            three = [r for r in topology.arcs[a].rows if rows.kind[r] == CD]
            side = 0 if rows.body_i[three[0]] == tree.body[k] else 1
            hinge[k] = (*three, side)
    left = np.setdiff1d(np.arange(mechanism.nc), hinge[:, :3])
    given = {
        "body": np.array(tree.body),
        "parent": np.array(tree.parent),
        "base": base,
        "end": np.arange(n) + np.array(tree.size),
        "hinge": hinge,
        "kept_rows": left.astype(np.int64),
        "report": np.array([1.0, -1.0]),
    }
    space = new_record(AugmentedBodies, given=given, n=n, m=len(left))
    renew((space,), mechanism, mechanism.system.bodies)
    return space, saddle_factors(len(space.z))


def renew(records: tuple[Any, ...], mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """The masses of floating trees, of other masses; and the points of hinges."""
    space, rows = records[0], mechanism.system.rows
    for k in np.flatnonzero(space.hinge[:, 0] >= 0):
        first, side = space.hinge[k, [0, 3]]
        ends = (rows.s_i[first], rows.s_j[first])
        space.point[k] = np.r_[ends[1 - side], ends[side]]
    space.total[:] = 0.0
    for base, body in zip(space.base, space.body, strict=True):
        if space.hinge[base, 0] < 0:
            space.total[base] += bodies.mass[body]


@kernel
def factorise(tables: Tables, work: Work, space: AugmentedBodies, factors: SaddleFactors) -> int:
    """Write K and the rotational rows at the state that is set, and factor; returns a Status."""
    n, m = space.body.shape[0], space.kept_rows.shape[0]
    set_levers(work, space)
    hinge_vectors(tables, space)
    clear_saddle(factors, 3 * n + m)
    write_K(tables, work, space, factors.values)
    write_rows(tables, work, space, factors)
    status = factor_saddle(factors, 3 * n + m, 3 * n, pivot_threshold(work, space.first_pivot), space.report)
    name_row(space.report, space.kept_rows, m, 3 * n)
    return check_pivot(work, status, space.report[0], space.first_pivot)


@kernel
def set_levers(work: Work, space: AugmentedBodies) -> None:
    """space.lever: l and m of every body, global components."""
    for k in range(space.body.shape[0]):
        if space.hinge[k, 0] >= 0:
            set3(space.lever, k, 0, rotate(at9(work.motion, space.body[k], A), at3(space.point, k, 3)))
            if space.parent[k] >= 0:
                parent = space.body[space.parent[k]]
                set3(space.lever, k, 3, rotate(at9(work.motion, parent, A), at3(space.point, k, 0)))


@kernel
def hinge_vectors(tables: Tables, space: AugmentedBodies) -> None:
    """space.d, d_ik of all pairs, and space.q."""
    n = space.body.shape[0]
    for e in range(n * n):
        set3(space.d, e, 0, (0.0, 0.0, 0.0))
    for k in range(n):
        set3(space.d, n * k + k, 0, scale(-1.0, at3(space.lever, k, 0)))
        child, i = k, space.parent[k]
        while i >= 0:
            set3(space.d, n * i + k, 0, sub(at3(space.lever, child, 3), at3(space.lever, i, 0)))
            child, i = i, space.parent[i]
    for i in range(n):
        q = (0.0, 0.0, 0.0)
        for k in range(i, space.end[i]):
            q = axpy(tables.body[space.body[k], 0], at3(space.d, n * i + k, 0), q)
        set3(space.q, i, 0, q)
        b = space.base[i]
        if space.total[b] > 0.0:
            mean = scale(1.0 / space.total[b], q)
            for k in range(b, space.end[b]):
                set3(space.d, n * i + k, 0, sub(at3(space.d, n * i + k, 0), mean))


@kernel
def write_K(tables: Tables, work: Work, space: AugmentedBodies, values: Floats) -> None:
    """The upper triangle of K, block by block."""
    n, size = space.body.shape[0], space.z.shape[0]
    for i in range(n):
        b = space.base[i]
        floats = space.total[b] > 0.0
        turn = at9(work.motion, space.body[i], A)
        block = matmul(matmul(turn, at9(tables.body, space.body[i], 1)), transpose(turn))
        for k in range(b if floats else i, space.end[b] if floats else space.end[i]):
            d = skew(at3(space.d, n * i + k, 0))
            block = mat_add(block, mat_scale(-tables.body[space.body[k], 0], matmul(d, d)))
        write_block(values, size, i, i, block)
        for j in range(i + 1, space.end[b] if floats else space.end[i]):
            d = skew(at3(space.d, n * i + j, 0))
            if floats:
                write_block(values, size, i, j, mat_scale(space.total[b], matmul(d, skew(at3(space.d, n * j + i, 0)))))
            else:
                write_block(values, size, i, j, mat_scale(-1.0, matmul(d, skew(at3(space.q, j, 0)))))


@kernel
def write_block(values: Floats, size: int, i: int, j: int, block: Mat) -> None:
    """Write the 3 x 3 block (i, j); of blocks on the diagonal the lower half is written, too, and not read."""
    for r in range(3):
        for c in range(3):
            values[size * (3 * i + r) + 3 * j + c] = block[3 * r + c]


@kernel
def write_rows(tables: Tables, work: Work, space: AugmentedBodies, factors: SaddleFactors) -> None:
    """Write the rotational rows behind K, and the reference of their pivots."""
    n, size, values = space.body.shape[0], space.z.shape[0], factors.values
    for q in range(space.kept_rows.shape[0]):
        row, reference = space.kept_rows[q], 0.0
        for side in range(2):
            for k in range(n):
                if space.body[k] == tables.row_int[row, 1 + side]:
                    turn = rotate(at9(work.motion, space.body[k], A), at3(work.J, row, 6 * side))
                    for c in range(3):
                        values[size * (3 * k + c) + 3 * n + q] += turn[c]
                        reference += turn[c] * turn[c] / values[size * (3 * k + c) + 3 * k + c]
        factors.reference[3 * n + q] = reference


@kernel
def solve(tables: Tables, work: Work, space: AugmentedBodies, factors: SaddleFactors) -> int:
    """x and lambda from the right sides."""
    n, z = space.body.shape[0], space.z
    particular_accelerations(work, space)
    for i in range(n):
        b, mine = space.body[i], space.base[i]
        floats = space.total[mine] > 0.0
        total = rotate(at9(work.motion, b, A), at3(work.f, b, 0))
        for k in range(mine if floats else i, space.end[mine] if floats else space.end[i]):
            body = space.body[k]
            push = axpy(-tables.body[body, 0], at3(space.beta, k, 0), at3(work.f, body, 3))
            total = add(total, cross(at3(space.d, n * i + k, 0), push))
        for c in range(3):
            z[3 * i + c] = total[c]
    for q in range(space.kept_rows.shape[0]):
        z[3 * n + q] = work.eta[space.kept_rows[q]]
    solve_saddle(factors, z.shape[0], z)
    for q in range(space.kept_rows.shape[0]):
        work.lam[space.kept_rows[q]] = z[3 * n + q]
    accelerations(tables, work, space)
    hinge_multipliers(tables, work, space)
    return OK


@kernel
def particular_accelerations(work: Work, space: AugmentedBodies) -> None:
    """space.beta: accelerations of the centres that the right sides of the hinges' rows ask for, summed from the
    base."""
    for k in range(space.body.shape[0]):
        asked = at3(space.beta, space.parent[k], 0) if space.parent[k] >= 0 else (0.0, 0.0, 0.0)
        if space.hinge[k, 0] >= 0:
            for e in range(3):
                row = space.hinge[k, e]
                asked = axpy(work.eta[row], at3(work.J, row, 6 * space.hinge[k, 3] + 3), asked)
        set3(space.beta, k, 0, asked)


@kernel
def accelerations(tables: Tables, work: Work, space: AugmentedBodies) -> None:
    """omegadot in the bodies and rddot; a floating tree's centre of mass obeys the forces alone."""
    n, x = space.body.shape[0], work.x
    for k in range(n):
        b, p = space.body[k], space.parent[k]
        spin = (space.z[3 * k], space.z[3 * k + 1], space.z[3 * k + 2])
        set3(space.spin, k, 0, spin)
        set3(x, b, 0, rotate_t(at9(work.motion, b, A), spin))
        moved = (0.0, 0.0, 0.0)
        if space.hinge[k, 0] >= 0:
            before = at3(space.beta, p, 0) if p >= 0 else moved
            moved = sub(at3(space.beta, k, 0), before)
            moved = sub(moved, cross(spin, at3(space.lever, k, 0)))
            if p >= 0:
                moved = add(moved, cross(at3(space.spin, p, 0), at3(space.lever, k, 3)))
                moved = add(moved, at3(x, space.body[p], 3))
        set3(x, b, 3, moved)
    for b in range(n):
        if space.base[b] == b and space.total[b] > 0.0:
            push = (0.0, 0.0, 0.0)
            for k in range(b, space.end[b]):
                body = space.body[k]
                push = add(push, axpy(-tables.body[body, 0], at3(x, body, 3), at3(work.f, body, 3)))
            push = scale(1.0 / space.total[b], push)
            for k in range(b, space.end[b]):
                set3(x, space.body[k], 3, add(at3(x, space.body[k], 3), push))


@kernel
def hinge_multipliers(tables: Tables, work: Work, space: AugmentedBodies) -> None:
    """lambda of the hinges' rows: J times the sum of f - M x over the branch, from the tips to the base."""
    n = space.body.shape[0]
    for k in range(n):
        b = space.body[k]
        set3(space.rest, k, 0, axpy(-tables.body[b, 0], at3(work.x, b, 3), at3(work.f, b, 3)))
    for k in range(n - 1, -1, -1):
        rest = at3(space.rest, k, 0)
        if space.hinge[k, 0] >= 0:
            for e in range(3):
                row = space.hinge[k, e]
                work.lam[row] = dot(at3(work.J, row, 6 * space.hinge[k, 3] + 3), rest)
        if space.parent[k] >= 0:
            set3(space.rest, space.parent[k], 0, add(at3(space.rest, space.parent[k], 0), rest))


SPACE, FACTORS = slots(AugmentedBodies, SaddleFactors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, SPACE, FACTORS)
SOLVE = entry(solve, TABLES, WORK, SPACE, FACTORS)
