"""re: Euler angles, re-based before they become singular [Kissel 2021, section 3.3].

The unknowns are rddot and the second derivatives of the ZXZ angles.
"""

from __future__ import annotations

from linkwork.equations.index_3.coordinates import start_of, store_rotation, three_coordinates
from linkwork.equations.index_3.iteration_matrix import add_gyroscopic, fill_matrix
from linkwork.equations.index_3.kinematic_matrix import constrain_rows, fill_kinematic
from linkwork.equations.index_3.residual import newton_euler, set_translation
from linkwork.equations.time import evaluate_time, unwrap_torsion_angles
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.quaternion import Quad
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at4, at9, set4, set9, set12
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import (
    ACCELERATION_LEVEL,
    ALPHA,
    BEHIND,
    C_Q,
    C_V,
    FIXED,
    LAG,
    LEVEL,
    REF,
    SECOND,
    T_A,
    T_TH,
    T_W,
    THIRD,
    A,
    B,
    Matrix,
    Q,
    W,
    Work,
)
from linkwork.problems.step_state import set_base
from linkwork.spaces.euler_angles import (
    accelerations_from,
    alpha,
    coordinates_of,
    linearise,
    needs_rebase,
    omega,
    rates_from,
    rebase,
    retract,
    tangent,
    transpose_apply,
    transpose_variation,
)
from linkwork.system.packed import Tables

STRIDE = 6  # unknowns per body: rddot and the angles' second derivatives


@kernel
def begin(tables: Tables, work: Work) -> int:
    """Formulas at the new time, counted from the present pose; bodies near the singularity get a new reference
    rotation unless all keep theirs (work.coef[FIXED]). Returns how many."""
    evaluate_time(tables, work)
    unwrap_torsion_angles(tables, work)
    m, behind = work.motion, work.coef[BEHIND]
    rebased, fixed = 0, work.coef[FIXED].real != 0.0
    if behind != 0.0:
        for k in range(work.rate.shape[0]):
            work.rate_star[k] = work.rate[k]
    for b in range(tables.body.shape[0] - 1):
        if not fixed and needs_rebase(at4(m, b, Q)):
            end, _ = retract(at9(m, b, A), at9(m, b, REF), at4(m, b, Q), predicted(work, b))
            reference, q, qd, qdd = rebase(at9(m, b, A), at3(m, b, W), at3(m, b, ALPHA))
            carry_over(work, b, reference, work.carried, work.coef[LAG])
            carry_over(work, b, reference, work.z_old, work.coef[BEHIND])
            set9(m, b, REF, reference)
            set4(m, b, Q, q)
            for c in range(3):
                work.rate[STRIDE * b + 3 + c] = work.rate_star[STRIDE * b + 3 + c] = qd[c]
                work.z[STRIDE * b + 3 + c] = qdd[c]
            if behind != 0.0:
                q_end, dq = coordinates_of(end, reference), predicted(work, b)
                for c in range(3):
                    work.rate_star[STRIDE * b + 3 + c] += (q_end[c] - q[c] - dq[c]) / -behind
            rebased += 1
    set_base(m, work.base)
    return rebased


@kernel
def predicted(work: Work, b: int) -> Quad:
    """The angles' increment over the next step, four wide with a zero, second derivatives going on evenly."""
    k, coef = STRIDE * b + 3, work.coef
    d = (0.0, 0.0, 0.0)
    for c in range(3):
        x = work.z[k + c]
        dq = -coef[BEHIND] * work.rate[k + c] + coef[SECOND] * x + coef[THIRD] * (x - work.z_old[k + c])
        d = (d[1], d[2], dq)
    return (d[0], d[1], d[2], 0.0)


@kernel
def carry_over(work: Work, b: int, reference: Mat, second: Floats, s: float) -> None:
    """Second derivatives (npos,) of the angles at another instant, s from now, to angles from a new reference rotation.

    Both sets of angles are taken to that instant by Taylor series.
    """
    k = STRIDE * b + 3
    q = at4(work.motion, b, Q)
    x = (work.z[k], work.z[k + 1], work.z[k + 2], 0.0)
    v = (work.rate[k], work.rate[k + 1], work.rate[k + 2], 0.0)
    a = (second[k], second[k + 1], second[k + 2], 0.0)
    qd = (v[0] + s * x[0], v[1] + s * x[1], v[2] + s * x[2], 0.0)
    h = 0.5 * s * s
    dq = (s * v[0] + h * x[0], s * v[1] + h * x[1], s * v[2] + h * x[2], 0.0)
    A_, q = retract(at9(work.motion, b, A), at9(work.motion, b, REF), q, dq)
    w, al = omega(q, qd), alpha(q, qd, a)
    q = coordinates_of(A_, reference)
    a = accelerations_from(q, rates_from(q, w), w, al)
    for c in range(3):
        second[k + c] = a[c]


@kernel
def set_state(tables: Tables, work: Work) -> int:
    """Poses, velocities and accelerations of all bodies from the unknowns z."""
    for b in range(tables.body.shape[0] - 1):
        o = STRIDE * b
        set_translation(work, b, o)
        dq, qd, qdd = three_coordinates(work, o + 3)
        A0, R, q0 = start_of(work, b)
        A_, q = retract(A0, R, q0, dq)
        store_rotation(work, b, A_, q, omega(q, qd), alpha(q, qd, qdd))
    return 0


@kernel
def evaluate(tables: Tables, work: Work) -> int:
    """Place the bodies and fill the residual [Kissel 2021, eq. 44]."""
    set_state(tables, work)
    nb = tables.body.shape[0] - 1
    newton_euler(tables, work, STRIDE * nb)
    e, residual = work.e, work.residual
    for b in range(nb):
        o = STRIDE * b
        for c in range(3):
            residual[o + c] = e[b, c]
        y = transpose_apply(at4(work.motion, b, Q), at3(e, b, 3))
        for c in range(3):
            residual[o + 3 + c] = y[c]
    return 0


@kernel
def assemble(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Fill the iteration matrix at the state last evaluated [Kissel 2021, eq. 45]."""
    c_v, c_q = work.coef[C_V], work.coef[C_Q]
    nb = tables.body.shape[0] - 1
    index_3 = work.coef[LEVEL] != ACCELERATION_LEVEL
    for b in range(nb):
        q = at4(work.motion, b, Q)
        set12(matrix.tangent, b, B, tangent(q))
        if index_3:
            dq, qd, qdd = three_coordinates(work, STRIDE * b + 3)
            T_a, T_w, T_th = linearise(dq, q, qd, qdd, c_v, c_q)
            set12(matrix.tangent, b, T_A, T_a)
            set12(matrix.tangent, b, T_W, T_w)
            set12(matrix.tangent, b, T_TH, T_th)
        else:
            set12(matrix.tangent, b, T_A, tangent(q))
    if index_3:
        add_gyroscopic(tables, work, matrix)
    fill_matrix(tables, work, matrix)
    if index_3:
        for b in range(nb):
            change = transpose_variation(at4(work.motion, b, Q), at3(work.e, b, 3))
            for r in range(3):
                for c in range(3):
                    matrix.values[matrix.pair_pos[b, 3 + r, 3 + c]] += c_q * change[4 * r + c]
    return 0


@kernel
def assemble_kinematic(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Fill the matrix of phi_q = Pi B(q) (and the normalisation) at the present pose [Kissel 2021, eq. 14]."""
    for b in range(tables.body.shape[0] - 1):
        set12(matrix.tangent, b, B, tangent(at4(work.motion, b, Q)))
    fill_kinematic(tables, work, matrix)
    return 0


@kernel
def constrain(tables: Tables, work: Work) -> int:
    """The constraint equations at the level asked for, into the residual [Kissel 2021, eqs. 10, 15, 16]."""
    constrain_rows(tables, work)
    return 0


BEGIN = entry(begin, TABLES, WORK)
SET_STATE = entry(set_state, TABLES, WORK)
EVALUATE = entry(evaluate, TABLES, WORK)
ASSEMBLE = entry(assemble, TABLES, WORK, MATRIX)
# what only a kinematics analysis needs
ASSEMBLE_KINEMATIC = entry(assemble_kinematic, TABLES, WORK, MATRIX)
CONSTRAIN = entry(constrain, TABLES, WORK)
