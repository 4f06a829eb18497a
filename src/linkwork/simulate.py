"""Dynamics: match formulation and integrator, run in chunks, record, report."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np

from linkwork.chunks import Chunks
from linkwork.errors import (
    ConvergenceError,
    IncompatiblePairError,
    LinkworkError,
    RunInterruptedError,
    SingularPositionError,
    UsageError,
)
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.mechanism import Mechanism
from linkwork.recording import Recorder, new_header
from linkwork.result import Result
from linkwork.starting import prepare, started, whole_steps
from linkwork.status import REMEDY, Status

Progress = Callable[[float, float], None]


def simulate(
    mech: Mechanism,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str = "rA",
    integrator: str = "implicit-euler",
    *,
    newton: str = "frozen",
    tolerance: float | None = None,
    position_tolerance: float | None = None,
    max_iterations: int | None = None,
    every: int = 1,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    accept_drivers: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Simulate the dynamics of a mechanism from its start state to `t_end`.

    Parameters
    ----------
    mech : the mechanism; every body needs mass and inertia.
    t_end, step : seconds; without them the mechanism's own `run` hints are used.
    formulation : a name of `linkwork.formulations.FORMULATIONS`.
    integrator : a name of `linkwork.integrators.INTEGRATORS` that fits the formulation.
    newton : ``frozen`` (default), ``full`` or ``no-reaction-variation`` [Kissel 2021, section 3].
    tolerance : Theta, the norm of Newton's corrections of accelerations and multipliers at which a step is done
        [Kissel 2021, eq. 46].
    position_tolerance : instead of it, Theta h^2 = const: positions to this share of the mechanism's length
        (default 1e-11).
    max_iterations : of Newton per step.
    every : record every k-th step (and the start).
    out : stream the result to this NetCDF file, with bounded memory; `force` lets it replace another.
    accept_drivers : let a driver that disagrees with the start state win; otherwise that is an error.
    progress : called as progress(time reached, t_end) now and then.

    Returns the Result. Raises ModelError and its kin for models that cannot run, AssemblyError, UsageError;
    ConvergenceError, SingularPositionError or RunInterruptedError with `.result` holding what was computed.
    """
    t_end, step = _span(mech, t_end, step)
    steps, messages = whole_steps(t_end, step)
    _check_every(every)
    chosen = FORMULATIONS.load(formulation)
    method = INTEGRATORS.load(integrator)
    if integrator not in chosen.integrators:
        raise IncompatiblePairError(
            f"integrator {integrator!r} does not fit formulation {formulation!r}.",
            remedy=f"Fitting ones: {', '.join(chosen.integrators)}.",
        )
    start = prepare(mech, dynamics=True, accept_drivers=accept_drivers)
    start.compiled.need_masses()
    options = {
        "step": step,
        "tolerance": tolerance,
        "position_tolerance": position_tolerance,
        "max_iterations": max_iterations,
        "every": every,
    }
    began = clock.perf_counter()
    run = started(chosen, method, start.compiled, newton, options)
    settings = {
        "analysis": "dynamics",
        "formulation": formulation,
        "integrator": integrator,
        "step": step,
        "t_end": t_end,
        "newton": newton,
        "tolerance": run.theta,
        "every": every,
    }
    recorder = Recorder(
        new_header(mech, start.compiled, settings), start.compiled, out=out, force=force, expected=steps // every + 1
    )
    if run.problem.droppable:
        messages.append(_redundancy(run))
    return _Session(mech, run, recorder, chosen, method, newton, options, began).carry_out(
        steps, [*start.messages, *messages], progress, t_end
    )


def _span(mech: Mechanism, t_end: float | None, step: float | None) -> tuple[float, float]:
    hints = getattr(mech, "run", None)
    found = []
    for name, value in (("t_end", t_end), ("step", step)):
        value = value if value is not None else getattr(hints, name, None)
        if value is None:
            raise UsageError(f"{name} is not given, and the mechanism has no hint for it.")
        found.append(value)
    return found[0], found[1]


def _check_every(every: int) -> None:
    if type(every) is bool or not isinstance(every, int | np.integer) or every < 1:
        raise UsageError(f"every must be a whole number of steps, at least 1, not {every!r}.")


def _redundancy(run: Any) -> str:
    found = run.problem.dependence.found
    names = run.problem.mechanism.row_names
    rows = ", ".join(f"'{names[k]}'" for k in found.dropped[: found.sizes[1]])
    return f"rows that others imply: {rows}; their reactions are not unique, the least ones are reported"


class _Session:
    """One run from start to end, chunk by chunk, through rank changes, failures and interruptions."""

    def __init__(
        self, mech: Mechanism, run: Any, recorder: Recorder, formulation: Any, method: Any, newton: str,
        options: dict[str, Any], began: float,
    ) -> None:  # fmt: skip
        self.mech, self.run, self.recorder = mech, run, recorder
        self.formulation, self.method, self.newton, self.options = formulation, method, newton, options
        self.began, self.run_seconds = began, 0.0

    def carry_out(self, steps: int, messages: list[str], progress: Progress | None, t_end: float) -> Result:
        """Run all steps; raise with the partial result where that is not possible."""
        layout = self.run.problem.layout
        chunks = Chunks.of(layout.nb, 8.0 * (24 * layout.nb + layout.nc + 2) / self.options["every"])
        status = Status.OK
        try:
            self.recorder.append(self.run.sample())
            while self.run.counts["steps"] < steps:
                count = chunks.next(steps - self.run.counts["steps"])
                t0 = clock.perf_counter()
                status, block = self.run.advance(count)
                took = clock.perf_counter() - t0
                self.run_seconds += took
                self.recorder.append(block)
                if status == Status.SINGULAR and not self.run.problem.droppable:
                    messages.append(f"constraints lose rank near t = {self.time:.6g} s: dependent rows are taken out")
                    self._make_droppable()
                    status = Status.OK
                elif status != Status.OK:
                    break
                chunks.took(count, took)
                if progress is not None:
                    progress(self.time, t_end)
        except KeyboardInterrupt:
            text = f"interrupted at t = {self.time:.6g} s; what was computed before is kept."
            raise RunInterruptedError(text, result=self._finish(Status.OK, text, messages)) from None
        except LinkworkError:
            self.recorder.abandon()
            raise
        rebased = self.run.counts["rebased"]
        if rebased:
            messages.append(f"Euler angles were given a new reference rotation {rebased} times, to stay regular")
        if status == Status.OK:
            return self._finish(status, "", messages)
        raise self._failure(status, messages)

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.run.counts["steps"] * self.options["step"])

    def _make_droppable(self) -> None:
        old = self.run
        mechanism = old.problem.mechanism
        tolerance = self.method.pose_tolerance(mechanism.length, self.options)
        problem = self.formulation.build(mechanism, newton=self.newton, droppable=True, pose_tolerance=tolerance)
        self.run = self.method.start(problem, **self.options)
        self.run.take_over(old)

    def _finish(self, status: Status, message: str, messages: list[str]) -> Result:
        counts = self.run.counts
        info = {
            "steps": counts["steps"],
            "iterations": counts["iterations"],
            "factorizations": counts["factorizations"],
            "wall_time": clock.perf_counter() - self.began,
            "run_seconds": self.run_seconds,
        }
        return self.recorder.finish(status=status, message=message, messages=tuple(messages), info=info)

    def _failure(self, status: Status, messages: list[str]) -> ConvergenceError:
        step = self.options["step"]
        row = self.run.worst_row
        names = self.run.problem.mechanism.row_names
        where = f"; the largest residual is that of row '{names[row]}'" if 0 <= row < len(names) else ""
        what = {
            Status.NEWTON_DIVERGED: "Newton's method did not converge",
            Status.SINGULAR: "the equations became singular",
            Status.NOT_FINITE: "a value is not finite any more",
            Status.ROTATION_TOO_LARGE: "a body would turn by half a revolution or more in one step",
        }.get(status, status.name)
        text = f"t = {self.time + step:.6g} s, step {self.run.counts['steps'] + 1}: {what}{where}."
        kind = SingularPositionError if status == Status.SINGULAR else ConvergenceError
        return kind(
            text,
            result=self._finish(status, text, messages),
            element=f"mechanism {self.mech.name!r}",
            remedy=REMEDY[status],
        )
