"""Implicit Euler for index-3 problems: settings, start, and chunks of steps [Kissel 2021, section 3]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.problems.implicit import ImplicitProblem
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.dense import row_sizes

FROZEN_CAP, NEWTON_CAP = 50, 25
SLOW_CONTRACTION = 0.25  # a frozen matrix is renewed when a correction shrinks by less than this factor
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True)
class ImplicitEuler:
    """First order, fixed step; on rotation matrices a Lie-group method.

    Stopping rule [Kissel 2021, eq. 46]: the norm of the correction of accelerations and multipliers below
    `tolerance` (Theta), or, without one, the norm of the accelerations' correction below position_tolerance
    times the mechanism's length over h^2 (angles weighted by that length, multipliers by what they accelerate).
    Neither can ask for more
    than rounding of phi / h^2 allows: 50 eps length / h^2.
    """

    name: str = "implicit-euler"
    shape: str = "implicit index 3"
    order: int = 1
    summary: str = "implicit Euler on the index-3 equations, fixed step"

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        return {"name": self.name, "order": self.order, "shape": self.shape, "summary": self.summary}

    def pose_tolerance(self, length: float, options: dict[str, Any]) -> float:
        """To what share of the mechanism's length poses are met with these settings."""
        step: float = options["step"]
        theta = stopping_norm(length, step, options.get("tolerance"), options.get("position_tolerance"))
        return theta * step**2 / length

    def start(
        self,
        problem: ImplicitProblem,
        *,
        step: float,
        tolerance: float | None = None,
        position_tolerance: float | None = None,
        max_iterations: int | None = None,
        every: int = 1,
    ) -> ImplicitEulerRun:
        """A run from the problem's present state. Raises UsageError for settings that make no sense."""
        if tolerance is not None and position_tolerance is not None:
            raise UsageError("give tolerance (on corrections) or position_tolerance, not both.")
        return ImplicitEulerRun(problem, step, tolerance, position_tolerance, max_iterations, every)


def stopping_norm(length: float, step: float, tolerance: float | None, position_tolerance: float | None) -> float:
    """Theta, as given or from the position tolerance, but no less than rounding of phi / h^2 allows."""
    if tolerance is None:
        tolerance = (1e-11 if position_tolerance is None else position_tolerance) * length / step**2
    return max(tolerance, 50 * EPSILON * length / step**2)


def multiplier_weights(mechanism: CompiledMechanism) -> np.ndarray:
    """What a unit of each multiplier amounts to as an acceleration of the heaviest body [m/s^2], (nc,).

    That is also the measure in which rounding of phi / h^2 reaches the multipliers.
    """
    sizes = row_sizes(mechanism, np.r_[np.ones(3), np.full(3, 1.0 / mechanism.length)])
    mass = float(np.max(mechanism.system.bodies.mass, initial=0.0))
    return sizes / (mass if mass > 0 else 1.0)


class ImplicitEulerRun:
    """One run: compiled state between chunks. `initialise` first, then `advance` as often as wanted."""

    def __init__(
        self,
        problem: ImplicitProblem,
        step: float,
        tolerance: float | None,
        position_tolerance: float | None,
        max_iterations: int | None,
        every: int,
    ) -> None:
        from linkwork.integrators.newton import Run

        layout, length = problem.layout, problem.mechanism.length
        weight = np.ones(layout.total)
        if tolerance is None:
            weight[layout.multipliers] = multiplier_weights(problem.mechanism)
            weight[layout.normalisation] = 0.0
            for b in range(layout.nb):
                weight[layout.rotation(b)] = length
        self.problem = problem
        self.earlier = 0  # factorizations of a run that this one took over from
        self.theta = stopping_norm(length, step, tolerance, position_tolerance)
        asked = tolerance if position_tolerance is None else position_tolerance * length / step**2
        self.remarks: list[str] = []  # what the user should know of the settings
        if asked is not None and asked < self.theta:
            self.remarks.append(
                f"the tolerance is below what rounding of phi / h^2 allows: corrections stop at {self.theta:.3g}"
            )
        cap = max_iterations or (FROZEN_CAP if problem.frozen else NEWTON_CAP)
        size, work = layout.total, problem.work
        self.run = Run(
            settings=np.array([0.0, step, self.theta, SLOW_CONTRACTION]),
            options=np.array(
                [
                    int(problem.frozen),
                    cap,
                    every,
                    int(problem.droppable),
                    int(problem.forced),
                    int(problem.structure.matrix.flags[0]),
                    layout.multipliers.start,
                    layout.nc,
                ]
            ),
            counts=np.zeros(9, dtype=np.int64),
            weight=weight,
            z_old=np.zeros(size),
            start=np.zeros(size),
            before=np.zeros_like(work.motion),
            z=work.z,
            residual=work.residual,
            coef=work.coef,
            motion=work.motion,
            base=work.base,
            delta=problem.linear.delta,
            rank=problem.dependence.length,
        )

    def initialise(self) -> Status:
        """Consistent accelerations and multipliers at the start, from the index-1 equations."""
        from linkwork.integrators.implicit_euler_kernels import START

        return self._call(START, self._room(1))[0]

    def sample(self) -> dict[str, np.ndarray]:
        """The present state as one sample."""
        from linkwork.integrators.implicit_euler_kernels import RECORDED

        p = self.problem
        return {
            "time": np.array([self.run.settings[0] + self.run.counts[0] * self.run.settings[1]]),
            "motion": p.work.motion[None, : p.layout.nb, :RECORDED].copy(),
            "multiplier": p.work.z[None, p.layout.multipliers].copy(),
            "iterations": np.zeros(1, dtype=np.int64),
        }

    def take_over(self, other: ImplicitEulerRun) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        for mine, theirs in zip(self.problem.work, other.problem.work, strict=True):
            mine[:] = theirs
        self.run.counts[:] = other.run.counts
        self.run.counts[2] = 0
        self.earlier = other.counts["factorizations"]

    def advance(self, steps: int) -> tuple[Status, dict[str, np.ndarray]]:
        """Take `steps` steps; what was recorded comes back even if a step failed."""
        block = self._room(steps // int(self.run.options[2]) + 1)
        status, recorded = self._call(steps, block)
        return status, {
            "time": block.time[:recorded],
            "motion": block.motion[:recorded],
            "multiplier": block.multiplier[:recorded],
            "iterations": block.iterations[:recorded],
        }

    def _room(self, samples: int) -> Any:
        from linkwork.integrators.implicit_euler_kernels import RECORDED, Block

        layout = self.problem.layout
        return Block(
            time=np.empty(samples),
            motion=np.empty((samples, layout.nb, RECORDED)),
            multiplier=np.empty((samples, layout.nc)),
            iterations=np.empty(samples, dtype=np.int64),
        )

    def _call(self, steps: int, block: Any) -> tuple[Status, int]:
        from linkwork.integrators.compiled_implicit_euler import advance
        from linkwork.integrators.implicit_euler_kernels import Entries

        entries = Entries(*(getattr(self.problem, name) for name in Entries._fields))
        status, recorded = advance(entries, self.problem.context, self.run, steps, block)
        return Status(status), int(recorded)

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far."""
        names = ("steps", "iterations", "factorizations", "rebased")
        found = {name: int(value) for name, value in zip(names, self.run.counts, strict=False)}
        found["factorizations"] += self.earlier
        return found

    @property
    def worst_row(self) -> int:
        """The constraint row with the largest residual when a step failed, -1 if none."""
        return int(self.run.counts[6])


IMPLICIT_EULER = ImplicitEuler()
