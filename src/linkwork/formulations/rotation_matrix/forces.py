"""Applied forces in the right sides, and as efforts on A: a force F at the point s is F (x) s, a torque a couple."""

from __future__ import annotations

from linkwork.equations.applied import add_efforts
from linkwork.equations.index_1.forces import apply as apply_in_groups
from linkwork.formulations.rotation_matrix.rows import couple
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork
from linkwork.kernels.forces import LoadValues
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, outer, rotate, rotate_t
from linkwork.kernels.springs import spring_force, spring_rate, spring_vector
from linkwork.kernels.torsions import apply_torsion
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import get3, neg
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.system.packed import Tables, system_of


@kernel
def apply(tables: Tables, work: Work, elements: ElementWork) -> int:
    """Add loads, springs and torsions to f (N m, N), and their efforts to Y (nb + 1, 9) [Dumitriu 2015, 9, 14, 21].

    What they do does not depend on how they enter Y, but Lambda does: as with the joints, forces act at their points.
    """
    status = apply_in_groups(tables, work)
    system, m, e = system_of(tables), work.motion, work.e
    A_ = m[:, A : A + 9]
    values = LoadValues(work.load_values, work.spring_values, work.torsion_values, work.counted_angles)
    for b in range(e.shape[0]):
        for c in range(9):
            elements.Y[b, c] = 0.0
        for c in range(6):
            e[b, c] = 0.0
    for k in range(system.loads.body.shape[0]):
        b = system.loads.body[k]
        F, turn = get3(values.loads, k), at9(m, b, A)
        in_body = system.loads.body_axes[k] == 1
        if system.loads.torque[k] == 1:
            add_effort(elements, b, couple(turn, F if in_body else rotate_t(turn, F)))
        else:
            add_effort(elements, b, outer(rotate(turn, F) if in_body else F, get3(system.loads.point, k)))
    springs = system.springs
    for k in range(springs.body_i.shape[0]):
        d = spring_vector(springs, k, m[:, R : R + 3], A_)
        u = spring_rate(springs, k, A_, m[:, V : V + 3], m[:, W : W + 3])
        F = spring_force(springs, k, d, u, values.springs[k])
        add_effort(elements, springs.body_i[k], outer(F, get3(springs.s_i, k)))
        add_effort(elements, springs.body_j[k], outer(neg(F), get3(springs.s_j, k)))
    for k in range(system.torsions.body_i.shape[0]):
        apply_torsion(system, k, A_, m[:, W : W + 3], values, e[:, 3:6])
    if tables.effort_int.shape[0] > 0:
        add_efforts(tables, work)
    for b in range(e.shape[0]):
        add_effort(elements, b, couple(at9(m, b, A), at3(e, b, 3)))
    return int(status)


@kernel
def add_effort(elements: ElementWork, b: int, effort: Mat) -> None:
    """Add to Y of body b."""
    for c in range(9):
        elements.Y[b, c] += effort[c]


APPLY = entry(apply, TABLES, WORK, ELEMENTS)
