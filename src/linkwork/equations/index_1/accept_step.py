"""The end of a step: the state that is set becomes the base that the next increments start from."""

from __future__ import annotations

from typing import Any

from linkwork.equations.time import unwrap_angles
from linkwork.kernels.jit import kernel
from linkwork.kernels.so3 import orthonormalise
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A_0, CARRY, R_0, TWIST_0, A, R, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.system.packed import Tables


@kernel
def accept_step(tables: Tables, work: Work) -> int:
    """Write the state that is set into base, A orthonormalised; count the turns of angles up to here.

    size (12 nb,), what relative tolerances refer to: 1 for angles and for translations in lengths of the mechanism, the
    largest twist component of all bodies for velocities. Returns 0: the state set is the base.
    """
    m, base, twist, size = work.motion, work.base, work.twist, work.size
    nb = m.shape[0] - 1
    for b in range(nb):
        set9(base, b, A_0, orthonormalise(at9(m, b, A)))
        set3(base, b, R_0, at3(m, b, R))
        for c in range(6):
            add_compensated(base, b, c, work.psi[6 * (nb + b) + c])
            twist[b, c] = base[b, TWIST_0 + c]
    fastest = largest_speed(work)
    for c in range(6 * nb, 12 * nb):
        size[c] = fastest
    unwrap_angles(tables, work)
    return 0


@kernel
def add_compensated(base: Floats, b: int, c: int, increment: float) -> None:
    """Add to component c of a base twist by Kahan's compensated sum; the rounding error stands in base[b, CARRY + c].

    Without it rounding errors add up: at 60 rad/s a pivot would drift 1e-12 m in 5000 steps by them alone.
    """
    old, wanted = base[b, TWIST_0 + c], increment - base[b, CARRY + c]
    new = old + wanted
    base[b, CARRY + c] = (new - old) - wanted
    base[b, TWIST_0 + c] = new


@kernel
def largest_speed(work: Work) -> Any:
    """The largest component of the base's twists, linear ones in lengths of the mechanism per second [1/s]."""
    base = work.base
    over = 1.0 / work.length[0]
    largest = 0.0
    for b in range(base.shape[0] - 1):
        for c in range(6):
            x = abs(base[b, TWIST_0 + c]) * (1.0 if c < 3 else over)
            largest = max(largest, x)
    return largest


ACCEPT_STEP = entry(accept_step, TABLES, WORK)
