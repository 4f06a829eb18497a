"""Kernels of index-3 equations in absolute coordinates, for any way of writing rotations [Kissel 2021, section 3].

A space (`linkwork.spaces`) says what rotations are written in; the rest is the same for all. Per body the unknowns are
rddot and the second derivatives of SIZE coordinates of its rotation, or omegadot where increments live in the algebra;
last come multipliers of the coordinates' own constraint where there is one.

    BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN = entries_of(absolute_kernels(space), __name__)
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from linkwork.equations.index_3.coordinates import four_coordinates, start_of, store_rotation, three_coordinates
from linkwork.equations.index_3.iteration_matrix import add_gyroscopic, fill_matrix, fill_normalisation
from linkwork.equations.index_3.kinematic_matrix import constrain_normalisation, constrain_rows, fill_kinematic
from linkwork.equations.index_3.rebasing import rebasing_of
from linkwork.equations.index_3.residual import newton_euler, set_translation
from linkwork.equations.time import evaluate_time, unwrap_angles
from linkwork.kernels.jit import kernel
from linkwork.kernels.tuple_access import at3, at4, set12
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import Entry
from linkwork.problems.implicit import T_A, T_TH, T_W, B, Matrix, Q, Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.problems.step_state import set_base
from linkwork.system.packed import Tables

Begin = Callable[[Tables, Work], int]
Assemble = Callable[[Tables, Work, Matrix], int]


class AbsoluteKernels(NamedTuple):
    """Of one space, in the words of `problems.implicit.ImplicitProblem`; the last two are for kinematics alone."""

    begin: Begin
    set_state: Begin
    evaluate: Begin
    assemble: Assemble
    assemble_kinematic: Assemble
    constrain: Begin


def absolute_kernels(space: ModuleType) -> AbsoluteKernels:
    """The kernels of a space. Three coordinates are singular somewhere: bodies near there are re-based."""
    set_state = set_state_of(space)
    begin = begin_with_rebasing(space) if space.SIZE == 3 and not space.ALGEBRA else begin_in_place
    return AbsoluteKernels(begin, set_state, evaluate_of(space, set_state), assemble_of(space), *kinematics_of(space))


def entries_of(kernels: AbsoluteKernels, module: str) -> tuple[Entry, ...]:
    """Their entries, in the same order. module : where they get their names, BEGIN, SET_STATE, ..."""
    plain, with_matrix = (TABLES, WORK), (TABLES, WORK, MATRIX)
    slots = (plain, plain, plain, with_matrix, with_matrix, plain)
    return tuple(Entry(each, parts, module) for each, parts in zip(iter(kernels), slots, strict=True))


@kernel
def begin_in_place(tables: Tables, work: Work) -> int:
    """Formulas at the new time, counted from the present pose. Returns how many bodies were re-based: none here."""
    evaluate_time(tables, work)
    unwrap_angles(tables, work)
    set_base(work.motion, work.base)
    return 0


def begin_with_rebasing(space: ModuleType) -> Begin:
    """`begin_in_place`, with a new reference rotation for bodies near a singularity of their coordinates."""
    rebase_bodies = rebasing_of(space)

    @kernel
    def begin(tables: Tables, work: Work) -> int:
        """Formulas at the new time, counted from the present pose. Returns how many bodies were re-based."""
        evaluate_time(tables, work)
        unwrap_angles(tables, work)
        rebased = rebase_bodies(tables, work)
        set_base(work.motion, work.base)
        return rebased

    return begin


def set_state_of(space: ModuleType) -> Begin:
    """Poses from unknowns."""
    stride, coordinates = 3 + space.SIZE, three_coordinates if space.SIZE == 3 else four_coordinates
    retract, omega, alpha = space.retract, space.omega, space.alpha

    @kernel
    def set_state(tables: Tables, work: Work) -> int:
        """Poses, velocities and accelerations of all bodies from the unknowns z."""
        for b in range(tables.body.shape[0] - 1):
            o = stride * b
            set_translation(work, b, o)
            dq, qd, qdd = coordinates(work, o + 3)
            A0, R, q0 = start_of(work, b)
            A, q = retract(A0, R, q0, dq)
            store_rotation(work, b, A, q, omega(q, qd), alpha(q, qd, qdd))
        return 0

    return set_state


def evaluate_of(space: ModuleType, set_state: Begin) -> Begin:
    """The residual."""
    size, stride, normalised = space.SIZE, 3 + space.SIZE, space.NORMALISED
    transpose_apply, normalisation = space.transpose_apply, space.normalisation

    @kernel
    def evaluate(tables: Tables, work: Work) -> int:
        """Place the bodies and fill the residual [Kissel 2021, eqs. 34, 41, 44]."""
        set_state(tables, work)
        nb = tables.body.shape[0] - 1
        newton_euler(tables, work, stride * nb)
        e, residual = work.e, work.residual
        first = stride * nb + tables.row_int.shape[0]
        index_3 = work.request.level[0] != ACCELERATION_LEVEL
        for b in range(nb):
            o = stride * b
            for c in range(3):
                residual[o + c] = e[b, c]
            q = at4(work.motion, b, Q)
            y = transpose_apply(q, at3(e, b, 3))
            for c in range(size):
                residual[o + 3 + c] = y[c]
            if normalised:
                for c in range(size):
                    residual[o + 3 + c] += q[c] * work.z[first + b]
                if index_3:
                    residual[first + b] = normalisation(q) / work.request.c_q[0]
                else:
                    _, qd, qdd = four_coordinates(work, o + 3)
                    residual[first + b] = (
                        q[0] * qdd[0] + q[1] * qdd[1] + q[2] * qdd[2] + q[3] * qdd[3]
                        + qd[0] * qd[0] + qd[1] * qd[1] + qd[2] * qd[2] + qd[3] * qd[3]
                    )  # fmt: skip
        return 0

    return evaluate


def assemble_of(space: ModuleType) -> Assemble:
    """The iteration matrix."""
    size, stride, constant, normalised = space.SIZE, 3 + space.SIZE, space.ALGEBRA, space.NORMALISED
    coordinates = three_coordinates if size == 3 else four_coordinates
    tangent, linearise, transpose_variation = space.tangent, space.linearise, space.transpose_variation

    @kernel
    def assemble(tables: Tables, work: Work, matrix: Matrix) -> int:
        """Fill the iteration matrix at the state last evaluated [Kissel 2021, eqs. 38, 42, 45]."""
        c_v, c_q = work.request.c_v[0], work.request.c_q[0]
        nb = tables.body.shape[0] - 1
        index_3 = work.request.level[0] != ACCELERATION_LEVEL
        for b in range(nb):
            q = at4(work.motion, b, Q)
            set12(matrix.tangent, b, B, tangent(q))
            if index_3:
                dq, qd, qdd = coordinates(work, stride * b + 3)
                T_a, T_w, T_th = linearise(dq, q, qd, qdd, c_v, c_q)
                set12(matrix.tangent, b, T_A, T_a)
                set12(matrix.tangent, b, T_W, T_w)
                set12(matrix.tangent, b, T_TH, T_th)
            else:
                set12(matrix.tangent, b, T_A, tangent(q))
        if index_3:
            add_gyroscopic(tables, work, matrix)
        fill_matrix(tables, work, matrix)
        if normalised:
            fill_normalisation(work, matrix)
        if index_3 and not constant:
            first = stride * nb + tables.row_int.shape[0]
            for b in range(nb):
                change = transpose_variation(at4(work.motion, b, Q), at3(work.e, b, 3))
                mu = work.z[first + b] if normalised else 0.0
                for r in range(size):
                    for c in range(size):
                        on_diagonal = mu if r == c else 0.0
                        matrix.values[matrix.pair_pos[b, 3 + r, 3 + c]] += c_q * (change[4 * r + c] + on_diagonal)
        return 0

    return assemble


def kinematics_of(space: ModuleType) -> tuple[Assemble, Begin]:
    """The matrix and the residual of the constraint equations alone."""
    stride, normalised, tangent = 3 + space.SIZE, space.NORMALISED, space.tangent

    @kernel
    def assemble_kinematic(tables: Tables, work: Work, matrix: Matrix) -> int:
        """Fill the matrix of phi_q = Pi B(q) (and the normalisation) at the present pose [Kissel 2021, eq. 14]."""
        for b in range(tables.body.shape[0] - 1):
            set12(matrix.tangent, b, B, tangent(at4(work.motion, b, Q)))
        fill_kinematic(tables, work, matrix)
        if normalised:
            fill_normalisation(work, matrix)
        return 0

    @kernel
    def constrain(tables: Tables, work: Work) -> int:
        """The constraint equations at the level asked for, into the residual [Kissel 2021, eqs. 10, 15, 16]."""
        constrain_rows(tables, work)
        if normalised:
            constrain_normalisation(tables, work, stride)
        return 0

    return assemble_kinematic, constrain
