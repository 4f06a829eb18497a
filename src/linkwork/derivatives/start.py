"""A mechanism near the one described, at a start that has moved along: what the beginning of a run depends on.

The start moves as the description says, and as far as the rows then ask for: by the tangent of the least change
(implicit function theorem), in what the description leaves open before what it states, as assembly does. Where assembly
has moved a start that was described off the rows, derivatives are those beside the assembled start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.derivatives.described import Described
from linkwork.derivatives.stencil import SMOOTH, derivative, spacing
from linkwork.errors import UsageError
from linkwork.run.starting import Start, stated
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import fit_velocities, position_rows
from linkwork.system.dense import Parts, Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.stated import held_poses

Array = NDArray[np.float64]
MET = 1e-9  # of the largest change of a row: what is left of it where the unknown alone can follow
DEPENDENT = 1e-7  # of the largest singular value: rows that depend on each other, at a pose that a run has reached
FOLLOWED = 1.0 - 1e-8  # of the change of the rows, which some step is to follow


@dataclass(frozen=True)
class MovingStart:
    """The start of a mechanism as a function of one of its numbers. ready : the mechanism's own start."""

    number: Described
    ready: Start
    state: State | None

    @cached_property
    def h(self) -> float:
        """How far the places of the formula for derivatives are apart."""
        if self.number.value != 0.0:
            return spacing(abs(self.number.value))
        geometry = ("position", "point", "centre_of_mass", "length")
        return spacing(self.ready.compiled.length if any(word in self.number.path for word in geometry) else 1.0)

    @property
    def size(self) -> float:
        """Of positions and rotations: of what the start is made by differences [m, 1]."""
        return max(1.0, self.ready.compiled.length, float(np.max(np.abs(self.ready.compiled.r), initial=0.0)))

    def described(self, by: float) -> CompiledMechanism:
        """Tables and described start with the number larger by so much.

        The length that tolerances are scaled by stays: it is the largest of several, and no motion depends on it.
        """
        lowered = self.number.moved(by).lower()
        mechanism = compile_mechanism(lowered if self.state is None else stated(lowered))
        mechanism = replace(mechanism, length=self.ready.compiled.length)
        return mechanism if self.state is None else self.state.within(mechanism)

    @property
    def time(self) -> float:
        """When the run starts."""
        return 0.0 if self.state is None else self.state.time

    def said_pose(self, mechanism: CompiledMechanism) -> Pose:
        """The assembled pose, moved as the described one has been."""
        first, found = self._first, self.ready.compiled
        r = found.r + (mechanism.r - first.r)
        if np.array_equal(mechanism.A, first.A):
            return Pose(r, found.A.copy())
        new, old, now = (x.reshape(-1, 3, 3) for x in (mechanism.A, first.A, found.A))
        return Pose(r, (new @ np.swapaxes(old, 1, 2) @ now).reshape(-1, 9))

    @cached_property
    def _first(self) -> CompiledMechanism:
        return self.described(0.0)

    @cached_property
    def change(self) -> Array:
        """(6 nb,) what the rows add to the pose, per unit of the number: translation global, rotation in the body."""
        at, rows = self.ready.compiled, position_rows(self.ready.compiled)

        def phi(by: float) -> Array:
            mechanism = self.described(by)
            return self._rows(mechanism, [(self.time, self.said_pose(mechanism))])

        wanted, rough = derivative(phi, self.h, self.size)
        self.need_smooth(rough)
        size = float(np.max(np.abs(wanted), initial=0.0))
        if size <= 1e-12:
            return np.zeros(6 * at.nb)
        pose = Pose(at.r, at.A)
        parts = row_parts(at, pose, drives(at, self.time))
        units, held = unit_columns(at), held_poses(at)
        steps = [held.steps(units, at.A, 0.0)] if held.anything_free and self.state is None else []
        for columns in (*steps, units):
            G = Jacobian(at, parts, rows, columns)
            step = np.zeros(6 * at.nb)
            for _ in range(2):  # once more, for the last digits
                left = wanted + _rates(at, parts, step)[rows]
                step = step + G.least_change(-left)
            left = wanted + _rates(at, parts, step)[rows]
            if np.max(np.abs(left)) <= MET * size:
                return step
        raise self.refused("no change of the start pose follows the rows")

    def _rows(self, mechanism: CompiledMechanism, reached: Sequence[tuple[float, Pose]]) -> Array:
        """phi of the rows of positions at times [s] and poses, in turn. Raises UsageError if rows change."""
        at = self.ready.compiled
        if len(mechanism.lowered.rows) != at.nc:
            raise self.refused("the rows of the mechanism change")
        rows = position_rows(at)
        return np.concatenate([row_parts(mechanism, pose, drives(mechanism, t)).phi[rows] for t, pose in reached])

    def need_followed(self, reached: Sequence[tuple[float, Pose]]) -> None:
        """Raise UsageError where the rows change with the number as no step of the bodies can follow.

        reached : times [s] and poses of the run. With dependent rows that happens on the way although the start
        is met: of three parallel cranks one becomes longer.
        """
        at, rows = self.ready.compiled, position_rows(self.ready.compiled)

        def phi(by: float) -> Array:
            return self._rows(self.described(by), reached)

        wanted, rough = derivative(phi, self.h, self.size)
        self.need_smooth(rough)
        for (t, pose), change in zip(reached, np.split(wanted, len(reached)), strict=True):
            G = Jacobian(at, row_parts(at, pose, drives(at, t)), rows, unit_columns(at))
            moves = np.linalg.norm(change / G.size) > DEPENDENT
            if moves and G.reachable(change, DEPENDENT) < FOLLOWED:
                raise self.refused(
                    f"rows that depend on each other part with it, so that it jams (seen at t = {t:g} s)"
                )

    def at(self, by: float) -> CompiledMechanism:
        """The mechanism at its start, with the number larger by so much."""
        mechanism = self.described(by)
        pose = self.said_pose(mechanism).moved(by * self.change)
        at = mechanism.at(pose.r, pose.A, mechanism.v, mechanism.w)
        rates, _, _ = fit_velocities(at, pose, drives(at, self.time))
        if self.state is not None:
            at = replace(at, counted_angles=self.state.counted_angles)
        return at.at(pose.r, pose.A, rates.v, rates.w)

    def need_smooth(self, rough: float) -> None:
        """Raise UsageError where formulas of two orders differ."""
        if not rough <= SMOOTH:
            raise self.refused("what the description makes of it is not smooth there")

    def refused(self, why: str) -> UsageError:
        """The error for a derivative that does not exist."""
        return UsageError(
            f"there is no derivative with respect to {self.number.name!r} at {self.number.value:g}: {why}.",
            element=f"mechanism {self.number.mechanism.name!r}",
            remedy="Take another value, or another number.",
        )


def _rates(at: CompiledMechanism, parts: Parts, step: Array) -> Array:
    """G step (nc,)."""
    return parts.times(at.system.rows, np.vstack([step.reshape(at.nb, 6), np.zeros((1, 6))]))
