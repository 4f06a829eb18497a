"""All multipliers at once: six for A^T A = I of every body, and those of the rows [Dumitriu 2015, eqs. 22-24].

Unknowns are mu (Lambda = -sum mu_a E_a over six symmetric matrices E_a) and lambda. With C_a = A E_a as derivative of
the orthogonality, all rows are treated alike: S = C M^-1 C^T with the mass matrix m I, K of the twelve parameters, so
S is symmetric and positive definite.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.formulations.rotation_matrix.rhs import accelerate_points, efforts, recover_multipliers
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork, poinsot
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import IDENTITY, Mat, axial, double_dot, mat_add, matmul, matmul_t
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse_ldl import LdlFactors, LdlPattern, clear_ldl, factor_ldl, solve_ldl
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import dot, scale
from linkwork.problems.dependent import Dependent, expected, is_dropped, reduce_right_side, share_least
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.solvers.range_space import stored
from linkwork.solvers.singularity_threshold import check_pivot, pivot_threshold
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK = int(Status.OK)
BASIS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # E_a = e_p e_q^T + e_q e_p^T, once on the diagonal


class OneShot(NamedTuple):
    """Where entries of S go, and what is solved. The orthogonality of body b has rows 6 b ... 6 b + 5, then come the
    mechanism's own rows."""

    metric: Annotated[Floats, Shape("nb", 54), "1/(kg m^2)", "E_a K^-1"]
    block_pos: Annotated[Ints, Shape("nb", 21), "lower triangles of the bodies' diagonal blocks"]
    cross_pos: Annotated[Ints, Shape("nc", 12), "a row with the orthogonality of body i, body j; -1 for ground"]
    pair: Annotated[Ints, Shape("pairs", 5), "rows k and l, sides, place"]
    diagonal: Annotated[Ints, Shape("nc"), "place of (k, k)"]
    H: Annotated[Floats, Shape("nc", 18), "GR K^-1"]
    rhs: Annotated[Floats, Shape("6 nb + nc")]
    eta: Annotated[Floats, Shape("nc"), "Work.eta, zero in dropped rows"]
    first: Annotated[Floats, Shape(1), "smallest pivot of the first matrix, 0 before"]


SYSTEM, PATTERN, FACTORS = slots(OneShot, LdlPattern, LdlFactors, after=DEPENDENT)


def new_arrays(mechanism: CompiledMechanism, dense: bool) -> tuple[Any, ...]:
    """Records of the solver: OneShot, LdlPattern, LdlFactors of S. dense : as in `range_space.stored`."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    size = 6 * nb + nc
    lower = [(a, c) for a in range(6) for c in range(a + 1)]
    places: list[tuple[int, int]] = [(6 * b + a, 6 * b + c) for b in range(nb) for a, c in lower]
    places += [(6 * nb + k, 6 * nb + k) for k in range(nc)]
    sides: list[list[tuple[int, int]]] = [[] for _ in range(nb)]
    cross = np.full((nc, 12), -1, dtype=np.int64)
    for k in range(nc):
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            if b < nb:
                sides[b].append((k, side))
                for a in range(6):
                    cross[k, 6 * side + a] = len(places)
                    places.append((6 * nb + k, 6 * b + a))
    pairs = [(k, l, s, t) for on in sides for n, (k, s) in enumerate(on) for l, t in on[: n + 1]]
    first = len(places)
    places += [(6 * nb + k, 6 * nb + l) for k, l, _, _ in pairs]
    listed = np.array(places, dtype=np.int64).reshape(-1, 2)
    storage, where = stored(listed[:, 0], listed[:, 1], size, dense)
    where = np.asarray(where, dtype=np.int64)
    made = OneShot(
        metric=metrics(mechanism.system.bodies),
        block_pos=where[: 21 * nb].reshape(nb, 21).copy(),
        cross_pos=np.where(cross >= 0, where[cross], -1),
        pair=np.column_stack([np.array(pairs, dtype=np.int64).reshape(-1, 4), where[first:]]).reshape(-1, 5),
        diagonal=where[21 * nb : 21 * nb + nc].copy(),
        H=np.zeros((nc, 18)),
        rhs=np.zeros(size),
        eta=np.zeros(nc),
        first=np.zeros(1),
    )
    return made, *storage


def metrics(bodies: Bodies) -> Floats:
    """E K^-1 (nb, 54) for the six symmetric E of `BASIS`."""
    inverse = np.linalg.inv(poinsot(bodies.inertia[:-1].reshape(-1, 3, 3)))
    E = np.zeros((6, 3, 3))
    for a, (p, q) in enumerate(BASIS):
        E[a, p, q] = E[a, q, p] = 1.0
    found: Floats = np.einsum("aij,bjk->baik", E, inverse).reshape(-1, 54)
    return found


def renew(system: OneShot, bodies: Bodies) -> None:
    """The metrics, of other inertias."""
    system.metric[:] = metrics(bodies)


@kernel
def along(a: int, m: Mat) -> Any:
    """tr(E_a m), E_a the a-th of six symmetric matrices of zeros and ones."""
    if a == 0:
        return m[0]
    if a == 1:
        return m[4]
    if a == 2:
        return m[8]
    if a == 3:
        return m[1] + m[3]
    if a == 4:
        return m[2] + m[6]
    return m[5] + m[7]


@kernel
def gram(work: Work, elements: ElementWork, b: int) -> Mat:
    """A^T A, or I as printed."""
    if elements.as_printed[0] == 1:
        return IDENTITY
    A_ = at9(work.motion, b, A)
    return matmul_t(A_, A_)


@kernel
def fill_matrix(
    tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: OneShot, values: Floats
) -> None:
    """Add up S at the state that is set in values, with rows of the unit matrix for dropped ones; writes system.H."""
    m, nb = work.motion, work.motion.shape[0] - 1
    for b in range(nb):
        squares, e = gram(work, elements, b), 0
        for a in range(6):
            moved = matmul(squares, at9(system.metric, b, 9 * a))
            for c in range(a + 1):
                values[system.block_pos[b, e]] += along(c, moved)
                e += 1
    for k in range(work.row.shape[0]):
        gone = is_dropped(dependent, k)
        if gone:
            values[system.diagonal[k]] = 1.0
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                H = matmul(at9(elements.GR, k, 9 * side), at9(elements.K, b, 9))
                for c in range(9):
                    system.H[k, 9 * side + c] = H[c]
                if not gone:
                    pulled = matmul_t(at9(m, b, A), H)
                    for a in range(6):
                        values[system.cross_pos[k, 6 * side + a]] += along(a, pulled)
    for p in range(system.pair.shape[0]):
        k, l, s, t = system.pair[p, 0], system.pair[p, 1], system.pair[p, 2], system.pair[p, 3]
        if not (is_dropped(dependent, k) or is_dropped(dependent, l)):
            over = 1.0 / tables.body[tables.row_int[k, 1 + s], 0]
            moved = over * dot(at3(work.G, k, 6 * s), at3(work.G, l, 6 * t))
            values[system.pair[p, 4]] += moved + double_dot(at9(elements.GR, k, 9 * s), at9(system.H, l, 9 * t))


@kernel
def check(work: Work, system: OneShot, status: int, report: Floats) -> int:
    """Status of a factorisation; report (2,) names a row of the mechanism, or none for an orthogonality."""
    report[1] = max(report[1] - 6 * (work.motion.shape[0] - 1), -1.0)
    return int(check_pivot(work, status, report[0], system.first))


@kernel
def fill_right_side(tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: OneShot) -> None:
    """The right side of S, (6 nb + nc,), from efforts Y, Q and eta, into rhs."""
    m, rhs, nb = work.motion, system.rhs, work.motion.shape[0] - 1
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, system.eta)
    for b in range(nb):
        free = matmul(matmul_t(at9(m, b, A), at9(elements.Y, b, 0)), at9(elements.K, b, 9))
        wanted = mat_add(free, at9(elements.Q, b, 0))
        for a in range(6):
            rhs[6 * b + a] = along(a, wanted)
    for k in range(work.row.shape[0]):
        total = 0.0
        if not is_dropped(dependent, k):
            total = -system.eta[k]
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    free = matmul(at9(elements.Y, b, 0), at9(elements.K, b, 9))
                    asked = mat_add(free, matmul(at9(elements.dual, b, 0), at9(elements.Q, b, 0)))
                    total += double_dot(at9(elements.GR, k, 9 * side), asked)
                    total += dot(at3(work.G, k, 6 * side), at3(work.f, b, 3)) / tables.body[b, 0]
        rhs[6 * nb + k] = total


@kernel
def recover_unknowns(tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: OneShot) -> int:
    """x = (n, rddot), lambda, Lambda and Addot from the multipliers in rhs [Dumitriu 2015, eq. 12]."""
    m, rhs, nb = work.motion, system.rhs, work.motion.shape[0] - 1
    accelerate_points(tables, work, rhs[6 * nb :])
    efforts(tables, elements, work.lam, elements.Addot)
    for b in range(nb):
        o = 6 * b
        Lambda = (
            -rhs[o], -rhs[o + 3], -rhs[o + 4],
            -rhs[o + 3], -rhs[o + 1], -rhs[o + 5],
            -rhs[o + 4], -rhs[o + 5], -rhs[o + 2],
        )  # fmt: skip
        A_ = at9(m, b, A)
        Addot = matmul(mat_add(at9(elements.Addot, b, 0), matmul(A_, Lambda)), at9(elements.K, b, 9))
        set9(elements.Lambda, b, 0, Lambda)
        set9(elements.Addot, b, 0, Addot)
        set3(work.x, b, 0, scale(0.5, axial(matmul_t(A_, Addot))))
    share_least(dependent, work)
    if expected(dependent):
        recover_multipliers(tables, work, elements)
    return OK


@kernel
def factorise(
    tables: Tables,
    work: Work,
    elements: ElementWork,
    dependent: Dependent,
    system: OneShot,
    pattern: LdlPattern,
    factors: LdlFactors,
) -> int:
    """Form S at the state that is set and factor it, sparse; returns a Status."""
    clear_ldl(factors)
    fill_matrix(tables, work, elements, dependent, system, factors.values)
    return check(work, system, factor_ldl(pattern, factors, pivot_threshold(work, system.first)), factors.report)


@kernel
def solve(
    tables: Tables,
    work: Work,
    elements: ElementWork,
    dependent: Dependent,
    system: OneShot,
    pattern: LdlPattern,
    factors: LdlFactors,
) -> int:
    """Solve the factored system: writes x, lambda, Lambda and Addot."""
    fill_right_side(tables, work, elements, dependent, system)
    solve_ldl(pattern, factors, system.rhs, system.rhs)
    return recover_unknowns(tables, work, elements, dependent, system)


FACTORISE = entry(factorise, TABLES, WORK, ELEMENTS, DEPENDENT, SYSTEM, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, ELEMENTS, DEPENDENT, SYSTEM, PATTERN, FACTORS)
