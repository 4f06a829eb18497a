"""One run from start to end, chunk by chunk: progress, recording, recovery, failure and interruption."""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from signal import SIGINT
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import (
    ConvergenceError,
    LinkworkError,
    LockUpError,
    RunInterruptedError,
    SingularPositionError,
    WrongResultError,
)
from linkwork.interrupts import Interrupts
from linkwork.io.results.snapshot import Snapshot, Unfinished
from linkwork.judgement.motion_watch import MotionWatch
from linkwork.kernels.compiling import is_worker
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.impossible_drivers import cause
from linkwork.run.onlooking import show
from linkwork.run.recording import Recorder
from linkwork.run.snapshot import arrays_in, copies, numbers_of, restore
from linkwork.status import LOCK_UP, NOT_REACHED, REMEDY, Status
from linkwork.system.kinks import jumping_with_state
from linkwork.verdict import WRONG, Verdict, worst

if TYPE_CHECKING:
    from linkwork.run.lock_up import LockUp

Progress = Callable[[float, float], None]

WORDS = {
    Status.NEWTON_DIVERGED: "Newton's method did not converge",
    Status.SINGULAR: "the equations are singular",
    Status.NOT_FINITE: "a value is not finite any more",
    Status.ROTATION_TOO_LARGE: "a body would turn by half a revolution or more in one step",
    Status.ITERATION_DIVERGED: "the iteration for the state of a step did not converge",
    Status.STEP_TOO_SMALL: "no step was small enough for the tolerances",
    Status.OUT_OF_SPACE: "the factors of the matrix did not fit their work space",
    Status.DRIVER_LIMIT: "a driver asks for a cosine beyond one",
    Status.ROD_COLLAPSED: "a rod is to have no length",
}


class Session(ABC):
    """What dynamics and kinematics share; they say how to take steps and how to recover."""

    def __init__(
        self,
        name: str,
        step: float,
        recorder: Recorder,
        messages: list[str],
        watch: MotionWatch[Any],
        judge: Callable[[Sequence[Mapping[str, Any]] | None], list[Verdict]],
    ) -> None:
        self.name, self.step, self.recorder, self.messages = name, step, recorder, messages
        self.watch, self.judge = watch, judge
        self.began, self.run_seconds, self.processor_seconds = clock.perf_counter(), 0.0, 0.0
        self.latest: tuple[float, NDArray[np.float64]] | None = None  # time [s] and motion (nb, 24) of the last sample
        self.recent: tuple[Mapping[str, Any], ...] = ()  # the last blocks of samples
        self.t_end = float("inf")  # s, of the run that is carried out
        self.planned: Mapping[str, Any] | None = None  # what is known of its accuracy, by other runs before it

    @abstractmethod
    def first(self) -> tuple[Status, Mapping[str, Any]]:
        """The sample at the start."""

    @abstractmethod
    def advance(self, steps: int) -> tuple[Status, Mapping[str, Any]]:
        """Take steps; what was recorded comes back even where one failed."""

    @abstractmethod
    def recover(self, status: Status) -> bool:
        """After a failed step: whether the run can go on from where it stands, in another way."""

    @property
    @abstractmethod
    def counts(self) -> Mapping[str, int]:
        """What the run has cost so far: steps, iterations, factorizations, evaluations, ..."""

    @property
    @abstractmethod
    def row_names(self) -> list[str]:
        """Names of the constraint rows."""

    @property
    @abstractmethod
    def worst_row(self) -> int:
        """The row with the largest residual when a step failed, -1 if none."""

    def where(self, status: Status) -> str:
        """What a message about a failed step adds: the row that is worst off, by name."""
        row, names = self.worst_row, self.row_names
        return f"; the largest residual is that of row '{names[row]}'" if 0 <= row < len(names) else ""

    def record(self, block: Mapping[str, Any]) -> None:
        """Look at a block, and keep it as far as it can be right."""
        with np.errstate(all="ignore"):  # a driver without a rate has no power
            keep = self.watch.look(block)
        show(block)
        kept = {name: values[:keep] for name, values in block.items()}
        if keep:
            self.latest = float(block["time"][keep - 1]), np.array(block["motion"][keep - 1])
            self.recent = (*self.recent[-1:], kept)
        self.recorder.append(kept)

    @property
    def ended(self) -> str | None:
        """Why the run must end here although every step went through, or None: what the watch has seen."""
        return None if self.watch.ended is None else self.watch.ended.text

    @property
    def shortfall(self) -> str:
        """Why the accuracy asked for is not reached, where that is known before the run."""
        return "" if self.planned is None else str(self.planned["accuracy"]["reason"])

    def judged(self) -> dict[str, Any]:
        """How far the run is to be believed, for the result's info: the verdicts on what was recorded."""
        self.watch.steps = self.counts["steps"]
        with np.errstate(all="ignore"):  # a driver without a rate has no power
            found = self.judge(self.recorder.blocks if self.recorder.writer is None else None)
        return {"judgement": worst(found), "verdicts": [verdict.to_dict() for verdict in found]}

    @property
    @abstractmethod
    def carried(self) -> Mapping[str, Any]:
        """The objects whose arrays and plain numbers tell where the run stands, by name."""

    @abstractmethod
    def rebuild(self, facts: Mapping[str, Any]) -> None:
        """Make them anew as they were in a run of which `facts` are known, for their arrays to be filled."""

    def snapshot(self) -> Snapshot:
        """Where the run stands after its last sample."""
        carried = self.carried
        facts = {name: numbers_of(thing) for name, thing in carried.items()}
        counters = {name: value for name, value in numbers_of(self).items() if name not in ("began", "step")}
        return Snapshot(copies(arrays_in(carried)), {**facts, "session": counters, "messages": list(self.messages)})

    def go_on_from(self, left: Unfinished) -> None:
        """Stand where another process stood. Raises ResultFileError if that was another run."""
        facts = left.snapshot.facts
        vars(self).update(facts["session"])
        self.messages[:] = facts["messages"]
        self.rebuild(facts)
        found = arrays_in(self.carried)
        restore(found, {n: a for n, a in left.snapshot.arrays.items() if not n.startswith("deriver.")}, str(left))
        for name, thing in self.carried.items():
            if facts[name]:
                vars(thing).update(facts[name])
        for block in self.recorder.recorded():  # what the other process saw
            self.watch.look(block)
            self.recorder.unread.look(block)

    @property
    def done(self) -> int:
        """How much of the run is done, in the units that `advance` takes: steps, or samples."""
        return self.counts["steps"]

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.counts["steps"] * self.step

    @property
    def notices(self) -> list[str]:
        """What the user should know of the run when it is over."""
        rebased = self.counts.get("rebased", 0)
        if not rebased:
            return []
        return [f"Euler angles were given a new reference rotation {rebased} times, to stay regular"]

    def time_of(self, step: int) -> float:
        """When a step ends, the one that has just failed included [s]; 0 is the start."""
        return step * self.step

    def carry_out(
        self,
        total: int,
        chunks: Chunks,
        t_end: float,
        progress: Progress | None,
        looked: Callable[[Any], None] | None = None,
    ) -> Result:
        """Run all of it. Raises with `.result` holding what was computed where that is not possible.

        total : steps or samples, in the units of `done`. looked : is told where progress is, and may raise.
        """

        def shown() -> None:
            if looked is not None:
                looked(self)
            if progress is not None:
                progress(self.time, t_end)

        self.t_end = t_end
        status, started, whole = Status.OK, self.recorder.unfinished is not None, True  # whole: samples tell the state
        interrupts = Interrupts(terminate=not is_worker())  # worker processes end at once, as they are told
        try:
            if self.recorder.unfinished is not None:
                self.go_on_from(self.recorder.unfinished)
            with interrupts:
                while not started or self.done < total:
                    interrupts.check()
                    count = chunks.next(total - self.done) if started else 1
                    whole = False
                    t0, p0 = clock.perf_counter(), clock.process_time()
                    status, block = self.advance(count) if started else self.first()
                    took, computed = clock.perf_counter() - t0, clock.process_time() - p0
                    self.record(block)
                    if self.ended is not None:
                        break
                    if status != Status.OK:
                        if self.recover(status):
                            status, whole = Status.OK, True
                            if started:  # a run may be held up here again and again
                                shown()
                            continue
                        break
                    whole = True
                    if started:
                        self.run_seconds += took
                        self.processor_seconds += computed
                        chunks.took(count, took)
                    started = True
                    self.recorder.keep(self.snapshot)
                    shown()
        except KeyboardInterrupt:
            text = f"interrupted at t = {self.time:.6g} s; what was computed before is kept."
            result = self._finish(Status.OK, text, whole=whole)
            raise RunInterruptedError(text, result=result, signal=interrupts.number or SIGINT) from None
        except LinkworkError:
            self.recorder.abandon()
            raise
        self.messages += self.notices
        if self.ended is not None:
            raise self._ended(self.ended)
        if status != Status.OK:
            raise self.failure(status, started)
        return self._finish(status, "")

    def _finish(self, status: int, message: str, *, whole: bool = True) -> Result:
        info = {name: value for name, value in self.counts.items() if name != "rebased"}
        timings = {
            "wall_time": clock.perf_counter() - self.began,
            "run_seconds": self.run_seconds,
            "processor_seconds": self.processor_seconds,
        }
        judged = self.judged()
        code = int(status)
        if status == Status.OK and not message and judged.get("judgement") == WRONG:
            first = judged["verdicts"][0]
            code, message = int(Status.JUDGED_WRONG), f"{first['text']} {first['cure']}".strip()
        elif status == Status.OK and not message and (why := self.shortfall):
            code, message = NOT_REACHED, why
        return self.recorder.finish(
            status=code,
            message=message,
            messages=tuple(self.messages),
            info={**info, **judged, **timings},
            snapshot=self.snapshot if whole else None,
        )

    def lock_up(self, time: float) -> LockUp | None:
        """Where drivers have no pose any more, at this time or before [s]."""
        from linkwork.run.lock_up import lock_up

        return lock_up(self.watch.mechanism, self.recent, min(time, max(self.t_end, self.time)))

    def _locked(self, time: float) -> LockUpError | None:
        """What is to be raised where that is why a step failed."""
        found = self.lock_up(time)
        if found is None:
            return None
        text, result = str(found), self._finish(LOCK_UP, str(found))
        return LockUpError(text, result=result, element=f"mechanism {self.name!r}", remedy=found.remedy)

    def _ended(self, text: str) -> ConvergenceError:
        """The run, ended at a limit."""
        if self.latest is not None and (locked := self._locked(self.latest[0])) is not None:
            return locked
        result = self._finish(Status.LIMIT_PASSED, text)
        cures = [verdict["cure"] for verdict in result.info.get("verdicts", ())][:1]
        return WrongResultError(text, result=result, element=f"mechanism {self.name!r}", remedy="".join(cures))

    def failure(self, status: Status, started: bool = True) -> ConvergenceError:
        """What is to be raised of a step that failed, with what was recorded before."""
        step = self.counts["steps"] + 1 if started else 0
        status, row = cause(self.watch.mechanism, self.time_of(step), status)
        if row < 0 and (locked := self._locked(self.time + 2 * self.step)) is not None:
            return locked
        where = f"; it is row '{self.row_names[row]}'" if row >= 0 else self.where(status)
        text = f"t = {self.time_of(step):.6g} s, step {step}: {WORDS[status]}{where}."
        remedy, jumps = REMEDY[status], jumping_with_state(self.watch.mechanism.lowered)
        if status == Status.NEWTON_DIVERGED and jumps is not None:
            remedy += (
                f" The formula of {jumps} jumps with the state: where it holds a body between its values (friction "
            )
            remedy += "by sign, a switch) no step has a solution. Round it off: tanh(x/width) for sign(x)."
        kind = SingularPositionError if status == Status.SINGULAR else ConvergenceError
        return kind(
            text,
            result=self._finish(status, text),
            element=f"mechanism {self.name!r}",
            remedy=remedy,
        )
