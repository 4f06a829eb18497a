"""The iteration matrix of the discretised index-3 system [Kissel 2021, eqs. 38, 42, 45].

Written per pair of bodies in variations of (r, theta) and (v, omega), then pulled back to the unknowns with the
derivatives that the space gives (`Matrix.tangent`): exact, right Jacobian included.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul, rotate, skew
from linkwork.kernels.rows.table import rate_variation
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec
from linkwork.problems.implicit import DRIVE, T_A, T_TH, T_W, A, B, Matrix, Q, R, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system.packed import Tables, rows_of


@kernel
def add_gyroscopic(tables: Tables, work: Work, matrix: Matrix) -> None:
    """Add d(omega x J omega)/d omega = omega~ J - (J omega)~ to each body's own block."""
    blocks, m = matrix.blocks, work.motion
    for b in range(tables.body.shape[0] - 1):
        J = (
            tables.body[b, 1], tables.body[b, 2], tables.body[b, 3], tables.body[b, 4], tables.body[b, 5],
            tables.body[b, 6], tables.body[b, 7], tables.body[b, 8], tables.body[b, 9],
        )  # fmt: skip
        w = at3(m, b, W)
        spin = matmul(skew(w), J)
        momentum = skew(rotate(J, w))
        for r in range(3):
            for c in range(3):
                blocks[b, 36 + 6 * (3 + r) + 3 + c] += spin[3 * r + c] - momentum[3 * r + c]


@kernel
def fill_matrix(tables: Tables, work: Work, matrix: Matrix) -> None:
    """Pull the blocks and the rows back to the unknowns and write the values of the sparse matrix."""
    values = matrix.values
    for c in range(values.shape[0]):
        values[c] = 0.0
    size = matrix.flags[1]
    c_v, c_q = work.request.c_v[0], work.request.c_q[0]
    tangent, blocks, body = matrix.tangent, matrix.blocks, tables.body
    for p in range(matrix.pair.shape[0]):
        i, j = matrix.pair[p, 0], matrix.pair[p, 1]
        for c in range(3):
            for r in range(3):
                entry = c_q * blocks[p, 6 * r + c] + c_v * blocks[p, 36 + 6 * r + c]
                if i == j and r == c:
                    entry += body[i, 0]
                values[matrix.pair_pos[p, r, c]] += entry
            _rotation_rows(values, matrix, p, c, _lower(blocks, p, c, c_v, c_q), i, size)
        for c in range(size):
            for r in range(3):
                entry = 0.0
                for x in range(3):
                    entry += blocks[p, 6 * r + 3 + x] * tangent[j, T_TH + 4 * x + c]
                    entry += blocks[p, 36 + 6 * r + 3 + x] * tangent[j, T_W + 4 * x + c]
                values[matrix.pair_pos[p, r, 3 + c]] += entry
            torque = _torque_column(blocks, tangent, body, p, i, j, c)
            _rotation_rows(values, matrix, p, 3 + c, torque, i, size)
    _fill_rows(tables, work, matrix)
    for p in range(matrix.pair.shape[0]):  # the next evaluation adds to zeros
        for c in range(72):
            blocks[p, c] = 0.0


@kernel
def _lower(blocks: Floats, p: int, c: int, c_v: float, c_q: float) -> Vec:
    """Torque rows of pair p for translation c: c_q times derivatives by r, c_v times those by v."""
    return (
        c_q * blocks[p, 18 + c] + c_v * blocks[p, 54 + c],
        c_q * blocks[p, 24 + c] + c_v * blocks[p, 60 + c],
        c_q * blocks[p, 30 + c] + c_v * blocks[p, 66 + c],
    )


@kernel
def _torque_column(blocks: Floats, tangent: Floats, body: Floats, p: int, i: int, j: int, c: int) -> Vec:
    """Torque rows of pair (i, j) for coordinate c of body j: blocks by theta and omega, and J alpha where i is j."""
    th = (tangent[j, T_TH + c], tangent[j, T_TH + 4 + c], tangent[j, T_TH + 8 + c])
    w = (tangent[j, T_W + c], tangent[j, T_W + 4 + c], tangent[j, T_W + 8 + c])
    a = (tangent[j, T_A + c], tangent[j, T_A + 4 + c], tangent[j, T_A + 8 + c])
    inertia = 1.0 if i == j else 0.0
    y0 = inertia * (body[i, 1] * a[0] + body[i, 2] * a[1] + body[i, 3] * a[2])
    y1 = inertia * (body[i, 4] * a[0] + body[i, 5] * a[1] + body[i, 6] * a[2])
    y2 = inertia * (body[i, 7] * a[0] + body[i, 8] * a[1] + body[i, 9] * a[2])
    for x in range(3):
        y0 += blocks[p, 21 + x] * th[x] + blocks[p, 57 + x] * w[x]
        y1 += blocks[p, 27 + x] * th[x] + blocks[p, 63 + x] * w[x]
        y2 += blocks[p, 33 + x] * th[x] + blocks[p, 69 + x] * w[x]
    return (y0, y1, y2)


@kernel
def _rotation_rows(values: Floats, matrix: Matrix, p: int, column: int, torque: Vec, i: int, size: int) -> None:
    """Add B_i^T times a torque column to the rotation rows of pair p."""
    tangent = matrix.tangent
    for r in range(size):
        entry = tangent[i, B + r] * torque[0] + tangent[i, B + 4 + r] * torque[1] + tangent[i, B + 8 + r] * torque[2]
        values[matrix.pair_pos[p, 3 + r, column]] += entry


@kernel
def _fill_rows(tables: Tables, work: Work, matrix: Matrix) -> None:
    """G and G^T of every row; velocity-level rows also vary with the pose."""
    G, m, values, tangent = work.G, work.motion, matrix.values, matrix.tangent
    size = matrix.flags[1]
    index_3 = work.request.level[0] != ACCELERATION_LEVEL
    c_v, c_q = work.request.c_v[0], work.request.c_q[0]
    over_c_q = 1.0 / c_q if index_3 else 1.0
    turn = T_TH if index_3 else B
    for k in range(tables.row_int.shape[0]):
        velocity_level = index_3 and tables.row_int[k, 3] == 1
        if velocity_level:
            matrix.rate[:] = 0.0
            rate_variation(
                rows_of(tables), k, m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3],
                work.row[:, DRIVE : DRIVE + 3], matrix.rate,
            )  # fmt: skip
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            g = 6 * side
            for c in range(3):
                across = G[k, g + c]
                if velocity_level:
                    across += c_q / c_v * matrix.rate[g + c]
                values[matrix.G_pos[k, side, c]] += across
                values[matrix.GT_pos[k, side, c]] += G[k, g + c]
            for c in range(size):
                down = 0.0
                across = 0.0
                for x in range(3):
                    down += G[k, g + 3 + x] * tangent[b, B + 4 * x + c]
                    if velocity_level:
                        across += G[k, g + 3 + x] * tangent[b, T_W + 4 * x + c] / c_v
                        across += matrix.rate[g + 3 + x] * tangent[b, T_TH + 4 * x + c] / c_v
                    else:
                        across += G[k, g + 3 + x] * tangent[b, turn + 4 * x + c] * over_c_q
                values[matrix.G_pos[k, side, 3 + c]] += across
                values[matrix.GT_pos[k, side, 3 + c]] += down


@kernel
def fill_normalisation(work: Work, matrix: Matrix) -> None:
    """The row and column q of 1/2 q.q - 1/2 for every body."""
    for b in range(matrix.norm_pos.shape[0]):
        for c in range(4):
            matrix.values[matrix.norm_pos[b, 0, c]] = work.motion[b, Q + c]
            matrix.values[matrix.norm_pos[b, 1, c]] = work.motion[b, Q + c]
