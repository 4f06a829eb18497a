"""Equations in few variables, solved in closed form, for the kernels that run mechanisms.

The entries are Python functions and the group is a vector space, so that nothing but the integrator is under test.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from linkwork.integrators.dense_output_kernels import advance_to, guess_step
from linkwork.integrators.evaluation import Entries
from linkwork.integrators.runge_kutta_kernels import START, advance
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.kernels.records import Columns, fields_of, new_record
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, ExplicitRequest
from linkwork.status import Status

NAMES = tuple(TABLEAUX)
PAIRS = tuple(name for name in NAMES if load_tableau(name).e is not None)


def numbers(record: type) -> dict[str, Any]:
    """All numbers of a record by name, zero."""
    return {one.name: np.zeros(1) for one in fields_of(record) if isinstance(one.kind, Columns)}


def motion_request() -> ExplicitRequest:
    """As equations of motion are asked for, at time 0."""
    request = new_record(ExplicitRequest)
    request.level[0] = ACCELERATION_LEVEL
    return request


def stand_in(n: int) -> Any:
    """What a run asks of a problem before it calls entries, in n variables."""
    work = SimpleNamespace(
        psi=np.zeros(n), psi_rate=np.zeros(n), size=np.ones(n), request=motion_request(), motion=np.zeros((1, 24)),
        dropped=np.zeros(1, dtype=np.int64), lam=np.zeros(0),
    )  # fmt: skip
    return SimpleNamespace(
        work=work, weight=np.ones(n), droppable=False, remembers=False, extra=np.zeros((2, 0)),
        mechanism=SimpleNamespace(nb=1, nc=0), evaluate=None,
    )  # fmt: skip


class Plain:
    """x' = rate(t, x) on a vector space, as a problem for the kernels: state = base + psi.

    What is placed is recorded where mechanisms record the motion of one body, so there may be up to 24 variables.
    """

    def __init__(
        self,
        rate: Callable[[float, np.ndarray], Any],
        start: Any,
        name: str,
        *,
        step: float,
        t_end: float,
        tolerances: tuple[float, float] | None = None,
        max_step: float = np.inf,
        every: int = 1,
        fails: Callable[[float, np.ndarray], Status] | None = None,
        project_every: int | None = None,
    ) -> None:
        self.rate, self.fails = rate, fails
        self.base = np.array(start, dtype=float)
        self.tableau = load_tableau(name)
        n = len(self.base)
        self.placements: list[tuple[float, float]] = []
        problem = stand_in(n)
        held = Stabilisation.of(None, None, project_every, step)
        whole = RungeKuttaRun(problem, self.tableau, step, t_end, every, tolerances, max_step, None, held)
        self.run, self.arrays, self.room = whole.run, whole.arrays, whole._room
        self.entries = Entries(
            set_state=self.place,
            apply=self.nothing,
            detect_redundant_rows=self.nothing,
            factorise=self.nothing,
            solve=self.solve,
            rhs=self.slope,
            accept_step=self.settle,
            retract=self.shift,
            output=lambda c: 0,
            evaluate=self.nothing,
        )
        self.x = np.zeros(n)

    # entries, all of a context they do not need
    def nothing(self, context: Any) -> int:
        return 0

    def place(self, context: Any) -> int:
        run = self.run
        run.motion[0, : len(self.base)] = self.base + run.psi
        self.placements.append((run.request.time[0], run.motion[0, 0]))
        if self.fails is not None:
            return int(self.fails(run.request.time[0], run.motion[0, : len(self.base)]))
        return 0

    def solve(self, context: Any) -> int:
        state = self.run.motion[0, : len(self.base)]
        if self.run.request.level[0] == ACCELERATION_LEVEL:
            self.x[:] = self.rate(self.run.request.time[0], state)
        else:
            self.x[:] = self.correction(state)
        return 0

    def correction(self, state: np.ndarray) -> np.ndarray:
        """Towards the unit circle, for tests of projection."""
        if self.run.request.level[0] == POSITION_LEVEL:
            return state * (1.0 - state @ state) / (2.0 * (state @ state))
        return np.zeros_like(state)

    def slope(self, context: Any) -> int:
        self.run.psi_rate[:] = self.x
        return 0 if np.all(np.isfinite(self.x)) else int(Status.NOT_FINITE)

    def shift(self, context: Any) -> int:
        self.run.psi[:] = self.x
        return 0

    def settle(self, context: Any) -> int:
        self.base[:] = self.run.motion[0, : len(self.base)]
        return 0

    # runs
    def begin(self, guess: bool = False) -> Plain:
        assert advance(self.entries, None, self.arrays, self.run, START, self.room(1))[0] == Status.OK
        if guess:
            assert guess_step(self.entries, None, self.run) == Status.OK
            assert advance(self.entries, None, self.arrays, self.run, START, self.room(1))[0] == Status.OK
        return self

    def steps(self, count: int) -> tuple[Status, np.ndarray, np.ndarray]:
        block = self.room(count + 1)
        status, n = advance(self.entries, None, self.arrays, self.run, count, block)
        return Status(status), block.time[:n], block.motion[:n, 0, : len(self.base)]

    def samples(self, times: Any, most: int = 10**9) -> tuple[Status, np.ndarray, np.ndarray]:
        """Samples at these times, or as far as `most` steps go."""
        block, targets = self.room(len(times)), np.asarray(times, dtype=float)
        status, n = advance_to(self.entries, None, self.arrays, self.run, targets, most, block)
        return Status(status), block.time[:n], block.motion[:n, 0, : len(self.base)]

    @property
    def done(self) -> int:
        return int(self.run.steps[0])

    @property
    def evaluations(self) -> int:
        return int(self.run.evaluations[0])

    @property
    def rejected(self) -> int:
        return int(self.run.rejected[0])


# a nonlinear, non-autonomous pair that is drawn to the unit circle
def turning(t: float, x: np.ndarray) -> np.ndarray:
    """Its solution from (1, 0) is (cos, sin)(t + t^2/2)."""
    return (1.0 + t) * np.array([-x[1], x[0]]) + 2.0 * (1.0 - x @ x) * x


def turned(t: Any) -> np.ndarray:
    phase = np.asarray(t) + 0.5 * np.asarray(t) ** 2
    return np.stack([np.cos(phase), np.sin(phase)], axis=-1)


def logistic(t: float, x: np.ndarray) -> np.ndarray:
    """Growth with the seasons; the leading error of every method shows early."""
    return x * (1.0 - x) * np.cos(3.0 * t)


def logistic_solution(t: np.ndarray) -> np.ndarray:
    odds = 0.25 * np.exp(np.sin(3.0 * t) / 3.0)
    return odds / (1.0 + odds)


def slopes(errors: list[float], steps: list[float]) -> np.ndarray:
    return np.diff(np.log(errors)) / np.diff(np.log(steps))
