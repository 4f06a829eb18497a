"""A run of an integrator as a session: through rank changes, watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from linkwork.integrators.contract import Run
from linkwork.judgement.watch import Watch
from linkwork.mechanism import Mechanism
from linkwork.problems.implicit import A, W
from linkwork.run.recording import Recorder
from linkwork.run.session import Session
from linkwork.run.starting import MORE_ROOM, MOST_ROOM
from linkwork.run.uniqueness import listed, unclear
from linkwork.status import Status
from linkwork.system.counted_angles import angle_in_doubt
from linkwork.system.formula_values import formula_without_value
from linkwork.verdict import Verdict


class DynamicsSession(Session):
    """A run of an integrator, through rank changes."""

    def __init__(
        self,
        mech: Mechanism,
        run: Run[Any],
        recorder: Recorder,
        messages: list[str],
        again: Callable[..., Run[Any]],
        step: float,
        extra_outputs: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        watch: Watch,
        judge: Callable[..., list[Verdict]],
    ) -> None:
        super().__init__(mech.name, step, recorder, messages, watch, judge)
        self.run, self.again, self.room, self.passed, self.extra_outputs = run, again, run.room, 0, extra_outputs
        self.run_seconds, self.processor_seconds = run.spent

    @property
    def carried(self) -> Mapping[str, Any]:
        """The integrator's run, and its problem."""
        return {"run": self.run, "problem": self.run.problem}

    def rebuild(self, facts: Mapping[str, Any]) -> None:
        """A run of the same integrator, with the same room, not begun."""
        problem = self.run.problem
        self.run = self.again(problem.mechanism, droppable=facts["problem"]["droppable"], room=self.room)

    def with_extra_outputs(self, block: Mapping[str, Any]) -> dict[str, Any]:
        """A block with what the formulation records besides, under its own names."""
        return {name: value for name, value in block.items() if name != "extra"} | dict(self.extra_outputs(block))

    def first(self) -> tuple[Status, Mapping[str, Any]]:
        """The consistent start."""
        return Status.OK, self.with_extra_outputs(self.run.first())

    def advance(self, steps: int) -> tuple[Status, Mapping[str, Any]]:
        """Take steps."""
        status, block = self.run.advance(steps)
        return status, self.with_extra_outputs(block)

    def recover(self, status: Status) -> bool:
        """Take dependent rows out from here on, get past a rank loss, or make more room for the factors."""
        if status == Status.OUT_OF_SPACE and self.room < MOST_ROOM:
            self.room *= MORE_ROOM
            self._rebuild(self.run.problem.droppable)
            return True
        if status not in (Status.SINGULAR, Status.NEWTON_DIVERGED):
            return False
        if (
            self.passed & (self.passed - 1) == 0 and self.lock_up(self.time + self.step) is not None
        ):  # looked for ever more rarely
            return False
        old, near = self.run, f"near t = {self.time:.6g} s"
        if not old.problem.droppable:
            self._rebuild(True)
        found = self.run.pass_rank_loss(lambda block: self.record(self.with_extra_outputs(block))) == Status.OK
        if not found:
            self.run = old
        elif not old.problem.droppable:
            joints = unclear(self.run.problem).joints
            share = f", and reactions of {listed(joints)} are not unique there" if joints else ""
            self.messages.append(f"constraints lose rank {near}: dependent rows are taken out{share}")
        elif self.passed == 0:
            self.messages.append(f"constraints nearly lose rank {near}: rows are judged more strictly there")
        self.passed += found
        return found

    def _rebuild(self, droppable: bool) -> None:
        """The same run, from where it stands, in other work space."""
        old = self.run
        self.run = self.again(old.problem.mechanism, droppable=droppable, room=self.room)
        self.run.take_over(old)

    def where(self, status: Status) -> str:
        """The body that turns too fast, the element whose angle is in doubt, or the row that is worst off."""
        work = self.run.problem.work
        doubt = angle_in_doubt(self.run.problem.mechanism, work.motion[:, A : A + 9], work.counted_angles)
        doubt = doubt or formula_without_value(
            self.run.problem.mechanism,
            work.operands,
            float(work.request.time[0]),
            self.latest,
            work.counted_angles.real,
        )
        if doubt:
            return f": {doubt}"
        if status != Status.ROTATION_TOO_LARGE:
            return super().where(status)
        mechanism = self.run.problem.mechanism
        speeds = np.linalg.norm(self.run.problem.work.motion[: mechanism.nb, W : W + 3], axis=1)
        fastest = int(np.argmax(speeds))
        return f": body '{mechanism.body_names[fastest]}' at {speeds[fastest]:.4g} rad/s"

    @property
    def done(self) -> int:
        """How much is done, in the run's own units."""
        return int(self.run.done)

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.run.time)

    @property
    def notices(self) -> list[str]:
        """What the user should know of the run when it is over."""
        of_samples = self.run.notices_of_samples if self.planned is None else []
        return [*super().notices, *self.run.notices, *of_samples]

    def time_of(self, step: int) -> float:
        """When a step ends [s]: where steps find their own size, the time reached."""
        ahead = step - self.counts["steps"]
        return self.time + ahead * self.step if self.run.whole_steps else self.time

    @property
    def counts(self) -> Mapping[str, int]:
        """What the run has cost so far."""
        found: Mapping[str, int] = self.run.counts
        return found

    @property
    def row_names(self) -> list[str]:
        """Names of the constraint rows."""
        names: list[str] = self.run.problem.mechanism.row_names
        return names

    @property
    def worst_row(self) -> int:
        """The row with the largest residual when a step failed."""
        return int(self.run.worst_row)
