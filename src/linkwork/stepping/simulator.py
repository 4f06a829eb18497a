"""A simulation that a program steps: state, inputs and outputs by name, snapshots, and as little as possible per step.

What runs is what `linkwork.simulate` runs, the same problem and the same compiled steps, so that both come to the same
bits; here each call takes one step into room that is there already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from linkwork.analysis.start_state import as_state
from linkwork.analysis.state import State
from linkwork.arguments import duration, finite_number
from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import UsageError
from linkwork.formulations.contract import Formulation
from linkwork.header import Array, frozen
from linkwork.integrators.contract import Integrator
from linkwork.judgement.judge import kinematic_verdicts
from linkwork.judgement.limits import Limits
from linkwork.judgement.motion_watch import KinematicWatch
from linkwork.judgement.samples import violations
from linkwork.kernels.angles import count_angles
from linkwork.mechanism import Mechanism
from linkwork.problems.explicit import ACC, A, R, V, W
from linkwork.run.placing import Placed
from linkwork.run.recording import Recorder
from linkwork.run.repeated import Repeated
from linkwork.run.simulate import Call, begin
from linkwork.run.snapshot import arrays_in, copies, numbers_of, restore
from linkwork.run.starting import prepare
from linkwork.status import Status
from linkwork.stepping.inputs import Inputs
from linkwork.stepping.outputs import Outputs
from linkwork.system import CompiledMechanism
from linkwork.verdict import Verdict

OK = int(Status.OK)
LONG = 1e9  # steps: a simulator has no end
ONE_SIZE, ONE_SIZE_CURE = "a simulator takes steps of one size.", "Leave rtol, atol and max_step out."
NEAR = 1e-6  # of a step


@dataclass(frozen=True)
class Snapshot:
    """Where a simulator stands: every array and number that its next steps depend on. Plain data, can be pickled."""

    time: float
    arrays: Mapping[str, Array]
    facts: Mapping[str, Mapping[str, Any]]
    sample: Mapping[str, Array]
    inputs: Mapping[str, float]
    angles: Mapping[str, Array]


class Simulator:
    """A simulation to be stepped.

    Parameters
    ----------
    mech : the mechanism. step : s; steps have one size. formulation, integrator, **options : as in `linkwork.simulate`,
        error-controlled steps left out. state : to start from, likewise.

    `inputs` is a mapping of names to numbers: inputs of the description; actuators of springs that
    are described by a number, under the element's name; components of such loads, ``push.x``. A value is held until it
    is given another. `outputs` is a mapping of ``JOINT.COORDINATE``, ``JOINT.COORDINATE_rate`` and sensors to numbers.
    `position`, `rotation`, `velocity`, `angular_velocity`, `acceleration` are views of the present sample, overwritten
    by the next step. Raises what `linkwork.simulate` raises; a step that fails leaves the simulator where it was.
    """

    def __init__(
        self,
        mech: Mechanism,
        step: float | None = None,
        formulation: str | Formulation = "rA",
        integrator: str | Integrator[Any] | None = None,
        *,
        state: State | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        for name in ("every", "out", "force", "t_eval"):
            if options.get(name) is not None:
                raise UsageError(f"{name!r} is for runs: a simulator keeps no samples.")
        size = getattr(getattr(mech, "run", None), "step", None) if step is None else duration("step", step)
        if size is None:
            raise UsageError("step is not given, and the mechanism has no hint for it.")
        start = None if state is None else as_state(mech, state)
        began = 0.0 if start is None else start.time
        self.mechanism, self._made = mech, (formulation, integrator, options)
        call = Call.of(mech, began + LONG * size, size, formulation, integrator, None, None, options, start)
        if getattr(call.integrator, "adaptive", False):  # not after a run is made: it knows its samples to the end
            raise UsageError(ONE_SIZE, remedy=ONE_SIZE_CURE)
        self._again = Repeated()
        self._placed: Placed | None = None
        self._begin(call)

    def _begin(self, call: Call, *, reset: bool = False) -> None:
        start = call.state
        accepted = {name: getattr(call.accepted, name) for name in call.accepted.options}
        ready = prepare(self.mechanism, dynamics=True, state=start, **accepted)
        ready.compiled.need_masses()
        self.assembled, placed = ready.assembled, None
        if start is not None and reset:
            placed = self._again.placed(replace(call, state=None, t_end=LONG * call.step), ready, start)
        session = begin(self.mechanism, call, ready, [], None if placed is None else placed.run)
        if not session.run.whole_steps:
            raise UsageError(ONE_SIZE, remedy=ONE_SIZE_CURE)
        if self._placed is not None:  # not before the other has begun: one that is refused leaves it as it was
            self._again.hand_back(self._placed)
        self._call, self._session, self._placed = call, session, placed
        self.messages = self._session.messages
        self._bind()
        self._show(self._session.run.sample())
        self._first = self.snapshot()

    def _bind(self) -> None:
        """Everything that hangs on the run's arrays, which are others after its problem was built again."""
        run = self._session.run
        self._block, self._take_step = run.stepper()
        motion = self._block.motion[0]
        self.inputs = Inputs(run.problem, run.forget_slope)
        self.outputs = Outputs(run.problem.mechanism.lowered, self._block.time, motion, self.inputs)
        nb = len(motion)
        self.rotation = frozen(motion[:, A : A + 9].reshape(nb, 3, 3))
        self.position, self.velocity, self.angular_velocity, self.acceleration = (
            frozen(motion[:, first : first + 3]) for first in (R, V, W, ACC)
        )

    def _show(self, sample: Mapping[str, Array]) -> None:
        """Make a sample the present one."""
        for name, values in sample.items():
            if hasattr(self._block, name):
                getattr(self._block, name)[:] = values

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self._block.time[0])

    @property
    def step_size(self) -> float:
        """s."""
        return float(self._call.step)

    @property
    def sample(self) -> dict[str, Array]:
        """The present sample's arrays over one sample, as runs record them; overwritten by the next step."""
        return dict(self._block._asdict())

    @property
    def compiled(self) -> CompiledMechanism:
        """The mechanism as its equations have it."""
        return self.recorder.deriver.mechanism

    @property
    def violations(self) -> dict[str, float]:
        """How far constraints are from being met now, by the names that results have: ``position_violation`` [m, rad],
        ``velocity_violation``. Nobody else looks at a simulator's motion."""
        found = violations(MechanismDeriver(self._counted), self.sample)
        return {name: float(values[0]) for name, values in found.items()}

    @property
    def _counted(self) -> CompiledMechanism:
        """The mechanism with angles as they are counted now, turns included."""
        return replace(self.compiled, counted_angles=self.state.counted_angles)

    @property
    def verdicts(self) -> list[Verdict]:
        """What is wrong or doubtful about the present sample: joints apart, velocities that do not fit, speeds."""
        watch = KinematicWatch(self._counted, Limits(), 1)
        watch.look(self.sample)
        with np.errstate(all="ignore"):
            return kinematic_verdicts(watch, self.recorder.header.info, self.assembled)

    @property
    def recorder(self) -> Recorder:
        """What would record a run of this: header and deriver."""
        return self._session.recorder

    def with_extra_outputs(self, block: Mapping[str, Array]) -> dict[str, Array]:
        """A block of samples with what the formulation records besides, under its own names."""
        return self._session.with_extra_outputs(block)

    @property
    def state(self) -> State:
        """Where the bodies are and how they move, at the present time."""
        problem = self._session.run.problem
        mechanism, nb = problem.mechanism, problem.mechanism.nb
        attitudes = mechanism.A.copy()
        attitudes[:nb] = self.rotation.reshape(nb, 9)
        angles = np.zeros(mechanism.angles)
        count_angles(mechanism.system, attitudes, problem.work.counted_angles.real, angles)
        moving = (self.position, self.rotation, self.velocity, self.angular_velocity)
        return State(*moving, self.time, angles if angles.size else None, computed=True)

    def step(self, inputs: Mapping[str, float] | None = None) -> None:
        """Take one step, with these inputs from its start on. Raises ConvergenceError where it cannot be taken."""
        self._give(inputs)
        status = self._take_step()[0]
        if status != OK:
            self._go_on(status)

    def advance(self, t: float, inputs: Mapping[str, float] | None = None) -> None:
        """Step to time t [s], a whole number of steps from here. Raises UsageError for other times."""
        self._give(inputs)
        t = finite_number("t", t, "seconds")
        count = (t - self.time) / self.step_size
        steps = round(count) if abs(count) < LONG else -1
        if steps < 0 or abs(count - steps) > NEAR * max(1.0, count):
            raise UsageError(f"t = {t:g} s is no whole number of steps of {self.step_size:g} s after {self.time:g} s.")
        for _ in range(steps):
            status = self._take_step()[0]
            if status != OK:
                self._go_on(status)

    def with_step(self, step: float) -> Simulator:
        """Another simulator that goes on from here, with the same inputs and steps of another size [s]."""
        formulation, integrator, options = self._made
        other = Simulator(self.mechanism, step, formulation, integrator, state=self.state, **options)
        other.inputs.update(self.inputs)
        return other

    def _give(self, inputs: Mapping[str, float] | None) -> None:
        """Set inputs. Raises UsageError for what is no mapping of names to numbers."""
        if inputs is None:
            return
        if not isinstance(inputs, Mapping):
            raise UsageError(f"inputs are told by name, not as {type(inputs).__name__}.", remedy='step({"push": 3.0})')
        self.inputs.update(inputs)

    def _go_on(self, status: int) -> None:
        """A step failed: past a rank loss as `simulate` goes, or an error."""
        session, inputs = self._session, dict(self.inputs)
        before, angles = session.time, self.outputs.angles()
        while session.recover(Status(status)):
            self._bind()
            self.inputs.read(inputs)
            self.outputs.restore_angles(angles)
            if session.time > before + 0.5 * self.step_size:  # the step was taken on the way
                self._show(session.run.sample())
                return
            status = self._take_step()[0]
            if status == OK:
                return
        session.recent = (self.sample,)
        raise session.failure(Status(status))

    def snapshot(self) -> Snapshot:
        """Where the simulator stands, to the bit."""
        carried = self._session.carried
        facts = {name: numbers_of(thing) for name, thing in carried.items()} | {"session": numbers_of(self._session)}
        sample = {name: np.array(values) for name, values in self._block._asdict().items()}
        angles = self.outputs.angles()
        return Snapshot(self.time, copies(arrays_in(carried)), facts, sample, dict(self.inputs), angles)

    def restore(self, snapshot: Snapshot) -> None:
        """Stand where a snapshot was taken, of this simulator or another of the same kind: the next steps are the same
        to the bit. Raises ResultFileError if it is of another kind, UsageError for what is none."""
        if not isinstance(snapshot, Snapshot):
            raise UsageError(f"a snapshot of a simulator is wanted, not {type(snapshot).__name__}.")
        session, facts = self._session, snapshot.facts
        problem = numbers_of(session.run.problem)
        same_problem = problem.get("droppable") == facts["problem"].get("droppable")
        if not (same_problem and session.room == facts["session"]["room"]):
            vars(session).update(facts["session"])
            session.rebuild(facts)
            self._bind()
        self.inputs.read(dict(snapshot.inputs))
        restore(arrays_in(session.carried), snapshot.arrays, "the snapshot")  # inputs have made slopes unknown
        for name, thing in session.carried.items():
            vars(thing).update(facts[name])
        vars(session).update(facts["session"])
        self._show(snapshot.sample)
        self.outputs.restore_angles(snapshot.angles)

    def reset(self, state: State | Mapping[str, Any] | None = None) -> None:
        """Stand at the start again, or at another state, inputs as described."""
        if state is None:
            self.restore(self._first)
            return
        start = as_state(self.mechanism, state)
        self._begin(self._call.from_state(start, start.time + LONG * self.step_size), reset=True)

    def __repr__(self) -> str:
        return f"<Simulator of {self.mechanism.name!r}: {self._call.label}; t = {self.time:g} s>"
