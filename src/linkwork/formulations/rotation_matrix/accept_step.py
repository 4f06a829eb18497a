"""The end of a step: the state that is set becomes the one that the next increments start from."""

from __future__ import annotations

from linkwork.equations.time import unwrap_angles
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork, largest_rate
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import axial, matmul, matmul_t, skew
from linkwork.kernels.so3 import orthonormalise
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import scale
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, R, V, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system.packed import Tables


@kernel
def accept_step(tables: Tables, work: Work, elements: ElementWork) -> int:
    """Write the state that is set into start, A orthonormalised where that is due; count turns of angles.

    Returns 1 where A was changed, so that the state must be set again.
    """
    m, start, size = work.motion, elements.start, work.size
    nb = m.shape[0] - 1
    every = elements.orthonormalise_every[0]
    elements.accepted[0] += 1 if every > 1 and work.request.level[0] == ACCELERATION_LEVEL else 0
    due = every > 0 and elements.accepted[0] % every == 0
    for b in range(nb):
        A_, rate = at9(m, b, A), at9(elements.Adot, b, 0)
        if due:
            A_ = orthonormalise(A_)
            rate = matmul(A_, skew(scale(0.5, axial(matmul_t(A_, rate)))))
            set9(m, b, A, A_)
            set9(elements.Adot, b, 0, rate)
        set3(start, b, 0, at3(m, b, R))
        set9(start, b, 3, A_)
        set3(start, b, 12, at3(m, b, V))
        set9(start, b, 15, rate)
    fastest = largest_rate(work, elements)
    for c in range(12 * nb, 24 * nb):
        size[c] = fastest
    unwrap_angles(tables, work)
    return 1 if due else 0


ACCEPT_STEP = entry(accept_step, TABLES, WORK, ELEMENTS)
