"""Applied forces at a state and their exact derivatives, by the kernels that every formulation calls.

Few elements are evaluated as plain Python, which needs no compiler; many by the compiled entries of the same kernels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_3.absolute import begin_in_place
from linkwork.equations.index_3.structure import build_structure
from linkwork.equations.index_3.variations import apply, vary_forces
from linkwork.equations.index_3.work import Layout, new_work
from linkwork.kernels.efforts import effort_now
from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.table import parts_of
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import direct_entry
from linkwork.problems.implicit import A, R, V, W, Work
from linkwork.spaces import rotation_matrix
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables, system_of

Array = NDArray[np.float64]
FEW = 60  # elements up to which nothing is compiled
NO_ANGLES = np.zeros(0)


@kernel
def place_and_apply(tables: Tables, work: Work) -> int:
    """Formulas at the present time, and minus the applied forces into work.e; weight is left out."""
    begin_in_place(tables, work)
    return apply(tables, work)


PLACE_AND_APPLY = direct_entry(place_and_apply, TABLES, WORK)
VARY = direct_entry(vary_forces, TABLES, WORK, MATRIX)


class AppliedForces:
    """Forces of one mechanism, at one state after the other.

    counted_angles : with their turns [rad], at the state last asked for.
    """

    def __init__(self, mechanism: CompiledMechanism, counted_angles: Array | None = None) -> None:
        self.mechanism = without_rows(mechanism.bare)
        layout = Layout(mechanism.nb, 0, rotation_matrix.SIZE, rotation_matrix.NORMALISED, rotation_matrix.ALGEBRA)
        self.work = new_work(self.mechanism, layout, rotation_matrix)
        self.matrix = build_structure(self.mechanism, layout, reaction_variation=False, droppable=False, solved=False)
        if counted_angles is not None:
            self.work.counted_angles[: len(counted_angles)] = counted_angles
        self.context = self._context() if self._count() > FEW else None

    def _count(self) -> int:
        system = self.mechanism.system
        return len(system.loads.body) + len(system.elements.law)

    def _context(self) -> Any:
        from linkwork.problems.context import make_context
        from linkwork.problems.dependent import new_dependence
        from linkwork.problems.linear import new_linear

        s = self.matrix
        others = new_dependence(self.mechanism, False, 1e-11), new_linear(self.work.z.size, False, self.work.z.size)
        return make_context(self.mechanism.tables, self.work, s.matrix, s.pattern, s.factors, *others)

    @property
    def counted_angles(self) -> Array:
        """All counted angles with their turns, rad."""
        return self.work.counted_angles

    def at(self, state: CompiledMechanism, t: float) -> Array:
        """(6 nb,) force global [N] and torque in the body [N m] on every body at the start state of `state`."""
        m, work, tables = self.work.motion, self.work, self.mechanism.tables
        m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = state.r, state.A, state.v, state.w
        work.request.time[0] = t
        if self.context is None:
            place_and_apply(tables, work)
        else:
            PLACE_AND_APPLY(self.context)
        force = -work.e[:-1]
        force[:, :3] += tables.body[:-1, :1] * tables.gravity
        return force.ravel()

    def unit_of(self, values: Array, place: tuple[int, ...]) -> Array:
        """(6 nb,) what a unit more of one of the work space's `values` adds to forces, which are linear in it."""
        before = self._evaluated()
        kept, size = values[place], 2.0 ** np.ceil(np.log2(max(1.0, float(np.max(np.abs(before), initial=1.0)))))
        values[place] = kept + size
        found: Array = (self._evaluated() - before) / (values[place] - kept)
        values[place] = kept
        return found

    def by_input(self, number: int) -> Array:
        """(6 nb,) how forces change with one of the mechanism's inputs, exactly, at the state last asked for."""
        m, work = self.work.motion, self.work
        system = system_of(self.mechanism.tables)
        efforts, q = system.efforts, system.quantities
        operand = 2 * len(q.kind) + number
        out = np.zeros((self.mechanism.nb + 1, 6))
        for k in range(len(efforts.quantity)):
            uses = system.uses[efforts.first[k] : efforts.first[k] + efforts.reads[k]]
            if operand not in uses:
                continue
            rate = effort_now(system, k, work.request.time[0], work.operands, operand, work.stack)[1]
            of = efforts.quantity[k]
            parts = parts_of(q.kind[of], q, of, m[:, R : R + 3], m[:, A : A + 9])
            for body, force, torque in ((q.body_i[of], *parts[:2]), (q.body_j[of], *parts[2:])):
                out[body] += rate * np.array([*force, *torque])
        found: Array = out[:-1].ravel()
        return found

    def with_inputs(self, more: dict[int, float]) -> Array:
        """(6 nb,) what forces grow by at the state last asked for, where inputs, by number, are as much larger."""
        operands, first = self.work.operands, 2 * len(self.mechanism.system.quantities.kind)
        before, kept = self._evaluated(), operands.copy()
        for number, value in more.items():
            operands[first + number] += value
        after = self._evaluated()
        operands[:] = kept
        return after - before

    @property
    def operands(self) -> Array:
        """(2 nq + ni,) what formulas of the state read, as measured at the state last asked for."""
        return np.real(self.work.operands)

    def _evaluated(self) -> Array:
        """(6 nb,) forces besides weight at the state last asked for."""
        apply(self.mechanism.tables, self.work)
        found: Array = -self.work.e[:-1].ravel()
        return found

    def variations(self) -> tuple[Any, Array, Array]:
        """Pairs of bodies (p, 2), and the derivatives (p, 6, 6) of the force on the first by displacements and by
        velocities of the second, at the state last asked for."""
        blocks = self.matrix.matrix.blocks
        blocks[:] = 0.0
        if self.context is None:
            vary_forces(self.mechanism.tables, self.work, self.matrix.matrix)
        else:
            VARY(self.context)
        found = -blocks.reshape(-1, 2, 6, 6)
        return self.matrix.matrix.pair, found[:, 0], found[:, 1]


def without_rows(mechanism: CompiledMechanism) -> CompiledMechanism:
    """The same bodies and forces, free of each other."""
    from linkwork.system.packed import pack

    rows = mechanism.system.rows
    system = mechanism.system._replace(
        rows=rows._replace(**{name: column[:0] for name, column in rows.columns().items()})
    )
    lowered = replace(mechanism.lowered, rows=())
    return mechanism.other(system=system, tables=pack(system), lowered=lowered, squares=None)
