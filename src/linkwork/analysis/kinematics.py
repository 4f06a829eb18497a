"""Kinematics of a driven mechanism: positions, velocities and accelerations from the constraints alone."""

from __future__ import annotations

import time as clock
from os import PathLike
from typing import Any

import numpy as np

from linkwork.chunks import Chunks
from linkwork.errors import (
    ConvergenceError,
    LinkworkError,
    NotDrivenError,
    RunInterruptedError,
    SingularPositionError,
    UnsupportedElementError,
    UsageError,
)
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism import Mechanism
from linkwork.recording import Progress, Recorder, new_header
from linkwork.result import Result
from linkwork.starting import Start, prepare, whole_steps
from linkwork.status import REMEDY, Status
from linkwork.system.dense import Pose, constraints, drives
from linkwork.system.rank import rank_of

MAX_ITERATIONS = 30
PREDICTORS = {"velocity": 1, "acceleration": 2, "extrapolated": 3}


def kinematics(
    mech: Mechanism,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str = "rA",
    *,
    newton: str = "frozen",
    predictor: str = "extrapolated",
    tolerance: float = 1e-10,
    max_iterations: int | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    accept_drivers: bool = False,
    progress: Progress | None = None,
) -> Result:
    """The motion that a mechanism's drivers prescribe [Kissel 2021, section 2].

    Parameters
    ----------
    mech : a mechanism whose joints and drivers leave no freedom; masses are not needed.
    t_end, step : seconds; without them the mechanism's own `run` hints are used.
    formulation : ``rA``, ``rp`` or ``re``.
    newton : ``frozen`` keeps the matrix of a step over its iterations while they converge fast, ``full`` forms it
        at every iteration.
    predictor : ``velocity`` [Kissel 2021, eq. 11], ``acceleration``, one order better, or ``extrapolated``, which
        uses the change of acceleration as well.
    tolerance : norm of the position correction (m, rad) at which a step is done; one more correction is then in
        the result.
    out, force, accept_drivers, progress : as in `simulate`.

    Returns the Result (no multipliers, no reactions). Raises NotDrivenError naming the freedom left over,
    UnsupportedElementError for velocity-level (non-holonomic) rows, AssemblyError, ConvergenceError and
    SingularPositionError with `.result`.
    """
    hints = getattr(mech, "run", None)
    t_end = t_end if t_end is not None else getattr(hints, "t_end", None)
    step = step if step is not None else getattr(hints, "step", None)
    if t_end is None or step is None:
        raise UsageError("t_end and step are not given, and the mechanism has no hints for them.")
    steps, messages = whole_steps(t_end, step)
    _check_options(newton, predictor, tolerance, max_iterations)
    chosen = FORMULATIONS.load(formulation)
    if not chosen.supports_kinematics:
        raise UsageError(f"formulation {formulation!r} has no kinematics analysis.", remedy="Use rA, rp or re.")
    start = prepare(mech, dynamics=False, accept_drivers=accept_drivers)
    bordered = _driven(start)
    began = clock.perf_counter()
    settings = {
        "analysis": "kinematics",
        "formulation": formulation,
        "step": step,
        "t_end": t_end,
        "newton": newton,
        "predictor": predictor,
        "tolerance": tolerance,
    }
    header = new_header(mech, start.compiled, settings)
    recorder = Recorder(header, start.compiled, out=out, force=force, expected=steps + 1)
    options = (step, tolerance, newton == "full", PREDICTORS[predictor], max_iterations or MAX_ITERATIONS)
    if bordered:
        messages.append("some rows follow from others; positions are those of least change")
    session = _Session(mech, chosen, start, recorder, options, bordered, began)
    return session.carry_out(steps, [*start.messages, *messages], progress, t_end)


def _check_options(newton: str, predictor: str, tolerance: float, max_iterations: int | None) -> None:
    if newton not in ("frozen", "full"):
        raise UsageError(f"newton must be 'frozen' or 'full' in kinematics, not {newton!r}.")
    if predictor not in PREDICTORS:
        raise UsageError(f"predictor must be one of {', '.join(PREDICTORS)}, not {predictor!r}.")
    if not (np.isfinite(tolerance) and tolerance > 0):
        raise UsageError(f"tolerance must be a positive number, not {tolerance!r}.")
    if max_iterations is not None and max_iterations < 1:
        raise UsageError(f"max_iterations must be at least 1, not {max_iterations!r}.")


def _driven(start: Start) -> bool:
    """Whether dependent rows have to be allowed for. Raises if the motion is not determined by the rows."""
    compiled = start.compiled
    for row, level in zip(compiled.lowered.rows, compiled.system.rows.nonholonomic, strict=True):
        if level:
            raise UnsupportedElementError(
                f"row '{row.name}' constrains velocities only (non-holonomic): kinematics cannot treat it.",
                element=f"'{row.owner}'",
                remedy="Use simulate (dynamics).",
            )
    freedom = 6 * compiled.nb
    rank = freedom
    if compiled.nc != freedom or freedom <= 600:
        pose = Pose(compiled.r, compiled.A)
        rank = rank_of(compiled, constraints(compiled, pose, drives(compiled, 0.0))[1]).rank
    if compiled.nc < freedom or (rank < freedom and not any(row.driver for row in compiled.lowered.rows)):
        raise NotDrivenError(
            f"its motion is not determined: {freedom - rank} degrees of freedom are left without a driver.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="Add a driver for each, or simulate its dynamics.",
        )
    return compiled.nc != freedom or rank < freedom


class _Session:
    """One kinematics run, chunk by chunk."""

    def __init__(
        self, mech: Mechanism, formulation: Any, start: Start, recorder: Recorder, options: tuple[Any, ...],
        bordered: bool, began: float,
    ) -> None:  # fmt: skip
        self.mech, self.formulation, self.start, self.recorder = mech, formulation, start, recorder
        self.options, self.began, self.run_seconds = options, began, 0.0
        self._build(bordered)

    def _build(self, bordered: bool) -> None:
        from linkwork.analysis.kinematics_kernels import Run

        step, tolerance, full, predictor, cap = self.options
        self.problem = self.formulation.build_kinematic(self.start.compiled, bordered=bordered)
        layout = self.problem.layout
        size, work = layout.total, self.problem.work
        self.problem.work.coef[4] = layout.multipliers.start if bordered else 0
        self.run = Run(
            settings=np.array([0.0, step, tolerance, 1.0]),
            options=np.array([int(full), cap, predictor, int(bordered), layout.stride, int(layout.algebra)]),
            counts=np.zeros(7, dtype=np.int64),
            before=np.zeros_like(work.motion),
            rates=np.zeros((2, size)),
            z=work.z,
            residual=work.residual,
            coef=work.coef,
            motion=work.motion,
            base=work.base,
            delta=self.problem.linear.delta,
        )

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.run.counts[0] * self.options[0])

    def _advance(self, steps: int, first: bool) -> tuple[Status, dict[str, np.ndarray]]:
        from linkwork.analysis.compiled_kinematics import advance
        from linkwork.analysis.kinematics_kernels import Block, Entries

        block = Block(
            time=np.empty(steps),
            motion=np.empty((steps, self.problem.layout.nb, 24)),
            iterations=np.empty(steps, dtype=np.int64),
        )
        entries = Entries(*(getattr(self.problem, name) for name in Entries._fields))
        t0 = clock.perf_counter()
        status, n = advance(entries, self.problem.context, self.run, steps, first, block)
        self.run_seconds += clock.perf_counter() - t0
        return Status(status), {"time": block.time[:n], "motion": block.motion[:n], "iterations": block.iterations[:n]}

    def _to_bordered(self, messages: list[str]) -> None:
        messages.append(f"singular position near t = {self.time:.6g} s: continued with the least change")
        old, motion = self.run, self.problem.work.motion
        self._build(True)
        self.problem.work.motion[:] = motion
        self.run.counts[:] = old.counts

    def carry_out(self, steps: int, messages: list[str], progress: Progress | None, t_end: float) -> Result:
        """Run all steps; raise with the partial result where that is not possible."""
        nb = self.problem.layout.nb
        chunks = Chunks.of(nb, 8.0 * (24 * nb + 2))
        status = Status.OK
        first = True
        try:
            while first or self.run.counts[0] < steps:
                count = 1 if first else chunks.next(steps - int(self.run.counts[0]))
                before = self.run_seconds
                status, block = self._advance(count, first)
                self.recorder.append(block)
                if status == Status.SINGULAR and not self.problem.bordered:
                    self._to_bordered(messages)
                    status = Status.OK
                    continue
                if status != Status.OK:
                    break
                if first:
                    self.run_seconds = 0.0  # what the first call took was mostly compiling
                else:
                    chunks.took(count, self.run_seconds - before)
                first = False
                if progress is not None:
                    progress(self.time, t_end)
        except KeyboardInterrupt:
            text = f"interrupted at t = {self.time:.6g} s; what was computed before is kept."
            raise RunInterruptedError(text, result=self._finish(Status.OK, text, messages)) from None
        except LinkworkError:
            self.recorder.abandon()
            raise
        if self.run.counts[3]:
            messages.append(
                f"Euler angles were given a new reference rotation {self.run.counts[3]} times, to stay regular"
            )
        if status == Status.OK:
            return self._finish(status, "", messages)
        raise self._failure(status, messages, 0 if first else 1)

    def _finish(self, status: Status, message: str, messages: list[str]) -> Result:
        counts = self.run.counts
        info = {
            "steps": int(counts[0]),
            "iterations": int(counts[1]),
            "factorizations": int(counts[2]),
            "wall_time": clock.perf_counter() - self.began,
            "run_seconds": self.run_seconds,
        }
        return self.recorder.finish(status=status, message=message, messages=tuple(messages), info=info)

    def _failure(self, status: Status, messages: list[str], ahead: int) -> ConvergenceError:
        names = self.start.compiled.row_names
        first = int(self.problem.work.coef[4])
        residual = np.abs(self.problem.work.residual[first : first + len(names)])
        worst = f"; the largest residual is that of row '{names[int(np.argmax(residual))]}'" if len(names) else ""
        what = {
            Status.NEWTON_DIVERGED: "Newton's method did not converge",
            Status.SINGULAR: "the constraints lose rank",
            Status.NOT_FINITE: "a value is not finite any more",
        }.get(status, status.name)
        text = f"t = {self.time + ahead * self.options[0]:.6g} s: {what}{worst}."
        kind = SingularPositionError if status == Status.SINGULAR else ConvergenceError
        return kind(
            text,
            result=self._finish(status, text, messages),
            element=f"mechanism {self.mech.name!r}",
            remedy=REMEDY[status],
        )
