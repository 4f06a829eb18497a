"""A run carried out, and the same run moving with numbers of the description: its samples with their tangents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.asked import Quantity
from linkwork.derivatives.described import Described
from linkwork.derivatives.grouped import Sparse
from linkwork.derivatives.kept_tangents import kept_tangents
from linkwork.derivatives.memory_tape import MemoryTape, SamplesTape
from linkwork.derivatives.moving_kinks import moving_kinks
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.quantity_rounding import size_of_rounding
from linkwork.derivatives.run_tape import RunTape, worth
from linkwork.derivatives.start import MovingStart, Perturbed
from linkwork.derivatives.start_tangents import StartTangents
from linkwork.derivatives.states_tape import StatesTape
from linkwork.derivatives.stencil import SHARE, SMOOTH, derivative
from linkwork.derivatives.tangent_run import tangent_run
from linkwork.derivatives.tangents_adaptive import AdaptiveTangents, need_same
from linkwork.derivatives.tangents_newton import NewtonTangents
from linkwork.derivatives.tangents_traced import TracedTangents
from linkwork.derivatives.traced import finds_its_steps, need_worth, same_but_for_rounding
from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.step_sizes import keep_sizes, sizes_of
from linkwork.kernels.compiling import purpose
from linkwork.kernels.tables import Rows
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.mechanism import Mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.options import with_mapping
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.recording import named
from linkwork.run.simulate import Call, begin
from linkwork.run.starting import prepare, whole_steps
from linkwork.status import Status
from linkwork.system.dense import Pose

Array = NDArray[np.float64]
AT_ONCE = 7  # directions that one run carries
LOOKED_AT = 6  # poses of a run with dependent rows, at which these are to follow a number


@one_blas_thread()
def carried_out(
    mech: Mechanism,
    t_end: float | None,
    step: float | None,
    formulation: Any,
    integrator: Any,
    state: State | None,
    options: dict[str, Any],
    numbers: Sequence[Described] = (),
    backwards: bool = False,
    widened: Rows | None = None,
) -> Nominal:
    """The run itself. numbers : by which it is to be differentiated, in reverse or not, so that what this needs is kept
    on the way. widened : rows with entries wherever a run beside has some. Raises UsageError where redundancy changes
    or rank is lost on the way."""
    options = with_mapping(options)
    call = Call.of(mech, t_end, step, formulation, integrator, None, None, options, state)
    _, passing = whole_steps(call.duration, call.step)
    accepted = {name: getattr(call.accepted, name) for name in call.accepted.options}
    ready = prepare(mech, dynamics=True, state=state, **accepted)
    ready.compiled.need_masses()
    if widened is not None:
        ready = replace(ready, compiled=ready.compiled.other(widened=widened))
    session = begin(mech, call, ready, passing)
    run: Any = session.run
    if not run.has_tangents:
        raise _not_carried(call)
    settings = call.settings(ready, run)
    before = run.counts.get("rank_changes", 0)
    from_index_1 = int(run.run.from_index_1[0]) if isinstance(run, ImplicitRun) else 0
    nb, nc = ready.compiled.nb, ready.compiled.nc
    droppable = bool(run.problem.droppable)
    begun = Nominal(mech, call, ready, session, settings, cast(Result, None), droppable, from_index_1)
    with purpose(call.label):
        if numbers and worth(run):
            begun = _taped(begun, numbers, backwards)
        elif numbers and not isinstance(run, ImplicitRun):
            begun = _with_states(begun, numbers, backwards)
        if begun.tape is not None:
            run.advance = begun.tape.advance
        chunks = Chunks.of(nb, 8.0 * (24 * nb + nc + 2) / call.samples.every)
        result = session.carry_out(run.total, chunks, call.t_end, None)
        vars(run).pop("advance", None)
    limits = 0 if isinstance(run, ImplicitRun) else int(run.run.stencil.limits[0])
    changes = (
        int(run.run.rank_changes[0]) if isinstance(run, ImplicitRun) else run.counts.get("rank_changes", 0) - before
    )
    if session.run is not run or changes or limits:
        raise UsageError(
            "the constraints change rank on the way: derivatives of this run do not exist beyond that.",
            element=f"mechanism {mech.name!r}",
            remedy="End the run before (its messages say when), or start on another branch of the motion.",
        )
    return replace(begun, result=result)


def _not_carried(call: Call) -> UsageError:
    if call.integrator.name == "generalized-alpha":  # in steps of one size it is
        return UsageError(
            "sensitivities are not carried along by generalized-alpha with rtol or atol.",
            remedy="Leave rtol and atol out, for steps of one size; or take an explicit method.",
        )
    return UsageError(
        f"sensitivities are not carried along by {call.integrator.name}.",
        remedy="Take generalized-alpha, or an explicit method; or finite differences, a sweep.",
    )


def _taped(begun: Nominal, numbers: Sequence[Described], backwards: bool) -> Nominal:
    """A run at its start, with what keeps its rows while it is carried out, if these can be kept."""
    moving, prepared = Moving(begun, numbers), begun.prepared(begun.ready.compiled, 0)
    known, run = (
        replace(begun, tangents=moving.tangents, perturbed=moving.perturbed),
        cast(ImplicitRun, begun.session.run),
    )
    try:
        if not backwards:
            need_worth(run)
        return replace(known, tape=RunTape(run, prepared, moving.moves(prepared.reals.once, backwards), backwards))
    except NotTracedError:
        return known


def _with_states(begun: Nominal, numbers: Sequence[Described], backwards: bool) -> Nominal:
    """An explicit run at its start, with what keeps its states, if recorded steps are to follow these, or be reversed
    from them."""
    run: Any = begun.session.run
    if finds_its_steps(run):
        keep_sizes(run)
        return replace(begun, tape=SamplesTape(run)) if backwards else begun
    try:
        need_worth(run, backwards)
    except NotTracedError:
        return begun
    if in_place_of(run.problem):
        return replace(begun, tape=MemoryTape(run))
    if run.problem.droppable or not backwards:
        return begun
    moving, prepare = Moving(begun, numbers), partial(begun.prepared, begun.ready.compiled)
    known = replace(begun, tangents=moving.tangents, perturbed=moving.perturbed)
    try:
        moves = moving.moves(prepare(0).reals.once, backwards=True)
        back = RECORDS.followed(lambda: TracedAdjoint(prepare, moves, alone=begun.alone))
        return replace(known, tape=StatesTape(run, back, moves))
    except NotTracedError as why:
        return replace(known, untraced=why)


class Moving:
    """Samples of a run with their tangents by several numbers. way : how these were found, in words, once they are.
    apart : by steps of their own, not those of the run."""

    way, apart = "", True

    def __init__(self, nominal: Nominal, numbers: Sequence[Described]) -> None:
        self.nominal = nominal
        self.perturbed = nominal.perturbed or Perturbed(nominal.mechanism, nominal.ready, nominal.call.state)
        self.moving_starts = [MovingStart(one, nominal.ready, nominal.call.state, self.perturbed) for one in numbers]

    @cached_property
    def tangents(self) -> list[Sparse]:
        """Of each number: which of all that compiled code works on moves with it before the run begins, and how; times
        at which steps end among it. Raises UsageError where there is no derivative."""
        if self.nominal.tangents is not None:
            return self.nominal.tangents
        return kept_tangents(self.nominal, [one.number for one in self.moving_starts], self._found)

    def _found(self) -> list[Sparse]:
        reached = self.reached if self.nominal.droppable else []
        of = StartTangents(self.nominal, self.moving_starts, self.perturbed, reached)
        found, size = of.found, sum(of.sizes)
        if not len(self.nominal.kinks):
            return found
        ends = moving_kinks(self.nominal, [one.number for one in self.moving_starts])
        return [ends.joined(one, k, size) for k, one in enumerate(found)]

    def moves(self, once: NDArray[np.bool_], backwards: bool) -> NDArray[np.bool_]:
        """(reals,) which move with any number before the run begins. once : `Reals.once`; of numbers that share memory
        the reverse takes one."""
        moved = np.zeros(len(once), dtype=bool)
        for one in self.tangents:
            moved[one.at[once[one.at]] if backwards else one.at[one.value != 0.0]] = True
        return moved

    @cached_property
    def starts(self) -> Array:
        """(reals, numbers) the same, dense."""
        size = self.nominal.prepared(self.nominal.ready.compiled).reals.values.size
        out = np.zeros((size, len(self.moving_starts)))
        for k, one in enumerate(self.tangents):
            out[one.at, k] = one.value
        return out

    @cached_property
    def reached(self) -> list[tuple[float, Pose]]:
        """A few times of the run, and the poses then."""
        result, ground = self.nominal.result, self.nominal.ready.compiled
        few = np.unique(np.linspace(0, result.time.size - 1, LOOKED_AT).astype(int))
        r, A = (np.asarray(result[name])[few] for name in ("position", "rotation"))
        return [
            (float(t), Pose(np.vstack([one, ground.r[-1:]]), np.vstack([turned.reshape(-1, 9), ground.A[-1:]])))
            for t, one, turned in zip(result.time[few], r, A, strict=True)
        ]

    @cached_property
    def samples(self) -> dict[str, Array]:
        """Arrays (samples, ..., 1 + numbers), values first."""
        nominal = self.nominal
        with purpose(f"derivatives of {nominal.call.label}"):
            try:
                need_worth(nominal.session.run)
                found = RECORDS.followed(self._recorded_samples)
                self.way = "recorded steps"
            except NotTracedError as why:  # or left on the way
                found = self.dual_samples()
                self.way = f"dual numbers, as steps are not recorded: {why.reason.rstrip(',')}"
        return found

    def _recorded_samples(self) -> dict[str, Array]:
        """The same by recorded steps. Raises NotTracedError where these are not, or not those of the run."""
        prepared = self.nominal.prepared(self.nominal.ready.compiled, 0)
        if isinstance(self.nominal.tape, RunTape):
            try:
                found, self.apart = NewtonTangents(prepared, self.starts, self.nominal.tape).samples(), False
                return found
            except NotTracedError:  # its record may be that of a run before
                RECORDS.forget()
        if prepared.implicit:
            found, self.apart = NewtonTangents(prepared, self.starts).samples(), False
            return found
        tape = self.nominal.tape if isinstance(self.nominal.tape, MemoryTape) else None
        if finds_its_steps(prepared.run):
            sizes = sizes_of(cast(RungeKuttaRun, self.nominal.session.run))
            if not len(sizes):
                raise NotTracedError("steps whose sizes were not kept")
            found = AdaptiveTangents(prepared, self.starts, sizes).samples()
            values = {name: array[..., 0] for name, array in found.items()}
            need_same(prepared.run, values, self.nominal.block)
            return found
        steps = TracedTangents(prepared, self.starts, tape)
        found, self.apart = steps.samples(), tape is None
        if steps.solved_anew:
            self._need_same(found)
        return found

    def _need_same(self, found: Mapping[str, Array]) -> None:
        """Raise NotTracedError where these samples are not those of the run, rounding aside."""
        result, values = self.nominal.result, named({name: array[..., 0] for name, array in found.items()})
        wanted = {name: np.asarray(result[name]) for name in values if name != "extra"}
        alike = same_but_for_rounding((values[name], of) for name, of in wanted.items())
        for name, same in zip(wanted, alike, strict=True):
            if not same:
                raise NotTracedError(f"steps that come to another {name.replace('_', ' ')} than the run,")

    def dual_samples(self) -> dict[str, Array]:
        """The same by a run on dual numbers."""
        parts = []
        for first in range(0, len(self.moving_starts), AT_ONCE):
            of = self.starts[:, first : first + AT_ONCE]
            found = tangent_run(self.nominal.prepared(self.nominal.ready.compiled), of)
            if found.status != Status.OK:
                raise self._failed(found.status)
            few = of.shape[1] + 1
            parts.append({name: array[..., 0 if not first else 1 : few] for name, array in found.arrays.items()})
        return {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}

    def _failed(self, status: Status) -> UsageError:
        if status != Status.NEWTON_DIVERGED:
            return UsageError(f"the run with tangents failed ({status.name}).")
        return UsageError(
            f"tangents of {self.nominal.call.label} do not settle in Newton's iterations.",
            element=f"mechanism {self.nominal.mechanism.name!r}",
            remedy="Take a larger step, as rounding of positions is divided by its square there; or an explicit "
            "method, such as formulation='canonical' and integrator='rk4'.",
        )

    @property
    def same_bits(self) -> bool:
        """Whether the values are those of the run without tangents."""
        result, found = self.nominal.result, named({n: a[..., 0] for n, a in self.samples.items()})
        return all(np.array_equal(result[name], found[name]) for name in ("time", "position", "velocity", "multiplier"))

    def derivatives(self, asked: Mapping[str, Quantity]) -> dict[str, list[Array]]:
        """Name -> the derivatives by each number."""
        out: dict[str, list[Array]] = {name: [] for name in asked}
        for k, start in enumerate(self.moving_starts):
            h, results = self.stride(k), dict[float, Result]()
            for name, quantity in asked.items():
                value = partial(self.value_at, quantity, k, results)
                found, rough = derivative(value, h)
                if not rough <= SMOOTH:  # it may be rounding alone, as the torque of a ball
                    found, rough = derivative(value, h, self._size_of_rounding(quantity, k))
                if not rough <= SMOOTH:
                    raise start.refused(f"{name!r} is not smooth in it")
                out[name].append(found)
        return out

    def value_at(self, quantity: Quantity, k: int, results: dict[float, Result], by: float) -> Array:
        """A quantity of `result_at`. results : those that are there already."""
        results[by] = results[by] if by in results else self.result_at(k, by)
        return np.asarray(quantity(results[by]), dtype=float)

    def _size_of_rounding(self, quantity: Quantity, k: int) -> float:
        samples = {name: array[..., 0] for name, array in self.samples.items()}
        return size_of_rounding(lambda block: np.asarray(quantity(self.result_of(block, k, 0.0)), float), samples)

    def stride(self, k: int) -> float:
        """How far apart results are that a quantity is differentiated by."""
        largest = 0.0
        for array in self.samples.values():
            size = float(np.max(np.abs(array[..., 0]), initial=0.0))
            moved = float(np.max(np.abs(array[..., 1 + k]), initial=0.0))
            largest = max(largest, moved / size if size > 0.0 else 0.0)
        h = self.moving_starts[k].h
        return min(h, 2.0 ** np.floor(np.log2(SHARE / largest))) if largest > 0.0 else h

    def result_at(self, k: int, by: float) -> Result:
        """The result of the run moved along tangent k."""
        block = {name: array[..., 0] + by * array[..., 1 + k] for name, array in self.samples.items()}
        return self.result_of(block, k, by)

    def result_of(self, block: dict[str, Array], k: int, by: float) -> Result:
        """A result of these samples, of the mechanism whose number k is larger by so much."""
        mechanism = self.moving_starts[k].number.moved(by)
        return self.nominal.result_of(mechanism, self.perturbed.compiled(mechanism), block)
