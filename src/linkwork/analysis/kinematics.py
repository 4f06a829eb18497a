"""Kinematics of a driven mechanism: positions, velocities and accelerations from the constraints alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from linkwork.analysis.freedom import study_rank
from linkwork.arguments import function, positive_number, whole_number
from linkwork.errors import NotDrivenError, UnsupportedElementError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.judgement.judge import kinematic_verdicts
from linkwork.judgement.limits import KINEMATIC, Limits
from linkwork.judgement.motion_watch import MOST, KinematicWatch
from linkwork.kernels.compiling import purpose
from linkwork.mechanism import Mechanism
from linkwork.problems.layout import address_table
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.recording import Recorder, check_output, new_header
from linkwork.run.session import Progress, Session
from linkwork.run.snapshot import call_of
from linkwork.run.starting import Start, prepare, span, whole_steps
from linkwork.status import Status
from linkwork.system.dense import Pose
from linkwork.system.rank import rank_at

MAX_ITERATIONS = 30
PARTS = (2, 4, 8, 16, 32)  # into how many a step is divided that proves too large
KNOWN = 6  # entry of Run.counts: how many instants the predictor may use
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
    accept_changes: bool = False,
    limits: Mapping[str, float] | None = None,
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
    limits : violation, slip and speed beyond which the result is called wrong or doubted (docs/judgement.md).
    out, force, accept_drivers, accept_changes, progress : as in `simulate`; start velocities follow from the drivers
        here, whatever is stated.

    Returns the Result (no multipliers, no reactions). Raises NotDrivenError naming the freedom left over,
    UnsupportedElementError for velocity-level (non-holonomic) rows, AssemblyError, ConvergenceError and
    SingularPositionError with `.result`.
    """
    asked = call_of(locals(), "mech", "out", "progress")
    function("progress", progress)
    check_output(out, force=force)
    t_end, step = span(mech, t_end, step)
    steps, messages = whole_steps(t_end, step)
    _check_options(newton, predictor)
    tolerance = positive_number("tolerance", tolerance)
    max_iterations = MAX_ITERATIONS if max_iterations is None else whole_number("max_iterations", max_iterations)
    chosen = FORMULATIONS.load(formulation)
    if not chosen.supports_kinematics:
        raise UsageError(f"formulation {formulation!r} has no kinematics analysis.", remedy="Use rA, rp or re.")
    start = prepare(mech, dynamics=False, accept_drivers=accept_drivers, accept_changes=accept_changes)
    bordered = _driven(start)
    allowed = Limits.of(limits, only=KINEMATIC)
    settings = {
        "analysis": "kinematics",
        "formulation": formulation,
        "step": step,
        "t_end": t_end,
        "newton": newton,
        "predictor": predictor,
        "tolerance": tolerance,
        **({"assembly": start.changes} if start.changes else {}),
        **({"limits": allowed.changed()} if allowed.changed() else {}),
    }
    header = new_header(mech, start.compiled, settings)
    asked = {"analysis": "kinematics", **asked}
    recorder = Recorder(header, start.compiled, out=out, force=force, expected=steps + 1, asked=asked)
    options = Options(step, tolerance, newton == "full", PREDICTORS[predictor], max_iterations)
    if bordered:
        messages.append("some rows follow from others; positions are those of least change")
    watch = KinematicWatch(start.compiled, allowed, max(1, (steps + 1) // MOST))
    said = [*start.messages, *messages]
    session = KinematicsSession(mech, chosen, start, recorder, said, options, bordered, watch, settings)
    nb = start.compiled.nb
    with purpose(f"kinematics in {formulation}"):  # what looking on needs
        return session.carry_out(steps, Chunks.of(nb, 8.0 * (24 * nb + 2)), t_end, progress)


class Options(NamedTuple):
    """Settings of a kinematics run."""

    step: float
    tolerance: float
    full: bool
    predictor: int
    max_iterations: int


def _check_options(newton: str, predictor: str) -> None:
    if newton not in ("frozen", "full"):
        raise UsageError(f"newton must be 'frozen' or 'full' in kinematics, not {newton!r}.")
    if predictor not in PREDICTORS:
        raise UsageError(f"predictor must be one of {', '.join(PREDICTORS)}, not {predictor!r}.")


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
    here = rank_at(compiled, Pose(compiled.r, compiled.A)).rank
    usual = here if here == freedom or compiled.nc < freedom else study_rank(compiled).usual.rank
    if usual < freedom:
        raise NotDrivenError(
            f"its motion is not determined: {freedom - usual} degrees of freedom are left without a driver.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="Add a driver for each, or simulate its dynamics.",
        )
    return compiled.nc != freedom or here < freedom


class KinematicsSession(Session):
    """A kinematics run, through singular positions."""

    def __init__(
        self,
        mech: Mechanism,
        formulation: Any,
        start: Start,
        recorder: Recorder,
        messages: list[str],
        options: Options,
        bordered: bool,
        watch: KinematicWatch,
        settings: Mapping[str, Any],
    ) -> None:
        judge = partial(kinematic_verdicts, watch, settings, start.assembled)
        super().__init__(mech.name, options.step, recorder, messages, watch, lambda blocks: judge())
        self.formulation, self.start, self.options, self.divided = formulation, start, options, 0
        self._build(bordered)

    @property
    def carried(self) -> Mapping[str, Any]:
        """The problem, and what steps work on."""
        return {"problem": self.problem, "run": self.run}

    def rebuild(self, facts: Mapping[str, Any]) -> None:
        """The problem with the same room for dependent rows."""
        self._build(facts["problem"]["bordered"])

    def _build(self, bordered: bool) -> None:
        from linkwork.analysis.kinematics_kernels import Run

        bordered = bordered or self.start.compiled.rigid > 0
        self.problem = self.formulation.kinematic(self.start.compiled, bordered=bordered)
        layout, work, o = self.problem.layout, self.problem.work, self.options
        work.request.first_row[0] = layout.multipliers.start if bordered else 0
        self.run = Run(
            settings=np.array([0.0, o.step, o.tolerance, 1.0]),
            options=np.array(
                [int(o.full), o.max_iterations, o.predictor, int(bordered), layout.stride, int(layout.algebra)]
            ),
            counts=np.zeros(7, dtype=np.int64),
            before=np.zeros_like(work.motion),
            rate_before=np.zeros_like(work.rate),
            acceleration_before=np.zeros_like(work.rate),
            expected=np.zeros((2, layout.coordinates)),
            z=work.z,
            residual=work.residual,
            request=work.request,
            motion=work.motion,
            base=work.base,
            rate=work.rate,
            rate_star=work.rate_star,
            delta=self.problem.linear.delta,
        )
        self.table = self._table()

    def _table(self) -> np.ndarray:
        """Addresses of all that compiled code works on."""
        from linkwork.analysis.kinematics_kernels import ADVANCE, Entries
        from linkwork.kernels.parallel_compilation import make_ready

        entries = Entries(*(getattr(self.problem, name) for name in Entries._fields))
        with purpose(f"kinematics in {self.formulation.name}"):
            make_ready(*entries, ADVANCE)
        return address_table((self.problem.context, entries, self.run))

    def _take(self, steps: int, first: bool) -> tuple[Status, Mapping[str, Any]]:
        from linkwork.analysis.kinematics_kernels import ADVANCE, Block

        block = Block(
            time=np.empty(steps),
            motion=np.empty((steps, self.problem.layout.nb, 24)),
            iterations=np.empty(steps, dtype=np.int64),
        )
        status, n = ADVANCE(self.table, steps, int(first), address_table(block))
        return Status(status), {"time": block.time[:n], "motion": block.motion[:n], "iterations": block.iterations[:n]}

    def first(self) -> tuple[Status, Mapping[str, Any]]:
        """Pose, velocities and accelerations at the start."""
        return self._take(1, True)

    def advance(self, steps: int) -> tuple[Status, Mapping[str, Any]]:
        """Take steps."""
        return self._take(steps, False)

    def recover(self, status: Status) -> bool:
        """Divide a step that is too large to stay on its branch; else go on with the least change."""
        if status not in (Status.SINGULAR, Status.NEWTON_DIVERGED):
            return False
        if status == Status.NEWTON_DIVERGED and self.counts["steps"] + self.run.counts[KNOWN] > 0 and self._divide():
            return True
        if self.problem.bordered:
            return False
        what = "singular position" if status == Status.SINGULAR else "no convergence"
        self.messages.append(f"{what} near t = {self.time:.6g} s: continued with the least change")
        counts, state = self.run.counts, self._state()
        self._build(True)
        self._return_to(state)
        self.run.counts[:] = counts
        return True

    def _state(self) -> list[np.ndarray]:
        work = self.problem.work
        return [array.copy() for array in (work.motion, work.rate, work.z)]

    def _return_to(self, state: list[np.ndarray]) -> None:
        work = self.problem.work
        work.motion[:], work.rate[:], work.z[:] = state

    def _divide(self) -> bool:
        """Take the next step in parts, of which only the last is recorded."""
        settings, counts = self.run.settings, self.run.counts
        start, steps, iterations = self.time, int(counts[0]), int(counts[1])
        state = self._state()
        for parts in PARTS:
            settings[:2] = start, self.step / parts
            counts[0], counts[KNOWN] = 0, 1
            status, block = self._take(parts, False)
            settings[:2] = 0.0, self.step
            counts[0], counts[KNOWN] = steps, 1
            if status == Status.OK:
                counts[0] += 1
                last = {name: values[-1:] for name, values in block.items()}
                last["time"] = np.array([self.time])
                last["iterations"] = np.array([counts[1] - iterations])
                self.record(last)
                if not self.divided:
                    self.messages.append(f"steps are divided where they are too large, first near t = {start:.6g} s")
                self.divided += 1
                return True
            self._return_to(state)
        return False

    @property
    def counts(self) -> Mapping[str, int]:
        """What the run has cost so far."""
        names = ("steps", "iterations", "factorizations", "rebased")
        return {name: int(value) for name, value in zip(names, self.run.counts, strict=False)}

    @property
    def row_names(self) -> list[str]:
        """Names of the constraint rows."""
        return self.start.compiled.row_names

    @property
    def worst_row(self) -> int:
        """The row with the largest residual when a step failed."""
        first = self.problem.work.request.first_row[0]
        residual = np.abs(self.problem.work.residual[first : first + len(self.row_names)])
        return int(np.argmax(residual)) if len(residual) else -1
