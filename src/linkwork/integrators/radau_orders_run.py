"""A run of Radau methods whose order changes: that of one method, with the numbers of three."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from linkwork.integrators.collocation import Collocation, radau_iia
from linkwork.integrators.radau_orders import ADVANCE_TO, FEWEST, MOST, Orders, take_method
from linkwork.integrators.radau_run import RadauRun
from linkwork.kernels.records import new_record
from linkwork.problems.implicit import ImplicitProblem

PAIRS = 3  # of complex eigenvalues


class VariableOrderRun(RadauRun):
    """One run: `initialise` first, then `advance` as often as wanted. Its units of progress are samples."""

    method: Orders

    def __init__(self, problem: ImplicitProblem, **how: Any) -> None:
        super().__init__(problem, MOST, orders(), pairs=PAIRS, **how)
        run, method = self.run, self.method
        method.rtol[0], method.atol[0] = run.rtol[0], run.atol[0]
        method.cap_by_order[0] = int(how["max_iterations"] is None)
        tolerances = run.rtol[0], run.atol[0]
        take_method(run, method, FEWEST)
        if self.tolerances is None:
            run.rtol[0], run.atol[0] = tolerances  # those that Newton's method works to

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        super().take_over(other)
        for mine, theirs in zip(self.method, other.method, strict=True):
            mine[:] = theirs
        if self.tolerances is not None:
            take_method(self.run, self.method, int(other.run.stages[0]))

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far, and how many steps were begun with each order."""
        method = self.method
        begun = {"steps_order_5": method.steps_3, "steps_order_9": method.steps_5, "steps_order_13": method.steps_7}
        return {**super().counts, **{name: int(many[0]) for name, many in begun.items()}}

    @staticmethod
    def _compiled() -> Any:
        return ADVANCE_TO


def orders() -> Orders:
    """The numbers of all three methods."""
    made = new_record(Orders)
    for which, stages in enumerate(range(FEWEST, MOST + 1, 2)):
        for name, values in radau_iia(stages)._asdict().items():
            whole = getattr(made, f"all_{name}")
            room = whole[3 * which : 3 * which + 3] if name == "into" else whole[which]
            room[tuple(slice(extent) for extent in np.shape(values))] = values
    assert set(Collocation._fields) <= set(Orders._fields)
    return made
