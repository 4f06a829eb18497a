"""The tables that kernels read: constraint rows, formulas of time and forces, as contiguous arrays.

Index `nb` of every body array is ground (r = 0, A = I, at rest), so that no kernel branches on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.rows.kinds import KINDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ShortInts = NDArray[np.int32]

# kinds of constraint row; what is true of each: `kernels.rows.kinds`
DP1, DP2, D, CD, ANGLE, PFAFFIAN, KNIFE, ROLL_HEIGHT, ROLL_SLIP, SCREW = range(10)
ROW_KINDS = tuple(kind.name for kind in KINDS)


class Rows(NamedTuple):
    """Constraint rows, nc of them; bodies i and j, vectors in body components unless said otherwise.

    ============  =====================================================================================
    kind          phi and the meaning of the columns
    ============  =====================================================================================
    DP1           a_i . a_j - f                                                  [Kissel 2021, eq. 1]
    DP2           a_i . d_ij - f,  d_ij = r_j + A_j s_j - r_i - A_i s_i          [Kissel 2021, eq. 2]
    D             d_ij . d_ij - f  (f is the distance squared)                   [Kissel 2021, eq. 3]
    CD            c . d_ij - f,  c = a_i, a constant vector in GLOBAL components [Kissel 2021, eq. 4]
    ANGLE         sin(theta - f), theta the angle from a_i to a_j about n; b_i = n x a_i;
                  written cos(f) (b_i . a_j) - sin(f) (a_i . a_j)  (unit a_i, a_j, perpendicular to n)
    PFAFFIAN      a_i . rdot_i + s_i . omega_i + a_j . rdot_j + s_j . omega_j = f
                  (a_i, a_j in GLOBAL components, s_i, s_j in body components; velocity level)
    KNIFE         a_i . velocity of the point s_i of body i = f  (body j is ground; velocity level)
    ROLL_HEIGHT   n . (r_i + rho - s_j) - f = 0: the edge of a disc touches a plane; a_i the disc's unit
                  axis, centre at the origin of body i, radius scalar, plane through s_j with unit
                  normal n (body j is ground, components global);
                  rho = -R (n - (n.a) a) / |n - (n.a) a|, a = A_i a_i
    ROLL_SLIP     d . (rdot_i + omega_world x rho) = f, d = a_j a direction in the plane (velocity level)
    SCREW         p sin((n . d_ij - f) / p - theta), near the solution n . d_ij - p theta - f; n, theta, a_i,
                  b_i and a_j as for ANGLE, p = scalar the travel per radian, not zero
    ============  =====================================================================================
    """

    kind: Ints  # (nc,)
    body_i: Ints  # (nc,)
    body_j: Ints  # (nc,)
    a_i: Floats  # (nc, 3)
    b_i: Floats  # (nc, 3)
    a_j: Floats  # (nc, 3)
    s_i: Floats  # (nc, 3)
    s_j: Floats  # (nc, 3)
    n: Floats  # (nc, 3)
    scalar: Floats  # (nc,)
    nonholonomic: Ints  # (nc,) 1 for velocity-level rows
    program: Ints  # (nc,) index into Programs, -1 where f is constant
    constant: Floats  # (nc,) f where it is constant


class Programs(NamedTuple):
    """Formulas of time as stack programs: program p is ops[start[p]:start[p + 1]] with its arguments."""

    start: Ints  # (np + 1,)
    ops: Ints  # (nops,)
    args: Floats  # (nops,)
    depth: Ints  # (1,) deepest stack any program needs


class Loads(NamedTuple):
    """Forces and torques at points: n of them.

    force[k] / torque[k] have three components, each a constant plus an optional program.
    """

    body: Ints  # (n,)
    point: Floats  # (n, 3) in body components
    body_axes: Ints  # (n,) 1: components turn with the body, 0: global components
    torque: Ints  # (n,) 1: a torque, 0: a force at the point
    constant: Floats  # (n, 3)
    program: Ints  # (n, 3), -1 where constant


class Springs(NamedTuple):
    """Translational spring-damper-actuators between point s_i of body i and s_j of body j.

    Tension (positive pulls the points together): T = stiffness (l - length) + damping ldot + actuator(t).
    """

    body_i: Ints
    body_j: Ints
    s_i: Floats  # (n, 3)
    s_j: Floats  # (n, 3)
    stiffness: Floats
    damping: Floats
    length: Floats
    constant: Floats  # (n,) the actuator's constant part
    program: Ints  # (n,)


class Torsions(NamedTuple):
    """Rotational spring-damper-actuators about an axis n fixed in body i, between bodies i and j.

    theta: the angle from a_i to a_j about n (b_i = n x a_i), counted with its turns.
    The torque stiffness (theta - angle) + damping thetadot + actuator(t) acts on body i along +n and on body j
    along -n.
    """

    body_i: Ints
    body_j: Ints
    a_i: Floats  # (n, 3)
    b_i: Floats  # (n, 3)
    a_j: Floats  # (n, 3)
    n: Floats  # (n, 3)
    stiffness: Floats
    damping: Floats
    angle: Floats
    constant: Floats
    program: Ints


class Bodies(NamedTuple):
    """Masses and inertias, index nb being ground (zero)."""

    mass: Floats  # (nb + 1,)
    inertia: Floats  # (nb + 1, 9) about the centre of mass, body components, row-major


class System(NamedTuple):
    """A compiled mechanism: what every kernel reads and none writes."""

    bodies: Bodies
    rows: Rows
    programs: Programs
    loads: Loads
    springs: Springs
    torsions: Torsions
    gravity: Floats  # (3,)
