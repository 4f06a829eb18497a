"""Momenta with couplings beside them: RATTLE and SHAKE of mechanisms with rigid couplings and rotors.

A rigid coupling is one more constraint phi_c(q) = 0 with multiplier mu, to the momenta what rows are
(`index_1.momenta`). A rotor of inertia I turns by theta = sum F(q): it is a body of one freedom, held by a constraint
g(q) - theta = 0, of which its angle is eliminated. With p its momentum, a step from q_0 to q_1 says

    I (theta_1 - theta_0) = h p_0 + h^2/2 mu_0,  g(q_1) - g(q_0) = theta_1 - theta_0
    p_1 = p_0 + h/2 mu_0 + h/2 mu_1,             J_1 V_1 = p_1 / I

so that J x - mu / I is given where J x is of a rigid coupling: the matrix is the one of accelerations (`Border`).

A ball's rotor turns by the relative rotation P = A_i^T A_j itself, which no angle gives: it is a body of three freedoms
with the inertia I in every direction and the discrete Lagrangian I |Theta|^2 / (2 h), exp(Theta~) = P_1 P_0^T. The
derivative of |Theta|^2 / 2 by a turn at either end of the step is Theta, or less Theta: the equations above stand, by
components along axes in body i, with Theta in the place of g(q_1) - g(q_0).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from linkwork.equations.coupled.explicit import BORDER, COUPLINGS, ROWS, Border, coupled_times
from linkwork.kernels.couplings import (
    FIRST,
    INERTIA,
    PHI,
    QUANTITY,
    TERMS,
    CoupledRows,
    Couplings,
    drive_couplings,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul_t, transpose
from linkwork.kernels.records import Shape
from linkwork.kernels.so3 import log_so3
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import dot
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A_0, TWIST_0, A, R, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.problems.momenta import InMomenta, MomentumEntries
from linkwork.status import Status
from linkwork.system.packed import Tables, system_of

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)


class CoupledMomenta(NamedTuple):
    """Entries in momenta of the problem inside, its arrays that couplings add to, and the rotors' own."""

    inside: MomentumEntries
    momentum: Annotated[Floats, Shape("nb + 1", 6), "of `index_1.momenta`"]
    kicked: Annotated[Floats, Shape("nb + 1", 6), "of `index_1.momenta`"]
    step: Annotated[Floats, Shape(1), "s: the step's size"]
    spin: Annotated[Floats, Shape("nk"), "N m s: p of rotors at the base"]
    carried: Annotated[Floats, Shape("nk"), "N m s: p at the step's end, before the second half"]
    angle: Annotated[Floats, Shape("nk"), "g of rotors at the base"]
    of_ball: Annotated[Ints, Shape("nk"), "1: of a ball's rotor, a component of Theta"]


@kernel
def set_momenta(tables: Tables, work: Work, couplings: Couplings, border: Border, momenta: CoupledMomenta) -> int:
    """Momenta at the base, p = I J V of rotors, from its twists."""
    twist = work.base[:, TWIST_0 : TWIST_0 + 6]
    for k in range(momenta.spin.shape[0]):
        momenta.spin[k] = couplings.number[k, INERTIA] * coupled_times(tables, couplings, border, k, twist)
    return int(momenta.inside.set_momenta(border.context))


@kernel
def put_weight(border: Border, momenta: CoupledMomenta) -> int:
    """f becomes the weight, by the problem inside."""
    return int(momenta.inside.put_weight(border.context))


@kernel
def keep_force(border: Border, momenta: CoupledMomenta) -> int:
    """f is kept as the force, by the problem inside."""
    return int(momenta.inside.keep_force(border.context))


@kernel
def kick(rows: CoupledRows, border: Border, momenta: CoupledMomenta) -> int:
    """The first half of a step's forces; where rotors stand at the base is kept."""
    for k in range(momenta.angle.shape[0]):
        momenta.angle[k] = rows.row[k, PHI]
    return int(momenta.inside.kick(border.context))


@kernel
def drift(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, border: Border, momenta: CoupledMomenta
) -> int:
    """The problem's, and eta of the couplings at base exp(psi); J is left as at the base."""
    status = int(momenta.inside.drift(border.context))
    if status != OK:
        return status
    m, system = work.motion, system_of(tables)
    drive_couplings(system, couplings, work.request.time[0], work.stack, rows)
    place_couplings(system, couplings, m[:, R : R + 3], m[:, A : A + 9], work.counted_angles, False, rows)
    for k in range(border.eta.shape[0]):
        border.eta[k] = -rows.row[k, PHI]
        if couplings.number[k, INERTIA] > 0.0:
            if momenta.of_ball[k] == 1:
                turned, known = turned_about(tables, work, couplings, k)
                if not known:
                    return ROTATION_TOO_LARGE
                border.eta[k] = -turned
            else:
                border.eta[k] += momenta.angle[k]
            border.eta[k] += momenta.step[0] * momenta.spin[k] / couplings.number[k, INERTIA]
    return OK


@kernel
def turned_about(tables: Tables, work: Work, couplings: Couplings, k: int) -> tuple[float, bool]:
    """F' n . Theta [rad] of component k of a ball's rotor, from the base to base exp(psi), and whether it is known:
    both bodies turn by less than half a turn together."""
    m = couplings.about[k, FIRST]
    q = couplings.term_about[m, QUANTITY]
    i, j, nb = tables.quantity_int[q, 1], tables.quantity_int[q, 2], work.f.shape[0] - 1
    total = 0.0
    for b in (i, j):
        if b < nb:
            w = (work.psi[6 * b], work.psi[6 * b + 1], work.psi[6 * b + 2])
            total += np.sqrt(dot(w, w))
    P_0 = matmul_t(at9(work.base, i, A_0), at9(work.base, j, A_0))
    P_1 = matmul_t(at9(work.motion, i, A), at9(work.motion, j, A))
    theta = log_so3(matmul_t(transpose(P_1), transpose(P_0)))
    return couplings.term[m, 0] * dot(at3(tables.quantity, q, 15), theta), total < np.pi


@kernel
def add_reactions(tables: Tables, work: Work, couplings: Couplings, border: Border, factor: float, out: Floats) -> None:
    """out (nb + 1, 6) += factor J^T mu of the couplings; the multipliers of rows are handed to the problem inside."""
    for c in range(border.lam.shape[0]):
        border.lam[c] = work.lam[c]
    for k in range(border.mu.shape[0]):
        begin = couplings.about[k, FIRST]
        for m in range(begin, begin + couplings.about[k, TERMS]):
            q = couplings.term_about[m, QUANTITY]
            for side in range(2):
                b = tables.quantity_int[q, 1 + side]
                for c in range(6):
                    out[b, c] += factor * border.mu[k] * border.J[m, 6 * side + c]


@kernel
def carry(tables: Tables, work: Work, couplings: Couplings, border: Border, momenta: CoupledMomenta) -> int:
    """Momenta that kick and multipliers amount to at base exp(psi): mu = step^2/2 mu_0, J the base's."""
    h = momenta.step[0]
    add_reactions(tables, work, couplings, border, -1.0 / h, momenta.kicked)
    for k in range(momenta.spin.shape[0]):
        momenta.carried[k] = momenta.spin[k] + border.mu[k] / h
    return int(momenta.inside.carry(border.context))


@kernel
def correct_rates(tables: Tables, work: Work, couplings: Couplings, border: Border, momenta: CoupledMomenta) -> int:
    """The problem's, and eta = p/I - J V of rotors; that of rigid couplings stands as nu - J V."""
    for k in range(momenta.spin.shape[0]):
        if couplings.number[k, INERTIA] > 0.0:
            momenta.spin[k] = momenta.carried[k]
            rate = coupled_times(tables, couplings, border, k, work.twist)
            border.eta[k] = momenta.spin[k] / couplings.number[k, INERTIA] - rate
    return int(momenta.inside.correct_rates(border.context))


@kernel
def subtract_reactions(
    tables: Tables, work: Work, couplings: Couplings, border: Border, momenta: CoupledMomenta
) -> int:
    """The momenta at the end of the step: less J^T lam and J^T mu of bodies, plus mu of rotors."""
    add_reactions(tables, work, couplings, border, -1.0, momenta.momentum)
    for k in range(momenta.spin.shape[0]):
        if couplings.number[k, INERTIA] > 0.0:
            momenta.spin[k] = momenta.carried[k] + border.mu[k]
    return int(momenta.inside.subtract_reactions(border.context))


(MOMENTA,) = slots(CoupledMomenta, after=BORDER)
SET_MOMENTA = entry(set_momenta, TABLES, WORK, COUPLINGS, BORDER, MOMENTA)
PUT_WEIGHT = entry(put_weight, BORDER, MOMENTA)
KEEP_FORCE = entry(keep_force, BORDER, MOMENTA)
KICK = entry(kick, ROWS, BORDER, MOMENTA)
DRIFT = entry(drift, TABLES, WORK, COUPLINGS, ROWS, BORDER, MOMENTA)
CARRY = entry(carry, TABLES, WORK, COUPLINGS, BORDER, MOMENTA)
CORRECT_RATES = entry(correct_rates, TABLES, WORK, COUPLINGS, BORDER, MOMENTA)
SUBTRACT_REACTIONS = entry(subtract_reactions, TABLES, WORK, COUPLINGS, BORDER, MOMENTA)


def coupled_in_momenta(inside: InMomenta) -> InMomenta:
    """The entries with couplings, from those of the problem inside."""
    return replace(
        inside,
        set_momenta=SET_MOMENTA,
        put_weight=PUT_WEIGHT,
        keep_force=KEEP_FORCE,
        kick=KICK,
        drift=DRIFT,
        carry=CARRY,
        correct_rates=CORRECT_RATES,
        subtract_reactions=SUBTRACT_REACTIONS,
    )
