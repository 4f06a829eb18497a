"""The exact iteration matrix on groups: blocks per pair of bodies, and rows, taken to the unknowns by `maps`.

The blocks are derivatives of forces and torques by (r, theta) and (rdot, omega), as in `absolute`; forces on a body on
SE(3) are balanced in its own components, and turn against it.
"""

from __future__ import annotations

from linkwork.equations.index_3.iteration_matrix import add_gyroscopic
from linkwork.equations.index_3.rotation_matrix import CONSTRAIN
from linkwork.formulations.lie.implicit.increment_rate import INCREMENT_RATE
from linkwork.formulations.lie.implicit.maps import A_T, A_W, P_T, P_W, TH, V_W, F, instant_maps, step_maps
from linkwork.formulations.lie.implicit.set_state import BEGIN, EVALUATE, GROUP, SET_STATE
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, mat_add, mat_scale, matmul, matmul_t, rotate_t, skew
from linkwork.kernels.rows.table import rate_variation
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import Vec, add, scale
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import DRIVE, A, Matrix, R, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system.packed import Tables, rows_of


@kernel
def assemble(tables: Tables, work: Work, matrix: Matrix, group: Ints) -> int:
    """Fill the iteration matrix at the state last evaluated."""
    nb = tables.body.shape[0] - 1
    index_3 = work.request.level[0] != ACCELERATION_LEVEL
    for b in range(nb):
        if index_3:
            step_maps(work, group, b, matrix.tangent)
        else:
            instant_maps(work, group, b, matrix.tangent)
    if index_3:
        add_gyroscopic(tables, work, matrix)
    values = matrix.values
    for c in range(values.shape[0]):
        values[c] = 0.0
    for p in range(matrix.pair.shape[0]):
        fill_pair(tables, work, matrix, group, p, index_3)
    for k in range(tables.row_int.shape[0]):
        fill_row(tables, work, matrix, k, index_3)
    for p in range(matrix.pair.shape[0]):  # the next evaluation adds to zeros
        for c in range(72):
            matrix.blocks[p, c] = 0.0
    return 0


@kernel
def quarter(blocks: Floats, p: int, c: int) -> Mat:
    """A 3 x 3 quarter of a 6 x 6 block whose first entry stands in column c."""
    return (
        blocks[p, c],
        blocks[p, c + 1],
        blocks[p, c + 2],
        blocks[p, c + 6],
        blocks[p, c + 7],
        blocks[p, c + 8],
        blocks[p, c + 12],
        blocks[p, c + 13],
        blocks[p, c + 14],
    )


@kernel
def pulled_back(blocks: Floats, p: int, c: int, maps: Floats, j: int, c_v: float, c_q: float) -> tuple[Mat, Mat]:
    """Derivatives by the unknowns (translation, rotation) of body j of a force (c = 0) or a torque (c = 18)."""
    by_r, by_theta = mat_scale(c_q, quarter(blocks, p, c)), mat_scale(c_q, quarter(blocks, p, c + 3))
    by_v, by_w = quarter(blocks, p, c + 36), quarter(blocks, p, c + 39)
    by_t = mat_add(matmul(by_r, at9(maps, j, P_T)), mat_scale(c_v, matmul(by_v, at9(maps, j, F))))
    through_pose = mat_add(matmul(by_r, at9(maps, j, P_W)), matmul(by_theta, at9(maps, j, TH)))
    return by_t, mat_add(through_pose, mat_add(matmul(by_v, at9(maps, j, V_W)), mat_scale(c_v, by_w)))


@kernel
def fill_pair(tables: Tables, work: Work, matrix: Matrix, group: Ints, p: int, index_3: bool) -> None:
    """What the unknowns of one body change of the balance of another, or of its own."""
    c_v, c_q = work.request.c_v[0], work.request.c_q[0]
    i, j = matrix.pair[p, 0], matrix.pair[p, 1]
    maps = matrix.tangent
    force_t, force_w = pulled_back(matrix.blocks, p, 0, maps, j, c_v, c_q)
    torque_t, torque_w = pulled_back(matrix.blocks, p, 18, maps, j, c_v, c_q)
    F_i = at9(maps, i, F)
    if i == j:
        mass = tables.body[i, 0]
        force_t = mat_add(force_t, mat_scale(mass, at9(maps, i, A_T)))
        force_w = mat_add(force_w, mat_scale(mass, at9(maps, i, A_W)))
        torque_w = mat_add(torque_w, at9(tables.body, i, 1))
    force_t, force_w = matmul_t(F_i, force_t), matmul_t(F_i, force_w)
    if i == j and index_3 and group[i] == 1:
        against = skew(rotate_t(F_i, at3(work.e, i, 0)))
        force_w = mat_add(force_w, mat_scale(c_q, matmul(against, at9(maps, i, TH))))
    put(matrix, p, 0, 0, force_t)
    put(matrix, p, 0, 3, force_w)
    put(matrix, p, 3, 0, torque_t)
    put(matrix, p, 3, 3, torque_w)


@kernel
def put(matrix: Matrix, p: int, row: int, column: int, m: Mat) -> None:
    """Add m where the quarter of pair p from (row, column) on stands in the sparse matrix."""
    values, where = matrix.values, matrix.pair_pos
    values[where[p, row, column]] += m[0]
    values[where[p, row, column + 1]] += m[1]
    values[where[p, row, column + 2]] += m[2]
    values[where[p, row + 1, column]] += m[3]
    values[where[p, row + 1, column + 1]] += m[4]
    values[where[p, row + 1, column + 2]] += m[5]
    values[where[p, row + 2, column]] += m[6]
    values[where[p, row + 2, column + 1]] += m[7]
    values[where[p, row + 2, column + 2]] += m[8]


@kernel
def fill_row(tables: Tables, work: Work, matrix: Matrix, k: int, index_3: bool) -> None:
    """Row k by the unknowns of its bodies, and its reactions; velocity-level rows also vary with the pose."""
    m, values, maps = work.motion, matrix.values, matrix.tangent
    velocity_level = index_3 and tables.row_int[k, 3] == 1
    if velocity_level:
        matrix.rate[:] = 0.0
        rate_variation(
            rows_of(tables), k, m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3],
            work.row[:, DRIVE : DRIVE + 3], matrix.rate,
        )  # fmt: skip
    over_c_v = 1.0 / work.request.c_v[0] if velocity_level else 0.0
    for side in range(2):
        b = tables.row_int[k, 1 + side]
        g_r, g_theta = at3(work.G, k, 6 * side), at3(work.G, k, 6 * side + 3)
        down = rotate_t(at9(maps, b, F), g_r)
        if velocity_level:
            again = over_c_v * work.request.c_q[0]
            d_r = (again * matrix.rate[6 * side], again * matrix.rate[6 * side + 1], again * matrix.rate[6 * side + 2])
            d_theta = (
                again * matrix.rate[6 * side + 3],
                again * matrix.rate[6 * side + 4],
                again * matrix.rate[6 * side + 5],
            )
            across_t, across_w = row_by_pose(maps, b, d_r, d_theta)
            across_t = add(across_t, down)
            across_w = add(add(across_w, g_theta), scale(over_c_v, rotate_t(at9(maps, b, V_W), g_r)))
        else:
            across_t, across_w = row_by_pose(maps, b, g_r, g_theta)
        for c in range(3):
            values[matrix.G_pos[k, side, c]] += across_t[c]
            values[matrix.G_pos[k, side, 3 + c]] += across_w[c]
            values[matrix.GT_pos[k, side, c]] += down[c]
            values[matrix.GT_pos[k, side, 3 + c]] += g_theta[c]


@kernel
def row_by_pose(maps: Floats, b: int, g_r: Vec, g_theta: Vec) -> tuple[Vec, Vec]:
    """A row's derivatives by (r, theta) of body b, taken to its unknowns, over c_q."""
    return (
        rotate_t(at9(maps, b, P_T), g_r),
        add(rotate_t(at9(maps, b, P_W), g_r), rotate_t(at9(maps, b, TH), g_theta)),
    )


ASSEMBLE = entry(assemble, TABLES, WORK, MATRIX, GROUP)
__all__ = ["ASSEMBLE", "BEGIN", "CONSTRAIN", "EVALUATE", "INCREMENT_RATE", "SET_STATE", "assemble"]
