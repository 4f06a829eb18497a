"""Dynamics: match formulation and integrator, run in chunks, record, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from os import PathLike
from typing import Any

import numpy as np

from linkwork.arguments import positive_number, whole_number
from linkwork.judgement.judge import verdicts
from linkwork.judgement.limits import Limits
from linkwork.judgement.watch import Watch
from linkwork.kernels.compiling import purpose
from linkwork.mechanism import Mechanism
from linkwork.problems.dependent import OFF_LARGEST
from linkwork.problems.implicit import A, W
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.matching import pair, share_out
from linkwork.run.recording import Recorder, check_output, new_header
from linkwork.run.session import Progress, Session
from linkwork.run.snapshot import call_of
from linkwork.run.starting import new_run, prepare, span, started, whole_steps
from linkwork.run.uniqueness import listed, unclear
from linkwork.status import Status
from linkwork.system.torsions import torsion_in_doubt
from linkwork.verdict import Verdict

ADAPTIVE = "ts54"  # the integrator where tolerances are given and none is named
MOST_ROOM = 256  # times the room first guessed for the factors
STRICTER = (1e-5, 1e-4, 1e-3, 1e-2)  # shares of a row that must be its own, where a step near a rank loss fails


def simulate(
    mech: Mechanism,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str = "rA",
    integrator: str | None = None,
    *,
    newton: str | None = None,
    tolerance: float | None = None,
    position_tolerance: float | None = None,
    max_iterations: int | None = None,
    rho_infinity: float | None = None,
    start: str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    max_step: float | None = None,
    t_eval: Sequence[float] | None = None,
    stabilisation: str | None = None,
    baumgarte: Sequence[float] | None = None,
    project_every: int | None = None,
    groups: Mapping[str, str] | None = None,
    elimination: str | None = None,
    multipliers: str | None = None,
    matrix: str | None = None,
    orthonormalise_every: int | None = None,
    basis: str | None = None,
    root: str | None = None,
    frames: str | None = None,
    sigma: str | None = None,
    rebuild: bool | None = None,
    penalty_factor: float | None = None,
    penalty_passes: int | None = None,
    options: Mapping[str, Any] | None = None,
    every: int = 1,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    accept_drivers: bool = False,
    accept_changes: bool = False,
    verify: bool | float = False,
    limits: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate the dynamics of a mechanism from its start state to `t_end`.

    Parameters
    ----------
    mech : the mechanism; every body needs mass and inertia.
    t_end, step : seconds; without them the mechanism's own `run` hints are used.
    formulation : a name of `linkwork.formulations.FORMULATIONS`.
    integrator : a name of `linkwork.integrators.INTEGRATORS` that fits the formulation; its usual one if left out, ts54
        where tolerances are given.
    every : record every k-th step (and the start).
    out : stream the result to this NetCDF file, with bounded memory; `force` lets it replace another.
    accept_drivers : let a driver that disagrees with the start state win; otherwise that is an error.
    accept_changes : let assembly change stated start values that the joints do not allow; otherwise that is an error.
    verify : when the run is done, check it with an independent formulation (`linkwork.verify`); the certificate stays
        in the result's info and file. A number: the digits asked for.
    limits : what a run may do before it is doubted, called wrong or ended: names and numbers of `judgement.Limits`
        (docs/judgement.md), such as {"energy": 0.05}; infinity switches one off.
    progress : called as progress(time reached, t_end) now and then.

    Implicit integrators:

    newton : ``frozen`` (default), ``full`` or ``no-reaction-variation`` [Kissel 2021, section 3].
    tolerance : Theta, the norm of Newton's corrections of accelerations and multipliers at which a step is done
        [Kissel 2021, eq. 46].
    position_tolerance : instead of it, Theta h^2 = const: positions to this share of the mechanism's length
        (default 1e-11).
    max_iterations : of Newton per step.
        For implicit-midpoint and stormer-verlet, which solve explicit problems, `tolerance` is how well a step's
        equations are met, in parts of a radian, a length and the fastest velocity (default 1e-15), and
        `max_iterations` is of one fixed point (default 50).
    rho_infinity : generalized-alpha's spectral radius at infinite frequency, 1 (no damping) to 0.
    start : generalized-alpha's first auxiliary acceleration, ``perturbed`` or ``consistent``.

    Explicit integrators:

    rtol, atol : tolerances of a step's error; one of them makes the steps of a pair adaptive (defaults 1e-6, 1e-9).
        Samples then come every `step` (times `every`), by dense output; without them all steps have the size `step`.
    max_step : largest adaptive step, s.
    t_eval : times at which samples are wanted instead, s, ascending.
    stabilisation : ``none`` (default), ``baumgarte`` or ``projection``, against drift off the constraints.
    baumgarte : its gains (alpha, beta), 1/s; 1 / (10 step) if left out.
    project_every : project positions and velocities onto the constraints every k-th step (default 1).

    groups : body -> ``se3`` or ``product``, instead of lie-mixed's own choice.

    Formulation rotation-matrix [Dumitriu 2015]:

    elimination : ``newton-euler`` (default), ``two-step`` (as printed; default where multipliers are held) or
        ``one-shot``.
    multipliers : ``stage`` (default: consistent at every stage) or ``step`` (held over a step, as in the paper).
    matrix : ``sparse`` (default) or ``dense``.
    orthonormalise_every : put the rotation matrices back on SO(3) every k-th step; 0 (default): never.

    Ways of solving [Mufti 1983]:

    basis : null-space's basis, ``qr`` (default), ``svd``, ``partition`` or ``graph`` (along a tree).
    root : body to start the tree from, of joint-rates, barycentric, cut-joint, null-space with basis ``graph``,
        canonical and articulated-body.
    frames, sigma : of the recursive formulations: see docs/formulations/recursive.md.
    rebuild : place bodies along the tree after every step, likewise.
    penalty_factor, penalty_passes : of penalty: the price of a constraint, and how often it may be raised.

    options : further options by name, of other formulations or of integrators from other packages.

    Returns the Result; one that is judged wrong has `success` False, and says why. Raises ModelError and its kin for
    models that cannot run, AssemblyError, UsageError; ConvergenceError, SingularPositionError, WrongResultError (a run
    that was ended at a limit) or RunInterruptedError with `.result` holding what was computed.
    """
    asked = call_of(locals(), "mech", "out", "progress")
    check_output(out, force=force)
    t_end, step = span(mech, t_end, step)
    _, messages = whole_steps(t_end, step)
    every = whole_number("every", every)
    if max_iterations is not None:
        max_iterations = whole_number("max_iterations", max_iterations)
    if tolerance is not None:
        tolerance = positive_number("tolerance", tolerance)
    if position_tolerance is not None:
        position_tolerance = positive_number("position_tolerance", position_tolerance)
    adaptive = rtol is not None or atol is not None
    chosen, method = pair(formulation, integrator, ADAPTIVE if adaptive else None)
    given = {
        "newton": newton,
        "tolerance": tolerance,
        "position_tolerance": position_tolerance,
        "max_iterations": max_iterations,
        "rho_infinity": rho_infinity,
        "start": start,
        "rtol": rtol,
        "atol": atol,
        "max_step": max_step,
        "t_eval": t_eval,
        "stabilisation": stabilisation,
        "baumgarte": baumgarte,
        "project_every": project_every,
        "groups": groups,
        "elimination": elimination,
        "multipliers": multipliers,
        "matrix": matrix,
        "orthonormalise_every": orthonormalise_every,
        "basis": basis,
        "root": root,
        "frames": frames,
        "sigma": sigma,
        "rebuild": rebuild,
        "penalty_factor": penalty_factor,
        "penalty_passes": penalty_passes,
    }
    own, others = share_out({**given, **(options or {})}, chosen, method)
    others |= {"step": step, "t_end": t_end, "every": every}
    allowed = Limits.of(limits)
    ready = prepare(mech, dynamics=True, accept_drivers=accept_drivers, accept_changes=accept_changes)
    ready.compiled.need_masses()
    again = partial(new_run, chosen, method, own=own, options=others)
    with purpose(f"{formulation} + {method.name}"):
        run = started(ready.compiled, again, refusal=partial(chosen.refusal, **own))
    settings = {
        "analysis": "dynamics",
        "formulation": formulation,
        "integrator": method.name,
        "step": step,
        "t_end": t_end,
        "every": every,
        **chosen.settings(ready.compiled, method.shape, own),
        **run.settings,
        **({"assembly": ready.changes} if ready.changes else {}),
        **({"limits": allowed.changed()} if allowed.changed() else {}),
    }
    recorder = Recorder(
        new_header(mech, ready.compiled, settings, chosen.extras(), chosen.labels(run.problem)),
        ready.compiled,
        out=out,
        force=force,
        expected=run.samples,
        asked={"analysis": "dynamics", **asked},
    )
    messages = [*ready.messages, *(messages if run.whole_steps else ()), *run.remarks]
    if shared := unclear(run.problem):
        messages.append(str(shared))
    further = partial(chosen.further, run.problem)
    watch = Watch(
        ready.compiled,
        allowed,
        expected=run.samples,
        steps_between=every if run.whole_steps else None,
        t_end=t_end,
        order=method.describe()["order"],
        kept=recorder.writer is None,
    )
    judge = partial(verdicts, watch, settings, ready.assembled)
    session = DynamicsSession(mech, run, recorder, messages, again, step, further, watch, judge)
    nb, nc = ready.compiled.nb, ready.compiled.nc
    with purpose(f"{formulation} + {method.name}"):  # what a rank change needs besides
        result = session.carry_out(run.total, Chunks.of(nb, 8.0 * (24 * nb + nc + 2) / every), t_end, progress)
    if verify:
        asked = {} if isinstance(verify, bool) else {"digits": verify}
        import_module("linkwork.studies.certificate").verify(result, **asked)  # some floors above
    return result


class DynamicsSession(Session):
    """A run of an integrator, through rank changes."""

    def __init__(
        self,
        mech: Mechanism,
        run: Any,
        recorder: Recorder,
        messages: list[str],
        again: Callable[..., Any],
        step: float,
        further: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        watch: Watch,
        judge: Callable[..., list[Verdict]],
    ) -> None:
        super().__init__(mech.name, step, recorder, messages, watch, judge)
        self.run, self.again, self.room, self.passed, self.further = run, again, 1, 0, further

    @property
    def carried(self) -> Mapping[str, Any]:
        """The integrator's run, and its problem."""
        return {"run": self.run, "problem": self.run.problem}

    def rebuild(self, facts: Mapping[str, Any]) -> None:
        """A run of the same integrator, with the same room, not begun."""
        problem = self.run.problem
        self.run = self.again(problem.mechanism, droppable=facts["problem"]["droppable"], room=self.room)

    def whole(self, block: Mapping[str, Any]) -> dict[str, Any]:
        """A block with what the formulation records besides, under its own names."""
        return {name: value for name, value in block.items() if name != "extra"} | dict(self.further(block))

    def first(self) -> tuple[Status, Mapping[str, Any]]:
        """The consistent start."""
        return Status.OK, self.whole(self.run.first())

    def advance(self, steps: int) -> tuple[Status, Mapping[str, Any]]:
        """Take steps."""
        status, block = self.run.advance(steps)
        return status, self.whole(block)

    def recover(self, status: Status) -> bool:
        """Take dependent rows out from here on, get past a rank loss, or make more room for the factors."""
        if status == Status.OUT_OF_SPACE and self.room < MOST_ROOM:
            self.room *= 4
            self._rebuild(self.run.problem.droppable)
            return True
        if status not in (Status.SINGULAR, Status.NEWTON_DIVERGED):
            return False
        old, near = self.run, f"near t = {self.time:.6g} s"
        if not old.problem.droppable:
            self._rebuild(True)
        found = self._step_past()
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

    def _step_past(self) -> bool:
        """Take one step, counting rows as dependent the sooner the harder it proves."""
        limits = self.run.problem.dependence.length
        usual = limits[2]
        for limit in (usual, *STRICTER):
            limits[1:3] = max(limit, usual)
            status, block = self.run.advance(1)
            self.record(self.whole(block))
            if status == Status.OK:
                break
        limits[1:3] = max(usual, min(limits[3], OFF_LARGEST)), usual
        return bool(status == Status.OK)

    def where(self, status: Status) -> str:
        """The body that turns too fast, the torsion spring whose angle is in doubt, or the row that is worst off."""
        work = self.run.problem.work
        doubt = torsion_in_doubt(self.run.problem.mechanism, work.motion[:, A : A + 9], work.torsion_angles)
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
        return [*super().notices, *getattr(self.run, "notices", ())]

    def time_of(self, step: int) -> float:
        """When a step ends [s]: where steps find their own size, the time reached."""
        return super().time_of(step) if self.run.whole_steps else self.time

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
