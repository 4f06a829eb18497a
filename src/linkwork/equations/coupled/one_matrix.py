"""The index-3 problem with couplings as one sparse matrix, for integrators that make matrices of their own of it.

    [ K + sum I B_r^T C_r   B^T ]       K : the matrix of the problem without couplings, its rows included
    [ C                     0   ]       B, C : couplings by forces and by unknowns; r : rotors of inertia I

Unknowns stand as the border has them: mu of rigid couplings behind the rows' multipliers. A rotor fills the block of
the bodies between which it turns. The entries of the border (`implicit`) give K, B and C; what it solves is not used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from linkwork.equations.coupled.implicit import (
    ALL,
    BORDER,
    COUPLINGS,
    OUTSIDE,
    ROWS,
    SPLIT,
    TABLES,
    WORK,
    Border,
    Outside,
    acceleration_of,
    assemble,
    back,
    into,
)
from linkwork.equations.coupled.levels import evaluate_couplings, unmet
from linkwork.equations.index_3.structure import Structure
from linkwork.kernels.couplings import (
    FIRST,
    INERTIA,
    QUANTITY,
    TERMS,
    CoupledRows,
    Couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import EntryCall, Shape
from linkwork.kernels.sparse_lu import factors, pattern
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import entry
from linkwork.problems.implicit import ImplicitProblem, Work
from linkwork.problems.layout import address_table, slots
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables


class OneMatrix(NamedTuple):
    """Where everything goes in the values of the matrix, whose last entry is a waste bin."""

    constrain: EntryCall
    increment_rate: EntryCall
    values: Annotated[Floats, Shape("nnz + 1"), "of the whole matrix"]
    inner: Annotated[Floats, Shape("inner + 1"), "values of K, Matrix.values of the problem without couplings"]
    to_values: Annotated[Ints, Shape("inner + 1"), "where each of them goes"]
    coupled: Annotated[Ints, Shape("m", 4), "rigid coupling, coordinate, places of entries of B and of C"]
    rotor: Annotated[Ints, Shape("o", 4), "rotor, coordinates of B and of C, place"]


@kernel
def assemble_one(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border,
    one: OneMatrix,
) -> int:  # fmt: skip
    """The whole matrix at the state last evaluated. Writes one.values, and B and C of the border."""
    status = assemble(tables, work, couplings, rows, outside, border)
    for e in range(one.values.shape[0]):
        one.values[e] = 0.0
    for e in range(one.to_values.shape[0] - 1):
        one.values[one.to_values[e]] = one.inner[e]
    for e in range(one.coupled.shape[0]):
        k, c = one.coupled[e, 0], one.coupled[e, 1]
        one.values[one.coupled[e, 2]] = border.B[k, c]
        one.values[one.coupled[e, 3]] = border.C[k, c]
    for e in range(one.rotor.shape[0]):
        k = one.rotor[e, 0]
        inertia = couplings.number[k, INERTIA]
        one.values[one.rotor[e, 3]] += inertia * border.B[k, one.rotor[e, 1]] * border.C[k, one.rotor[e, 2]]
    return int(status)


@kernel
def constrain(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border,
    one: OneMatrix,
) -> int:  # fmt: skip
    """phi, W u - nu or W udot - gamma of rows and rigid couplings into the residual, by request.level."""
    into(border, outside.z, border.z)
    status = int(one.constrain(border.context))
    back(border, border.residual, outside.residual)
    evaluate_couplings(tables, work, couplings, rows)
    for k in range(outside.z.shape[0] - border.z.shape[0]):
        if work.request.level[0] == ACCELERATION_LEVEL:
            found = acceleration_of(tables, work, couplings, rows, k)
        else:
            found = unmet(tables, work, couplings, rows, k)
        outside.residual[border.flags[SPLIT] + k] = found
    return status


@kernel
def increment_rate(outside: Outside, border: Border, one: OneMatrix) -> int:
    """The coordinates' rates become those of the increments, by the problem inside."""
    into(border, outside.z, border.z)
    return int(one.increment_rate(border.context))


(ONE,) = slots(OneMatrix, after=BORDER)
ASSEMBLE = entry(assemble_one, *ALL, ONE)
CONSTRAIN = entry(constrain, TABLES, WORK, COUPLINGS, ROWS, OUTSIDE, BORDER, ONE)
INCREMENT_RATE = entry(increment_rate, OUTSIDE, BORDER, ONE)


def as_one_matrix(
    outer: ImplicitProblem, problem: ImplicitProblem, mechanism: CompiledMechanism, border: Border, rows: CoupledRows
) -> ImplicitProblem:
    """The problem with couplings in one matrix. outer : the bordered one of it; problem : that without couplings."""
    couplings, bodies = mechanism.couplings, bodies_of(mechanism)
    layout, stride = outer.layout, outer.layout.stride
    rigid, split, n = mechanism.rigid, problem.layout.multipliers.stop, layout.total
    inner = problem.structure.pattern
    at = np.arange(problem.layout.total)
    at[split:] += rigid
    row = at[inner.indices.astype(np.int64)]
    column = at[np.repeat(np.arange(inner.n), np.diff(inner.indptr.astype(np.int64)))]
    touched = [np.concatenate([np.arange(stride * b, stride * (b + 1)) for b in found]) for found in bodies]
    rigid_at = [(k, int(c)) for k in range(rigid) for c in touched[k]]
    rotor_at = [(k, int(b), int(c)) for k in range(rigid, len(bodies)) for b in touched[k] for c in touched[k]]
    mu = [split + k for k, _ in rigid_at]
    coordinate = [c for _, c in rigid_at]
    found, where = pattern(
        np.concatenate([row, coordinate, mu, [b for _, b, _ in rotor_at]]).astype(np.int64),
        np.concatenate([column, mu, coordinate, [c for _, _, c in rotor_at]]).astype(np.int64),
        n,
    )
    known, m, nnz = len(row), len(rigid_at), len(found.indices)
    of_force, of_row = where[known : known + m], where[known + m : known + 2 * m]
    place = np.append(where[:known], nnz)
    old = problem.structure.matrix
    matrix = old._replace(
        values=np.zeros(nnz + 1),
        **{name: place[getattr(old, name)] for name in ("pair_pos", "G_pos", "GT_pos", "norm_pos", "drop_pos")},
    )
    one = OneMatrix(
        constrain=problem.constrain,
        increment_rate=problem.increment_rate,
        values=matrix.values,
        inner=old.values,
        to_values=place,
        coupled=np.column_stack([np.array(rigid_at, dtype=np.int64).reshape(-1, 2), of_force, of_row]),
        rotor=np.column_stack([np.array(rotor_at, dtype=np.int64).reshape(-1, 3), where[known + 2 * m :]]),
    )
    outside = Outside(outer.work.z, outer.work.z_old, outer.work.residual, outer.linear.delta)
    return replace(
        outer,
        context=address_table((mechanism.bare.tables, outer.work, couplings, rows, outside, border, one)),
        structure=Structure(matrix, found, factors(found)),
        assemble=ASSEMBLE,
        constrain=CONSTRAIN,
        increment_rate=INCREMENT_RATE,
        inside=(outer.inside, one, outside),
        one_matrix=None,
    )


def bodies_of(mechanism: CompiledMechanism) -> list[list[int]]:
    """The bodies that each coupling touches, ground left out."""
    couplings, q, found = mechanism.couplings, mechanism.system.quantities, []
    for first, terms in couplings.about[:, [FIRST, TERMS]]:
        those = couplings.term_about[first : first + terms, QUANTITY]
        found.append(sorted({int(b) for b in (*q.body_i[those], *q.body_j[those]) if b < mechanism.nb}))
    return found
