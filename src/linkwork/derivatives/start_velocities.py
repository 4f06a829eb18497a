"""How start velocities move with a number: those that `system.assembly.fit_velocities` finds, by the implicit function
theorem.

    u = u_d + K G^T lambda,    G u = nu,    K = S S^T,

with u_d the described velocities, S the unit steps of what may change, G and nu the rows: all of them depend on numbers
and on the pose. Their derivatives at held u and lambda are formulas (`stencil`); du follows by one factorisation for
all numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Shared, Sparse
from linkwork.derivatives.start import MET, STILL, Perturbed
from linkwork.derivatives.stencil import SHARE as HUNDREDTH
from linkwork.errors import UsageError
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import row_rates
from linkwork.system.dense import Parts, Pose, Rates, drives, row_parts, velocity_rhs
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.stated import SHARE, held_velocities, velocity_units

Array = NDArray[np.float64]
FEW = 0.1  # of the bodies
NOTHING = 1e-12  # of what a change of velocities is made of: rounding

NO_CHANGE = Sparse(np.zeros(0, dtype=np.intp), np.zeros(0))


class Motion(NamedTuple):
    """How a start moves, per unit of a number. pose : (6 nb,) translations global, rotations in the body. u : (6 nb,)
    how velocities do, v global, omega in the body."""

    pose: Array
    u: Array

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return not (self.pose.any() or self.u.any())

    @property
    def local(self) -> bool:
        """Whether few bodies move."""
        moving = np.any(np.hstack([part.reshape(-1, 6) for part in self]), axis=1)
        return bool(np.count_nonzero(moving) <= max(1, FEW * len(moving)))


@dataclass(frozen=True)
class StartVelocities:
    """Velocities of mechanisms beside one that starts."""

    perturbed: Perturbed

    @cached_property
    def pose(self) -> Pose:
        """Of the start."""
        at = self.perturbed.first_at
        return Pose(at.r, at.A)

    @cached_property
    def rates(self) -> Rates:
        """At the start."""
        at = self.perturbed.first_at
        return Rates(at.v, at.w)

    @cached_property
    def speed(self) -> float:
        """Of what rows of velocities are made of by differences [m/s]."""
        return self.perturbed.size * max(1.0, *map(_largest, self.rates))

    @cached_property
    def sizes(self) -> Array:
        """(nc + 6 nb,) of `residuals`: what each is made of by differences, in its own units."""
        at, perturbed = self.perturbed.first, self.perturbed
        rate = max(1.0, _largest(self.rates.v) / at.length, _largest(self.rates.w))
        return rate * np.concatenate([perturbed.row_sizes, unit_columns(at) * perturbed.largest_position / at.length])

    def rates_with(self, u: Array) -> Rates:
        """Velocities that differ by u (6 nb,) from those at the start."""
        by = np.vstack([u.reshape(-1, 6), np.zeros((1, 6))])
        return Rates(self.rates.v + by[:, :3], self.rates.w + by[:, 3:])

    def stride(self, motion: Motion) -> float:
        """How far apart places along a motion are, by which is differentiated: a hundredth of a radian, of the
        mechanism's length and of its largest speed [m/s], or of 1 m/s, at most."""
        shifted, turned = np.moveaxis(motion.pose.reshape(-1, 2, 3), 1, 0)
        size = max(
            _largest(shifted) / self.perturbed.largest_position, _largest(turned), _largest(motion.u) / self.speed
        )
        return float(2.0 ** np.floor(np.log2(HUNDREDTH / size)))

    def along(
        self,
        at: Callable[[Array, Array], Array],
        motions: Mapping[int, Motion],
        families: Sequence[Hashable],
        size: float | Array,
        stray: float = 0.0,
    ) -> dict[int, Sparse]:
        """Number -> the derivative of a vector along the motion of the start that it makes; of motions of few bodies
        many together.

        at : the vector by changes (6 nb,) of the pose and of velocities. families, stray : as `Shared` has them.
        size : of what the vector is made of by differences, or of what each place of it is.
        """
        numbers = list(motions)

        def moved(which: Sequence[int], by: Array) -> Array:
            pose, u = np.zeros((2, 6 * self.perturbed.first.nb))
            for k, x in zip(which, by.tolist(), strict=True):
                motion = motions[numbers[k]]
                pose, u = pose + x * motion.pose, u + x * motion.u
            return at(pose, u)

        strides = np.array([self.stride(motions[k]) for k in numbers])
        least = np.broadcast_to(np.asarray(size, dtype=float), len(moved([], np.zeros(0))))
        every = [(slice(0, len(least)), _largest(least))]
        shared = Shared(moved, strides, [families[k] for k in numbers], None if stray else least, every, stray)
        found = shared.derivatives([k for k, number in enumerate(numbers) if motions[number].local])
        return {number: found[k] if k in found else shared.alone(k) for k, number in enumerate(numbers)}

    def changes(self, poses: Sequence[Array], families: Sequence[Hashable]) -> list[Sparse]:
        """The derivatives of `residuals` along motions of the pose (6 nb,)."""
        first, still = self.perturbed.first, np.zeros(6 * self.perturbed.first.nb)
        moving = {k: Motion(pose, still) for k, pose in enumerate(poses) if pose.any()}
        found = self.along(lambda pose, u: self.residuals(first, self.pose.moved(pose)), moving, families, self.sizes)
        return [found.get(k, NO_CHANGE) for k in range(len(poses))]

    def residuals(self, mechanism: CompiledMechanism, pose: Pose) -> Array:
        """(nc + 6 nb,) G u - nu and K G^T lambda of a mechanism beside at a pose, u and lambda held."""
        drive = drives(mechanism, self.perturbed.time)
        parts = row_parts(mechanism, pose, drive)
        missing = row_rates(mechanism, parts, self.rates) - velocity_rhs(mechanism, pose, drive)
        share, lam = self._forces
        if not lam.any():
            return np.concatenate([missing, np.zeros(6 * mechanism.nb)])
        return np.concatenate([missing, _moved(mechanism, parts, lam, self._units(mechanism, pose, share))])

    def followed(self, described: Array, change: Array, number: float) -> Array | None:
        """How u moves, per unit of a number of this size. described : (6 nb,) how u_d does; change : how `residuals`
        do. None where no velocities follow, or other ones may change than at the start."""
        first, n = self.perturbed.first, self.perturbed.first.nc
        carried = described + change[n:]
        wanted = -(change[:n] + self._times(carried))
        size, entering = _largest(wanted), max(_largest(described), _largest(change))
        nothing = np.maximum(STILL / number * self.sizes[:n], NOTHING * entering)
        found, lam = self._forces
        for share, G in self._jacobians.items():
            if share < found or (lam.any() and share != found):
                continue
            step = np.zeros(6 * first.nb)
            for _ in range(2 if np.any(np.abs(wanted) > nothing) else 0):  # once more, for the last digits
                step = step + G.least_change(wanted - self._times(step))
            if np.all(np.abs(wanted - self._times(step)) <= np.maximum(MET * size, nothing)):
                moved = carried + step
                return moved if _largest(moved) > NOTHING * entering else np.zeros(6 * first.nb)
        return None

    def _times(self, u: Array) -> Array:
        """G u (nc,) at the start."""
        first = self.perturbed.first
        return self._parts.times(first.system.rows, np.vstack([u.reshape(-1, 6), np.zeros((1, 6))]))

    @cached_property
    def _parts(self) -> Parts:
        return row_parts(self.perturbed.first, self.pose, drives(self.perturbed.first, self.perturbed.time))

    @cached_property
    def _jacobians(self) -> dict[float, Jacobian]:
        """By the share of stated velocities in the change, what `fit_velocities` tries first in front."""
        first = self.perturbed.first
        shares = (0.0, SHARE) if held_velocities(first).anything_free else (1.0,)
        every = np.ones(first.nc, dtype=bool)
        return {share: Jacobian(first, self._parts, every, self._units(first, self.pose, share)) for share in shares}

    @cached_property
    def _forces(self) -> tuple[float, Array]:
        """The share that changed velocities at the start, and lambda (nc,) of that. Raises UsageError where no rows
        did."""
        first, nb = self.perturbed.first, self.perturbed.first.nb
        change = np.hstack([now[:nb] - then[:nb] for now, then in zip(self.rates, (first.v, first.w), strict=True)])
        none, change = np.zeros(first.nc), change.ravel()
        rounding = NOTHING * max(map(_largest, self.rates))  # a state of another run is off the rows by little more
        if _largest(change) <= rounding:
            return 0.0, none
        for share, G in self._jacobians.items():
            lam = G.multipliers(self._times(change))
            apart = _moved(first, self._parts, lam, self._units(first, self.pose, share)) - change
            if _largest(apart) <= max(MET * _largest(change), rounding):
                return share, lam
        raise UsageError(
            "derivatives are not known: velocities at the start were changed otherwise than by constraints alone.",
            element=f"mechanism {self.perturbed.mechanism.name!r}",
            remedy="Start at velocities that the constraints allow: those that linkwork.assemble finds.",
        )

    def _units(self, mechanism: CompiledMechanism, pose: Pose, share: float) -> Array:
        """S: (6 nb,), or (nb, 6, 6). What all units have in common is held, as no velocity depends on it: the heaviest
        mass, which has a corner where two bodies are the heaviest."""
        held, now = (float(np.max(one.system.bodies.mass[:-1])) for one in (self.perturbed.first, mechanism))
        units = velocity_units(mechanism)
        if held != now and held > 0.0 and now > 0.0:
            units *= np.sqrt(held / now)
        return held_velocities(mechanism).steps(units, pose.A, share)


def _moved(mechanism: CompiledMechanism, parts: Parts, lam: Array, steps: Array) -> Array:
    """S S^T G^T lambda (6 nb,)."""
    force = parts.transposed_times(mechanism.system.rows, lam, mechanism.nb)
    if steps.ndim == 1:
        return steps**2 * force.ravel()
    moved: Array = np.einsum("bij,bkj,bk->bi", steps, steps, force).ravel()
    return moved


def _largest(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0))
