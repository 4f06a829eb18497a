"""Constraint rows in the twelve parameters (r, A) of each body: derivatives and gamma.

All joints are made of rows that are products of vectors linear in (r, A): c . d (spherical joints: linear, their
gamma is f'' alone), a_i . a_j, differences of two such, a_i . d and d . d with a = A a_bar and
d = r_j + A_j s_j - r_i - A_i s_i. So the derivative by A is a sum of tensor products, and gamma is f'' - 2 udot . wdot,
without angular velocities and without A^T A = I [Dumitriu 2015, eqs. 13-14, 24].

The few rows that are written with angular velocities (rolling, knife edge, PFAFFIAN) enter as couples: Pi in the body
becomes A Pi~ / 2, as torques do.
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.work import ElementWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, mat_add, mat_scale, matmul, outer, rotate, skew
from linkwork.kernels.rows import angle
from linkwork.kernels.tables import ANGLE, CD, CV, DP1, DP2, SCREW, D, Floats
from linkwork.kernels.tuple_access import at3, at9, set9
from linkwork.kernels.vec3 import Vec, add, axpy, dot, scale, sub
from linkwork.problems.explicit import A, R, V, Work
from linkwork.problems.implicit import DRIVE, GAMMA
from linkwork.system.packed import Tables

NOTHING: Mat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def differentiate_rows(tables: Tables, work: Work, elements: ElementWork) -> None:
    """G by r (nc, 6), GR = d phi / d A (nc, 18) and gamma of every row [Dumitriu 2015, eqs. 13, 24].

    Reads motion, Adot, and phi, G and gamma of `rows.table`, which stand in work already; writes GR and row's gamma.
    """
    x, m, row = tables.row, work.motion, work.row
    for k in range(tables.row_int.shape[0]):
        kind, i, j = tables.row_int[k, 0], tables.row_int[k, 1], tables.row_int[k, 2]
        A_i, A_j = at9(m, i, A), at9(m, j, A)
        B_i, B_j = at9(elements.Adot, i, 0), at9(elements.Adot, j, 0)
        a_i, s_i, s_j = at3(x, k, 0), at3(x, k, 9), at3(x, k, 12)
        f2 = row[k, DRIVE + 2]
        if kind == CD:
            put(elements, k, mat_scale(-1.0, outer(a_i, s_i)), outer(a_i, s_j))
            row[k, GAMMA] = f2
        elif kind == DP1:
            a_j = at3(x, k, 6)
            put(elements, k, outer(rotate(A_j, a_j), a_i), outer(rotate(A_i, a_i), a_j))
            row[k, GAMMA] = f2 - 2.0 * dot(rotate(B_i, a_i), rotate(B_j, a_j))
        elif kind == CV:
            b_i, a_j, n = at3(x, k, 3), at3(x, k, 6), at3(x, k, 15)
            on_i = mat_add(outer(rotate(A_j, a_j), b_i), mat_scale(-1.0, outer(rotate(A_j, n), a_i)))
            on_j = mat_add(outer(rotate(A_i, b_i), a_j), mat_scale(-1.0, outer(rotate(A_i, a_i), n)))
            put(elements, k, on_i, on_j)
            along = dot(rotate(B_i, b_i), rotate(B_j, a_j)) - dot(rotate(B_i, a_i), rotate(B_j, n))
            row[k, GAMMA] = f2 - 2.0 * along
        elif kind == DP2:
            u, d = rotate(A_i, a_i), distance(m, i, j, A_i, A_j, s_i, s_j, R)
            put(elements, k, mat_add(outer(d, a_i), mat_scale(-1.0, outer(u, s_i))), outer(u, s_j))
            row[k, GAMMA] = f2 - 2.0 * dot(rotate(B_i, a_i), distance(m, i, j, B_i, B_j, s_i, s_j, V))
        elif kind == D:
            d, ddot = distance(m, i, j, A_i, A_j, s_i, s_j, R), distance(m, i, j, B_i, B_j, s_i, s_j, V)
            put(elements, k, mat_scale(-2.0, outer(d, s_i)), mat_scale(2.0, outer(d, s_j)))
            row[k, GAMMA] = f2 - 2.0 * dot(ddot, ddot)
        elif kind == ANGLE:
            f, f1, a_j, b_i = row[k, DRIVE], row[k, DRIVE + 1], at3(x, k, 6), at3(x, k, 3)
            e, g = angle.normal(f, a_i, b_i), angle.along(f, a_i, b_i)
            w, wdot = rotate(A_j, a_j), rotate(B_j, a_j)
            put(elements, k, outer(w, e), outer(rotate(A_i, e), a_j))
            turned = add(rotate(B_i, e), scale(-f1, rotate(A_i, g)))
            turned_twice = axpy(-f2, rotate(A_i, g), axpy(-f1 * f1, rotate(A_i, e), scale(-2.0 * f1, rotate(B_i, g))))
            row[k, GAMMA] = -dot(turned_twice, w) - 2.0 * dot(turned, wdot)
        elif kind == SCREW:
            f, f1, p, a_j, b_i, n = (
                row[k, DRIVE],
                row[k, DRIVE + 1],
                x[k, 18],
                at3(x, k, 6),
                at3(x, k, 3),
                at3(x, k, 15),
            )
            axis, d = rotate(A_i, n), distance(m, i, j, A_i, A_j, s_i, s_j, R)
            turning, ddot = rotate(B_i, n), distance(m, i, j, B_i, B_j, s_i, s_j, V)
            u, u1 = (dot(axis, d) - f) / p, (dot(turning, d) + dot(axis, ddot) - f1) / p
            e, g = angle.normal(u, a_i, b_i), angle.along(u, a_i, b_i)
            x_i, w, wdot = rotate(A_i, e), rotate(A_j, a_j), rotate(B_j, a_j)
            c = dot(rotate(A_i, g), w)
            on_i = mat_add(outer(d, n), mat_scale(-1.0, outer(axis, s_i)))
            put(
                elements,
                k,
                mat_add(mat_scale(c, on_i), mat_scale(-p, outer(w, e))),
                mat_add(mat_scale(c, outer(axis, s_j)), mat_scale(-p, outer(x_i, a_j))),
            )
            x1 = axpy(-u1, rotate(A_i, g), rotate(B_i, e))
            turned_twice = axpy(u1 * u1, x_i, scale(2.0 * u1, rotate(B_i, g)))
            row[k, GAMMA] = c * (f2 - 2.0 * dot(turning, ddot)) + p * (2.0 * dot(x1, wdot) - dot(turned_twice, w))
        else:
            put(elements, k, couple(A_i, at3(work.G, k, 3)), couple(A_j, at3(work.G, k, 9)))


@kernel
def put(elements: ElementWork, k: int, first: Mat, second: Mat) -> None:
    """Write a row's derivatives by A_i and A_j."""
    set9(elements.GR, k, 0, first)
    set9(elements.GR, k, 9, second)


@kernel
def distance(m: Floats, i: int, j: int, A_i: Mat, A_j: Mat, s_i: Vec, s_j: Vec, c: float) -> Any:
    """d from positions (c = R) and rotations, or ddot from velocities (c = V) and rotation rates."""
    return sub(add(at3(m, j, c), rotate(A_j, s_j)), add(at3(m, i, c), rotate(A_i, s_i)))


@kernel
def couple(A_b: Mat, torque: Vec) -> Mat:
    """A torque~ / 2: a torque in the body as a generalised effort on A. It leaves the multipliers Lambda as small as
    they can be, and is fixed so for all torques [Dumitriu 2015, eq. 9]."""
    return mat_scale(0.5, matmul(A_b, skew(torque)))
