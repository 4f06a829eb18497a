"""Momenta of bodies on their groups, for methods that kick and drift: RATTLE and SHAKE.

The discrete Lagrangian X^T M X / (2 h) - h (U(q_0) + U(q_1)) / 2 of a step from q_0 to q_1 = q_0 exp(X), with
multipliers for the constraints at both ends, gives (Bou-Rabee, Marsden 2009; Hante, Arnold 2021)

    dexp_X^-T M X / h = mu_0 + h/2 f(q_0) - h/2 J_0^T lambda_0,      phi(q_1) = 0
    mu_1 = Ad*_X (mu_0 + h/2 f(q_0) - h/2 J_0^T lambda_0) + h/2 f(q_1) - h/2 J_1^T lambda_1,      J_1 M^-1 mu_1 = nu_1

mu = M V are the momenta in the components of a body's group, f the forces without those of inertia. Ad*_X leaves
spatial momentum as it is: what a body, or a mechanism without ground, has of it is kept to rounding.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from linkwork.equations.time import evaluate_time
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.records import Shape
from linkwork.kernels.rows.table import evaluate_rows
from linkwork.kernels.se3 import dexp_inv_so3, dexp_inv_t_se3
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import Vec, add, cross, dot, neg, scale, sub
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A_0, R_0, TWIST_0, A, R, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.implicit import DRIVE, PHI
from linkwork.problems.layout import slots
from linkwork.problems.momenta import InMomenta
from linkwork.spaces.groups import product, se3
from linkwork.status import Status
from linkwork.system.packed import Tables, rows_of

OK, ROTATION_TOO_LARGE, NOT_FINITE = int(Status.OK), int(Status.ROTATION_TOO_LARGE), int(Status.NOT_FINITE)
LARGEST_TURN2 = 9.0  # [rad^2] of a body within a step


class Momenta(NamedTuple):
    """What these entries read and write besides the problem's arrays. Wrenches and momenta: torque before force."""

    momentum: Annotated[Floats, Shape("nb + 1", 6), "N m s, N s: mu of every body at the base"]
    force: Annotated[Floats, Shape("nb + 1", 6), "N m, N: all forces but those of inertia and reactions, at the base"]
    kicked: Annotated[Floats, Shape("nb + 1", 6), "momenta after the first half of a step's forces"]
    carried: Annotated[Floats, Shape("nb + 1", 6), "momenta at the step's end, before the second half"]
    rows: Annotated[Floats, Shape("nc", 12), "work space: Jacobian parts at the end of the step"]
    step: Annotated[Floats, Shape(1), "s: the step's size"]


@kernel
def set_momenta(tables: Tables, work: Work, momenta: Momenta) -> int:
    """momentum = M V of the base's twists."""
    for b in range(momenta.momentum.shape[0] - 1):
        put(momenta.momentum, b, times_mass(tables, b, at3(work.base, b, TWIST_0), at3(work.base, b, TWIST_0 + 3)))
    return OK


@kernel
def times_mass(tables: Tables, b: int, w: Vec, v: Vec) -> tuple[Vec, Vec]:
    """M (w, v) of body b: its frame stands in its centre of mass."""
    return rotate(at9(tables.body, b, 1), w), scale(tables.body[b, 0], v)


@kernel
def put(table: Floats, b: int, pair: tuple[Vec, Vec]) -> None:
    """A row of six, angular part first."""
    set3(table, b, 0, pair[0])
    set3(table, b, 3, pair[1])


@kernel
def put_weight(tables: Tables, work: Work) -> int:
    """f (nb, 6) = weight in the twists' components: `right_sides` without what inertia adds."""
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    for b in range(work.f.shape[0] - 1):
        weight = scale(tables.body[b, 0], g)
        if work.group[b] == 1:
            weight = rotate_t(at9(work.motion, b, A), weight)
        put(work.f, b, ((0.0, 0.0, 0.0), weight))
    return OK


@kernel
def keep_force(tables: Tables, work: Work, momenta: Momenta) -> int:
    """Keep f (nb, 6) as the force at the base."""
    for b in range(work.f.shape[0] - 1):
        for c in range(6):
            momenta.force[b, c] = work.f[b, c]
    return OK


@kernel
def kick(tables: Tables, work: Work, momenta: Momenta) -> int:
    """kicked = momentum + step/2 force."""
    half = 0.5 * momenta.step[0]
    for b in range(work.f.shape[0] - 1):
        for c in range(6):
            momenta.kicked[b, c] = momenta.momentum[b, c] + half * momenta.force[b, c]
    return OK


@kernel
def drift(tables: Tables, work: Work, momenta: Momenta) -> int:
    """Poses base exp(psi); f = step kicked - dexp_psi^-T M psi, eta = -phi(base exp(psi)). J is left as at the base.

    With M x + J^T (step^2/2 lambda_0) = f, J x = eta psi + x is nearer to the end of the step.
    """
    evaluate_time(tables, work)
    m, base, psi, f, h = work.motion, work.base, work.psi, work.f, momenta.step[0]
    for b in range(f.shape[0] - 1):
        o = 6 * b
        w, v = (psi[o], psi[o + 1], psi[o + 2]), (psi[o + 3], psi[o + 4], psi[o + 5])
        if not dot(w, w).real < LARGEST_TURN2:
            return ROTATION_TOO_LARGE
        torque, force = times_mass(tables, b, w, v)
        if work.group[b] == 1:
            A_1, r_1 = se3.compose(at9(base, b, A_0), at3(base, b, R_0), w, v)
            torque, force = dexp_inv_t_se3(w, v, torque, force)
        else:
            A_1, r_1 = product.compose(at9(base, b, A_0), at3(base, b, R_0), w, v)
            torque = dexp_inv_so3(neg(w), torque)
        set9(m, b, A, A_1)
        set3(m, b, R, r_1)
        kicked = momenta.kicked
        set3(f, b, 0, sub(scale(h, at3(kicked, b, 0)), torque))
        set3(f, b, 3, sub(scale(h, at3(kicked, b, 3)), force))
    row, G = work.row, momenta.rows
    r, A_, d = m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows_of(tables), r, A_, d, row[:, PHI], G[:, 0:6], G[:, 6:12])
    for k in range(row.shape[0]):
        work.eta[k] = -row[k, PHI]
    return OK


@kernel
def add_reactions(tables: Tables, work: Work, factor: float, out: Floats) -> None:
    """out (nb + 1, 6) += factor J^T lam."""
    J = work.J
    for k in range(J.shape[0]):
        amount = factor * work.lam[k]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            for c in range(6):
                out[b, c] += amount * J[k, 6 * side + c]


@kernel
def carry(tables: Tables, work: Work, momenta: Momenta) -> int:
    """carried = Ad* (kicked - J^T lam / step) from the base to base exp(psi); lam = step^2/2 lambda_0, J the base's."""
    add_reactions(tables, work, -1.0 / momenta.step[0], momenta.kicked)
    m, base = work.motion, work.base
    for b in range(work.f.shape[0] - 1):
        A_0_, A_1 = at9(base, b, A_0), at9(m, b, A)
        torque, force = rotate(A_0_, at3(momenta.kicked, b, 0)), at3(momenta.kicked, b, 3)
        if work.group[b] == 1:
            force = rotate(A_0_, force)
            torque = add(torque, cross(sub(at3(base, b, R_0), at3(m, b, R)), force))
            force = rotate_t(A_1, force)
        put(momenta.carried, b, (rotate_t(A_1, torque), force))
    return OK


@kernel
def correct_rates(tables: Tables, work: Work, momenta: Momenta) -> int:
    """force = f, momentum = carried + step/2 force, then f = momentum - M V with the twists V that are set.

    eta stands as nu - J V. With M x + J^T (step/2 lambda_1) = f, J x = eta V + x are the twists at the end of the step.
    """
    half, total = 0.5 * momenta.step[0], 0.0
    keep_force(tables, work, momenta)
    for b in range(work.f.shape[0] - 1):
        torque, force = times_mass(tables, b, at3(work.twist, b, 0), at3(work.twist, b, 3))
        for c in range(3):
            momenta.momentum[b, c] = momenta.carried[b, c] + half * momenta.force[b, c]
            momenta.momentum[b, 3 + c] = momenta.carried[b, 3 + c] + half * momenta.force[b, 3 + c]
            work.f[b, c] = momenta.momentum[b, c] - torque[c]
            work.f[b, 3 + c] = momenta.momentum[b, 3 + c] - force[c]
            total += work.f[b, c] + work.f[b, 3 + c]
    return OK if (total - total).real == 0.0 else NOT_FINITE


@kernel
def subtract_reactions(tables: Tables, work: Work, momenta: Momenta) -> int:
    """momentum -= J^T lam: the momenta at the end of the step."""
    add_reactions(tables, work, -1.0, momenta.momentum)
    return OK


(MOMENTA,) = slots(Momenta, last=True)
SET_MOMENTA = entry(set_momenta, TABLES, WORK, MOMENTA)
PUT_WEIGHT = entry(put_weight, TABLES, WORK)
KEEP_FORCE = entry(keep_force, TABLES, WORK, MOMENTA)
KICK = entry(kick, TABLES, WORK, MOMENTA)
DRIFT = entry(drift, TABLES, WORK, MOMENTA)
CARRY = entry(carry, TABLES, WORK, MOMENTA)
CORRECT_RATES = entry(correct_rates, TABLES, WORK, MOMENTA)
SUBTRACT_REACTIONS = entry(subtract_reactions, TABLES, WORK, MOMENTA)


def in_momenta(momenta: Momenta) -> InMomenta:
    """The entries, and where they find the size of a step."""
    return InMomenta(
        SET_MOMENTA, PUT_WEIGHT, KEEP_FORCE, KICK, DRIFT, CARRY, CORRECT_RATES, SUBTRACT_REACTIONS, momenta.momentum,
        momenta.kicked, momenta.step,
    )  # fmt: skip
