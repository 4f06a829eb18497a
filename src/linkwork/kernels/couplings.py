"""Rigid couplings of joint coordinates: rows sum F_m(q_m) + b = f(t) over any number of quantities, and rotors.

A quantity q (`kernels.quantities`) lies between two bodies; a coupling of several touches as many pairs of bodies, and
so is no row of `kernels.rows`. F is a polynomial of q without its constant part, plus a table's curve:

    F(q) = c1 q + c2 q^2 + c3 q^3 + c4 q^4 + c curve(q),        Fdot = F' qdot,     qdot = W u

with W the parts of the quantity and u = (rdot, omega) of its two bodies. A rotor turns at sum F_m' qdot_m with an
inertia of its own: it gives the torque -I d/dt(sum F_m' qdot_m) along them, and carries no row.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.curves import jet_curve
from linkwork.kernels.formula import evaluate_program
from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.kinds import NUMBER
from linkwork.kernels.quantities.table import gradient_of, parts_of, rate_gradient, times, value_of, velocities
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats, Ints, System

FIRST, TERMS, PROGRAM, ROW = 0, 1, 2, 3  # columns of `Couplings.about`
CONSTANT, DRIVE, INERTIA = 0, 1, 2  # columns of `Couplings.number`
QUANTITY, CURVE = 0, 1  # columns of `Couplings.term_about`
FACTOR, PERIOD = 4, 5  # columns of `Couplings.term`, behind the polynomial's coefficients
# columns of the work of a coupling
F, F1, F2, PHI, NU, GAMMA = range(6)
ANGLE = NUMBER["TURN"]


class Couplings(NamedTuple):
    """All couplings of a mechanism, rigid ones first, then rotors."""

    about: Annotated[Ints, Shape("nk", 4), "first term, number of terms, program of f (-1: constant), row (-1: rotor)"]
    number: Annotated[Floats, Shape("nk", 3), "constant part b, f where it is constant, inertia of a rotor (else 0)"]
    term_about: Annotated[Ints, Shape("terms", 2), "quantity, curve (-1: none)"]
    term: Annotated[Floats, Shape("terms", 6), "c1 c2 c3 c4 of the polynomial, factor and period of the curve"]


class CoupledRows(NamedTuple):
    """What kernels find of couplings at a state."""

    row: Annotated[Floats, Shape("nk", 6), "f, f', f'', phi, nu, gamma"]
    W: Annotated[Floats, Shape("terms", 12), "F' times the parts of each term's quantity, for u of its two bodies"]
    derivative: Annotated[Floats, Shape("terms", 2), "F' and F'' of each term"]
    scratch: Annotated[Floats, Shape(12, 12), "work space"]


NO_COUPLINGS = Couplings(
    np.zeros((0, 4), dtype=np.int64), np.zeros((0, 3)), np.zeros((0, 2), dtype=np.int64), np.zeros((0, 6))
)


@kernel
def law(system: System, couplings: Couplings, m: int, q: Any) -> tuple[Any, Any, Any]:
    """F of term m and its first two derivatives at q."""
    c = couplings.term
    c1, c2, c3, c4 = c[m, 0], c[m, 1], c[m, 2], c[m, 3]
    g = q * (c1 + q * (c2 + q * (c3 + q * c4)))
    g1 = c1 + q * (2.0 * c2 + q * (3.0 * c3 + q * 4.0 * c4))
    g2 = 2.0 * c2 + q * (6.0 * c3 + q * 12.0 * c4)
    if couplings.term_about[m, CURVE] >= 0:
        period, x = c[m, PERIOD], q
        if period > 0.0:
            x = q - period * np.floor(q.real / period)
        one = 0.0 * q + 1.0
        y, y1, y2 = jet_curve(system.curves, couplings.term_about[m, CURVE], (x, one, 0.0 * q))
        g, g1, g2 = g + c[m, FACTOR] * y, g1 + c[m, FACTOR] * y1, g2 + c[m, FACTOR] * y2
    return g, g1, g2


@kernel
def drive_couplings(system: System, couplings: Couplings, t: Any, stack: Any, out: CoupledRows) -> None:
    """f, f', f'' of every coupling at time t."""
    for k in range(couplings.about.shape[0]):
        p = couplings.about[k, PROGRAM]
        if p < 0:
            out.row[k, F] = couplings.number[k, DRIVE]
            out.row[k, F1] = 0.0
            out.row[k, F2] = 0.0
        else:
            f, f1, f2 = evaluate_program(system.programs, p, t, stack)
            out.row[k, F] = f
            out.row[k, F1] = f1
            out.row[k, F2] = f2


@kernel
def put_parts(out: Floats, m: int, factor: Any, p: Any) -> None:
    """Row m of a table of twelve columns = factor times four vectors."""
    for side in range(4):
        v = p[0] if side == 0 else p[1] if side == 1 else p[2] if side == 2 else p[3]
        out[m, 3 * side] = factor * v[0]
        out[m, 3 * side + 1] = factor * v[1]
        out[m, 3 * side + 2] = factor * v[2]


@kernel
def place_couplings(
    system: System, couplings: Couplings, r: Any, A: Any, previous: Any, exact: bool, out: CoupledRows
) -> None:
    """phi, nu and W at a pose. previous : counted angles at the last step, those of quantities last.

    exact : W as the derivative of the value, which differs from that of the rate where joints do not hold.
    """
    q = system.quantities
    first = previous.shape[0] - q.kind.shape[0]
    for k in range(couplings.about.shape[0]):
        phi = couplings.number[k, CONSTANT] - out.row[k, F]
        begin = couplings.about[k, FIRST]
        for m in range(begin, begin + couplings.about[k, TERMS]):
            n = couplings.term_about[m, QUANTITY]
            g, g1, g2 = law(system, couplings, m, value_of(q.kind[n], q, n, r, A, previous[first + n]))
            phi = phi + g
            out.derivative[m, 0] = g1
            out.derivative[m, 1] = g2
            if exact:
                put_parts(out.W, m, g1, gradient_of(q.kind[n], q, n, r, A))
            else:
                put_parts(out.W, m, g1, parts_of(q.kind[n], q, n, r, A))
        out.row[k, PHI] = phi
        out.row[k, NU] = out.row[k, F1]


@kernel
def angles_known(couplings: Couplings, rows: CoupledRows) -> bool:
    """Whether all rigid couplings know their angles: none has turned so far from the last step's that its turns are in
    doubt (`angles.told`). From what `place_couplings` wrote."""
    known = True
    for k in range(couplings.about.shape[0]):
        if couplings.number[k, INERTIA] == 0.0 and not abs(rows.row[k, PHI].real) < np.inf:
            known = False
    return known


@kernel
def is_angle(system: System, couplings: Couplings, k: int, term: int) -> bool:
    """Whether a term of coupling k, no rotor, is of an angle that is counted with its turns."""
    kind = system.quantities.kind[couplings.term_about[term, QUANTITY]]
    return bool(couplings.number[k, INERTIA] == 0.0 and kind == ANGLE)


@kernel
def coupling_gammas(system: System, couplings: Couplings, r: Any, A: Any, v: Any, w: Any, out: CoupledRows) -> None:
    """gamma of W udot = gamma: f'' less what velocities alone make of the second derivative of sum F(q)."""
    q = system.quantities
    for k in range(couplings.about.shape[0]):
        gamma = out.row[k, F2]
        begin = couplings.about[k, FIRST]
        for m in range(begin, begin + couplings.about[k, TERMS]):
            n = couplings.term_about[m, QUANTITY]
            u = velocities(q, n, v, w)
            rate = times(parts_of(q.kind[n], q, n, r, A), u)
            along = rate_gradient(q, n, r, A, v, w, out.scratch)
            gamma = gamma - out.derivative[m, 1] * rate * rate - out.derivative[m, 0] * times(along, u)
        out.row[k, GAMMA] = gamma


@kernel
def coupling_rate(system: System, couplings: Couplings, rows: CoupledRows, k: int, linear: Any, angular: Any) -> Any:
    """W_k times velocities or accelerations of all bodies: linear (nb + 1, 3) global, angular in the body."""
    q, total = system.quantities, 0.0
    begin = couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        n = couplings.term_about[m, QUANTITY]
        i, j = q.body_i[n], q.body_j[n]
        for c in range(3):
            total += rows.W[m, c] * linear[i, c] + rows.W[m, 3 + c] * angular[i, c]
            total += rows.W[m, 6 + c] * linear[j, c] + rows.W[m, 9 + c] * angular[j, c]
    return total


@kernel
def add_coupling_force(system: System, couplings: Couplings, rows: CoupledRows, k: int, x: Any, f: Any, n: Any) -> None:
    """Add x W_k^T to f (nb + 1, 3), global, and n (nb + 1, 3), body components."""
    q = system.quantities
    begin = couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        o = couplings.term_about[m, QUANTITY]
        i, j = q.body_i[o], q.body_j[o]
        for c in range(3):
            f[i, c] += x * rows.W[m, c]
            n[i, c] += x * rows.W[m, 3 + c]
            f[j, c] += x * rows.W[m, 6 + c]
            n[j, c] += x * rows.W[m, 9 + c]
