"""Pilot runs: a pair at one setting after another, with few samples, on a problem that is built once.

What a run costs is mostly samples: accelerations, reactions, energies, verdicts. Runs that only tell how large errors
are record a few of the samples that are asked for, and are not judged; the run that is handed over is made after them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from signal import SIGINT
from time import monotonic, process_time
from typing import Any, cast

import numpy as np

from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import RunInterruptedError
from linkwork.header import Header
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.interrupts import Interrupts
from linkwork.kernels.compiling import purpose
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, call_of, one_run
from linkwork.planner.tolerances import CreepingError, TimeUpError
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.held import Held
from linkwork.run.model import initialised
from linkwork.run.onlooking import show
from linkwork.run.recording import named, new_header
from linkwork.run.samples import Samples
from linkwork.run.session import Progress
from linkwork.run.simulate import Call, held_of
from linkwork.run.starting import Start, prepare
from linkwork.status import Status

POINTS = 250  # samples of a pilot run, about
CREEPING, TIMES_PREDICTED = 20_000, 50  # steps of a pilot run, or times what is predicted, from which on it is given up


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
        self.method, self.first, self.most = method, first, max(CREEPING, TIMES_PREDICTED * steps)
        every = setting.samples.every * thinned(setting, method)
        self.setting = replace(setting, samples=Samples(every=every))
        if held is not None:
            self.held = held

    def run(self, value: float, deadline: float | None, progress: Progress | None, *, patient: bool = False) -> Result:
        """At one setting. Raises TimeUpError, CreepingError (unless `patient`), and what `simulate` raises."""
        found = self._again(value, deadline, progress, patient=patient) if self.method.controlled else None
        return found or one_run(self.setting, self.method, value, deadline, progress, self.first)

    def started(self, call: Call) -> RungeKuttaRun | None:
        """The run that is kept, at its start, as the call has it; None where another has to be made."""
        run = self.held.run
        if not isinstance(run, RungeKuttaRun) or run.tolerances is None:
            return None
        self.held.placed.restore(run)
        chosen = cast(Any, call.integrator)
        rtol, atol = chosen.tolerances
        run.retune(rtol, atol, chosen.max_step or math.inf, call.samples.every)
        return run if initialised(self.held) else None

    @cached_property
    def _start(self) -> Start:
        accepted = {name: bool(said) for name, said in self.setting.accepted.items()}
        return prepare(self.setting.mechanism, dynamics=True, state=self.setting.state, **accepted)

    @cached_property
    def held(self) -> Held:
        """The run that is started again and again."""
        return held_of(call_of(self.setting, self.method, self.first, self.first), self._start.again(), as_called=False)

    @cached_property
    def _header(self) -> Header:
        formulation, problem = self.method.formulation, self.held.run.problem
        return new_header(
            self.setting.mechanism, self._start.compiled, {}, formulation.extras(), formulation.labels(problem)
        )

    def _again(
        self, value: float, deadline: float | None, progress: Progress | None, *, patient: bool
    ) -> Result | None:
        """None where the run meets what only a whole run gets past, such as a loss of rank."""
        label, setting = self.method.label, self.setting
        with purpose(label):
            run = self.started(call_of(setting, self.method, value, self.first))
            if run is None:
                return None
            began, interrupts = process_time(), Interrupts()
            blocks: list[Mapping[str, Any]] = [run.first()]
            chunks = Chunks.of(nb := self._start.compiled.nb, 8.0 * 24 * nb)
            try:
                with interrupts:
                    while run.done < run.total:
                        interrupts.check()
                        if deadline is not None and monotonic() > deadline:
                            raise TimeUpError(self._result(blocks, run, began))
                        if not patient and run.counts["steps"] > self.most:
                            raise CreepingError(run.counts["steps"], run.time)
                        t0 = monotonic()
                        count = chunks.next(run.total - run.done)
                        status, block = run.advance(count)
                        if status != Status.OK:
                            return None
                        chunks.took(count, monotonic() - t0)
                        blocks.append(block)
                        show(block)
                        if progress is not None:
                            progress(run.time, setting.t_end)
            except KeyboardInterrupt:
                text = f"interrupted at t = {run.time:.6g} s; what was computed before is kept."
                found = self._result(blocks, run, began)
                found.success, found.message = False, text
                raise RunInterruptedError(text, result=found, signal=interrupts.number or SIGINT) from None
            return self._result(blocks, run, began)

    def _result(self, blocks: list[Mapping[str, Any]], run: RungeKuttaRun, began: float) -> Result:
        formulation = self.method.formulation
        extras = bool(formulation.extras())
        labelled = [
            {name: value for name, value in block.items() if name != "extra"}
            | (dict(formulation.extra_outputs(run.problem, block)) if extras else {})
            for block in blocks
        ]
        joined = {name: np.concatenate([block[name] for block in labelled]) for name in labelled[0]}
        info = {**run.counts, "processor_seconds": process_time() - began}
        return Result(self._header, named(joined), derive=MechanismDeriver(self._start.compiled), info=info)


def thinned(setting: Setting, method: Method) -> int:
    """Of how many samples one is recorded; steps of one size end where a whole run does."""
    n = max(1, round(setting.duration / (setting.interval * setting.samples.every)))
    if method.controlled:
        return max(1, math.ceil(n / POINTS))
    return max(k for k in range(1, max(2, n // POINTS + 1)) if n % k == 0)
