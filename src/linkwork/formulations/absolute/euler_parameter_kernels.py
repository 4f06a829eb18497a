"""rp: Euler parameters and their normalisation constraints [Kissel 2021, section 3.2].

The unknowns are rddot and pddot, with one more multiplier per body for p . p = 1.
"""

from __future__ import annotations

from linkwork.equations.index_3.coordinates import four_coordinates, start_of, store_rotation
from linkwork.equations.index_3.iteration_matrix import add_gyroscopic, fill_matrix, fill_normalisation
from linkwork.equations.index_3.kinematic_matrix import constrain_normalisation, constrain_rows, fill_kinematic
from linkwork.equations.index_3.residual import newton_euler, set_translation
from linkwork.equations.time import evaluate_time, unwrap_torsion_angles
from linkwork.kernels.jit import kernel
from linkwork.kernels.tuple_access import at3, at4, set12
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import ACCELERATION_LEVEL, C_Q, C_V, LEVEL, T_A, T_TH, T_W, B, Matrix, Q, Work
from linkwork.problems.step_state import set_base
from linkwork.spaces.euler_parameters import (
    alpha,
    linearise,
    normalisation,
    omega,
    retract,
    tangent,
    transpose_apply,
    transpose_variation,
)
from linkwork.system.packed import Tables

STRIDE = 7  # unknowns per body: rddot and pddot


@kernel
def begin(tables: Tables, work: Work) -> int:
    """Formulas at the new time, counted from the present pose. Returns how many bodies were re-based: none here."""
    evaluate_time(tables, work)
    unwrap_torsion_angles(tables, work)
    set_base(work.motion, work.base)
    return 0


@kernel
def set_state(tables: Tables, work: Work) -> int:
    """Poses, velocities and accelerations of all bodies from the unknowns z."""
    for b in range(tables.body.shape[0] - 1):
        o = STRIDE * b
        set_translation(work, b, o)
        dq, qd, qdd = four_coordinates(work, o + 3)
        A0, R, q0 = start_of(work, b)
        A, q = retract(A0, R, q0, dq)
        store_rotation(work, b, A, q, omega(q, qd), alpha(q, qd, qdd))
    return 0


@kernel
def evaluate(tables: Tables, work: Work) -> int:
    """Place the bodies and fill the residual [Kissel 2021, eq. 41]."""
    set_state(tables, work)
    nb = tables.body.shape[0] - 1
    newton_euler(tables, work, STRIDE * nb)
    e, residual = work.e, work.residual
    first = STRIDE * nb + tables.row_int.shape[0]
    index_3 = work.coef[LEVEL].real != ACCELERATION_LEVEL
    for b in range(nb):
        o = STRIDE * b
        for c in range(3):
            residual[o + c] = e[b, c]
        q = at4(work.motion, b, Q)
        y = transpose_apply(q, at3(e, b, 3))
        mu = work.z[first + b]
        for c in range(4):
            residual[o + 3 + c] = y[c] + q[c] * mu
        if index_3:
            residual[first + b] = normalisation(q) / work.coef[C_Q]
        else:
            _, qd, qdd = four_coordinates(work, o + 3)
            residual[first + b] = (
                q[0] * qdd[0] + q[1] * qdd[1] + q[2] * qdd[2] + q[3] * qdd[3]
                + qd[0] * qd[0] + qd[1] * qd[1] + qd[2] * qd[2] + qd[3] * qd[3]
            )  # fmt: skip
    return 0


@kernel
def assemble(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Fill the iteration matrix at the state last evaluated [Kissel 2021, eq. 42]."""
    c_v, c_q = work.coef[C_V], work.coef[C_Q]
    nb = tables.body.shape[0] - 1
    index_3 = work.coef[LEVEL] != ACCELERATION_LEVEL
    for b in range(nb):
        q = at4(work.motion, b, Q)
        set12(matrix.tangent, b, B, tangent(q))
        if index_3:
            dq, qd, qdd = four_coordinates(work, STRIDE * b + 3)
            T_a, T_w, T_th = linearise(dq, q, qd, qdd, c_v, c_q)
            set12(matrix.tangent, b, T_A, T_a)
            set12(matrix.tangent, b, T_W, T_w)
            set12(matrix.tangent, b, T_TH, T_th)
        else:
            set12(matrix.tangent, b, T_A, tangent(q))
    if index_3:
        add_gyroscopic(tables, work, matrix)
    fill_matrix(tables, work, matrix)
    fill_normalisation(work, matrix)
    if index_3:
        first = STRIDE * nb + tables.row_int.shape[0]
        for b in range(nb):
            q = at4(work.motion, b, Q)
            mu = work.z[first + b]
            change = transpose_variation(q, at3(work.e, b, 3))
            for r in range(4):
                for c in range(4):
                    on_diagonal = mu if r == c else 0.0
                    matrix.values[matrix.pair_pos[b, 3 + r, 3 + c]] += c_q * (change[4 * r + c] + on_diagonal)
    return 0


@kernel
def assemble_kinematic(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Fill the matrix of phi_q = Pi B(q) (and the normalisation) at the present pose [Kissel 2021, eq. 14]."""
    for b in range(tables.body.shape[0] - 1):
        set12(matrix.tangent, b, B, tangent(at4(work.motion, b, Q)))
    fill_kinematic(tables, work, matrix)
    fill_normalisation(work, matrix)
    return 0


@kernel
def constrain(tables: Tables, work: Work) -> int:
    """The constraint equations at the level asked for, into the residual [Kissel 2021, eqs. 10, 15, 16]."""
    constrain_rows(tables, work)
    constrain_normalisation(tables, work, STRIDE)
    return 0


BEGIN = entry(begin, TABLES, WORK)
SET_STATE = entry(set_state, TABLES, WORK)
EVALUATE = entry(evaluate, TABLES, WORK)
ASSEMBLE = entry(assemble, TABLES, WORK, MATRIX)
# what only a kinematics analysis needs
ASSEMBLE_KINEMATIC = entry(assemble_kinematic, TABLES, WORK, MATRIX)
CONSTRAIN = entry(constrain, TABLES, WORK)
