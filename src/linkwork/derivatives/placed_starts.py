"""What compiled code works on, by the start state alone: a run that is placed at one start after another
(`Run.set_start`), which takes a fraction of what building it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Sparse
from linkwork.derivatives.start_velocities import Motion
from linkwork.errors import LinkworkError
from linkwork.system.dense import Pose, Rates

if TYPE_CHECKING:
    from linkwork.derivatives.start_tangents import StartTangents

Array = NDArray[np.float64]


class NotPlacedError(Exception):
    """The run has to be built."""


class PlacedStarts:
    """Of: what compiled code works on, and at which start. The mechanism stays as it is. Raises NotPlacedError."""

    def __init__(self, of: StartTangents) -> None:
        self.of, self.nominal = of, of.nominal
        self.prepared, call = of.run_alone(), self.nominal.call
        self.mechanism = self.prepared.run.problem.mechanism
        self.tolerance = call.integrator.pose_tolerance(self.mechanism.length, call.step)
        self.integers = [array.copy() for array in self.prepared.reals.integers]

    def set_start(self, pose: Pose, rates: Rates) -> list[Array]:
        """The run at a start: the arrays that compiled code works on."""
        run: Any = self.prepared.run
        try:
            placed = run.set_start(self.mechanism.at(pose.r, pose.A, rates.v, rates.w), self.tolerance)
        except (np.linalg.LinAlgError, LinkworkError) as why:
            raise NotPlacedError from why
        self.nominal.begun(run, self.mechanism)
        if not placed or not all(map(np.array_equal, self.integers, self.prepared.reals.integers)):
            raise NotPlacedError
        self.of.hold(self.prepared)
        return self.prepared.reals.arrays

    def derivatives(self, motions: Mapping[int, Motion]) -> dict[int, Sparse]:
        """Number -> their derivative by it, along the motion of the start that it makes."""
        of, perturbed = self.of.velocities, self.of.perturbed
        some = self._moving(motions)
        firsts = np.cumsum([0, *(array.size for array in self.prepared.reals.arrays)])
        places = np.concatenate([np.arange(firsts[k], firsts[k + 1]) for k in some])

        def at(pose: Array, u: Array) -> Array:
            arrays = self.set_start(of.pose.moved(pose), of.rates_with(u))
            return np.concatenate([arrays[k].ravel() for k in some])

        found = of.along(at, motions, self.of.families, perturbed.size, perturbed.largest_position)
        return {k: Sparse(places[one.at], one.value, one.rough) for k, one in found.items()}

    def _moving(self, motions: Mapping[int, Motion]) -> list[int]:
        """Which arrays change where all of these motions are made at once."""
        of, rng = self.of.velocities, np.random.default_rng(3)
        base = [array.copy() for array in self.set_start(of.pose, of.rates)]
        pose, u = np.zeros((2, 6 * self.mechanism.nb))
        for motion in motions.values():
            by = of.stride(motion) * rng.uniform(0.5, 1.0)
            pose, u = pose + by * motion.pose, u + by * motion.u
        moved = self.set_start(of.pose.moved(pose), of.rates_with(u))
        return [k for k, one in enumerate(base) if not np.array_equal(one, moved[k], equal_nan=True)]
