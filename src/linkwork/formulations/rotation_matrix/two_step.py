"""The two-step elimination as printed: Lambda of every body by a Lyapunov equation, then the joints [Dumitriu 2015, 5].

Step one. Z = Y - sum lambda_k dphi_k/dA is what acts on the nine elements of a body. Eq. 23 with eq. 12 and
A^T A = I put in is a Lyapunov equation in Lambda (eq. 25),

    Lambda K^-1 + K^-1 Lambda = -2 Q - A^T Z K^-1 - K^-1 Z^T A,        Q = Adot^T Adot,

solved in closed form in the eigenbasis of K, whose moments are k_i: Lambda_ij = k_i k_j E_ij / (k_i + k_j). It is
linear in the multipliers, so it is solved once for each of them on each side of its row, and once for the rest.

Step two. Addot = (Z + A Lambda) K^-1 (eq. 12) put into the rows' second derivatives (eq. 24) leaves one linear system
in the rows' multipliers alone. It is symmetric, since the solution of eq. 25 is, as a function of its right side.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
from linkwork.formulations.rotation_matrix.rhs import accelerate_points, efforts, recover_multipliers
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork, poinsot
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import (
    Mat,
    axial,
    double_dot,
    mat_add,
    mat_scale,
    matmul,
    matmul_t,
    symmetric_part,
    transpose,
)
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
from linkwork.system.shared_bodies import sharing

OK = int(Status.OK)


class TwoStep(NamedTuple):
    """What the solver reads and writes besides the arrays of the problem."""

    axes: Annotated[Floats, Shape("nb", 9), "1", "V, the eigenvectors of K as columns"]
    weight: Annotated[Floats, Shape("nb", 9), "kg m^2", "k_i k_j / (k_i + k_j)"]
    response: Annotated[Floats, Shape("nc", 18), "-Addot of body i, body j for one unit of a row's multiplier"]
    pair: Annotated[Ints, Shape("pairs", 5), "rows k and l, sides, place"]
    diagonal: Annotated[Ints, Shape("nc"), "place of (k, k)"]
    rhs: Annotated[Floats, Shape("nc")]
    eta: Annotated[Floats, Shape("nc"), "Work.eta, zero in dropped rows"]
    first: Annotated[Floats, Shape(1), "smallest pivot of the first matrix, 0 before"]


SYSTEM, PATTERN, FACTORS = slots(TwoStep, LdlPattern, LdlFactors, after=DEPENDENT)


def new_arrays(mechanism: CompiledMechanism, dense: bool) -> tuple[Any, ...]:
    """Records: TwoStep, LdlPattern, LdlFactors; needs every K^-1. dense : as in `range_space.stored`."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.pattern_rows
    axes, weight = principal(mechanism.system.bodies)
    pairs = sharing(rows, nb, np.any(translations_used(rows), axis=2) | rotations_used(rows))
    every = np.arange(nc)
    storage, where = stored(np.r_[every, pairs[:, 0]], np.r_[every, pairs[:, 1]], nc, dense)
    pair = np.column_stack([pairs, np.asarray(where)[nc:]]).astype(np.int64).reshape(-1, 5)
    pair[:, 2:4] //= 6  # from where a side begins in J to the side
    made = TwoStep(
        axes=axes,
        weight=weight,
        response=np.zeros((nc, 18)),
        pair=pair,
        diagonal=np.asarray(where[:nc], dtype=np.int64).copy(),
        rhs=np.zeros(nc),
        eta=np.zeros(nc),
        first=np.zeros(1),
    )
    return made, *storage


def principal(bodies: Bodies) -> tuple[Floats, Floats]:
    """Principal axes of the Poinsot inertias K (nb, 9), and 1 / (k_i^-1 + k_j^-1) of their moments (nb, 9)."""
    moments, axes = np.linalg.eigh(poinsot(bodies.inertia[:-1].reshape(-1, 3, 3)))
    rate = 1.0 / moments
    return axes.reshape(-1, 9), (1.0 / (rate[:, :, None] + rate[:, None, :])).reshape(-1, 9)


def renew(system: TwoStep, bodies: Bodies) -> None:
    """Axes and weights, of other inertias."""
    system.axes[:], system.weight[:] = principal(bodies)


@kernel
def lyapunov(system: TwoStep, b: int, E: Mat) -> Mat:
    """The symmetric X with X K^-1 + K^-1 X = E for symmetric E, of body b."""
    V, w = at9(system.axes, b, 0), at9(system.weight, b, 0)
    e = matmul(matmul_t(V, E), V)
    x = (
        w[0] * e[0], w[1] * e[1], w[2] * e[2],
        w[3] * e[3], w[4] * e[4], w[5] * e[5],
        w[6] * e[6], w[7] * e[7], w[8] * e[8],
    )  # fmt: skip
    return matmul(matmul(V, x), transpose(V))


@kernel
def eliminate(work: Work, elements: ElementWork, system: TwoStep, b: int, Z: Mat, Q: Mat) -> Mat:
    """Step one for body b: Lambda from what acts on A and from Q [Dumitriu 2015, eq. 25]."""
    pulled = matmul(matmul_t(at9(work.motion, b, A), Z), at9(elements.K, b, 9))
    return lyapunov(system, b, mat_scale(-2.0, mat_add(symmetric_part(pulled), Q)))


@kernel
def accelerated(work: Work, elements: ElementWork, b: int, Z: Mat, Lambda: Mat) -> Mat:
    """Addot = (Z + A Lambda) K^-1 [Dumitriu 2015, eq. 12]."""
    return matmul(mat_add(Z, matmul(at9(work.motion, b, A), Lambda)), at9(elements.K, b, 9))


@kernel
def fill_matrix(
    tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: TwoStep, values: Floats
) -> None:
    """Step one for every multiplier, into system.response; then the matrix of step two, added up in values."""
    nb = work.motion.shape[0] - 1
    for k in range(work.row.shape[0]):
        if is_dropped(dependent, k):
            values[system.diagonal[k]] = 1.0
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                along = at9(elements.GR, k, 9 * side)
                Lambda = eliminate(work, elements, system, b, along, mat_scale(0.0, along))
                set9(system.response, k, 9 * side, accelerated(work, elements, b, along, Lambda))
    for p in range(system.pair.shape[0]):
        k, l, s, t = system.pair[p, 0], system.pair[p, 1], system.pair[p, 2], system.pair[p, 3]
        if not (is_dropped(dependent, k) or is_dropped(dependent, l)):
            over = 1.0 / tables.body[tables.row_int[k, 1 + s], 0]
            moved = over * dot(at3(work.G, k, 6 * s), at3(work.G, l, 6 * t))
            values[system.pair[p, 4]] += moved + double_dot(at9(elements.GR, k, 9 * s), at9(system.response, l, 9 * t))


@kernel
def fill_right_side(tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: TwoStep) -> None:
    """The right side of step two (nc,): GR : Addot + G rddot of bodies without rows, less eta, into rhs."""
    nb = work.motion.shape[0] - 1
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, system.eta)
    for b in range(nb):
        Y = at9(elements.Y, b, 0)
        Lambda = eliminate(work, elements, system, b, Y, at9(elements.Q, b, 0))
        set9(elements.Addot, b, 0, accelerated(work, elements, b, Y, Lambda))
    for k in range(work.row.shape[0]):
        total = 0.0
        if not is_dropped(dependent, k):
            total = -system.eta[k]
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    # work.eta is what rows ask of the angular part of Addot alone, without Q: see place.right_sides
                    asked = mat_add(at9(elements.Addot, b, 0), matmul(at9(elements.dual, b, 0), at9(elements.Q, b, 0)))
                    total += double_dot(at9(elements.GR, k, 9 * side), asked)
                    total += dot(at3(work.G, k, 6 * side), at3(work.f, b, 3)) / tables.body[b, 0]
        system.rhs[k] = total


@kernel
def recover_unknowns(tables: Tables, work: Work, elements: ElementWork, dependent: Dependent, system: TwoStep) -> int:
    """lambda, Lambda, Addot and x = (n, rddot) from the multipliers in rhs."""
    m, nb = work.motion, work.motion.shape[0] - 1
    accelerate_points(tables, work, system.rhs)
    efforts(tables, elements, work.lam, elements.Lambda)
    for b in range(nb):
        Z = at9(elements.Lambda, b, 0)
        Lambda = eliminate(work, elements, system, b, Z, at9(elements.Q, b, 0))
        Addot = accelerated(work, elements, b, Z, Lambda)
        set9(elements.Lambda, b, 0, Lambda)
        set9(elements.Addot, b, 0, Addot)
        set3(work.x, b, 0, scale(0.5, axial(matmul_t(at9(m, b, A), Addot))))
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
    system: TwoStep,
    pattern: LdlPattern,
    factors: LdlFactors,
) -> int:
    """Form the matrix of step two at the state that is set and factor it, sparse; returns a Status."""
    clear_ldl(factors)
    fill_matrix(tables, work, elements, dependent, system, factors.values)
    status = factor_ldl(pattern, factors, pivot_threshold(work, system.first))
    return int(check_pivot(work, status, factors.report[0], system.first))


@kernel
def solve(
    tables: Tables,
    work: Work,
    elements: ElementWork,
    dependent: Dependent,
    system: TwoStep,
    pattern: LdlPattern,
    factors: LdlFactors,
) -> int:
    """Solve the factored system: writes x, lambda, Lambda and Addot."""
    fill_right_side(tables, work, elements, dependent, system)
    solve_ldl(pattern, factors, system.rhs, system.rhs)
    return recover_unknowns(tables, work, elements, dependent, system)


FACTORISE = entry(factorise, TABLES, WORK, ELEMENTS, DEPENDENT, SYSTEM, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, ELEMENTS, DEPENDENT, SYSTEM, PATTERN, FACTORS)
