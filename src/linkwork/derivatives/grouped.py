"""Derivatives of one vector by many numbers, of which most touch a few places of it: evaluations are shared.

Numbers are moved together, each through the eight places of `stencil` in an order of its own. A place of the vector
that follows one number alone says by its values whose it is, and in that number's order the formulas of eighth and
sixth order agree; where two numbers have a part in it no order makes them agree. Then the numbers are parted, fields of
elements from other fields first, until each group has no such place, or is one number.

Most places are copies of a number, or sums with one in it. So first, however many numbers there are, they are moved
together three times, by amounts of which no two numbers have the same ratios: a straight line in one number shows
in these, and three values are enough where all places are such.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.stencil import CLOSE, CORNER, EIGHTH, EVEN, NOISE, PLACES, SIXTH, STRAIGHT, derivative
from linkwork.errors import LinkworkError

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Together = Callable[[Sequence[int], Array], Array]  # (numbers, by how much each moves) -> vector

MOST = 512  # numbers of a group
LOOKED_AT = 3  # evaluations, after which it is seen whether going on is worth it
APART = 0.95  # cosine between two orders of the places, at most
OWN = 0.99  # cosine between the values of a place and the order of the number that it follows, at least
ROUNDING = 2.0**-50  # of a place's own size: what changes by no more stays
SUMS = 2.0**-42  # of a place's size: what rounding of larger ones, whose difference it is, bends it by at most
SEEN = 2.0**16  # of what rounding may bend a straight line by: a change that tells whose it is
FINE = 2.0**20  # amounts are whole multiples of the spacing over it


class Sparse(NamedTuple):
    """The derivative of a vector by one number: places that it touches, values there, and `stencil`'s roughness."""

    at: Ints
    value: Array
    rough: float = 0.0


class Shared:
    """together : the vector with some numbers moved. steps : how far the places of each are apart. families : what
    numbers have in common that are likely to touch different places. least : (places of the vector,) below which size
    values may be rounding. parts : of the vector, each of which is to be smooth by itself, and of what size the values
    are that it is made of by differences. stray : of what size those are by whose rounding places move that follow no
    number. summed : of what size those are of which small places are differences, whose rounding bends straight lines.
    disjoint : numbers that were found to touch different places."""

    def __init__(
        self,
        grouped: Together,
        steps: Array,
        families: Sequence[Hashable],
        least: Array | None = None,
        parts: Sequence[tuple[slice, float]] = ((slice(None), 0.0),),
        stray: float = 0.0,
        summed: float = 0.0,
    ) -> None:
        self.grouped, self.steps, self.families, self.parts = grouped, steps, families, parts
        self.stray, self.summed = ROUNDING * stray, ROUNDING * summed
        self.base = grouped([], np.zeros(0))
        self.least = np.zeros(len(self.base)) if least is None else least
        self.disjoint: list[list[int]] = []

    def derivatives(
        self,
        which: Sequence[int],
        refused: bool = True,
        likely: Sequence[Sequence[int]] = (),
        parted: bool = True,
    ) -> dict[int, Sparse]:
        """Number -> the derivative by it. refused : whether a number beside which there is no vector raises its error;
        else it is left out. likely : groups of numbers, all of these and others, that are likely to touch different
        places. parted : whether numbers of one field that do not are parted further, or taken one by one."""
        found: dict[int, Sparse] = {}
        asked = set(which)
        groups = [([k for k in group if k in asked], True) for group in likely or [which]]
        while groups:
            group, straight = groups.pop()
            if not group:
                continue
            if len(group) == 1:
                try:
                    found[group[0]] = self.alone(group[0])
                except LinkworkError:
                    if refused:
                        raise
                continue
            by_families = len({self.families[k] for k in group}) > 1
            shared = self.straight(group) if straight else None
            if shared is None and not by_families and len(group) <= MOST:
                shared = self._of_group(group)
            if shared is None:
                if parted or by_families or len(group) > MOST:
                    groups += [(part, by_families) for part in self._parted(group)]
                else:
                    groups += [([k], False) for k in group]
            else:
                found |= shared
                self.disjoint.append(group)
        return found

    def alone(self, number: int) -> Sparse:
        """The derivative by one number, by itself."""
        seen: dict[float, Array] = {}

        def part_at(by: float, part: slice) -> Array:
            if by not in seen:
                seen[by] = self.grouped([number], np.array([by]))
            return seen[by][part]

        dense, rough = np.zeros(len(self.base)), 0.0
        for part, size in self.parts:
            h = float(self.steps[number])
            dense[part], apart = derivative(partial(part_at, part=part), h, size, self.base[part])
            rough = max(rough, apart)
        at = np.flatnonzero(dense)
        return Sparse(at, dense[at], rough)

    def _parted(self, group: list[int]) -> tuple[list[int], list[int]]:
        families = list(dict.fromkeys(self.families[k] for k in group))
        if len(families) > 1:
            first = set(families[: len(families) // 2])
            return [k for k in group if self.families[k] in first], [k for k in group if self.families[k] not in first]
        return group[::2], group[1::2]

    def straight(self, group: list[int]) -> dict[int, Sparse] | None:
        """The derivatives by numbers of which one at most moves each place, and that straight; None where it is
        otherwise, or not to be seen."""
        by, base = amounts(len(group)), self.base
        try:
            values = np.stack([self.grouped(group, column * self.steps[group]) for column in by.T])
        except LinkworkError:  # together they make no mechanism
            return None
        moves = np.flatnonzero(~np.all((values == base) | (np.isnan(values) & np.isnan(base)), axis=0))
        Y, here = values[:, moves], base[moves]
        if not np.isfinite(Y).all() or not np.isfinite(here).all():
            return None
        change, largest = Y - here, np.maximum(np.max(np.abs(Y), axis=0), np.abs(here))
        size = np.maximum(largest, self.least[moves])
        real = np.max(np.abs(change), axis=0) > ROUNDING * size
        change, moves, size = change[:, real], moves[real], size[real]
        bent = np.maximum(STRAIGHT * size, np.minimum(SUMS * size, self.summed))
        told = np.abs(change[0]) >= SEEN * bent
        ratio, here = by[:, 1] / by[:, 0], change[1] / np.where(told, change[0], 1.0)  # in order, evenly apart
        owner = np.clip(np.searchsorted(-ratio, -here), 1, len(group) - 1)
        owner -= np.abs(ratio[owner - 1] - here) < np.abs(ratio[owner] - here)
        slope = (change[0] - change[1]) / (by[owner, 0] - by[owner, 1])
        told &= np.all(np.abs(change - by[owner].T * slope) <= bent, axis=0)
        if not np.all(told | (np.max(np.abs(change), axis=0) <= self.stray)):
            return None
        moves, owner, slope = moves[told], owner[told], slope[told]
        slope /= self.steps[group][owner]
        order = np.argsort(owner, kind="stable")
        parts = np.split(order, np.searchsorted(owner[order], np.arange(1, len(group))))
        return {k: Sparse(moves[part], slope[part]) for k, part in zip(group, parts, strict=True)}

    def _of_group(self, group: list[int]) -> dict[int, Sparse] | None:
        """The derivatives by numbers that touch different places; None where they do not."""
        places, h = orders(len(group)), self.steps[group]  # (numbers, 8), (numbers,)
        values = np.zeros((len(PLACES), len(self.base)))
        try:
            for k in range(len(PLACES)):
                values[k] = self.grouped(group, places[:, k] * h)
                if k == LOOKED_AT and self._owners(places[:, : k + 1], values[: k + 1]) is None:
                    return None
        except LinkworkError:  # together they make no mechanism
            return None
        found = self._owners(places, values)
        if found is None:
            return None
        moves, owner = found
        Y, here = values[:, moves], self.base[moves]
        order = np.argsort(places[owner], axis=1)  # (places of the vector, 8): which evaluation comes where
        Y = np.take_along_axis(Y, order.T, axis=0)
        slope, other = EIGHTH @ Y / h[owner], SIXTH @ Y / h[owner]
        rounding = NOISE * np.maximum(np.max(np.abs(Y), axis=0), self.least[moves]) / h[owner]
        jump = np.abs(EVEN @ (Y[4:] + Y[3::-1] - 2.0 * here)) / h[owner]
        apart = np.abs(slope - other)
        bends = (apart > CLOSE * np.abs(slope)) & (apart > rounding)
        bends |= jump > CORNER * np.abs(slope) + 20.0 * rounding
        if np.any(bends & (np.max(np.abs(Y - here), axis=0) > self.stray)):
            return None
        right, left = Y[PLACES.index(4)], Y[PLACES.index(-3)]  # as `stencil.straight` has it
        largest = np.maximum(np.maximum(np.abs(right), np.abs(left)), np.abs(here))
        line = np.abs(3.0 * (right - here) + 4.0 * (left - here)) <= STRAIGHT * largest
        slope = np.where(line, (right - left) / 7.0 / h[owner], slope)
        return {k: Sparse(moves[of], slope[of]) for n, k in enumerate(group) for of in ((owner == n) & ~bends,)}

    def _owners(self, places: Array, values: Array) -> tuple[Ints, Ints] | None:
        """Places of the vector that move, and which number of the group each of them follows; None where one follows
        none. places : (numbers, evaluations). values : (evaluations, places of the vector)."""
        base = self.base
        moves = np.flatnonzero(~np.all((values == base) | (np.isnan(values) & np.isnan(base)), axis=0))
        Y, here = values[:, moves], base[moves]
        if not np.isfinite(Y).all() or not np.isfinite(here).all():
            return None
        largest = np.maximum(np.max(np.abs(Y), axis=0), self.least[moves])
        change = Y - here
        real = np.max(np.abs(change), axis=0) > ROUNDING * largest
        change, moves = change[:, real], moves[real]
        by_rounding = np.max(np.abs(change), axis=0) <= self.stray
        size = np.linalg.norm(places, axis=1)[:, None] * np.linalg.norm(change, axis=0)
        likeness = np.abs(places @ change) / size
        owner = np.argmax(likeness, axis=0)
        follows = likeness[owner, np.arange(len(owner))] >= OWN
        return (moves[follows], owner[follows]) if np.all(follows | by_rounding) else None


@cache
def amounts(count: int) -> Array:
    """(count, 3) by how much numbers are moved in turn, to both sides: ratios of the first two in even steps, so that
    they are easily told apart, the third at random, so that no sum of two is a third."""
    rng = np.random.default_rng(4)
    second = -1.0 - 3.0 * np.arange(count) / count
    third = rng.uniform(1.0, 4.0, count) * rng.choice([-1.0, 1.0], count)
    found: Array = np.round(FINE * np.column_stack([np.full(count, 4.0), second, third])) / FINE
    return found


@cache
def orders(count: int) -> Array:
    """(count, 8) orders of the places, of which no two are much alike, nor one another's reverse."""
    rng, found, have = np.random.default_rng(1), np.zeros((count, len(PLACES))), 0
    while have < count:
        one = rng.permutation(np.array(PLACES, dtype=float))
        if np.max(np.abs(found[:have] @ one), initial=0.0) <= APART * float(np.dot(PLACES, PLACES)):
            found[have] = one
            have += 1
    return found
