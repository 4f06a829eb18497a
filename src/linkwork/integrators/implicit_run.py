"""One run of an implicit method on an index-3 problem: start, and chunks of steps [Kissel 2021, section 3]."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import step_count
from linkwork.integrators import contract
from linkwork.integrators.implicit_samples import RECORDED, room_for, state_as_sample
from linkwork.integrators.one_call import OneCall
from linkwork.integrators.scheme import Scheme
from linkwork.integrators.stopping import LEAST, USUAL, multiplier_weights, rounding_norm, sizes_of_rows, stopping_norm
from linkwork.kernels.records import arrays_in, new_record, shared
from linkwork.kernels.tables import Bodies
from linkwork.problems.implicit import ImplicitProblem
from linkwork.status import Status
from linkwork.system import CompiledMechanism

FROZEN_CAP, NEWTON_CAP = 50, 25
SLOW_CONTRACTION = 0.1  # a frozen matrix is renewed when a correction shrinks by less than this factor


@cache
def start_entries() -> tuple[Any, Any, Any]:
    """`SOLVE_ACCELERATIONS`, `PERTURB` and `ANSWER_JUMP`, imported when a run begins."""
    from linkwork.integrators.start import ANSWER_JUMP, PERTURB, SOLVE_ACCELERATIONS

    return SOLVE_ACCELERATIONS, PERTURB, ANSWER_JUMP


@cache
def step_entry() -> tuple[Any, Callable[..., Any]]:
    """`ADVANCE`, and what makes its tables of addresses, likewise."""
    from linkwork.integrators.implicit_kernels import ADVANCE
    from linkwork.problems.layout import address_table

    return ADVANCE, address_table


def _nothing() -> int:
    return int(Status.OK)


class ImplicitRun(contract.Run[ImplicitProblem]):
    """One run: compiled state between chunks. `initialise` first, then `advance` as often as wanted."""

    def __init__(
        self,
        problem: ImplicitProblem,
        scheme: Scheme,
        *,
        perturbed: bool,
        left: float,
        sample_tolerance: float,
        step: float,
        t_end: float,
        tolerance: float | None,
        position_tolerance: float | None,
        usual_position_tolerance: float,
        max_iterations: int | None,
        every: int,
    ) -> None:
        from linkwork.integrators.newton import Run

        layout = problem.layout
        self.problem, self.steps, self.perturbed = problem, step_count(t_end, step), perturbed
        self.earlier = 0  # factorizations of a run that this one took over from
        self.by_weights = tolerance is None
        self.sample_tolerance = sample_tolerance  # of the size of accelerations: rounding in samples
        self.jumped = False  # whether forces did since the last step, by inputs
        self.true_rate = np.zeros_like(problem.work.rate)  # at the start, before it is perturbed
        self.remarks: list[str] = []  # what the user should know of the settings
        cap = max_iterations or (FROZEN_CAP if problem.frozen else NEWTON_CAP)
        size, work = layout.total, problem.work
        self.run = run = new_record(
            Run,
            given={
                **shared(
                    work, "z_old", "z", "residual", "request", "motion", "rate", "step_star", "rate_star", "carried"
                ),
                "scheme": np.array(scheme),
                "weight": np.ones(size),
                "row_size": np.ones(layout.nc),
                "z_older": np.zeros(size),
                "z_oldest": np.zeros(size),
                "start": np.zeros(size),
                "aside": np.zeros(size),
                "before": np.zeros_like(work.motion),
                "rate_before": np.zeros_like(work.rate),
                "delta": problem.linear.delta,
                "rank": problem.dependence.length,
            },
        )
        run.step[0], run.left[0] = step, left
        self._stopping = (scheme.step_y * step**2, tolerance, position_tolerance, usual_position_tolerance)
        self._set_measures()
        self._set_tolerances()
        run.slow_contraction[0], run.contraction[0] = SLOW_CONTRACTION, LEAST
        run.frozen[0], run.cap[0], run.every[0] = problem.frozen, cap, every
        run.droppable[0], run.forced[0], run.varies[0] = (
            problem.droppable, problem.forced, problem.structure.matrix.flags[0],
        )  # fmt: skip
        run.first_multiplier[0], run.rows[0] = layout.multipliers.start, layout.nc

    def _set_measures(self) -> None:
        """Sizes of rows, and in what measure corrections are taken, by the mechanism's length and heaviest body."""
        layout, mechanism, weight = self.problem.layout, self.problem.mechanism, self.run.weight
        sizes = sizes_of_rows(mechanism)
        self.run.row_size[:] = sizes
        if self.by_weights:
            weight[layout.multipliers] = multiplier_weights(sizes, mechanism.system.bodies)
            weight[layout.normalisation] = 0.0
            weight[: layout.coordinates].reshape(layout.nb, layout.stride)[:, 3:] = mechanism.length

    def _set_tolerances(self) -> None:
        """When corrections are small enough, by the mechanism's length."""
        c_q, tolerance, position_tolerance, usual_position_tolerance = self._stopping
        length = self.problem.mechanism.length
        self.rounding = rounding_norm(length, c_q)
        published = tolerance is not None or position_tolerance is not None
        wanted = usual_position_tolerance if position_tolerance is None else position_tolerance
        self.theta = stopping_norm(length, c_q, tolerance, wanted)
        self.run.tolerance[0], self.run.floor[0] = self.theta, self.theta if published else USUAL * self.rounding
        asked = tolerance if position_tolerance is None else position_tolerance * length / c_q
        if asked is not None and asked < self.theta:
            self.remarks[:] = [
                f"the tolerance is below what rounding of phi / h^2 allows: corrections stop at {self.theta:.3g}"
            ]
        else:
            self.remarks.clear()

    def set_start(self, mechanism: CompiledMechanism, pose_tolerance: float) -> bool:
        """The tolerances, too, which go by the mechanism's length."""
        placed = super().set_start(mechanism, pose_tolerance)
        if mechanism.squares is None:
            self._set_measures()
        else:
            self._measured(mechanism)
        self._set_tolerances()
        return placed

    @property
    def settings(self) -> dict[str, Any]:
        """How the run is made, as plain data for a result's header."""
        return {"tolerance": self.theta}

    @property
    def total(self) -> int:
        """Units of progress from start to end: steps."""
        return self.steps

    @property
    def done(self) -> int:
        """Units of progress so far."""
        return int(self.run.steps[0])

    @property
    def samples(self) -> int:
        """How many samples a whole run records."""
        return self.steps // int(self.run.every[0]) + 1

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.run.start_time[0] + self.run.steps[0] * self.run.step[0])

    def begin_at(self, time: float, counted_angles: NDArray[np.float64] | None = None) -> None:
        """Start at another time [s] than zero, and with these counted angles, turns included [rad]."""
        self.run.start_time[0] = time
        if counted_angles is not None:
            self.problem.work.counted_angles[:] = counted_angles

    def renew(self, bodies: Bodies) -> None:
        """The weights of multipliers, too."""
        super().renew(bodies)
        if self.by_weights:
            self.run.weight[self.problem.layout.multipliers] = multiplier_weights(self.run.row_size, bodies)

    def initialise(self) -> Status:
        """Consistent accelerations and multipliers at the start, from the index-1 equations; perturbed where wanted."""
        self.true_rate[:] = self.run.rate
        solve_accelerations, perturb = self._begin
        status = solve_accelerations()
        if status == Status.OK and self.by_weights:
            self._watch_rounding()
        if status == Status.OK and self.perturbed and perturb() != Status.OK:
            self.remarks.append(
                "steps do not resolve how the motion begins: the start could not be perturbed, and is consistent"
            )
        return Status.OK if status == Status.OK else Status(status)

    def _watch_rounding(self) -> None:
        """Take samples from the index-1 equations where rounding of positions over c_q would show in them."""
        run, gravity = self.run, self.problem.mechanism.tables.gravity  # which may have been written into
        weight = math.sqrt(gravity.dot(gravity))
        if weight > 0.0 and not self.rounding > self.sample_tolerance * weight:
            return  # sizes are this at least
        size = max(float(np.maximum.reduce(np.abs(run.weight * run.z), initial=0.0)), weight)
        if self.rounding > self.sample_tolerance * size > 0.0:
            run.from_index_1[0] = 1
            self.remarks.append(
                "at this step size rounding of positions, divided by h^2, may be felt in accelerations by "
                f"{self.rounding:.2g} m/s^2: samples have theirs, and reactions, from acceleration-level equations"
            )

    def sample(self) -> contract.Block:
        """The present state as one sample."""
        return state_as_sample(self.problem, self.time)

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        for mine, theirs in zip(arrays_in(self.problem.work), arrays_in(other.problem.work), strict=True):
            mine[:] = theirs
        self.run.counts[:] = other.run.counts
        self.run.z_older[:], self.run.z_oldest[:] = other.run.z_older, other.run.z_oldest
        self.run.factorizations[0] = 0
        self.run.start_time[0] = other.run.start_time[0]
        self.run.from_index_1[0] = other.run.from_index_1[0]
        self.earlier = other.counts["factorizations"]

    def advance(self, steps: int) -> tuple[Status, contract.Block]:
        """Take `steps` steps; what was recorded comes back even if a step failed."""
        advance, address_table = step_entry()
        block = self._room(steps // int(self.run.every[0]) + 1)
        status, recorded = advance(self._table, steps, address_table(block))
        return Status(status), {
            "time": block.time[:recorded],
            "motion": block.motion[:recorded],
            "multiplier": block.multiplier[:recorded],
            "iterations": block.iterations[:recorded],
        }

    def in_one_call(self) -> OneCall:
        """The same in one call, from the start."""
        entry, _ = step_entry()
        work, layout = self.problem.work, self.problem.layout
        stands = {
            "time": self.run.start_time,
            "motion": work.motion[: layout.nb, :RECORDED],
            "multiplier": work.z[layout.multipliers],
            "iterations": np.zeros(1, dtype=np.int64),
        }
        return OneCall(entry, self._table, self.steps, int(self.run.every[0]), stands, self._room(1))

    def stepper(self) -> tuple[Any, Callable[[], tuple[int, int]]]:
        """Room for one sample, and a function that takes one step into it."""
        entry, address_table = step_entry()
        room = self._room(1)
        step = entry.code.bound(self._table, 1, address_table(room))

        def advance() -> tuple[int, int]:
            if self.jumped:
                self._answer_jump()
            status, recorded = step()
            return status, recorded

        return room, advance

    def forget_slope(self) -> None:
        """Forces have jumped: accelerations are found anew before the next step."""
        self.jumped = True

    def _answer_jump(self) -> None:
        """At the start as at any start, from the true rates; later with the numerical rates that there are."""
        *_, answer_jump = start_entries()
        self.jumped = False
        if self.done == 0:
            self.run.rate[:] = self.true_rate
            self.initialise()
        else:
            answer_jump(self._table)

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """Addresses of all that compiled code works on."""
        from linkwork.integrators.implicit_table import table_of
        from linkwork.kernels.parallel_compilation import make_ready

        entries, (advance, _), (solve, perturb, _) = self._entries(), step_entry(), start_entries()
        make_ready(*entries, advance, solve, *([perturb] if self.perturbed else []))
        return table_of(self.problem.context, entries, self.run)

    @cached_property
    def _begin(self) -> tuple[Callable[[], int], Callable[[], int]]:
        """What finds accelerations at the start, and what perturbs it: calls with this run's table."""
        table, (solve, perturb, _) = self._table, start_entries()
        return solve.code.bound(table), perturb.code.bound(table) if self.perturbed else _nothing

    @cached_property
    def _measured(self) -> Callable[[CompiledMechanism], None]:
        """`_set_measures` by compiled code, of a mechanism whose rows' squares are known."""
        from linkwork.integrators.measures import measures_of

        return measures_of(self._table, self.problem.layout.nc, self.by_weights)

    def _room(self, samples: int) -> Any:
        return room_for(self.problem, samples)

    def _entries(self) -> Any:
        from linkwork.integrators.newton import Entries

        return Entries(*(getattr(self.problem, name) for name in Entries._fields))

    @property
    def has_tangents(self) -> bool:
        """They can."""
        return True

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far."""
        steps, iterations, factorizations, rebased, *_ = self.run.counts[0].tolist()
        factorizations += self.earlier
        return {"steps": steps, "iterations": iterations, "factorizations": factorizations, "rebased": rebased}

    @property
    def notices(self) -> list[str]:
        """Of steps whose corrections ended at the rounding of coordinates."""
        run = self.run
        if not run.rounded[0]:
            return []
        size, length = float(np.max(np.abs(run.motion[:-1, :3]))), self.problem.mechanism.length
        c_q, *_ = self._stopping
        off = float(np.finfo(float).eps) * max(size, length) / c_q
        return [
            f"{run.rounded[0]} steps ended at the rounding of coordinates, which are {size:.3g} m where the mechanism "
            f"is {length:.3g} m large at its start: accelerations may be off by {off:.2g} m/s^2, and so reactions"
        ]

    @property
    def worst_row(self) -> int:
        """The constraint row with the largest residual when a step failed, -1 if none."""
        return int(self.run.worst_row[0])
