"""The tables that kernels read: constraint rows, formulas of time and forces, as contiguous arrays.

Index `nb` of every body array is ground (r = 0, A = I, at rest), so that no kernel branches on it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.rows.kinds import NAMES, NUMBER

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ShortInts = NDArray[np.int32]

ROW_KINDS = NAMES  # kinds of constraint row, one file each: `kernels.rows`
ANGLE, CD, CV, DP1, DP2, SCREW, D = (NUMBER[name] for name in ("ANGLE", "CD", "CV", "DP1", "DP2", "SCREW", "D"))


class Curves(NamedTuple):
    """Tables as functions, piecewise cubics (`kernels.curves`): curve c has pieces start[c] ... start[c + 1] - 1."""

    start: Ints  # (nt + 1,)
    piece: Floats  # (n, 5) where a piece begins, and its coefficients from the constant one up


NO_CURVES = Curves(np.zeros(1, dtype=np.int64), np.zeros((0, 5)))


class Rows(NamedTuple):
    """Constraint rows, nc of them. What stands in the vectors and the scalar, the kind of each row says (`RowKind`)."""

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
    curves: Curves = NO_CURVES  # the mechanism's, with those of profiles (`kernels.profiles`)

    def columns(self) -> dict[str, Any]:
        """All that has an entry for each row, by name."""
        return {name: column for name, column in self._asdict().items() if name != "curves"}


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


class ForceElements(NamedTuple):
    """Force elements between two bodies, each by a law of `kernels.force_laws`, which says what the numbers are.

    q, a length or an angle, is pulled towards rest by stiffness (q - rest) + damping qdot + actuator(t), or as the law
    has it. The geometry is in columns of `Quantities`.
    """

    law: Ints  # (n,) number of the law
    body_i: Ints
    body_j: Ints
    a_i: Floats  # (n, 3)
    b_i: Floats  # (n, 3)
    a_j: Floats  # (n, 3)
    s_i: Floats  # (n, 3)
    s_j: Floats  # (n, 3)
    n: Floats  # (n, 3)
    stiffness: Floats
    damping: Floats
    rest: Floats
    constant: Floats  # (n,) the actuator's constant part
    numbers: Floats  # (n, 4) further ones of the law
    program: Ints  # (n,) of the actuator's formula of time, -1 where it is constant
    memory: Ints  # (n,) its place among counted angles, -1 where it counts no turns


class Quantities(NamedTuple):
    """What formulas know of the state, and along what efforts act. What the vectors are each kind says
    (`kernels.quantities.kind`)."""

    kind: Ints  # (nq,)
    body_i: Ints
    body_j: Ints
    a_i: Floats  # (nq, 3)
    b_i: Floats  # (nq, 3)
    a_j: Floats  # (nq, 3)
    s_i: Floats  # (nq, 3)
    s_j: Floats  # (nq, 3)
    n: Floats  # (nq, 3)


class Efforts(NamedTuple):
    """Forces and torques by formulas of the state, each along one quantity (`kernels.efforts`)."""

    quantity: Ints  # (ne,)
    program: Ints  # (ne,)
    first: Ints  # (ne,) the operands that its formula reads are uses[first:first + reads]
    reads: Ints  # (ne,)


class Bodies(NamedTuple):
    """Masses and inertias, index nb being ground (zero)."""

    mass: Floats  # (nb + 1,)
    inertia: Floats  # (nb + 1, 9) about the centre of mass, body components, row-major


_NO_INTS, _NO_VECTORS = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
NO_QUANTITIES = Quantities(*(_NO_INTS,) * 3, *(_NO_VECTORS,) * 6)
NO_EFFORTS = Efforts(*(_NO_INTS,) * 4)


class System(NamedTuple):
    """A compiled mechanism: what every kernel reads and none writes."""

    bodies: Bodies
    rows: Rows
    programs: Programs
    loads: Loads
    elements: ForceElements
    gravity: Floats  # (3,)
    curves: Curves = NO_CURVES
    quantities: Quantities = NO_QUANTITIES
    efforts: Efforts = NO_EFFORTS
    uses: Ints = _NO_INTS  # (n,) operands read by efforts, effort by effort
