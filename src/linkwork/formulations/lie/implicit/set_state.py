"""Bodies from the unknowns, and the residual [Müller 2013, eqs. 8, 18; Kissel 2021, eqs. 33-34].

On SE(3), with twist (omega, v), v = A^T rdot, and the increment d = (d_omega, d_v) over the step,

    A = A_0 exp(d_omega~),   r = r_0 + A_0 J_l(d_omega) d_v,   rdot = A v,   rddot = A (vdot + omega x v).

`group` (nb + 1,) is 1 for bodies on SE(3) and 0 for those on SO(3) x R^3.
"""

from __future__ import annotations

from typing import Annotated, Any

from linkwork.equations.index_3.coordinates import coordinate, store_rotation
from linkwork.equations.index_3.residual import newton_euler, set_translation
from linkwork.equations.time import evaluate_time, unwrap_angles
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul, rotate, rotate_t
from linkwork.kernels.records import Shape
from linkwork.kernels.se3 import dexp_so3
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Ints
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.context import LINEAR, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import A_0, ACC, R_0, A, R, V, Work
from linkwork.problems.layout import slots
from linkwork.problems.step_state import set_base
from linkwork.system.packed import Tables

STRIDE = 6  # unknowns per body
NO_COORDINATES = (0.0, 0.0, 0.0, 0.0)


@kernel
def begin(tables: Tables, work: Work) -> int:
    """Formulas at the new time, counted from the present pose. Returns how many bodies were re-based: none here."""
    evaluate_time(tables, work)
    unwrap_angles(tables, work)
    set_base(work.motion, work.base)
    return 0


@kernel
def twist_coordinates(work: Work, k: int) -> Any:
    """(increment, rate, its derivative) of three unknowns from k on; the rates are written."""
    x, y, z = coordinate(work, k), coordinate(work, k + 1), coordinate(work, k + 2)
    return (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])


@kernel
def set_state(tables: Tables, work: Work, group: Ints) -> int:
    """Poses, velocities and accelerations of all bodies from the unknowns z."""
    for b in range(tables.body.shape[0] - 1):
        o = STRIDE * b
        dw, w, al = twist_coordinates(work, o + 3)
        A0 = at9(work.base, b, A_0)
        A_ = matmul(A0, exp_so3(dw))
        if group[b] == 1:
            dv, v, vd = twist_coordinates(work, o)
            set3(work.motion, b, R, add(at3(work.base, b, R_0), rotate(A0, dexp_so3(dw, dv))))
            set3(work.motion, b, V, rotate(A_, v))
            set3(work.motion, b, ACC, rotate(A_, add(vd, cross(w, v))))
        else:
            set_translation(work, b, o)
        store_rotation(work, b, A_, NO_COORDINATES, w, al)
    return 0


@kernel
def evaluate(tables: Tables, work: Work, group: Ints) -> int:
    """Set the state and fill the residual; forces on a body on SE(3) are balanced in the body's components."""
    set_state(tables, work, group)
    nb = tables.body.shape[0] - 1
    newton_euler(tables, work, STRIDE * nb)
    e, residual = work.e, work.residual
    for b in range(nb):
        force = at3(e, b, 0)
        if group[b] == 1:
            force = rotate_t(at9(work.motion, b, A), force)
        for c in range(3):
            residual[STRIDE * b + c] = force[c]
            residual[STRIDE * b + 3 + c] = e[b, 3 + c]
    return 0


(GROUP,) = slots(Annotated[Ints, Shape("nb + 1")], after=LINEAR)  # of each body, 1: SE(3), 0: SO(3) x R^3
BEGIN = entry(begin, TABLES, WORK)
SET_STATE = entry(set_state, TABLES, WORK, GROUP)
EVALUATE = entry(evaluate, TABLES, WORK, GROUP)
