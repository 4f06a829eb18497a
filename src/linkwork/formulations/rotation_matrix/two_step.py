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

from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
from linkwork.formulations.rotation_matrix.rhs import efforts, recover_multipliers
from linkwork.formulations.rotation_matrix.work import poinsot
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
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import dot, scale
from linkwork.problems.dependent import expected, is_dropped, reduce_right_side, share_least
from linkwork.problems.explicit import ACCELERATIONS, LEVEL, A
from linkwork.solvers.range_space import stored
from linkwork.solvers.singularity_threshold import near_singular_pivot
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.shared_bodies import sharing

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)


class TwoStep(NamedTuple):
    """What the solver reads and writes besides the problem's own arrays."""

    axes: Floats  # (nb, 9) V, the eigenvectors of K as columns
    weight: Floats  # (nb, 9) k_i k_j / (k_i + k_j)
    bent: Floats  # (nc, 18) -Addot of body i, body j for one unit of a row's multiplier
    pair: Ints  # (n, 5) rows k and l, sides, place
    diagonal: Ints  # (nc,) place of (k, k)
    rhs: Floats  # (nc,)
    eta: Floats  # (nc,)
    usual: Floats  # (1,) smallest pivot of the first matrix, 0 before


def new_arrays(mechanism: CompiledMechanism, dense: bool) -> tuple[Any, ...]:
    """A TwoStep, then the arrays of the second step's matrix. Every K must have an inverse."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    moments, axes = np.linalg.eigh(poinsot(mechanism.system.bodies.inertia[:nb].reshape(-1, 3, 3)))
    rate = 1.0 / moments
    pairs = sharing(rows, nb, np.any(translations_used(rows), axis=2) | rotations_used(rows))
    every = np.arange(nc)
    storage, where = stored(np.r_[every, pairs[:, 0]], np.r_[every, pairs[:, 1]], nc, dense)
    pair = np.column_stack([pairs, np.asarray(where)[nc:]]).astype(np.int64).reshape(-1, 5)
    pair[:, 2:4] //= 6  # from where a side begins in J to the side
    made = TwoStep(
        axes=axes.reshape(nb, 9),
        weight=(1.0 / (rate[:, :, None] + rate[:, None, :])).reshape(nb, 9),
        bent=np.zeros((nc, 18)),
        pair=pair,
        diagonal=np.asarray(where[:nc], dtype=np.int64).copy(),
        rhs=np.zeros(nc),
        eta=np.zeros(nc),
        usual=np.zeros(1),
    )
    return made, *storage


@kernel
def lyapunov(space: TwoStep, b: Any, E: Mat) -> Mat:
    """The symmetric X with X K^-1 + K^-1 X = E for symmetric E, of body b."""
    V, w = at9(space.axes, b, 0), at9(space.weight, b, 0)
    e = matmul(matmul_t(V, E), V)
    x = (
        w[0] * e[0], w[1] * e[1], w[2] * e[2],
        w[3] * e[3], w[4] * e[4], w[5] * e[5],
        w[6] * e[6], w[7] * e[7], w[8] * e[8],
    )  # fmt: skip
    return matmul(matmul(V, x), transpose(V))


@kernel
def eliminate(work: Any, elements: Any, space: TwoStep, b: Any, Z: Mat, Q: Mat) -> Mat:
    """Step one for body b: Lambda from what acts on A and from Q [Dumitriu 2015, eq. 25]."""
    pulled = matmul(matmul_t(at9(work.motion, b, A), Z), at9(elements.K, b, 9))
    return lyapunov(space, b, mat_scale(-2.0, mat_add(symmetric_part(pulled), Q)))


@kernel
def accelerated(work: Any, elements: Any, b: Any, Z: Mat, Lambda: Mat) -> Mat:
    """Addot = (Z + A Lambda) K^-1 [Dumitriu 2015, eq. 12]."""
    return matmul(mat_add(Z, matmul(at9(work.motion, b, A), Lambda)), at9(elements.K, b, 9))


@kernel
def form(tables: Any, work: Any, elements: Any, dependent: Any, space: TwoStep, values: Any) -> None:
    """Step one for every multiplier; then the matrix of step two at the placed state, added up in `values`."""
    nb = work.motion.shape[0] - 1
    for k in range(work.row.shape[0]):
        if is_dropped(dependent, k):
            values[space.diagonal[k]] = 1.0
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                along = at9(elements.GR, k, 9 * side)
                Lambda = eliminate(work, elements, space, b, along, mat_scale(0.0, along))
                set9(space.bent, k, 9 * side, accelerated(work, elements, b, along, Lambda))
    for p in range(space.pair.shape[0]):
        k, l, s, t = space.pair[p, 0], space.pair[p, 1], space.pair[p, 2], space.pair[p, 3]
        if not (is_dropped(dependent, k) or is_dropped(dependent, l)):
            over = 1.0 / tables.body[tables.row_int[k, 1 + s], 0]
            moved = over * dot(at3(work.G, k, 6 * s), at3(work.G, l, 6 * t))
            values[space.pair[p, 4]] += moved + double_dot(at9(elements.GR, k, 9 * s), at9(space.bent, l, 9 * t))


@kernel
def judge(work: Any, space: TwoStep, status: Any, report: Any) -> int:
    """Keep the smallest pivot of the first matrix that could be factored, and judge by it."""
    if status == OK and space.usual[0] == 0.0:
        space.usual[0] = report[0]
    return SINGULAR if status == OK and near_singular_pivot(work, report[0], space.usual) else int(status)


@kernel
def begin(tables: Any, work: Any, elements: Any, dependent: Any, space: TwoStep) -> None:
    """The right side of step two: what the bodies would do without the rows, less what the rows ask for."""
    nb = work.motion.shape[0] - 1
    reduce_right_side(dependent, work.eta, work.coef[LEVEL].real != ACCELERATIONS, space.eta)
    for b in range(nb):
        Y = at9(elements.Y, b, 0)
        Lambda = eliminate(work, elements, space, b, Y, at9(elements.Q, b, 0))
        set9(elements.Addot, b, 0, accelerated(work, elements, b, Y, Lambda))
    for k in range(work.row.shape[0]):
        total = 0.0
        if not is_dropped(dependent, k):
            total = -space.eta[k]
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    # work.eta is what rows ask of the angular part of Addot alone, without Q: see place.right_sides
                    asked = mat_add(at9(elements.Addot, b, 0), matmul(at9(elements.dual, b, 0), at9(elements.Q, b, 0)))
                    total += double_dot(at9(elements.GR, k, 9 * side), asked)
                    total += dot(at3(work.G, k, 6 * side), at3(work.f, b, 3)) / tables.body[b, 0]
        space.rhs[k] = total


@kernel
def finish(tables: Any, work: Any, elements: Any, dependent: Any, space: TwoStep) -> int:
    """lambda, Lambda, Addot and x = (n, rddot) from the multipliers in rhs."""
    m, nb = work.motion, work.motion.shape[0] - 1
    for b in range(nb):
        for c in range(3):
            work.x[b, 3 + c] = work.f[b, 3 + c] / tables.body[b, 0]
    for k in range(work.lam.shape[0]):
        work.lam[k] = space.rhs[k]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                for c in range(3):
                    work.x[b, 3 + c] -= work.lam[k] * work.G[k, 6 * side + c] / tables.body[b, 0]
    efforts(tables, elements, work.lam, elements.Lambda)
    for b in range(nb):
        Z = at9(elements.Lambda, b, 0)
        Lambda = eliminate(work, elements, space, b, Z, at9(elements.Q, b, 0))
        Addot = accelerated(work, elements, b, Z, Lambda)
        set9(elements.Lambda, b, 0, Lambda)
        set9(elements.Addot, b, 0, Addot)
        set3(work.x, b, 0, scale(0.5, axial(matmul_t(at9(m, b, A), Addot))))
    share_least(dependent, work)
    if expected(dependent):
        recover_multipliers(tables, work, elements)
    return OK
