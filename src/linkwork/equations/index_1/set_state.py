"""From an increment of the state to a placed stage: poses, twists, and the parts of the index-1 system.

For each body by its group [Müller 2013, eqs. 5, 18]: on SE(3) the pose is C = C_0 exp(X~) and the twist body-fixed,
(omega, v) with v = A^T rdot; on SO(3) x R^3 rotation and position move apart and the velocity is hybrid,
(omega, rdot). Rows know rdot and omega only; they are pulled back here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.equations.time import count_turns, evaluate_time
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.so3 import orthonormalise
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import add, cross, dot, scale, sub
from linkwork.problems.explicit import (
    A_0,
    ACCELERATIONS,
    CARRY,
    DAMPING,
    LENGTH,
    LEVEL,
    POSITIONS,
    R_0,
    STIFFNESS,
    TWIST_0,
    A,
    R,
    V,
    W,
)
from linkwork.problems.implicit import DRIVE, GAMMA, NU, PHI
from linkwork.spaces.groups import product, se3
from linkwork.status import Status
from linkwork.system.packed import rows_of

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)
LARGEST_TURN2 = np.pi**2  # within a step; dexp^-1 is singular at 2 pi


@kernel
def place(tables: Any, work: Any) -> int:
    """The state base exp(psi), its rows, and the right sides that work.coef[LEVEL] asks for."""
    evaluate_time(tables, work)
    status = place_bodies(work)
    if status != OK:
        return status
    m, row = work.motion, work.row
    rows = rows_of(tables)
    r, A_, drive = m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows, r, A_, drive, row[:, PHI], work.G[:, 0:6], work.G[:, 6:12])
    pull_back_rows(tables, work)
    if work.coef[LEVEL].real == ACCELERATIONS:
        rows_gamma(rows, r, A_, m[:, V : V + 3], m[:, W : W + 3], drive, row[:, GAMMA])
        right_sides(tables, work)
        if work.coef[DAMPING].real != 0.0 or work.coef[STIFFNESS].real != 0.0:
            rows_nu(rows, r, A_, drive, row[:, NU])
            stabilise(tables, work)
    else:
        for b in range(work.f.shape[0]):
            for c in range(6):
                work.f[b, c] = 0.0
        if work.coef[LEVEL].real == POSITIONS:
            for k in range(row.shape[0]):
                work.eta[k] = -row[k, PHI]
        else:
            rows_nu(rows, r, A_, drive, row[:, NU])
            for k in range(row.shape[0]):
                work.eta[k] = row[k, NU] - row_times(tables, work, k, work.twist)
    return OK


@kernel
def place_bodies(work: Any) -> int:
    """Poses and twists of all bodies. Fails where one turns by half a revolution or more from the base."""
    m, base, twist, psi = work.motion, work.base, work.twist, work.psi
    nb = m.shape[0] - 1
    for b in range(nb):
        o, n = 6 * b, 6 * (nb + b)
        theta, d = (psi[o], psi[o + 1], psi[o + 2]), (psi[o + 3], psi[o + 4], psi[o + 5])
        if not dot(theta, theta).real < LARGEST_TURN2:
            return ROTATION_TOO_LARGE
        A0, r0 = at9(base, b, A_0), at3(base, b, R_0)
        w = add(at3(base, b, TWIST_0), (psi[n], psi[n + 1], psi[n + 2]))
        v = add(at3(base, b, TWIST_0 + 3), (psi[n + 3], psi[n + 4], psi[n + 5]))
        set3(twist, b, 0, w)
        set3(twist, b, 3, v)
        if work.group[b] == 1:
            A_, r = se3.compose(A0, r0, theta, d)
            set3(m, b, V, rotate(A_, v))
        else:
            A_, r = product.compose(A0, r0, theta, d)
            set3(m, b, V, v)
        set9(m, b, A, A_)
        set3(m, b, R, r)
        set3(m, b, W, w)
    return OK


@kernel
def pull_back_rows(tables: Any, work: Any) -> None:
    """J from G: for a body on SE(3) the linear part of a row turns into the body frame."""
    G, J = work.G, work.J
    for k in range(G.shape[0]):
        for side in range(2):
            b, c = tables.row_int[k, 1 + side], 6 * side
            linear = at3(G, k, c)
            if work.group[b] == 1:
                linear = rotate_t(at9(work.motion, b, A), linear)
            set3(J, k, c, at3(G, k, c + 3))
            set3(J, k, c + 3, linear)


@kernel
def right_sides(tables: Any, work: Any) -> None:
    """Weight and gyroscopic terms in f, gamma in eta, in the twists' components [Müller 2013, eqs. 40, 42].

    Of rddot = A (vdot + omega x v) only A vdot belongs to the unknowns of a body on SE(3).
    """
    body, twist, f, J = tables.body, work.twist, work.f, work.J
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    for b in range(body.shape[0] - 1):
        J_b = at9(body, b, 1)
        w = at3(twist, b, 0)
        set3(f, b, 0, cross(rotate(J_b, w), w))
        weight = scale(body[b, 0], g)
        if work.group[b] == 1:
            weight = sub(rotate_t(at9(work.motion, b, A), weight), scale(body[b, 0], cross(w, at3(twist, b, 3))))
        set3(f, b, 3, weight)
    for k in range(J.shape[0]):
        eta = work.row[k, GAMMA]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if work.group[b] == 1:
                eta -= dot(at3(J, k, 6 * side + 3), cross(at3(twist, b, 0), at3(twist, b, 3)))
        work.eta[k] = eta


@kernel
def row_times(tables: Any, work: Any, k: Any, table: Any) -> Any:
    """J_k times twists or their rates."""
    J = work.J
    total = 0.0
    for side in range(2):
        b, c = tables.row_int[k, 1 + side], 6 * side
        for d in range(6):
            total += J[k, c + d] * table[b, d]
    return total


@kernel
def stabilise(tables: Any, work: Any) -> None:
    """Baumgarte's terms: eta - 2 alpha (J V - nu) - beta^2 phi; rows at velocity level feel alpha once."""
    damping, stiffness = work.coef[DAMPING], work.coef[STIFFNESS]
    for k in range(work.eta.shape[0]):
        share = 0.5 if tables.row_int[k, 3] == 1 else 1.0
        rate = row_times(tables, work, k, work.twist) - work.row[k, NU]
        work.eta[k] -= share * damping * rate + stiffness * work.row[k, PHI]


@kernel
def settle(tables: Any, work: Any) -> int:
    """The placed state becomes the base; turns of torsion springs are counted up to here.

    Velocities are measured against the fastest body, angles and shares of the mechanism's length against one.
    """
    m, base, twist, size = work.motion, work.base, work.twist, work.size
    nb = m.shape[0] - 1
    for b in range(nb):
        set9(base, b, A_0, orthonormalise(at9(m, b, A)))
        set3(base, b, R_0, at3(m, b, R))
        for c in range(6):
            add_carefully(base, b, c, work.psi[6 * (nb + b) + c])
            twist[b, c] = base[b, TWIST_0 + c]
    fastest = largest_speed(work)
    for c in range(6 * nb, 12 * nb):
        size[c] = fastest
    count_turns(tables, work)
    return 0


@kernel
def add_carefully(base: Any, b: Any, c: Any, increment: Any) -> None:
    """Add to component c of a base twist, and carry what rounding loses on to the next time (Kahan's sum).

    Else the lost digits walk away: at 60 rad/s a pivot would drift 1e-12 m in 5000 steps by them alone.
    """
    old, wanted = base[b, TWIST_0 + c], increment - base[b, CARRY + c]
    new = old + wanted
    base[b, CARRY + c] = (new - old) - wanted
    base[b, TWIST_0 + c] = new


@kernel
def largest_speed(work: Any) -> Any:
    """The largest component of the base's twists, linear ones in lengths of the mechanism per second [1/s]."""
    base = work.base
    over = 1.0 / work.coef[LENGTH]
    largest = 0.0
    for b in range(base.shape[0] - 1):
        for c in range(6):
            x = abs(base[b, TWIST_0 + c]) * (1.0 if c < 3 else over)
            largest = max(largest, x)
    return largest
