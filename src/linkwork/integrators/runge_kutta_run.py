"""One run of an explicit Runge-Kutta method: compiled state between chunks, in steps of one size or samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import MOST_ADAPTIVE, step_count
from linkwork.integrators import contract, limit_stencil
from linkwork.integrators import evaluation as stages
from linkwork.integrators.explicit_entries import of_entries
from linkwork.integrators.kinks import Clock, to_next_kink
from linkwork.integrators.one_call import OneCall
from linkwork.integrators.runge_kutta_notices import rank_losses, samples_within_steps
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.kernels.records import arrays_in, new_record
from linkwork.kernels.tables import Bodies
from linkwork.problems.explicit import ExplicitProblem
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.kinks import kink_times

Array = NDArray[np.float64]


class Method(Protocol):
    """What a run asks of a method: a tableau, or a plan of stages that are found by iteration."""

    @property
    def stages(self) -> int: ...
    @property
    def extra_stages(self) -> int: ...
    @property
    def order(self) -> int: ...
    @property
    def error_order(self) -> int | None: ...
    @property
    def fsal(self) -> bool: ...
    def arrays(self) -> tuple[Any, ...]: ...


COUNTED = "steps", "evaluations", "rejected", "projections", "rank_changes"
STEPS_PER_CALL = 5000  # of one body, between two looks at the clock


class RungeKuttaRun(contract.Run[ExplicitProblem]):
    """One run: compiled state between chunks. `initialise` first, then `advance` as often as wanted.

    Its units of progress are steps of one size, or samples at chosen times where steps find their own size.
    """

    def __init__(
        self,
        problem: ExplicitProblem,
        tableau: Method,
        step: float,
        t_end: float,
        every: int,
        tolerances: tuple[float, float] | None,
        max_step: float,
        times: Array | None,
        held: Stabilisation,
    ) -> None:
        self.problem, self.tableau, self.held, self.tolerances = problem, tableau, held, tolerances
        self.remarks: list[str] = []
        self._settings: dict[str, Any] = held.to_dict()
        if tolerances is not None:
            self._settings |= {"rtol": tolerances[0], "atol": tolerances[1]}
        if np.isfinite(max_step):
            self._settings["max_step"] = max_step
        if times is not None:
            self._settings["t_eval"] = f"{len(times)} times from {times[0]:.6g} to {times[-1]:.6g} s"
        self.every, self.step = every, step
        work = problem.work
        work.request.damping[0], work.request.stiffness[0] = 2.0 * held.alpha, held.beta**2
        self.arrays: tuple[Any, ...] = tableau.arrays()
        self.times = self._regular(step, t_end, every) if times is None and tolerances is not None else times
        self.steps = step_count(t_end, step)
        self._done = 0
        self.kinks = np.zeros(0)  # times that no step of its own size crosses [s]
        self.changes_at_start = 0
        n, extra, (rtol, atol) = len(work.psi), tableau.extra_stages, tolerances or (0.0, 1.0)
        self.run = run = new_record(
            stages.Run,
            given={
                "sizes": np.zeros(0),
                "k": np.zeros((tableau.stages + extra, n)),
                "error": np.zeros(n),
                "weight": problem.weight,
                "psi": work.psi,
                "psi_rate": work.psi_rate,
                "size": work.size,
                "request": work.request,
                "dropped": work.dropped,
                "motion": work.motion,
                "lam": work.lam,
                "extra": problem.extra,
                "stencil": limit_stencil.new_limit_stencil(problem),
            },
        )
        run.step[0], run.max_step[0], run.t_end[0] = step, max_step, t_end
        run.next_step[0], run.old_error[0] = step, 1e-4
        run.atol[0], run.rtol[0] = atol, rtol
        run.stages[0], run.extra_stages[0] = tableau.stages, extra
        run.error_order[0] = tableau.error_order or tableau.order
        run.fsal[0], run.adaptive[0] = tableau.fsal and not problem.remembers, tolerances is not None
        run.every[0] = every
        run.project_every[0] = 0 if problem.evaluate is not None else held.project_every  # such trees have no rows
        run.droppable[0], run.remembers[0] = problem.droppable, problem.remembers
        run.in_one[0] = problem.evaluate is not None

    def retune(self, rtol: float, atol: float, max_step: float, every: int) -> None:
        """Other tolerances, largest step [s], and distance of samples, before `initialise`, of a run that has
        tolerances and starts at `begin_at`."""
        self.tolerances, self.every = (rtol, atol), every
        run = self.run
        run.rtol[0], run.atol[0], run.max_step[0], run.every[0] = rtol, atol, max_step, every
        self._settings |= {"rtol": rtol, "atol": atol, "max_step": max_step}
        self.times = run.start_time[0] + self._regular(self.step, float(run.t_end[0] - run.start_time[0]), every)

    @staticmethod
    def _regular(step: float, t_end: float, every: int) -> Array:
        """Times of samples, start and end among them [s]. Raises UsageError for more than there is room for."""
        step_count(t_end, step * every, MOST_ADAPTIVE)
        n = max(1, math.ceil(t_end / (step * every) - 1e-9))
        times = np.arange(n + 1, dtype=np.float64)
        times *= step * every
        times[n] = t_end
        return times

    @property
    def settings(self) -> dict[str, Any]:
        """How the run is made, as plain data for a result's header."""
        return self._settings

    @property
    def done(self) -> int:
        """Units of progress so far."""
        return self._done

    @property
    def total(self) -> int:
        """Units of progress from start to end: steps, or samples where times are asked for."""
        return self.steps if self.times is None else len(self.times) - self._first

    @property
    def _first(self) -> int:
        """Whether the first sample asked for is the start."""
        return int(self.times is not None and self.times[0] == self.run.start_time[0])

    @property
    def samples(self) -> int:
        """How many samples a whole run records."""
        return self.steps // self.every + 1 if self.times is None else len(self.times)

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.run.now[0])

    @property
    def whole_steps(self) -> bool:
        """Whether all steps have the size asked for."""
        return self.times is None

    def begin_at(self, time: float, counted_angles: Array | None = None) -> None:
        """Start at another time than zero; counted angles, with their turns [rad]."""
        self.run.now[0] = self.run.start_time[0] = time
        self.run.t_end[0] += time
        self.times = None if self.times is None else self.times + time
        if self.tolerances is not None:
            self.kinks = kink_times(self.problem.mechanism, time, float(self.run.t_end[0]))
        if counted_angles is not None:
            self.problem.work.counted_angles[:] = counted_angles

    def renew(self, bodies: Bodies) -> None:
        """The copy of the base to come back to, too, which has momenta."""
        super().renew(bodies)
        self.run.stencil.kept[...] = self.run.stencil.base

    def set_start(self, mechanism: CompiledMechanism, pose_tolerance: float) -> bool:
        """The copy of the base to come back to, too."""
        placed = super().set_start(mechanism, pose_tolerance)
        kept = self.run.stencil
        kept.kept[...], kept.kept_more[...], kept.kept_counted_angles[...] = kept.base, kept.more, kept.counted_angles
        return placed

    def initialise(self) -> Status:
        """Accelerations and multipliers at the start, and a first step size where steps find their own."""
        _, start, no_samples, _ = of_entries()
        work, advance = self.problem.work, self._compiled()
        status, _ = advance(self._table, start, no_samples)
        self.changes_at_start = int(self.run.rank_changes[0])
        if status == Status.OK and not np.isfinite(work.lam).all():
            return Status.SINGULAR
        if status == Status.OK and self.tolerances is not None:
            from linkwork.integrators.dense_output_kernels import GUESS_STEP

            status = GUESS_STEP(self._table)
            self.run.rhs_known[0] = self.run.state_is_set[0] = 0  # the guess has placed another state
            advance(self._table, start, no_samples)
        return Status(status)

    def sample(self) -> contract.Block:
        """The present state as one sample."""
        return {"time": np.array([self.time])} | {name: part[None].copy() for name, part in self._stands().items()}

    def _stands(self) -> contract.Block:
        work = self.problem.work
        return {"motion": work.motion[:-1], "multiplier": work.lam, "extra": self.problem.extra[:-1]}

    def first(self) -> contract.Block:
        """The start as a sample, if it is wanted."""
        wanted = slice(None if self.times is None or self._first else 0)
        return {name: value[wanted] for name, value in self.sample().items()}

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        old, new = other.problem, self.problem
        for mine, theirs in zip(
            (*arrays_in(new.work), *new.formulation_arrays),
            (*arrays_in(old.work), *old.formulation_arrays),
            strict=True,
        ):
            mine[:] = theirs
        for name in ("settings", "counts", "k"):
            getattr(self.run, name)[:] = getattr(other.run, name)
        self.run.rhs_known[0] = self.run.state_is_set[0] = 0
        self.run.stencil.limits[0] = other.run.stencil.limits[0]
        self.run.stencil.first_loss[:] = other.run.stencil.first_loss
        self.times = other.times
        self._done, self.changes_at_start = other._done, other.changes_at_start

    def advance(self, units: int) -> tuple[Status, contract.Block]:
        """Go on by so many steps or samples; what was recorded comes back even if a step failed."""
        *_, address_table = of_entries()
        if self.times is None:
            block = self._room(units // self.every + 1)
            status, n = self._compiled()(self._table, units, address_table(block))
            self._done = int(self.run.steps[0] - self.run.pending[0])
        else:
            from linkwork.integrators.dense_output_kernels import ADVANCE_TO

            first = self._first + self._done
            targets = self.times[first : first + units]
            block = self._room(len(targets) + 1)
            most = max(16, STEPS_PER_CALL // self.problem.mechanism.nb)
            room = address_table(block)

            def advance(wanted: Array, most: int) -> tuple[int, int]:
                status, recorded = ADVANCE_TO(self._table, wanted, most, room)
                return status, recorded

            status, n = to_next_kink(Clock.of(self.run, self.kinks), targets, most, advance, self.forget_slope)
            self._done += n
        return Status(status), {
            "time": block.time[:n],
            "motion": block.motion[:n],
            "multiplier": block.multiplier[:n],
            "extra": block.extra[:n],
        }

    def in_one_call(self) -> OneCall | None:
        """The same in one call, from the start, of steps of one size."""
        if self.times is not None:
            return None
        stands = {"time": self.run.start_time, **self._stands()}
        return OneCall(self._compiled(), self._table, self.steps, self.every, stands, self._room(1))

    def stepper(self) -> tuple[Any, Callable[[], tuple[int, int]]]:
        """Room for one sample, and a function that takes one step into it."""
        *_, address_table = of_entries()
        room = self._room(1)
        return room, self._compiled().code.bound(self._table, 1, address_table(room))

    def forget_slope(self) -> None:
        """The first stage is evaluated again."""
        self.run.rhs_known[0] = self.run.state_is_set[0] = 0

    @staticmethod
    def _compiled() -> Any:
        """The compiled `advance` for steps of one size."""
        advance, *_ = of_entries()
        return advance

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """Addresses of all that compiled code works on."""
        from linkwork.integrators.explicit_table import table_of
        from linkwork.kernels.parallel_compilation import make_ready

        entries, methods = self._entries(), [self._compiled()]
        if self.times is not None:
            from linkwork.integrators import dense_output_kernels as sampled

            methods += [sampled.ADVANCE_TO, sampled.GUESS_STEP] if self.tolerances is not None else [sampled.ADVANCE_TO]
        make_ready(*entries, *methods)
        return table_of(self.problem.context, entries, self.run, self.arrays)

    def _room(self, samples: int) -> Any:
        from linkwork.integrators.runge_kutta_kernels import RECORDED

        mechanism = self.problem.mechanism
        return stages.Block(
            time=np.empty(samples),
            motion=np.empty((samples, mechanism.nb, RECORDED)),
            multiplier=np.empty((samples, mechanism.nc)),
            extra=np.empty((samples, mechanism.nb, self.problem.extra.shape[1])),
        )

    def _entries(self) -> Any:
        """What `evaluate` does in one is not compiled apart."""
        from linkwork.problems.nothing import NOTHING

        spared = (
            ("evaluate",) if self.problem.evaluate is None else ("apply", "detect_redundant_rows", "factorise", "solve")
        )
        names = stages.Entries._fields
        return stages.Entries(*(NOTHING if name in spared else getattr(self.problem, name) for name in names))

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far."""
        found = {name: getattr(self.run, name).item(0) for name in COUNTED}
        if self.times is not None:
            found["steps"] += int(self.run.pending[0])  # one still being sampled
        return found

    def _of_the_problem(self) -> list[str]:
        """What the equations themselves noticed."""
        if self.problem.notices is None:
            return []
        return self.problem.notices(float(self.run.rtol[0]) if self.run.adaptive[0] == 1 else None)

    @property
    def has_tangents(self) -> bool:
        """They can."""
        return True

    @property
    def notices(self) -> list[str]:
        """What the user should know of the run when it is over."""
        changes = int(self.run.rank_changes[0]) - self.changes_at_start
        return [*self._of_the_problem(), *rank_losses(self.run, changes)]

    @property
    def notices_of_samples(self) -> list[str]:
        """That they are far less exact than steps."""
        return samples_within_steps(self.run)

    @property
    def worst_row(self) -> int:
        """The constraint row that was least independent when a factorisation failed, -1 if none is known."""
        return int(self.problem.solver.report[1])
