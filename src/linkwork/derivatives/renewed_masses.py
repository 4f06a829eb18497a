"""How all that compiled code works on moves with masses and inertias, worked out anew from tables in place.

Composite inertias and momenta down a tree have a part of each body's mass, so that numbers are taken one by one there.
These are straight in them however far they are moved, and are moved far: by the mass of all bodies, where the share of
a small one would be lost in rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Shared, Sparse
from linkwork.derivatives.stencil import STRAIGHT
from linkwork.errors import LinkworkError
from linkwork.solvers.admission import with_inertia
from linkwork.system.packed import bodies_of

if TYPE_CHECKING:
    from linkwork.derivatives.start_tangents import StartTangents

Array = NDArray[np.float64]
OF_BODIES = ("mass", "inertia")
COPY = 1e-11  # off one is rounding in the slope of what is a copy of a number
RIGHT, LEFT = 4.0, -3.0  # places far away


class RenewedMasses:
    """Of: the start. bodies : numbers, masses and entries of inertias, that touch the table of bodies alone, and beside
    which the start stays."""

    def __init__(self, of: StartTangents, bodies: Sequence[int]) -> None:
        self.of, self.bodies = of, bodies
        self.some: list[int] | None = None  # arrays to read; all where it is None

    @cached_property
    def derivatives(self) -> dict[int, Sparse]:
        """Number -> the derivative by it; of none where renewing is not what building is."""
        if not self.bodies or not self._as_built():
            return {}
        of, sizes = self.of, np.cumsum(self.of.sizes)
        by = of.steps[self.bodies] * np.random.default_rng(5).uniform(0.5, 1.0, len(self.bodies))
        sides = [np.split(self.reals(*at), sizes) for at in (([], by[:0]), (self.bodies, by))]
        first = np.concatenate([[0], sizes])
        self.some = [k for k, (base, other) in enumerate(zip(*sides, strict=True)) if not _same(base, other)]
        places = [np.arange(first[k], first[k + 1]) for k in self.some]
        at = np.concatenate([np.zeros(0, dtype=np.intp), *places])
        parts = [(slice(0, len(at)), of.perturbed.size)]
        found = _MovedFar(self, parts).derivatives(self.bodies, parted=False)
        return {k: Sparse(at[one.at], one.value, one.rough) for k, one in found.items()}

    def reals(self, which: Sequence[int], by: Array) -> Array:
        """What compiled code works on."""
        kept = self._have_inertia
        self._write(which, by)
        if np.array_equal(with_inertia(bodies_of(self._tables)), kept):
            try:
                return self.renewed()
            except (np.linalg.LinAlgError, LinkworkError):  # building says what is wrong with them
                pass
        every = self.of.built(which, by)
        return every if self.some is None else self._picked(np.split(every, np.cumsum(self.of.sizes)))

    def far(self, k: int) -> float:
        """How far a number may be moved: a power of two."""
        bodies, perturbed = self.of.nominal.ready.compiled.system.bodies, self.of.perturbed
        size = float(np.sum(bodies.mass[:-1]))
        if self.of.starts[k].number.member != "mass":
            size *= perturbed.largest_position**2
        return float(2.0 ** np.ceil(np.log2(size))) if size > 0.0 else 0.0

    def far_away(self, k: int, by: float) -> Array:
        """The arrays with one number moved far, beyond what a body can have. Raises what renewing raises."""
        self._write([k], np.array([by]))
        return self.renewed()

    def renewed(self) -> Array:
        """The arrays, worked out of the tables as they are."""
        self._prepared.run.renew(bodies_of(self._tables))
        self.of.hold(self._prepared)
        return self._picked(self._prepared.reals.arrays)

    def lengths(self) -> list[int]:
        """Of the arrays that are read."""
        return [self.of.sizes[k] for k in self.some or ()]

    def _picked(self, arrays: Sequence[Array]) -> Array:
        some = range(len(arrays)) if self.some is None else self.some
        return np.concatenate([np.zeros(0), *(arrays[k].ravel() for k in some)])

    def _write(self, which: Sequence[int], by: Array) -> None:
        """Write numbers into the table of bodies."""
        body, of = self._tables.body.reshape(-1), self._of_bodies
        body[:] = self._body
        for k, x in zip(which, by.tolist(), strict=True):
            at, slope = of[k]
            body[at] += x * slope

    @cached_property
    def _of_bodies(self) -> dict[int, tuple[NDArray[np.intp], Array]]:
        """Number -> places of the table of bodies that move with it, and how."""
        found = {k: self.of.in_part(k, "body") for k in self.bodies}
        return {k: (one.at, np.where(np.abs(one.value - 1.0) < COPY, 1.0, one.value)) for k, one in found.items()}

    @cached_property
    def _prepared(self) -> Any:
        return self.of.run_alone()

    @cached_property
    def _tables(self) -> Any:
        return self._prepared.run.problem.mechanism.bare.tables

    @cached_property
    def _body(self) -> Array:
        """The table of bodies as it stands."""
        found: Array = self._tables.body.ravel()
        return found.copy()

    @cached_property
    def _have_inertia(self) -> NDArray[np.bool_]:
        self._write([], np.zeros(0))
        return with_inertia(bodies_of(self._tables))

    def _as_built(self) -> bool:
        """Whether a run whose masses change in place has the very numbers of one that is built with them."""
        for group in ([k for k in self.bodies if self.of.starts[k].number.member == kind] for kind in OF_BODIES):
            if not group:
                continue
            try:
                built, renewed = (reals(group, self.of.steps[group]) for reals in (self.of.built, self.reals))
            except LinkworkError:
                return False
            if not _same(built, renewed):
                return False
        return True


class _MovedFar(Shared):
    """Numbers that are taken one by one are moved far first."""

    def __init__(self, masses: RenewedMasses, parts: Sequence[tuple[slice, float]]) -> None:
        super().__init__(masses.reals, masses.of.steps, masses.of.families, parts=parts)
        self.masses = masses
        ends = np.cumsum(masses.lengths())[:-1]
        largest = [float(np.max(np.abs(part), initial=0.0)) for part in np.split(self.base, ends)]
        self._size = np.repeat(largest, masses.lengths())  # of the array that each place is in
        self._bend = STRAIGHT * masses.of.nominal.ready.compiled.nb  # sums down a tree round once a body

    def alone(self, number: int) -> Sparse:
        """The derivative by one number, by itself."""
        h = self.masses.far(number)
        slope = self._straight(number, h) if h else None
        if slope is None:
            return super().alone(number)
        at = np.flatnonzero(slope)
        return Sparse(at, slope[at])

    def _straight(self, number: int, h: float) -> Array | None:
        """The slope, where all places move straight as far as that, and as far as the rounding of their arrays shows;
        else None."""
        with np.errstate(all="ignore"):  # there is no mechanism with masses below zero
            try:
                right, left = (self.masses.far_away(number, by * h) for by in (RIGHT, LEFT))
            except (np.linalg.LinAlgError, LinkworkError):
                return None
            bend = np.abs(-LEFT * (right - self.base) + RIGHT * (left - self.base))
            largest = np.maximum(np.maximum(np.abs(right), np.abs(left)), self._size)
            still = (right == self.base) & (left == self.base) | np.isnan(right) & np.isnan(left) & np.isnan(self.base)
            if not np.all(still | (bend <= self._bend * largest)):
                return None
            found: Array = np.where(still, 0.0, (right - left) / (RIGHT - LEFT) / h)
        return found


def _same(one: Array, other: Array) -> bool:
    """Whether all numbers are equal."""
    return bool(np.array_equal(one, other, equal_nan=True))
