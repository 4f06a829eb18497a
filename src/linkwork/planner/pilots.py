"""Pilot runs: a pair at one setting after another, with few samples, on a problem that is built once.

What a run costs is mostly samples: accelerations, reactions, energies, verdicts. Runs that only tell how large errors
are record a few of the samples that are asked for, and are not judged; the run that is handed over is made after them.
One that may be that run itself records all of them, where they cost little beside its steps: then it is handed over as
it is (`recorded.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from signal import SIGINT
from time import monotonic, perf_counter, process_time
from typing import Any, cast

from linkwork.equations.derived import MechanismDeriver
from linkwork.equations.late_deriver import LateDeriver
from linkwork.errors import RunInterruptedError
from linkwork.header import Header
from linkwork.integrators.contract import Block, Run
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.interrupts import Interrupts
from linkwork.kernels.compiling import purpose
from linkwork.mechanism import Mechanism
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, Tuned, call_of, need_end, one_run
from linkwork.planner.recorded import Recorded, Replayed
from linkwork.planner.tolerances import TimeUpError
from linkwork.remembered import with_fields
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.held import LARGEST, Held
from linkwork.run.later import LaterResult
from linkwork.run.onlooking import show
from linkwork.run.recording import about, joined_blocks, named, new_names
from linkwork.run.samples import Samples
from linkwork.run.session import Progress
from linkwork.run.simulate import Call, held_of
from linkwork.run.span import initialised
from linkwork.run.starting import Start, prepare
from linkwork.run.uniqueness import all_independent
from linkwork.status import Status
from linkwork.system import CompiledMechanism

POINTS = 250  # samples of a pilot run, about
LAST = 0.25, 0.7  # of first pilot runs, and of later ones that are not there to be compared with, handed over, about
COMPARED = 0.17, 0.085  # of others, 24 of 282: of no more steps than samples, and of more (decision 224)
CREEPING, TIMES_PREDICTED = 20_000, 50  # steps of a pilot run, or times what is predicted, from which on it is given up


def most_steps(predicted: int) -> int:
    """Of a run, from which on it creeps."""
    return max(CREEPING, TIMES_PREDICTED * predicted)


def worthwhile(setting: Setting, method: Method) -> bool:
    """Whether pilots of the pair are cheaper than whole runs: samples cost much where steps are few, and a file that is
    gone on with holds one run."""
    chosen_times = "t_eval" in method.integrator.given()
    return not chosen_times and (method.explicit or setting.samples.out is not None)


class Pilots:
    """Runs of one pair. first : the setting that they begin with. steps : predicted of a run, 0 if nobody knows. held :
    the run, where there is one from an equal call before."""

    def __init__(
        self, setting: Setting, method: Method, first: float, steps: int = 0, held: Held | None = None
    ) -> None:
        self.method, self.first, self.most = method, first, most_steps(steps)
        self.steps, self.made, self.recorded = steps, 0, dict[Tuned, Recorded]()  # steps: of the last run
        self.thinned = thinned(setting, method)
        self.asked = with_fields(setting, samples=Samples(every=setting.samples.every))
        self.setting = with_fields(setting, samples=Samples(every=setting.samples.every * self.thinned))
        self.in_memory = setting.samples.out is None
        self._begun: Tuned | None = None  # how the run was started, until it moves
        if held is not None:
            self.held = held

    def run(
        self,
        value: float,
        deadline: float | None,
        progress: Progress | None,
        *,
        patient: bool = False,
        last: bool = False,
    ) -> Result:
        """At one setting. last : it is not there to be compared with alone. Raises TimeUpError, CreepingError (unless
        `patient`), and what `simulate` raises."""
        many = self.steps > self.setting.size.samples
        whole = self._every_sample(LAST[min(self.made, 1)] if last else COMPARED[many])
        found = self._again(value, deadline, progress, patient=patient, whole=whole) if self.method.controlled else None
        return found or one_run(
            self.setting, self.method, value, deadline, progress, self.first, most_steps=self.most, patient=patient
        )

    def _every_sample(self, spared_in: float) -> bool:
        """Whether those that are left out otherwise cost less than what is spared in this share of runs."""
        if not self.in_memory or not self.method.controlled:
            return False
        n, nb = self.asked.size.samples, len(self.setting.mechanism.bodies)
        few, all_of_them = self._evaluations(self.setting.size.samples), self._evaluations(n)
        left_out, spared = all_of_them - few, self.method.stages * self.steps + all_of_them
        return left_out <= spared_in * (spared + left_out) and 8 * 24 * nb * n <= LARGEST

    def _evaluations(self, samples: int) -> int:
        """Of the slope, for so many samples: one each, and in every step that has any those of dense output."""
        return samples + self.method.stages_of_samples * min(samples, self.steps)

    def started(self, call: Call) -> Run[Any] | None:
        """The run that is kept, at its start, as the call has it, or done; None where another has to be made."""
        chosen = cast(Any, call.integrator)
        tuned = (*chosen.tolerances, chosen.max_step or math.inf)
        recorded = self.recorded.get(tuned)
        if recorded is not None and all_independent(self.held.run.problem):  # nothing is asked of where it stood
            return Replayed(self.held.run, recorded)
        run = self._at_start(tuned, call.samples.every)
        return run if run is None or recorded is None else Replayed(run, recorded)

    def _at_start(self, tuned: Tuned, every: int) -> RungeKuttaRun | None:
        run = self.held.run
        if not isinstance(run, RungeKuttaRun) or run.tolerances is None:
            return None
        stands, self._begun = self._begun == tuned, None
        if not stands:
            self.held.placed.restore(run)
        run.retune(*tuned, every)
        return run if stands or initialised(self.held) else None

    @cached_property
    def _start(self) -> Start:
        accepted = {name: bool(said) for name, said in self.setting.accepted.items()}
        return prepare(self.setting.mechanism, dynamics=True, state=self.setting.state, **accepted)

    @cached_property
    def held(self) -> Held:
        """The run that is started again and again."""
        self._begun = self.setting.tuned(self.method, self.first, self.first)
        return held_of(self._first_call, self._start, as_called=False)

    @cached_property
    def _first_call(self) -> Call:
        return call_of(self.setting, self.method, self.first, self.first)

    def call(self, value: float) -> Call | None:
        """The call that runs the pair at one setting with all samples; None where it was not made yet."""
        if value != self.first or not self.method.controlled or "_first_call" not in vars(self):
            return None
        return with_fields(self._first_call, samples=self.asked.samples)

    @cached_property
    def _names(self) -> Header:
        formulation, problem = self.method.formulation, self.held.run.problem
        return new_names(self._start.compiled, formulation.extras(), formulation.labels(problem))

    def _again(
        self, value: float, deadline: float | None, progress: Progress | None, *, patient: bool, whole: bool
    ) -> PilotResult | None:
        """None where the run meets what only a whole run gets past, such as a loss of rank. whole : all samples."""
        label, setting = self.method.label, self.asked if whole else self.setting
        with purpose(label):
            tuned = setting.tuned(self.method, value, self.first)
            run = self._at_start(tuned, setting.samples.every)
            if run is None:
                return None
            began, interrupts = process_time(), Interrupts()
            blocks: list[Block] = [run.first()]
            spent, computed = 0.0, 0.0
            chunks = Chunks.of(nb := self._start.compiled.nb, 8.0 * 24 * nb)
            try:
                with interrupts:
                    while run.done < run.total:
                        interrupts.check()
                        if deadline is not None and monotonic() > deadline:
                            raise TimeUpError(self._result(joined_blocks(blocks), run, began).finished())
                        if (steps := run.counts["steps"]) > self.most:
                            need_end(setting, steps, run.time, self.most, patient=patient)
                        t0, p0 = perf_counter(), process_time()
                        count = chunks.next(run.total - run.done)
                        status, block = run.advance(count)
                        if status != Status.OK:
                            return None
                        took, computed = perf_counter() - t0, computed + process_time() - p0
                        spent += took
                        chunks.took(count, took)
                        blocks.append(block)
                        show(block)
                        if progress is not None:
                            progress(run.time, setting.t_end)
            except KeyboardInterrupt:
                text = f"interrupted at t = {run.time:.6g} s; what was computed before is kept."
                found = self._result(joined_blocks(blocks), run, began).finished()
                found.success, found.message = False, text
                raise RunInterruptedError(text, result=found, signal=interrupts.number or SIGINT) from None
            block, self.made, self.steps = joined_blocks(blocks), self.made + 1, run.counts["steps"]
            if whole:
                made = Recorded(block, dict(run.settings), run.counts, run.notices, spent, computed)
                self.recorded[tuned] = made
                block = made.thinned(self.thinned)
            return self._result(block, run, began)

    def _result(self, block: Block, run: RungeKuttaRun, began: float) -> PilotResult:
        counts = {**run.counts, "processor_seconds": process_time() - began}
        further = partial(self.method.formulation.extra_outputs, run.problem, block)
        return PilotResult(self._names, block, further, self._start.compiled, counts, self.setting.mechanism)


class PilotResult(LaterResult):
    """Of a pilot run: samples to compare, and what it cost. Few are handed over, and say then what they are of."""

    def __init__(
        self,
        names: Header,
        block: Block,
        further: Callable[[], Mapping[str, Any]],
        compiled: CompiledMechanism,
        counts: Mapping[str, Any],
        mechanism: Mechanism,
    ) -> None:
        """further : arrays that nobody compares. counts : for the info."""
        arrays = {name: values for name, values in named(block).items() if name != "extra"}

        def complete() -> dict[str, Any]:
            whole = {**arrays, **further()}
            return {"arrays": whole, "header": about(names, mechanism), "derive": LateDeriver(compiled), "info": counts}

        super().__init__(names, arrays, partial(MechanismDeriver, compiled), complete)
        self.counts = counts

    @property
    def info(self) -> Mapping[str, Any]:
        """What it cost, and the rest once that was asked for."""
        return self.counts if self.unfinished else super().info

    @property
    def variables(self) -> tuple[str, ...]:
        """Those that nobody compares among them."""
        return super(PilotResult, self.finished()).variables


def thinned(setting: Setting, method: Method) -> int:
    """Of how many samples one is recorded; steps of one size end where a whole run does."""
    n = max(1, round(setting.duration / (setting.interval * setting.samples.every)))
    if method.controlled:
        return max(1, math.ceil(n / POINTS))
    return max(k for k in range(1, max(2, n // POINTS + 1)) if n % k == 0)
