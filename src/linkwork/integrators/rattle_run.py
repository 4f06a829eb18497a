"""A run of RATTLE or SHAKE: that of an explicit method, with momenta beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.fixed_point import new_solver
from linkwork.integrators.rattle_kernels import ADVANCE
from linkwork.integrators.rattle_kernels import Rattle as RattleRecord
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.kernels.records import new_record
from linkwork.problems.momenta import MomentumEntries

if TYPE_CHECKING:
    from linkwork.integrators.rattle import Rattle
    from linkwork.problems.explicit import ExplicitProblem


# of a difference must be left beside those kept: bodies on joints move in few directions, and what rounding and the
# equations' curvature leave beside these is no direction to go by
NEW = 1e-2


@dataclass(frozen=True)
class Plan:
    """What a run of the Runge-Kutta kind asks of a method."""

    record: RattleRecord
    order: int
    stages: int = 1
    extra_stages: int = 0
    fsal: bool = False
    error_order: int | None = None

    def arrays(self) -> RattleRecord:
        """The arrays that its compiled code takes where others take a tableau's."""
        return self.record


class RattleRun(RungeKuttaRun):
    """One run. `initialise` first, then `advance` as often as wanted."""

    arrays: RattleRecord

    def __init__(
        self, problem: ExplicitProblem, method: Rattle, *, step: float, t_end: float, every: int, damped: bool
    ) -> None:
        shares, work, momenta = method.shares(), problem.work, problem.in_momenta
        if momenta is None:
            raise TypeError("RATTLE steps a problem in momenta")
        record = new_record(
            RattleRecord,
            given={
                "shares": np.array(shares),
                "step": momenta.step,
                "x": work.x,
                "base": work.base,
                "solver": new_solver(len(work.psi), 0, method.tolerance, method.max_iterations, NEW),
            },
        )
        record.projected[0], record.damped[0] = method.projected(), damped
        held = Stabilisation.of(None, None, None, step)
        super().__init__(problem, Plan(record, method.order), step, t_end, every, None, float("inf"), None, held)
        self._settings = {"tolerance": method.tolerance, "max_iterations": method.max_iterations}

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        super().take_over(other)
        self.arrays.state[:] = other.arrays.state
        self.arrays.ready[0] = 0
        self.arrays.solver.iterations[0] = other.arrays.solver.iterations[0]

    def forget_slope(self) -> None:
        """Forces at the base are asked for again."""
        super().forget_slope()
        self.arrays.ready[0] = 0

    @staticmethod
    def _compiled() -> Any:
        return ADVANCE

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """Addresses of all that compiled code works on."""
        from linkwork.kernels.parallel_compilation import make_ready
        from linkwork.problems.layout import address_table

        entries = self._entries()
        kicks = MomentumEntries(*(getattr(self.problem.in_momenta, name) for name in MomentumEntries._fields))
        make_ready(*entries, *kicks, ADVANCE)
        return address_table((self.problem.context, entries, self.run, kicks, self.arrays))

    @property
    def has_tangents(self) -> bool:
        """They are not: entries in momenta have no dual numbers."""
        return False

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far; `iterations` are those of the equations of all steps."""
        return {**super().counts, "iterations": int(self.arrays.solver.iterations[0])}


def velocity_rows(problem: ExplicitProblem) -> list[str]:
    """Names of the rows that constrain velocities and no positions."""
    mechanism = problem.mechanism
    return [name for name, kind in zip(mechanism.row_names, mechanism.tables.row_int[:, 3], strict=True) if kind == 1]


def depends_on_velocities(problem: ExplicitProblem) -> bool:
    """Whether forces may: dampers, and formulas of the state."""
    system = problem.mechanism.system
    return bool(np.any(system.elements.damping)) or len(system.efforts.quantity) > 0
