"""One run of a Radau method: compiled state between chunks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import step_count
from linkwork.integrators import contract
from linkwork.integrators.implicit_samples import room_for, state_as_sample
from linkwork.integrators.kinks import Clock, to_next_kink
from linkwork.integrators.stopping import multiplier_weights, sizes_of_rows
from linkwork.kernels.records import arrays_in
from linkwork.kernels.tables import Bodies
from linkwork.problems.implicit import ImplicitProblem
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.kinks import kink_times

Array = NDArray[np.float64]
STEPS_PER_CALL = 500  # of one body, between two looks at the clock
EXACT = 1e-12  # tolerance that Newton's method works to where steps have one size
LEFT = 0.01  # of the tolerance, left by Newton's method
CAP = 7  # of Newton's iterations, and one more for each stage
PATIENT = 50  # where a step cannot be made shorter
PASSES = 3  # from increments to their rates and back, on groups
CAREFUL = 0.1  # of a first step that would just be acceptable


class RadauRun(contract.Run[ImplicitProblem]):
    """One run: `initialise` first, then `advance` as often as wanted. Its units of progress are samples.

    stages : at which unknowns are kept, the last one at the end of a step. method : its numbers, for compiled code.
    pairs : of complex eigenvalues, whose systems are factored besides the real one. stabilised : equations of index 2.
    """

    def __init__(
        self,
        problem: ImplicitProblem,
        stages: int,
        method: Any,
        *,
        pairs: int,
        tolerances: tuple[float, float] | None,
        step: float,
        max_step: float,
        t_end: float,
        times: Array | None,
        every: int,
        max_iterations: int | None,
        stabilised: bool = False,
    ) -> None:
        from linkwork.integrators.radau_state import Run, new_systems
        from linkwork.kernels.records import new_record

        self.problem, self.tolerances, self.remarks = problem, tolerances, []
        self.method = method
        steps, self.interval = step_count(t_end, step), step * every
        if tolerances is None and times is None:  # steps of one size end with the one that reaches the end
            t_end = steps * step
            self._samples = steps // every + 1
        else:
            self._samples = step_count(t_end, self.interval) + 1 if times is None else len(times)
        self.times = times
        self._settings: dict[str, Any] = {}
        if tolerances is not None:
            self._settings = {"rtol": tolerances[0], "atol": tolerances[1]}
        if np.isfinite(max_step):
            self._settings["max_step"] = max_step
        self._done, self.steps = 0, steps
        self.kinks = np.zeros(0)  # times that no step of its own size crosses [s]
        structure, layout, work = problem.structure, problem.layout, problem.work
        room = len(structure.factors.Lx)
        self.systems = new_systems(structure.matrix, structure.pattern, problem.dependence, pairs, room)
        n, npos, length = layout.total, layout.coordinates, problem.mechanism.length
        self.run = run = new_record(
            Run,
            given={
                "power": powers(problem),
                "weight": weights(problem),
                "x": np.zeros((stages, n)),
                **{name: np.zeros((stages, n)) for name in ("old_x", "r", "off")},
                **{name: np.zeros((stages, npos)) for name in ("k", "v", "increment", "across")},
                "x_start": np.zeros(n),
                "aside": np.zeros(n),
                "gather": np.zeros(stages),
                "v_start": np.zeros(npos),
                "before": np.zeros_like(work.motion),
                "error": np.zeros(2 * npos),
                "z": work.z,
                "residual": work.residual,
                "request": work.request,
                "motion": work.motion,
                "rate": work.rate,
                "step_star": work.step_star,
                "rate_star": work.rate_star,
                "rank": problem.dependence.length,
            },
        )
        run.t_end[0], run.max_step[0], run.length[0] = t_end, max_step, length
        run.rtol[0], run.atol[0] = tolerances or (EXACT, EXACT)
        run.fixed_step[0], run.next_step[0] = (0.0 if tolerances else step), step
        run.newton[0], run.left[0], run.old_error[0], run.contraction[0] = LEFT, 1.0, 1.0, 1.0
        run.stages[0], run.cap[0] = stages, max_iterations or (CAP + stages if tolerances else PATIENT)
        run.forced[0], run.droppable[0], run.frozen[0] = problem.forced, problem.droppable, problem.frozen
        run.passes[0], run.stabilised[0] = PASSES if layout.algebra else 1, int(stabilised)
        run.varies[0] = int(structure.matrix.flags[0])
        run.first_multiplier[0], run.rows[0], run.formed[0] = layout.multipliers.start, layout.nc, -1

    @property
    def settings(self) -> dict[str, Any]:
        """How the run is made, as plain data for a result's header."""
        return self._settings

    @property
    def total(self) -> int:
        """Samples from start to end, the start left out."""
        return self._samples - self._first

    @property
    def _first(self) -> int:
        """Whether the first sample asked for is the start."""
        return int(self.times is None or self.times[0] == self.run.start_time[0])

    def _targets(self, first: int, many: int) -> Array:
        """When these samples are wanted [s]."""
        if self.times is not None:
            return np.ascontiguousarray(self.times[first : first + many])
        places = np.arange(first, min(first + many, self._samples))
        found: Array = np.minimum(self.run.start_time[0] + self.interval * places, self.run.t_end[0])
        return found

    @property
    def done(self) -> int:
        """Samples so far."""
        return self._done

    @property
    def samples(self) -> int:
        """How many samples a whole run records."""
        return self._samples

    @property
    def time(self) -> float:
        """Time reached [s], at the end of the step that waits for samples within it, if one does."""
        run = self.run
        return float(run.now[0] + (run.step[0] if run.pending[0] else 0.0))

    @property
    def whole_steps(self) -> bool:
        """Whether steps have the size asked for, to the last one."""
        return self.tolerances is None and self.times is None

    def begin_at(self, time: float, counted_angles: Array | None = None) -> None:
        """Start at another time [s] than zero, and with these counted angles, turns included [rad]."""
        self.run.start_time[0] = self.run.now[0] = time
        self.run.t_end[0] += time
        self.times = None if self.times is None else self.times + time
        if self.tolerances is not None:
            self.kinks = kink_times(self.problem.mechanism, time, float(self.run.t_end[0]))
        if counted_angles is not None:
            self.problem.work.counted_angles[:] = counted_angles

    def renew(self, bodies: Bodies) -> None:
        """The weights of multipliers, too."""
        super().renew(bodies)
        self.run.weight[:] = weights(self.problem, bodies)

    def set_start(self, mechanism: CompiledMechanism, pose_tolerance: float) -> bool:
        """The weights, too, and the length that they are shares of."""
        placed = super().set_start(mechanism, pose_tolerance)
        self.run.length[0], self.run.weight[:] = mechanism.length, weights(self.problem)
        return placed

    def initialise(self) -> Status:
        """Accelerations and multipliers at the start, and a first step where steps find their own size."""
        from linkwork.integrators.radau_kernels import BEGIN_RUN

        request, problem = self.problem.work.request, self.problem
        request.has_forces[0], request.first_row[0] = int(problem.forced), problem.layout.multipliers.start
        status = BEGIN_RUN(self._table)
        if status == Status.OK and self.tolerances is not None:
            self.run.next_step[0] = self._first_step()
        return Status(status)

    def _first_step(self) -> float:
        """From how fast the state and its rates change at the start."""
        run, npos = self.run, self.problem.layout.coordinates
        weight, span = run.weight[:npos], float(run.t_end[0] - run.now[0])
        fast = float(np.abs(weight * run.v_start).max(initial=0.0))
        fast += float(np.sqrt(np.abs(weight * run.x_start[:npos]).max(initial=0.0)))
        share = float(run.rtol[0] + run.atol[0]) ** (1.0 / (self.error_order + 1))
        return float(min(run.max_step[0], span, CAREFUL * share / fast if fast * span > share else 0.1 * span))

    def sample(self) -> contract.Block:
        """The present state as one sample."""
        return state_as_sample(self.problem, self.time)

    def first(self) -> contract.Block:
        """The start as a sample, if it is wanted."""
        sample = self.sample()
        return sample if self._first else {name: value[:0] for name, value in sample.items()}

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        for mine, theirs in zip(arrays_in(self.problem.work), arrays_in(other.problem.work), strict=True):
            mine[:] = theirs
        run, old = self.run, other.run
        for name in ("settings", "counts", "x_start", "v_start", "before"):
            getattr(run, name)[:] = getattr(old, name)
        run.formed[0], run.predictable[0], run.factored_step[0], run.pending[0] = -1, 0, 0.0, 0
        self.times, self._done = other.times, other._done

    def advance(self, units: int) -> tuple[Status, contract.Block]:
        """Go on by so many samples; what was recorded comes back even if a step failed."""
        from linkwork.problems.layout import address_table

        first = self._first + self._done
        targets = self._targets(first, units)
        block = self._room(len(targets) + 1)
        most = max(4, STEPS_PER_CALL // self.problem.layout.nb)
        room = address_table(block)

        def advance(wanted: Array, most: int) -> tuple[int, int]:
            status, recorded = self._compiled()(self._table, wanted, most, room)
            return status, recorded

        status, n = to_next_kink(Clock.of(self.run, self.kinks), targets, most, advance, self._begin_anew)
        self._done += n
        return Status(status), {name: getattr(block, name)[:n] for name in block._fields}

    def stepper(self) -> tuple[Any, Callable[[], tuple[int, int]]]:
        """Room for one sample, and a function that goes on to the next time a sample is wanted at."""
        from linkwork.problems.layout import address_table

        room, advance = self._room(1), self._compiled()
        table = address_table(room)

        def to_next() -> tuple[int, int]:
            status, n = advance(self._table, self._targets(self._first + self._done, 1), 2**62, table)
            self._done += n
            return status, n

        return room, to_next

    def _begin_anew(self) -> None:
        """Accelerations behind a kink, and nothing from the steps before it."""
        from linkwork.integrators.radau_kernels import BEGIN_RUN

        run = self.run
        started = float(run.start_time[0])
        run.start_time[0] = run.now[0]
        BEGIN_RUN(self._table)
        run.start_time[0] = started
        run.old_step[0], run.old_error[0] = 0.0, 1.0
        self.forget_slope()

    def forget_slope(self) -> None:
        """Forces have changed: nothing is predicted from the steps before, and matrices are formed anew."""
        self.run.predictable[0], self.run.formed[0] = 0, -1

    @property
    def error_order(self) -> int:
        """The error of a step falls like h^(error_order + 1)."""
        return int(self.run.stages[0])

    @staticmethod
    def _compiled() -> Any:
        """The compiled `advance_to`."""
        from linkwork.integrators.radau_kernels import ADVANCE_TO

        return ADVANCE_TO

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """Addresses of all that compiled code works on."""
        from linkwork.integrators.radau_kernels import BEGIN_RUN
        from linkwork.integrators.radau_state import Entries
        from linkwork.kernels.parallel_compilation import make_ready
        from linkwork.problems.layout import address_table

        entries = Entries(*(getattr(self.problem, name) for name in Entries._fields))
        make_ready(*entries, self._compiled(), BEGIN_RUN)
        return address_table((self.problem.context, entries, self.run, self.systems, self.method))

    def _room(self, samples: int) -> Any:
        return room_for(self.problem, samples)

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far."""
        names = ("steps", "iterations", "evaluations", "factorizations", "rejected", "rebased", "rank_changes")
        found = {name: int(getattr(self.run, name)[0]) for name in names}
        found["steps"] += int(self.run.pending[0])  # one still being sampled
        return found

    @property
    def worst_row(self) -> int:
        """The constraint row with the largest residual when a step failed."""
        return int(self.run.worst_row[0])


def powers(problem: ImplicitProblem) -> NDArray[np.int64]:
    """Of the step, in what each equation is scaled by (N,): 0 equations of motion, 1 velocity-level rows, 2 others."""
    layout = problem.layout
    found = np.zeros(layout.total, dtype=np.int64)
    found[layout.multipliers] = np.where(problem.mechanism.system.rows.nonholonomic == 1, 1, 2)
    found[layout.normalisation] = 2
    return found


def weights(problem: ImplicitProblem, bodies: Bodies | None = None) -> Array:
    """What makes corrections comparable, as shares of the mechanism's length (N,); normalisation does not count.

    bodies : masses other than the mechanism's.
    """
    layout, mechanism = problem.layout, problem.mechanism
    length, bodies = mechanism.length, bodies or mechanism.system.bodies
    found = np.full(layout.total, 1.0 / length)
    found[layout.multipliers] = multiplier_weights(sizes_of_rows(mechanism), bodies) / length
    found[layout.normalisation] = 0.0
    for b in range(layout.nb):
        found[layout.rotation(b)] = 1.0
    return found
