"""Dynamics: match formulation and integrator, start, run in chunks, record, judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from linkwork.arguments import duration as seconds
from linkwork.arguments import function
from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.contract import Formulation
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.contract import Integrator, Run
from linkwork.judgement.judge import verdicts
from linkwork.judgement.limits import Limits
from linkwork.judgement.watch import Watch
from linkwork.kernels.compiling import purpose
from linkwork.mechanism import Mechanism
from linkwork.options import declared, with_mapping
from linkwork.registry import Registry
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.dynamics import DynamicsSession
from linkwork.run.held import Held
from linkwork.run.matching import ADAPTIVE, pair, share_out
from linkwork.run.recording import Recorder, check_output, new_header
from linkwork.run.repeated import Repeated
from linkwork.run.samples import Acceptance, Samples
from linkwork.run.session import Progress
from linkwork.run.starting import Start, new_run, shared_start, span, started, whole_steps
from linkwork.run.steps_again import StepsAgain
from linkwork.run.uniqueness import unclear

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.planner.asked import Accuracy

USUAL = "rA"  # the formulation where none is named, but an integrator or an option is
OF_PLANS = ("time_limit", "effort", "t_eval")


@dataclass(frozen=True)
class Call:
    """What was asked for, each option with its owner."""

    formulation: Formulation
    integrator: Integrator[Any]
    samples: Samples
    accepted: Acceptance
    t_end: float
    step: float
    limits: Limits
    state: State | None = None
    planned: Mapping[str, Any] | None = None  # what is known of its accuracy before it runs, `planner.accuracy`

    @property
    def began(self) -> float:
        """When the run starts [s]."""
        return 0.0 if self.state is None else self.state.time

    @cached_property
    def duration(self) -> float:
        """From start to end [s]. Raises UsageError where the end lies before the start."""
        if self.state is None:
            return seconds("t_end", self.t_end)
        if not self.t_end > self.began:
            raise UsageError(f"t_end = {self.t_end:g} s is not after the state to start from, {self.began:g} s.")
        return self.t_end - self.began

    @classmethod
    def of(
        cls,
        mech: Mechanism,
        t_end: float | None,
        step: float | None,
        formulation: str | Formulation,
        integrator: str | Integrator[Any] | None,
        samples: Samples | None,
        limits: Mapping[str, float] | None,
        options: Mapping[str, Any],
        state: State | None = None,
    ) -> Call:
        """From a user's words and objects. Raises UsageError, IncompatiblePairError."""
        adaptive = options.get("rtol") is not None or options.get("atol") is not None
        chosen, method = pair(formulation, integrator, ADAPTIVE if adaptive else None)
        kept, accepted = Samples.of(samples), Acceptance()
        of_formulation, others, recorded, changes = share_out(options, chosen, method, kept, accepted)
        return cls(
            chosen.with_options(**of_formulation),
            method.with_options(**others),
            kept.with_options(**recorded),
            accepted.with_options(**changes),
            *span(mech, t_end, step),
            Limits.of(limits),
            state,
        )

    @property
    def label(self) -> str:
        """Formulation and integrator in words."""
        return f"{self.formulation.name} + {self.integrator.name}"

    def from_state(self, state: State, t_end: float) -> Call:
        """The same call from another state, to another end [s]."""
        return replace(self, state=state, t_end=t_end)

    def asked(self) -> dict[str, Any] | None:
        """The call in plain data, with which `resume` repeats it; None where an object is known by no name."""
        how = (self.formulation, FORMULATIONS), (self.integrator, INTEGRATORS)
        if not all(_registered(owner, registry) for owner, registry in how):
            return None
        owners = (self.formulation, self.integrator, self.accepted)
        given = {name: value for owner in owners for name, value in owner.given().items()}
        return {
            "analysis": "dynamics",
            "t_end": self.t_end,
            "step": self.step,
            "formulation": self.formulation.name,
            "integrator": self.integrator.name,
            "every": self.samples.every,
            "force": self.samples.force,
            "limits": self.limits.changed(),
            **({} if self.state is None else {"state": self.state.to_dict()}),
            **({} if self.planned is None else {"planned": dict(self.planned)}),
            **given,
        }

    def settings(self, ready: Start, run: Run[Any]) -> dict[str, Any]:
        """How the run is made, as plain data for a result's header."""
        return {
            "analysis": "dynamics",
            "formulation": self.formulation.name,
            "integrator": self.integrator.name,
            "step": self.step,
            "t_end": self.t_end,
            "every": self.samples.every,
            **self.formulation.settings(ready.compiled, self.integrator.shape),
            **run.settings,
            **({"assembly": ready.changes} if ready.changes else {}),
            **({"limits": self.limits.changed()} if self.limits.changed() else {}),
            **({} if self.state is None else {"start": self.started_from(self.state)}),
            **({} if self.planned is None else dict(self.planned)),
        }

    @staticmethod
    def started_from(state: State) -> dict[str, Any]:
        """What a result says of another start than the described one; where it was its first sample tells."""
        angles = state.counted_angles
        return {"time": state.time, **({} if angles is None else {"counted_angles": angles.tolist()})}


def _registered(owner: Any, registry: Registry) -> bool:
    return owner.name in registry and type(registry.load(owner.name)) is type(owner)


def simulate(
    mech: Mechanism,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str | Formulation | None = None,
    integrator: str | Integrator[Any] | None = None,
    *,
    accuracy: Accuracy | None = None,
    state: State | Mapping[str, Any] | None = None,
    samples: Samples | None = None,
    limits: Mapping[str, float] | None = None,
    verify: bool | float = False,
    view: bool | Mapping[str, Any] = False,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Simulate the dynamics of a mechanism from its start state, or another, to `t_end`.

    Options belong to the formulation, the integrator, or to what is recorded. They are given with their owner, or in
    short as keywords, which their owners check; an option that none of them has is refused with the names of those who
    have it. These two are the same:

        lw.simulate(mech, 5.0, 1e-2, lw.LieMixed(), lw.DOP853(rtol=1e-9), samples=lw.Samples(every=10, out="run.nc"))
        lw.simulate(mech, 5.0, 1e-2, "lie-mixed", "dop853", rtol=1e-9, every=10, out="run.nc")

    Parameters
    ----------
    mech : the mechanism; every body needs mass and inertia.
    t_end, step : seconds; without them the mechanism's own `run` hints are used. Where an accuracy is kept (below),
        `step` is the time between samples; without it there are at most a thousand.
    formulation : a name of `linkwork.formulations.FORMULATIONS`, or an object such as ``lw.RA(newton="full")``. Without
        one it is chosen for an accuracy; it is rA where an integrator, or an option of either, is given.
    integrator : a name of `linkwork.integrators.INTEGRATORS` that fits the formulation, or an object such as
        ``lw.TS54(rtol=1e-8)``; the formulation's usual one if left out, ts54 or radau5 where tolerances are given.
    accuracy : the global error that poses may have, 1e-6, or bounds by quantity: what is not said of formulation,
        integrator and step is then chosen, and the result's `accuracy` says what was reached, `success` and `message`,
        too. 1e-4 where neither formulation nor integrator nor an option of theirs is given. `linkwork.plan` tells all;
        options here: time_limit, effort.
    state : to start from instead: a State, such as ``res.state(-1)``, at whose time the run starts; or joint
        coordinates, ``{"hip": 0.3}``, or with rates, ``{"hip": (0.3, 1.0)}``, as `linkwork.start_state` takes them.
    samples : what is recorded: ``lw.Samples(every=1, out=None, force=False)``.
    limits : what a run may do before it is doubted, called wrong or ended: names and numbers of `judgement.Limits`
        (docs/judgement.md), such as {"energy": 0.05}; infinity switches one off.
    verify : when the run is done, check it with an independent formulation (`linkwork.verify`); the certificate stays
        in the result's info and file. A number: the digits asked for.
    view : show the bodies in a browser while the run goes on (docs/viewing.md; needs the extra `view`): True, or a
        mapping of options: host, port, open (a browser), wait (s, for one), speed (s of motion per s, at most).
    progress : called as progress(time reached, t_end) now and then.
    **options : of the formulation, the integrator and `samples`, listed in docs/options.md; ``accept_drivers`` (let a
        driver that disagrees with the start state win) and ``accept_changes`` (let assembly change stated start values
        that the joints do not allow), which are errors otherwise. ``options={...}`` takes some of them by name.

    Raises ModelError, MissingMassError, UnsupportedElementError, DriverError, StartStateError, IncompatiblePairError of
    models that cannot run, AssemblyError, UsageError; ConvergenceError, SingularPositionError, WrongResultError (a run
    that was ended at a limit) or RunInterruptedError with `.result` holding what was computed.
    """
    options = with_mapping(options)
    function("progress", progress)
    if view is not False:
        with attached("live")(mech, view):
            shown: Result = simulate(
                mech, t_end, step, formulation, integrator, accuracy=accuracy, state=state, samples=samples,
                limits=limits, verify=verify, progress=progress, **options,
            )  # fmt: skip
            return shown
    if accuracy is not None or nothing_named(formulation, integrator, options):
        made = attached("plan")(
            mech, t_end, step, formulation, integrator, state=state, samples=samples, limits=limits,
            **({} if accuracy is None else {"accuracy": accuracy}), **options,
        )  # fmt: skip
        planned: Result = made.run(verify=verify, progress=progress)
        return planned
    start = None if state is None else attached("as_state")(mech, state)
    formulation = USUAL if formulation is None else formulation
    call = Call.of(mech, t_end, step, formulation, integrator, samples, limits, options, start)
    return carry_out(mech, call, verify=verify, progress=progress)


def nothing_named(formulation: Any, integrator: Any, options: Mapping[str, Any]) -> bool:
    """Whether how to simulate is left open: no formulation, no integrator, no option of either."""
    others = {*declared(Samples), *declared(Acceptance), *OF_PLANS}
    given = {name for name, value in options.items() if value is not None}
    return formulation is None and integrator is None and given <= others


def carry_out(
    mech: Mechanism,
    call: Call,
    *,
    verify: bool | float = False,
    progress: Progress | None = None,
    started_run: Callable[[Call], Run[Any] | None] = lambda call: None,
    looked: Callable[[DynamicsSession], None] | None = None,
) -> Result:
    """One run as it was asked for. Raises what `simulate` raises.

    started_run : gives a run that is started as the call has it, if there is one. looked : is told of it now and then.
    """
    check_output(call.samples.out, force=call.samples.force)
    _, passing = whole_steps(call.duration, call.step)
    shared = shared_start(mech, call.state, True, call.accepted.accept_drivers, call.accepted.accept_changes)
    shared.compiled.need_masses()
    again = Repeated.of(mech, call)
    kept = again.started(call, shared, lambda: held_of(call, shared.again()))
    given = started_run(call) if kept is None else kept.run
    there = given is not None and call.samples.out is None
    ready = shared if there else shared.again()  # of arrays of its own, where a run is built of them or a file has them
    session = begin(mech, call, ready, passing, given)
    nb, nc = ready.compiled.nb, ready.compiled.nc
    with purpose(call.label):  # what a rank change needs besides
        chunks = Chunks.of(nb, 8.0 * (24 * nb + nc + 2) / call.samples.every)
        result = session.carry_out(session.run.total, chunks, call.t_end, progress, looked)
    if kept is not None and session.run is kept.run:
        again.hand_back(kept)
    if verify:
        attached("verify")(result, **({} if isinstance(verify, bool) else {"digits": verify}))
    return result


def again(
    mech: Mechanism,
    *,
    planned: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    state: Any = None,
    limits: Mapping[str, float] | None = None,
    **asked: Any,
) -> Result:
    """A call that `Call.asked` tells, once more; planned : what was known of its accuracy before it ran."""
    t_end, step, formulation, integrator = (asked.pop(name) for name in ("t_end", "step", "formulation", "integrator"))
    start = None if state is None else attached("as_state")(mech, state)
    call = Call.of(mech, t_end, step, formulation, integrator, None, limits, asked, start)
    return carry_out(mech, replace(call, planned=planned), progress=progress)


def started_run(call: Call, ready: Start, placed: Callable[[Run[Any]], None] | None = None) -> Run[Any]:
    """A run of its own at the start of the call; placed : as in `starting.started`."""
    method, every = call.integrator, call.samples.every
    again = partial(new_run, call.formulation, method, step=call.step, t_end=call.duration, every=every)
    angles = None if call.state is None else call.state.counted_angles
    with purpose(call.label):
        return started(
            ready.compiled, again, time=call.began, counted_angles=angles, refusal=call.formulation.refusal,
            placed=placed,
        )  # fmt: skip


def held_of(call: Call, ready: Start, *, as_called: bool = True) -> Held:
    """A run at a consistent start, to be started again as often as wanted; as the call has it, with other numbers of
    the description written in, or from where it was placed only, with other settings each time."""
    *_, last = _attempts(call, ready, tables=as_called)
    if as_called:
        last.has_started()
    return last


def first_attempt(call: Call, ready: Start) -> Held:
    """The run that is tried first at a consistent start, be it given up for another; placed."""
    first, *_ = _attempts(call, ready)
    return first


def _attempts(call: Call, ready: Start, *, tables: bool = True) -> list[Held]:
    found: list[Held] = []
    started_run(call, ready, placed=lambda run: found.append(Held(run, tables=tables)))
    return found


def begin(
    mech: Mechanism, call: Call, ready: Start, passing: list[str], run: Run[Any] | None = None
) -> DynamicsSession:
    """A session at a consistent start, recorded and watched.

    passing : that the last step passes the end, where steps have one size. run : a started one, if there is one.
    """
    samples, method = call.samples, call.integrator
    again = partial(new_run, call.formulation, method, step=call.step, t_end=call.duration, every=samples.every)
    run = run or started_run(call, ready)
    settings = call.settings(ready, run)
    header = new_header(mech, ready.compiled, settings, call.formulation.extras(), call.formulation.labels(run.problem))
    asked = None if samples.out is None else call.asked()
    recorder = Recorder(header, ready.compiled, out=samples.out, force=samples.force, expected=run.samples, asked=asked)
    messages = [*ready.messages, *(passing if run.whole_steps else ()), *run.remarks]
    if shared := unclear(run.problem):
        messages.append(str(shared))
    watch = Watch(
        ready.compiled,
        call.limits,
        expected=run.samples,
        steps_between=samples.every if run.whole_steps else None,
        t_end=call.duration,
        order=method.describe()["order"],
        kept=recorder.writer is None,
        again=StepsAgain(call, ready.compiled, recorder.recorded),
    )
    further = partial(call.formulation.extra_outputs, run.problem)
    judge = partial(verdicts, watch, settings, ready.assembled)
    session = DynamicsSession(mech, run, recorder, messages, again, call.step, further, watch, judge)
    session.planned = call.planned
    return session
