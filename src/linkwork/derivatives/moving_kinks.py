"""How times at which steps of their own size end move with numbers of the description.

A formula has a kink where a number g(t, p) passes zero that time alone tells:

    dt/dp = -(dg/dp) / (dg/dt).

Where a force jumps there, the derivative of the state behind has (f_before - f_after) dt/dp in it, of the state's rates
on both sides (the saltation matrix). It comes of itself where the step that ends there ends at a time that moves, and
the next begins at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.described import Described, moved
from linkwork.derivatives.grouped import Sparse
from linkwork.derivatives.spacings import spacing_of
from linkwork.derivatives.stencil import SMOOTH, derivative
from linkwork.errors import LinkworkError
from linkwork.mechanism.expressions.kinks import zeros
from linkwork.mechanism.expressions.tree import evaluate
from linkwork.mechanism.lowered import Lowered
from linkwork.system.kinks import NEAR, Passing, may_jump_at, passings

if TYPE_CHECKING:
    from linkwork.derivatives.nominal import Nominal

Array = NDArray[np.float64]
SAME = 1e-9  # of the largest: times that move alike
STILL = "bodies", "gravity"  # sections whose numbers move no formula of time
ROUNDING = 2.0**-50  # of the span: times that stay where they are
UNEVEN = 0.125  # by how much more the last of several numbers is moved, so that no two make up for each other


@dataclass(frozen=True)
class Met:
    """A zero of a passing number. index : of the number among `passings`. rate : dg/dt [1/s]. kink : which of the
    times at which steps end, -1 if none."""

    index: int
    passing: Passing
    time: float
    rate: float
    kink: int


class MovingKinks:
    """lowered : of the mechanism. kinks : (n,) times at which steps end [s], between begin and end of the run.
    steps : how far each number is moved."""

    def __init__(
        self,
        lowered: Lowered,
        kinks: Array,
        span: tuple[float, float],
        numbers: Sequence[Described],
        steps: Sequence[float],
    ) -> None:
        self.lowered, self.kinks, self.span, self.numbers, self.steps = lowered, kinks, span, numbers, steps
        self.near = 2.0 * NEAR * (span[1] - span[0])
        every = passings(lowered)
        self.many = len(every)
        self.met = [one for index, passing in enumerate(every) for one in self._met(index, passing)]

    def _met(self, index: int, passing: Passing) -> list[Met]:
        (begin, end), found = self.span, []
        for t in zeros(passing.number, begin - self.near, end + self.near):
            if begin - self.near <= t <= end + self.near:
                with np.errstate(all="ignore"):
                    rate = float(_jet(passing, t)[1])
                off = np.abs(self.kinks - t)
                near = len(off) > 0 and off.min() <= self.near
                found.append(Met(index, passing, t, rate, int(off.argmin()) if near else -1))
        return found

    def _values(self, which: Sequence[int], by: Sequence[float]) -> Array:
        """(met,) the numbers at the times at which they are zero, where numbers of the description are larger."""
        every = passings(moved([self.numbers[k] for k in which], by).lower()) if len(which) else passings(self.lowered)
        if len(every) != self.many:
            return np.full(len(self.met), np.nan)
        with np.errstate(all="ignore"):
            return np.array([_jet(every[one.index], one.time)[0] for one in self.met])

    def _values_moved(self, k: int, by: float) -> Array:
        return self._values([k], [by])

    @cached_property
    def _base(self) -> Array:
        return self._values([], [])

    @cached_property
    def _moving(self) -> list[int]:
        """Numbers of the description that move any."""
        groups = [[k for k, one in enumerate(self.numbers) if self.met and one.section not in STILL]]
        found = []
        while groups:
            group = groups.pop()
            if group and self._moves(group):
                half = len(group) // 2
                found += group if len(group) == 1 else []
                groups += [group[:half], group[half:]] if len(group) > 1 else []
        return sorted(found)

    def _moves(self, group: Sequence[int]) -> bool:
        uneven = 1.0 + UNEVEN * np.arange(len(group)) / len(group)
        try:
            values = self._values(group, [self.steps[k] * float(more) for k, more in zip(group, uneven, strict=True)])
        except LinkworkError:  # of one that cannot be moved so far the derivative is refused elsewhere
            return len(group) > 1
        return not np.array_equal(values, self._base)

    @cached_property
    def _by_number(self) -> dict[int, tuple[Array, float]]:
        """Number of the description -> (met,) dt/dp of each zero, and how rough that is."""
        rates, found = np.array([one.rate for one in self.met]), {}
        for k in self._moving:
            change, rough = derivative(partial(self._values_moved, k), self.steps[k], base=self._base)
            with np.errstate(all="ignore"):
                found[k] = np.where(change == 0.0, 0.0, -change / rates), rough
        return found

    def joined(self, start: Sparse, k: int, size: int) -> Sparse:
        """What moves with number k before a run begins, with the times at which steps end, which are the last.
        size : of all."""
        if k not in self._by_number:
            return start
        by, rough = self._by_number[k]
        moves: dict[int, float] = {}
        for one, dt in zip(self.met, by.tolist(), strict=True):
            if one.kink >= 0 and dt != 0.0 and np.isfinite(dt) and rough <= SMOOTH:
                moves[one.kink] = dt
        at = size - len(self.kinks) + np.array(sorted(moves), dtype=np.intp)
        value = np.array([moves[kink] for kink in sorted(moves)])
        return Sparse(np.concatenate([start.at, at]), np.concatenate([start.value, value]), start.rough)

    def untold(self) -> tuple[str, str, float] | None:
        """What derivatives do not count: number, formula and time at which this jumps; None where there is nothing."""
        for k, (by, rough) in self._by_number.items():
            for one, dt in zip(self.met, by.tolist(), strict=True):
                alike = [x for other, x in zip(self.met, by.tolist(), strict=True) if other.kink == one.kink]
                apart = max(alike) - min(alike) > SAME * max(map(abs, alike))
                followed = one.kink >= 0 and np.isfinite(dt) and rough <= SMOOTH and not apart
                if not followed and self._moves_jump(one, k, dt):
                    return self.numbers[k].name, one.passing.owner, one.time
        return None

    def met_by(self, times: Array) -> tuple[str, float] | None:
        """A number that moves a jump across one of these times [s], and which; None where there is none."""
        for k, (by, _) in self._by_number.items():
            for one, dt in zip(self.met, by.tolist(), strict=True):
                at = int(np.abs(times - one.time).argmin())
                if abs(times[at] - one.time) <= self.near and self._moves_jump(one, k, dt):
                    return self.numbers[k].name, float(times[at])
        return None

    def _moves_jump(self, one: Met, k: int, dt: float) -> bool:
        """Whether a formula jumps there, and number k moves that by more than rounding."""
        begin, end = self.span
        if abs(dt * self.steps[k]) <= ROUNDING * (end - begin):
            return False
        return may_jump_at(self.lowered, one.passing.formula, one.time, end - begin)


def moving_kinks(nominal: Nominal, numbers: Sequence[Described]) -> MovingKinks:
    """Of a run that is made, and not of steps of one size."""
    ready, run = nominal.ready, cast(Any, nominal.session.run).run
    span = float(run.start_time[0]), float(run.t_end[0])
    steps = [spacing_of(one, ready) for one in numbers]
    return MovingKinks(ready.compiled.lowered, nominal.kinks, span, numbers, steps)


def _jet(passing: Passing, t: float) -> Any:
    """Value and derivatives of what passes zero."""
    return evaluate(passing.number, (np.float64(t), 1.0, 0.0))
