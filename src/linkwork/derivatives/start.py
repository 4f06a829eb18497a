"""A mechanism near the one described, at a start that has moved along: what the beginning of a run depends on.

The start moves as the description says, and as far as the rows then ask for: by the tangent of the least change
(implicit function theorem), in what the description leaves open before what it states, as assembly does. Where assembly
has moved a start that was described off the rows, derivatives are those beside the assembled start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.derivatives.described import Described, moved
from linkwork.derivatives.spacings import spacing_of
from linkwork.derivatives.stencil import SHARE, SMOOTH, derivative
from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.number_names import Keys
from linkwork.run.starting import Start, flat, stated
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import fit_velocities, position_rows
from linkwork.system.counted_angles import start_angles
from linkwork.system.dense import Parts, Pose, Rates, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.stated import held_poses

Array = NDArray[np.float64]
STILL = 1e-12  # of what rows are made of: where they change with a number by no more, nothing follows
MET = 1e-9  # of the largest change of a row: what is left of it where the unknown alone can follow
MET_NEARBY = 1e-10  # of the length: what rows may be off by beside, as assembly accepts it
REACHED = 0.9  # of what they are off by beside, which what is not stated is to make good
DEPENDENT = 1e-7  # of the largest singular value: rows that depend on each other, at a pose that a run has reached
FEW = 128  # mechanisms that are kept for the second look
FOLLOWED = 1.0 - 1e-8  # of the change of the rows, which some step is to follow

OPEN_FRAME = "Give the joint's x where it has none, as the frame about its axis is else chosen; or take another value."


@dataclass(frozen=True)
class Perturbed:
    """Mechanisms beside one that starts. ready : its own start. state : at which it starts, if not as described."""

    mechanism: Mechanism
    ready: Start
    state: State | None

    @property
    def size(self) -> float:
        """Of positions and rotations: of what the start is made by differences [m, 1]."""
        return max(1.0, self.largest_position)

    @property
    def largest_position(self) -> float:
        """Of the mechanism's length and positions, the largest [m]."""
        return max(self.ready.compiled.length, float(np.max(np.abs(self.ready.compiled.r), initial=0.0)))

    @property
    def time(self) -> float:
        """When the run starts."""
        return 0.0 if self.state is None else self.state.time

    def described(self, numbers: Sequence[Described], by: Iterable[float]) -> CompiledMechanism:
        """Tables and described start with numbers larger by so much each.

        The length that tolerances are scaled by stays: it is the largest of several, and no motion depends on it.
        """
        return self.near(numbers, by)[1]

    def near(self, numbers: Sequence[Described], by: Iterable[float]) -> tuple[Mechanism, CompiledMechanism]:
        """The same, and the mechanism that it is of; of those that were asked for last it is kept."""
        by, kept = tuple(by), self._near
        key = tuple(one.name for one in numbers), by
        if key not in kept:
            mechanism = moved(numbers, by) if numbers else self.mechanism
            found = mechanism, self.compiled(mechanism)
            while len(kept) >= FEW:
                kept.pop(next(iter(kept)))
            kept[key] = found
        return kept[key]

    def spacing(self, number: Described) -> float:
        """How far apart places of a number are, `spacing_of`; of each found once."""
        if number.path not in self._spacings:
            self._spacings[number.path] = spacing_of(number, self.ready)
        return self._spacings[number.path]

    @cached_property
    def _spacings(self) -> dict[Keys, float]:
        return {}

    @cached_property
    def _near(self) -> dict[Any, tuple[Mechanism, CompiledMechanism]]:
        return {}

    def compiled(self, near: Mechanism) -> CompiledMechanism:
        """The same of a mechanism beside."""
        lowered = flat(near)
        mechanism = compile_mechanism(lowered if self.state is None else stated(lowered))
        mechanism = replace(mechanism, length=self.ready.compiled.length, counted_angles=self.counted_angles)
        return mechanism if self.state is None else self.state.within(mechanism)

    @cached_property
    def counted_angles(self) -> Array | None:
        """At the start itself: those beside begin nearest to them, so that half a turn is no place to jump at."""
        return counted_at_start(self.ready.compiled)

    def said_pose(self, mechanism: CompiledMechanism) -> Pose:
        """The assembled pose, moved as the described one has been."""
        first, found = self.first, self.ready.compiled
        r = found.r + (mechanism.r - first.r)
        if np.array_equal(mechanism.A, first.A):
            return Pose(r, found.A.copy())
        new, old, now = (x.reshape(-1, 3, 3) for x in (mechanism.A, first.A, found.A))
        return Pose(r, (new @ np.swapaxes(old, 1, 2) @ now).reshape(-1, 9))

    @cached_property
    def first(self) -> CompiledMechanism:
        return self.described([], [])

    def rows(self, mechanism: CompiledMechanism, reached: Sequence[tuple[float, Pose]]) -> Array:
        """phi of the rows of positions at times [s] and poses, in turn. Raises UsageError if rows change."""
        at = self.ready.compiled
        if len(mechanism.lowered.rows) != at.nc:
            raise UsageError("the rows of the mechanism change.")
        rows = position_rows(at)
        return np.concatenate([row_parts(mechanism, pose, drives(mechanism, t)).phi[rows] for t, pose in reached])

    @cached_property
    def _parts(self) -> Parts:
        at = self.ready.compiled
        return row_parts(at, Pose(at.r, at.A), drives(at, self.time))

    @cached_property
    def row_sizes(self) -> Array:
        """(nc,) of what each row is made of by differences, in its own units (of a rod m^2, of directions 1): what it
        changes by where bodies move by the largest position, or turn by a radian."""
        at = self.ready.compiled
        rows = Jacobian(at, self._parts, np.ones(at.nc, dtype=bool), unit_columns(at))
        found: Array = rows.size * (self.largest_position / at.length)
        return found

    @cached_property
    def _steps(self) -> list[Jacobian]:
        """The rows by what may move to follow them, what is to move first in front."""
        at = self.ready.compiled
        units, held = unit_columns(at), held_poses(at)
        steps = [held.steps(units, at.A, 0.0)] if held.anything_free and self.state is None else []
        return [Jacobian(at, self._parts, position_rows(at), columns) for columns in (*steps, units)]

    def followed(self, wanted: Array, number: float, bent: Callable[[Array], Array]) -> Array | None:
        """(6 nb,) the least change of the pose that follows a change of the rows per unit of a number of this size:
        translation global, rotation in the body. None where there is none.

        bent : what the rows are off by a little further along a change. What is not stated moves alone only where it
        meets them there, too, as assembly asks: that of a rod, which turns, cannot follow its stated centre outwards.
        """
        at, rows = self.ready.compiled, position_rows(self.ready.compiled)
        size = float(np.max(np.abs(wanted), initial=0.0))
        if np.all(np.abs(wanted) * number <= STILL * self.row_sizes[rows]):
            return np.zeros(6 * at.nb)
        few = MET_NEARBY * max(1.0, at.length)
        for alone, G in zip((True, False)[-len(self._steps) :], self._steps, strict=True):
            step = np.zeros(6 * at.nb)
            for _ in range(2):  # once more, for the last digits
                left = wanted + _rates(at, self._parts, step)[rows]
                step = step + G.least_change(-left)
            left = wanted + _rates(at, self._parts, step)[rows]
            if np.max(np.abs(left)) > MET * size:
                continue
            if not alone or np.all(np.abs(off := bent(step)) <= few) or G.reachable(off) > REACHED:
                return step
        return None

    def jammed(self, wanted: Array, reached: Sequence[tuple[float, Pose]]) -> float | None:
        """When rows change as no step of the bodies can follow [s], of times and poses reached; None where never."""
        at, rows = self.ready.compiled, position_rows(self.ready.compiled)
        for (t, pose), change in zip(reached, np.split(wanted, len(reached)), strict=True):
            G = Jacobian(at, row_parts(at, pose, drives(at, t)), rows, unit_columns(at))
            moves = np.linalg.norm(change / G.size) > DEPENDENT
            if moves and G.reachable(change, DEPENDENT) < FOLLOWED:
                return t
        return None

    def at(self, mechanism: CompiledMechanism, change: Array) -> CompiledMechanism:
        """A mechanism of `described` at its start. change : (6 nb,) of its said pose."""
        pose = self.said_pose(mechanism).moved(change)
        at = mechanism.at(pose.r, pose.A, mechanism.v, mechanism.w)
        rates, _, _ = fit_velocities(at, pose, drives(at, self.time))
        return self.placed(mechanism, pose, rates)

    def placed(self, mechanism: CompiledMechanism, pose: Pose, rates: Rates) -> CompiledMechanism:
        """A mechanism at a pose and velocities, angles counted as the state says."""
        if self.state is not None:
            mechanism = replace(mechanism, counted_angles=self.state.counted_angles)
        return mechanism.at(pose.r, pose.A, rates.v, rates.w)

    @cached_property
    def first_at(self) -> CompiledMechanism:
        """The mechanism itself, at its start as it is found beside others."""
        return self.at(self.first, np.zeros(6 * self.ready.compiled.nb))


@dataclass(frozen=True)
class MovingStart:
    """The start of a mechanism as a function of one of its numbers. ready : the mechanism's own start."""

    number: Described
    ready: Start
    state: State | None
    shared: Perturbed | None = None

    @cached_property
    def perturbed(self) -> Perturbed:
        """Mechanisms beside this one."""
        return self.shared or Perturbed(self.number.mechanism, self.ready, self.state)

    @cached_property
    def h(self) -> float:
        """How far the places of the formula for derivatives are apart."""
        return self.perturbed.spacing(self.number)

    @property
    def size(self) -> float:
        """Of the number: what the places are a share of."""
        return self.h / SHARE

    def described(self, by: float) -> CompiledMechanism:
        """Tables and described start with the number larger by so much, as `Perturbed.described`."""
        return self.perturbed.described([self.number], [by])

    @cached_property
    def change(self) -> Array:
        """(6 nb,) what the rows add to the pose, per unit of the number: translation global, rotation in the body."""
        perturbed = self.perturbed

        def phi(by: float) -> Array:
            mechanism = self.described(by)
            return perturbed.rows(mechanism, [(perturbed.time, perturbed.said_pose(mechanism))])

        wanted, rough = derivative(phi, self.h, perturbed.size)
        self.need_smooth(rough)
        return self.followed(wanted)

    def followed(self, wanted: Array) -> Array:
        """`Perturbed.followed`. Raises UsageError where no change of the pose follows."""
        perturbed, h = self.perturbed, self.h

        def bent(step: Array) -> Array:
            mechanism = self.described(h)
            return perturbed.rows(mechanism, [(perturbed.time, perturbed.said_pose(mechanism).moved(h * step))])

        found = perturbed.followed(wanted, self.size, bent)
        if found is None:
            raise self.refused("no change of the start pose follows the rows")
        return found

    def need_followed(self, wanted: Array, reached: Sequence[tuple[float, Pose]]) -> None:
        """Raise UsageError where the rows change with the number as no step of the bodies can follow.

        reached : times [s] and poses of the run. With dependent rows that happens on the way although the start
        is met: of three parallel cranks one becomes longer. wanted : how the rows change there, per unit of the number.
        """
        t = self.perturbed.jammed(wanted, reached)
        if t is not None:
            raise self.refused(f"rows that depend on each other part with it, so that it jams (seen at t = {t:g} s)")

    def at(self, by: float) -> CompiledMechanism:
        """The mechanism at its start, with the number larger by so much."""
        return self.perturbed.at(self.described(by), by * self.change)

    def need_smooth(self, rough: float) -> None:
        """Raise UsageError where formulas of two orders differ."""
        if not rough <= SMOOTH:
            of_axis = any(one == "axis" for one in self.number.path)
            remedy = (OPEN_FRAME,) if of_axis else ()
            raise self.refused("what the description makes of it is not smooth there", *remedy)

    def refused(self, why: str, remedy: str = "Take another value, or another number.") -> UsageError:
        """The error for a derivative that does not exist."""
        return UsageError(
            f"there is no derivative with respect to {self.number.name!r} at {self.number.value:g}: {why}.",
            element=f"mechanism {self.number.mechanism.name!r}",
            remedy=remedy,
        )


def counted_at_start(at: CompiledMechanism) -> Array | None:
    """(angles,) with their turns [rad], of a mechanism at the start of its run; None where it counts none."""
    return start_angles(at) if at.counted_angles is None and at.angles else at.counted_angles


def _rates(at: CompiledMechanism, parts: Parts, step: Array) -> Array:
    """G step (nc,)."""
    return parts.times(at.system.rows, np.vstack([step.reshape(at.nb, 6), np.zeros((1, 6))]))
