"""What compiled code works on, f(tables, start), by many numbers of which each moves the start of many bodies:

    df/dp = df/dp at the held start + df/d(start) d(start)/dp,

the first for many numbers together, as most of them touch a few tables (`grouped`), the second by a run that is placed
along each motion of the start (`placed_starts`). What has a part in many numbers' derivatives down a tree, as composite
inertias and momenta have, is worked out anew from the rest, in place. One direction in which all numbers move at once,
of runs that are built, shows whether the parts make the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Shared, Sparse
from linkwork.derivatives.placed_starts import NotPlacedError, PlacedStarts
from linkwork.derivatives.stencil import NOISE, SMOOTH, by_four, derivative
from linkwork.errors import LinkworkError
from linkwork.run.snapshot import arrays_in
from linkwork.system.dense import Pose
from linkwork.system.packed import bodies_of

if TYPE_CHECKING:
    from linkwork.derivatives.start_tangents import StartTangents

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
TOGETHER = 2.0**-7  # of their steps, by which all numbers move at once
SAME = 1e-8  # of the largest of an array: what the parts may differ from the whole by
LOOKED_AT = 2.0**-10  # by which numbers are moved to see what follows from them


class Renewing:
    """A run whose numbers are written into its memory, and what `Run.renew` works out of them. follow : (reals,) which
    do; none where renewing is not what building is."""

    def __init__(self, of: StartTangents) -> None:
        self.of, prepared = of, of.run_alone()
        self.prepared, self.arrays = prepared, prepared.reals.arrays
        self.firsts = np.concatenate([[0], np.cumsum([array.size for array in self.arrays])])
        self.base = of.reals(prepared)
        self.follow = np.zeros(len(self.base), dtype=bool)
        try:
            self._renew()
            if np.array_equal(self.of.reals(self.prepared), self.base, equal_nan=True):
                self.follow = self._following()
        except (np.linalg.LinAlgError, LinkworkError):
            pass
        mine = map(np.flatnonzero, np.split(self.follow, self.firsts[1:-1]))
        self._followers = [(array.reshape(-1), at) for array, at in zip(self.arrays, mine, strict=True) if len(at)]

    def _renew(self) -> None:
        run = self.prepared.run
        run.renew(bodies_of(run.problem.mechanism.bare.tables))
        self.of.hold(self.prepared)

    def _renewed(self) -> Array:
        """Those that follow."""
        self._renew()
        return np.concatenate([array[at] for array, at in self._followers])

    def _following(self) -> NDArray[np.bool_]:
        """Those that renewing writes, and otherwise where others are a little off."""
        rng, run = np.random.default_rng(1), self.prepared.run
        of_run = {_address(array) for array in arrays_in(run).values()}  # not what runs share
        try:
            for array in self.arrays:
                if _address(array) in of_run and np.isfinite(array).all():
                    array[...] += LOOKED_AT * (1.0 + np.abs(array)) * rng.uniform(-1.0, 1.0, array.shape)
            moved = self.of.reals(self.prepared)
            self._renew()
            found = self.of.reals(self.prepared)
        finally:
            self.write(np.arange(len(self.base)), self.base)
        follow: NDArray[np.bool_] = (found != moved) & (found != self.base) & np.isfinite(found)
        return follow

    def write(self, at: Ints, values: Array) -> None:
        """Values at places of the reals, which are in order."""
        split = np.searchsorted(at, self.firsts)
        for k in np.flatnonzero(np.diff(split)).tolist():
            which = slice(split[k], split[k + 1])
            self.arrays[k].flat[at[which] - self.firsts[k]] = values[which]

    def along(self, one: Sparse, h: float) -> Sparse:
        """The derivative of those that follow along one of all others."""
        here = self.base[one.at]

        def at(by: float) -> Array:
            self.write(one.at, here + by * one.value)
            return self._renewed()

        try:
            found, rough = derivative(at, h, self.of.perturbed.size, self.base[self.follow])
        finally:
            self.write(one.at, here)
        moves = np.flatnonzero(found)
        return Sparse(np.flatnonzero(self.follow)[moves], found[moves], rough)


def in_parts(of: StartTangents, which: Sequence[int]) -> dict[int, Sparse]:
    """Number -> the derivative by it, of those that are found so."""
    known = [k for k in which if of.motions[k] is not None]
    moving = {k: motion for k in known for motion in (of.motions[k],) if motion is not None and not motion.still}
    try:
        by_tables = _at_held_start(of, [k for k in known if len(of.tables(k))])
        by_start = PlacedStarts(of).derivatives(moving) if moving else {}
    except (NotPlacedError, np.linalg.LinAlgError, LinkworkError):
        return {}
    found = {k: added([part[k] for part in (by_tables, by_start) if k in part]) for k in known}
    found = {k: one for k, one in found.items() if one.rough <= SMOOTH}
    held, groups = dict[int, Sparse](), [list(found)]
    while groups:
        group = groups.pop()
        if _make_the_whole(of, group, found):
            held |= {k: found[k] for k in group}
        elif len(group) > 1:
            groups += [group[::2], group[1::2]]
    return held


def _at_held_start(of: StartTangents, which: Sequence[int]) -> dict[int, Sparse]:
    """By numbers that tables depend on, at the start of the run itself."""
    if not which:
        return {}
    renewing, first = Renewing(of), of.perturbed.first_at
    kept = np.flatnonzero(~renewing.follow)

    def reals(some: Sequence[int], by: Array) -> Array:
        at = of.perturbed.placed(of.mechanism(some, by), Pose(first.r, first.A), of.velocities.rates)
        return of.built_at(at, some)[kept]

    parts = [(slice(0, len(kept)), of.perturbed.size)]
    size = of.perturbed.largest_position
    shared = Shared(reals, of.steps, of.families, stray=size, summed=size, parts=parts)
    found = {}
    for k, one in shared.derivatives(which, refused=False, likely=of.disjoint).items():
        here = Sparse(kept[one.at], one.value, one.rough)
        found[k] = added([here, renewing.along(here, float(of.steps[k]))]) if renewing.follow.any() else here
    return found


def added(parts: Sequence[Sparse]) -> Sparse:
    """The sum of derivatives."""
    if len(parts) == 1:
        return parts[0]
    at = np.concatenate([np.zeros(0, dtype=np.intp), *(one.at for one in parts)])
    values = np.concatenate([np.zeros(0), *(one.value for one in parts)])
    places, where = np.unique(at, return_inverse=True)
    total = np.zeros(len(places))
    np.add.at(total, where, values)
    return Sparse(places, total, max((one.rough for one in parts), default=0.0))


def _make_the_whole(of: StartTangents, which: Sequence[int], found: Mapping[int, Sparse]) -> bool:
    """Whether runs that are built differ as these derivatives say, where some numbers move at once."""
    by = TOGETHER * of.steps[list(which)] * np.random.default_rng(2).uniform(-1.0, 1.0, len(which))
    here = of.built([], np.zeros(0))
    said, first = np.zeros(len(here)), 0
    for x, k in zip(by, which, strict=True):
        said[found[k].at] += x * found[k].value
    try:
        whole, coarse = by_four(lambda share: of.built(which, share * by), 1.0)
    except LinkworkError:  # together they make no mechanism, or another one
        return False
    here = np.where(np.isfinite(here), np.abs(here), 0.0)
    for size in of.sizes:
        part = slice(first, first + size)
        first += size
        rounding = NOISE * max(float(np.max(here[part], initial=0.0)), of.perturbed.largest_position)
        apart = float(np.max(np.abs(whole[part] - said[part]), initial=0.0))
        if not apart <= SAME * float(np.max(np.abs(whole[part]), initial=0.0)) + rounding:
            return False
    noise = NOISE * max(float(np.max(here, initial=0.0)), of.perturbed.size)
    largest, rough = (float(np.max(np.abs(x), initial=0.0)) for x in (whole, whole - coarse))
    return rough <= SMOOTH * largest + noise


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])
