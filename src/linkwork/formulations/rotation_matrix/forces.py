"""Applied forces in the right sides, and as efforts on A: a force F at the point s is F (x) s, a torque a couple."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkwork.equations.applied import add_efforts
from linkwork.equations.index_1.forces import apply as apply_in_groups
from linkwork.formulations.rotation_matrix.rows import couple
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork
from linkwork.kernels.force_laws.kind import ForceLaw
from linkwork.kernels.force_laws.laws import LAWS
from linkwork.kernels.force_laws.table import angle_before
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, outer, rotate, rotate_t
from linkwork.kernels.switch import Switch
from linkwork.kernels.tables import ForceElements
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import get3, neg
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.system.packed import Tables, system_of


@kernel
def apply(tables: Tables, work: Work, elements: ElementWork) -> int:
    """Add loads and force elements to f (N m, N), and their efforts to Y (nb + 1, 9) [Dumitriu 2015, 9, 14, 21].

    What they do does not depend on how they enter Y, but Lambda does: as with the joints, forces act at their points.
    """
    status = apply_in_groups(tables, work)
    system, m, e = system_of(tables), work.motion, work.e
    A_ = m[:, A : A + 9]
    for b in range(e.shape[0]):
        for c in range(9):
            elements.Y[b, c] = 0.0
        for c in range(6):
            e[b, c] = 0.0
    for k in range(system.loads.body.shape[0]):
        b = system.loads.body[k]
        F, turn = get3(work.load_values, k), at9(m, b, A)
        in_body = system.loads.body_axes[k] == 1
        if system.loads.torque[k] == 1:
            add_effort(elements, b, couple(turn, F if in_body else rotate_t(turn, F)))
        else:
            add_effort(elements, b, outer(rotate(turn, F) if in_body else F, get3(system.loads.point, k)))
    r, v, w = m[:, R : R + 3], m[:, V : V + 3], m[:, W : W + 3]
    forces = system.elements
    for k in range(forces.law.shape[0]):
        before, actuator = angle_before(forces, k, work.counted_angles), work.element_values[k]
        add_element(forces.law[k], elements, e, forces, k, r, A_, v, w, before, actuator)
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


def entering(law: ForceLaw) -> Callable[..., None]:
    """A kernel that adds an element of this law: to Y where it pulls at points, else to e, as couples."""
    return by_couples(law.apply) if law.point_force is None else at_points(law.point_force)


def at_points(point_force: Callable[..., Any]) -> Callable[..., None]:
    """A force at two points, as efforts F (x) s on both bodies."""

    @kernel
    def add_to_Y(
        elements: ElementWork, e: Any, forces: ForceElements, k: int, r: Any, A_: Any, v: Any, w: Any, before: Any,
        actuator: Any,
    ) -> None:  # fmt: skip
        """Add F (x) s of both points to Y of their bodies."""
        F = point_force(forces, k, r, A_, v, w, actuator)
        add_effort(elements, forces.body_i[k], outer(F, get3(forces.s_i, k)))
        add_effort(elements, forces.body_j[k], outer(neg(F), get3(forces.s_j, k)))

    return add_to_Y


def by_couples(apply: Callable[..., None]) -> Callable[..., None]:
    """Torques about the centres of mass, which become couples with those of formulas."""

    @kernel
    def add_to_e(
        elements: ElementWork, e: Any, forces: ForceElements, k: int, r: Any, A_: Any, v: Any, w: Any, before: Any,
        actuator: Any,
    ) -> None:  # fmt: skip
        """Add torques in body components to e."""
        apply(forces, k, r, A_, v, w, before, actuator, e[:, 0:3], e[:, 3:6])

    return add_to_e


add_element = Switch([entering(law) for law in LAWS])
APPLY = entry(apply, TABLES, WORK, ELEMENTS)
