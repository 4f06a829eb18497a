"""Multipliers approximated by a penalty on the constraints, after Gauss's principle [Mufti 1983, Remark 1].

With a penalty D per row: (M + J^T D J) x = f + J^T (D eta - lambda), lambda = 0 at first. A finite D leaves
J x - eta = O(1 / D); lambda <- lambda + D (J x - eta) and another solve with the same factors reduce it (augmented
Lagrangian). D_k is the option penalty_factor over (J M^-1 J^T)_kk, so that one number fits all units; the larger it is,
the fewer passes, and the more rounding (D eps) in the multipliers. Redundant rows are solved for like all others: D
decides how their reactions are divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.arguments import positive_number, whole_number
from linkwork.equations.jacobian_sparsity import rotation_used, translation_used
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.sparse_ldl import LdlFactors, LdlPattern, clear_ldl, factor_ldl, solve_ldl
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.solvers.admission import need_even_inertia
from linkwork.solvers.choice import inverse_masses
from linkwork.solvers.range_space import stored
from linkwork.solvers.residuals import body_residual, clear_solution, row_residual
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK = int(Status.OK)
SHARES = "they are shared out by the rows' penalties"
# changes of the multipliers, of the largest one, that end the passes: a small one, and one that no longer shrinks
FINE, STUCK = 1e-14, 1e-7
ENOUGH = 1e-9  # last change of the multipliers, of the largest one, that is not reported with fixed steps
HALTING = 0.9  # a change above this share of the one before no longer shrinks; light bodies make it shrink slowly
LEAST_PIVOT = 1e-18  # over its diagonal entry: the matrix is positive definite by construction, however ill-conditioned


class Penalty(NamedTuple):
    """What the solver reads and writes besides the arrays of the problem."""

    inverse: Annotated[Floats, Shape("nb + 1", 10), "inverse inertia, inverse mass; zero for ground"]
    inertia: Annotated[Ints, Shape("nb", 6), "places of the lower triangle of a body's inertia"]
    mass: Annotated[Ints, Shape("nb", 3), "places of its mass"]
    diagonal: Annotated[
        Ints,
        Shape("nc", 2, 21),
        "lower triangle of D J^T J of a row in the block of body i, of body j; -1: zero",
    ]
    cross: Annotated[Ints, Shape("nc", 36), "the same between them: component of body i, of body j"]
    D: Annotated[Floats, Shape("nc"), "penalties, kg or kg m^2"]
    rhs: Annotated[Floats, Shape("6 nb"), "right side"]
    dx: Annotated[Floats, Shape("6 nb"), "change of x"]
    factor: Annotated[Floats, Shape(1), "of the penalty"]
    most_solves: Annotated[Ints, Shape(1), "largest number of solves"]
    left: Annotated[
        Floats,
        Shape(2),
        "where the solves did not suffice: largest error left, of the largest multiplier; how often",
    ]


def new_arrays(
    mechanism: CompiledMechanism,
    group: Ints,
    droppable: bool,
    room: int,
    *,
    penalty_factor: float = 1e6,
    penalty_passes: int = 100,
) -> tuple[Any, ...]:
    """Records of the solver: Penalty, and the pattern and the factors of M + J^T D J.

    penalty_factor : D (J M^-1 J^T)_kk. penalty_passes : solves at most; 1: the plain penalty method.
    """
    factor = positive_number("penalty_factor", penalty_factor)
    passes = whole_number("penalty_passes", penalty_passes)
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.pattern_rows
    entries: list[tuple[int, int]] = []

    def add(row: int, col: int) -> int:
        entries.append((row, col))
        return len(entries) - 1

    lower = [(r, c) for r in range(6) for c in range(r + 1)]
    inertia = np.array([[add(6 * b + r, 6 * b + c) for r in range(3) for c in range(r + 1)] for b in range(nb)])
    mass = np.array([[add(6 * b + 3 + c, 6 * b + 3 + c) for c in range(3)] for b in range(nb)])
    diagonal = np.full((nc, 2, 21), -1, dtype=np.int64)
    cross = np.full((nc, 36), -1, dtype=np.int64)
    for k in range(nc):
        used = []
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            linear = translation_used(rows, k, side)
            if b < nb and group[b] == 1:
                linear = [any(linear)] * 3
            used.append([rotation_used(rows, k, side)] * 3 + linear if b < nb else [False] * 6)
            for e, (r, c) in enumerate(lower):
                if used[side][r] and used[side][c]:
                    diagonal[k, side, e] = add(6 * b + r, 6 * b + c)
        i, j = int(rows.body_i[k]), int(rows.body_j[k])
        for r in range(6):
            for c in range(6):
                if used[0][r] and used[1][c]:
                    cross[k, 6 * r + c] = add(6 * i + r, 6 * j + c)
    listed = np.array(entries, dtype=np.int64).reshape(-1, 2)
    storage, where = stored(listed[:, 0], listed[:, 1], 6 * nb, False)

    places = np.append(where, -1)
    given = {
        "inverse": inverse_masses(mechanism.system.bodies),
        "inertia": places[inertia.reshape(nb, 6)],
        "mass": places[mass.reshape(nb, 3)],
        "diagonal": places[diagonal],
        "cross": places[cross],
        "factor": np.array([factor]),
        "most_solves": np.array([int(passes)]),
    }
    return new_record(Penalty, given=given, nb=nb, nc=nc), *storage


def renew(records: tuple[Any, ...], mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """The inverses, of other masses and inertias. Raises UnsupportedElementError as `admission.penalty`."""
    need_even_inertia(replace(mechanism, system=mechanism.system._replace(bodies=bodies)))
    records[0].inverse[:] = inverse_masses(bodies)


def notices(records: Sequence[Any], rtol: float | None) -> list[str]:
    """Sentences for the end of a run: that passes did not suffice for its tolerance (with fixed steps: for
    `ENOUGH`)."""
    left, times = records[0].left
    if left <= (ENOUGH if rtol is None else rtol):
        return []
    return [
        f"in {times:.0f} evaluations penalty's multipliers did not stand still after the passes allowed: up to "
        f"{left:.1g} of the largest was left, and accelerations are no more exact than that, whatever the tolerance. A "
        "larger penalty_factor (1e8, 1e10) needs fewer passes; range-space and augmented need none."
    ]


@kernel
def factorise(tables: Tables, work: Work, space: Penalty, pattern: LdlPattern, factors: LdlFactors) -> int:
    """Form M + J^T D J at the state that is set and factor it; returns a Status."""
    J, inverse, values, body = work.J, space.inverse, factors.values, tables.body
    clear_ldl(factors)
    for b in range(space.mass.shape[0]):
        e = 0
        for r in range(3):
            for c in range(r + 1):
                values[space.inertia[b, e]] += body[b, 1 + 3 * r + c]
                e += 1
            values[space.mass[b, r]] += body[b, 0]
    for k in range(J.shape[0]):
        size = 0.0
        for side in range(2):
            b, a = tables.row_int[k, 1 + side], 6 * side
            for r in range(3):
                turned = 0.0
                for c in range(3):
                    turned += inverse[b, 3 * r + c] * J[k, a + c]
                size += J[k, a + r] * turned + inverse[b, 9] * J[k, a + 3 + r] * J[k, a + 3 + r]
        D = space.factor[0] / size
        space.D[k] = D
        for side in range(2):
            e, a = 0, 6 * side
            for r in range(6):
                for c in range(r + 1):
                    p = space.diagonal[k, side, e]
                    if p >= 0:
                        values[p] += D * J[k, a + r] * J[k, a + c]
                    e += 1
        for r in range(6):
            for c in range(6):
                p = space.cross[k, 6 * r + c]
                if p >= 0:
                    values[p] += D * J[k, r] * J[k, 6 + c]
    return int(factor_ldl(pattern, factors, LEAST_PIVOT))


@kernel
def solve(tables: Tables, work: Work, space: Penalty, pattern: LdlPattern, factors: LdlFactors) -> int:
    """x and lambda; passes until lambda changes by rounding only, or as many as are allowed. Writes space.left."""
    J, x, lam, rhs, dx = work.J, work.x, work.lam, space.rhs, space.dx
    nb = x.shape[0] - 1
    clear_solution(work)
    before, change, largest, rate, still = 0.0, 0.0, 0.0, 0.0, False
    for turn in range(space.most_solves[0]):
        for b in range(nb):
            rest = body_residual(tables, work, b)
            for c in range(6):
                rhs[6 * b + c] = rest[c]
        for k in range(lam.shape[0]):
            push = lam[k] - space.D[k] * row_residual(tables, work, work.eta, k)
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    for c in range(6):
                        rhs[6 * b + c] -= push * J[k, 6 * side + c]
        solve_ldl(pattern, factors, rhs, dx)
        for b in range(nb):
            for c in range(6):
                x[b, c] += dx[6 * b + c]
        change, largest = 0.0, 0.0
        for k in range(lam.shape[0]):
            step = -space.D[k] * row_residual(tables, work, work.eta, k)
            lam[k] += step
            change, largest = max(change, abs(step)), max(largest, abs(lam[k]))
        still = change <= FINE * largest or (turn > 0 and change > HALTING * before and change <= STUCK * largest)
        if still:
            break
        rate = change / before if before > 0.0 else 0.0
        before = change
    if not still and space.most_solves[0] > 1:  # changes shrink like a geometric series: the sum of those to come
        space.left[0] = max(space.left[0], change / (largest * max(1.0 - rate, FINE)))
        space.left[1] += 1.0
    return OK


SPACE, PATTERN, FACTORS = slots(Penalty, LdlPattern, LdlFactors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, SPACE, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, SPACE, PATTERN, FACTORS)
