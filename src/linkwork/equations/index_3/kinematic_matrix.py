"""The matrix of the kinematics analysis: phi_q, square, or bordered for a least change."""

from __future__ import annotations

from linkwork.equations.index_3.residual import evaluate_constraints, evaluate_gamma, evaluate_nu, row_times
from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import ACC, ALPHA, GAMMA, NU, PHI, B, Matrix, Q, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.system.packed import Tables


@kernel
def fill_kinematic(tables: Tables, work: Work, matrix: Matrix) -> None:
    """G pulled back to the coordinates by the tangents that the caller has set.

    In a square structure only G has places; in a bordered one [D G^T; G 0] all three parts do, and D is there already.
    """
    G, values, tangent = work.G, matrix.values, matrix.tangent
    size = matrix.flags[1]
    nb = tables.body.shape[0] - 1
    bordered = matrix.drop_pos.shape[0] > 0 and matrix.drop_pos[0] != values.shape[0] - 1
    for k in range(tables.row_int.shape[0]):
        if bordered:
            values[matrix.drop_pos[k]] = 0.0
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b == nb:
                continue
            g = 6 * side
            x, y, z = G[k, g + 3], G[k, g + 4], G[k, g + 5]
            for c in range(3):
                values[matrix.G_pos[k, side, c]] = G[k, g + c]
            for c in range(size):
                values[matrix.G_pos[k, side, 3 + c]] = (
                    x * tangent[b, B + c] + y * tangent[b, B + 4 + c] + z * tangent[b, B + 8 + c]
                )
            if bordered:
                for c in range(3 + size):
                    values[matrix.GT_pos[k, side, c]] = values[matrix.G_pos[k, side, c]]


@kernel
def constrain_rows(tables: Tables, work: Work) -> None:
    """phi and G at the present pose, or G u - nu, or G udot - gamma, with the G last evaluated."""
    residual, row = work.residual, work.row
    first = work.request.first_row[0]
    level = work.request.level[0]
    nc = tables.row_int.shape[0]
    for c in range(first):
        residual[c] = 0.0
    if level == POSITION_LEVEL:
        evaluate_constraints(tables, work)
        for k in range(nc):
            residual[first + k] = row[k, PHI]
    elif level == ACCELERATION_LEVEL:
        evaluate_gamma(tables, work)
        for k in range(nc):
            i, j = tables.row_int[k, 1], tables.row_int[k, 2]
            residual[first + k] = row_times(work, k, i, j, ACC, ALPHA) - row[k, GAMMA]
    else:
        evaluate_nu(tables, work)
        for k in range(nc):
            i, j = tables.row_int[k, 1], tables.row_int[k, 2]
            residual[first + k] = row_times(work, k, i, j, V, W) - row[k, NU]


@kernel
def constrain_normalisation(tables: Tables, work: Work, stride: int) -> None:
    """1/2 q.q - 1/2 of every body, and its derivatives, after the rows; `stride` unknowns per body."""
    first = work.request.first_row[0] + tables.row_int.shape[0]
    level = work.request.level[0]
    for b in range(tables.body.shape[0] - 1):
        qq, qv, qa, vv = 0.0, 0.0, 0.0, 0.0
        for c in range(4):
            q = work.motion[b, Q + c]
            k = stride * b + 3 + c
            qd, qdd = work.rate[k], work.z[k]
            qq += q * q
            qv += q * qd
            qa += q * qdd
            vv += qd * qd
        if level == POSITION_LEVEL:
            work.residual[first + b] = 0.5 * qq - 0.5
        elif level == ACCELERATION_LEVEL:
            work.residual[first + b] = qa + vv
        else:
            work.residual[first + b] = qv
