"""Recorded rows of arrays that stay where they are: evaluated, and made part of longer calls of machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.direct_calls import address_of
from linkwork.lanes.traced.numpy_loops import addresses, loop_of
from linkwork.lanes.traced.several import Copy, If, MachineCall, Off, Several, While

if TYPE_CHECKING:
    from linkwork.lanes.traced.rows import RowCode

Array = NDArray[np.float64]
Behind = tuple[Any, Any]  # an array that is written, and what is written into it; or a call of machine code


class BoundRates:
    """nu of rows for which it is more than f', of arrays that stay where they are. call : of machine code, once `waves`
    are taken of what drives them."""

    def __init__(self, address: int, rated: list[int], arrays: Sequence[Array]) -> None:
        self._drive, nu = arrays[3:]
        self._rated, self._keep = rated, arrays
        self._cosine, self._sine = np.empty(self._drive.size), np.empty(self._drive.size)
        places = list(map(address_of, (*arrays[:4], self._cosine, self._sine, nu)))
        self.call: MachineCall = address, [*places, *[address_of(nu)] * 2]

    @cached_property
    def _evaluate(self) -> Several:
        return Several([self.call])

    def waves(self) -> None:
        """Take cosines and sines of what drives the rows."""
        for k in self._rated:
            angle = self._drive[k, 0]
            self._cosine[3 * k], self._sine[3 * k] = np.cos(angle), np.sin(angle)

    def __call__(self) -> None:
        self.waves()
        self._evaluate()


class Bound:
    """`RowCode.evaluate` of arrays that stay where they are, as part of one call of machine code: rows, what follows
    them, and the points whose angles rows measure there."""

    def __init__(self, rows: RowCode, arrays: Sequence[Array], then: MachineCall) -> None:
        _, _, _, self._drive, *_ = arrays
        self._rows, self._then = rows, then
        self._waves = rows.waves_of(self._drive)
        places = list(map(address_of, (*arrays[:4], *self._waves, *arrays[4:])))
        self._points = np.empty((len(rows.angles), 2))
        unused = address_of(self._points)
        self._taken: list[MachineCall] = []
        if rows.points is not None:
            self._taken.append((rows.points.address, [*places[:3], *[unused] * 6]))
        self._evaluated: MachineCall = rows.code.address, places
        self._keep: list[Any] = [arrays, then]

    @cached_property
    def _both(self) -> Several:
        return Several([self._evaluated, self._then, *self._taken])

    @cached_property
    def _alone(self) -> Several:
        return Several([self._evaluated])

    @cached_property
    def _look(self) -> Several:
        return Several(self._taken)

    def angles(self) -> list[float]:
        """Those of `RowCode.angles` at the points that were found last, rad, in (-pi, pi]."""
        return [float(np.arctan2(y, x)) for y, x in self._points.tolist()]

    def measure(self) -> None:
        """Find these points."""
        if self._taken:
            self._look()

    def evaluate(self) -> None:
        """Rows alone."""
        self._rows.set_waves(self._drive, *self._waves)
        self._alone()

    def __call__(self) -> None:
        """Rows, what follows, and the points where that leads."""
        self._rows.set_waves(self._drive, *self._waves)
        self._both()

    def search(
        self,
        prescribed: Array,
        period: Array,
        off: Array,
        status: tuple[Array, int, int],
        around: tuple[Sequence[Behind], Sequence[Behind]],
    ) -> Callable[[], None] | None:
        """`system.compiled.BoundRows.search`."""
        arctan2, cos, sin = (loop_of(function) for function in (np.arctan2, np.cos, np.sin))
        if arctan2 is None or cos is None or sin is None:
            return None
        measured: list[MachineCall | Copy | Off] = []
        value, told, apart, periods = map(address_of, (self._drive, prescribed, off, period))
        for n, k in enumerate(self._rows.angles):
            y, x = (self._points[n, c : c + 1] for c in range(2))
            measured.append(arctan2.call(self._kept(addresses((y, x), self._drive[k, :1]))))
            measured.append(Off(value + 24 * k, told + 24 * k, periods + 8 * k, apart + 8 * k))
        for place in self._rows.waves:
            angle = self._drive.reshape(-1)[place : place + 1]
            for loop, found in zip((cos, sin), self._waves, strict=True):
                measured.append(loop.call(self._kept(addresses((angle,), found[place : place + 1]))))
        told_by, again, found_at = status
        before, after = ([self._operation(one) for one in some] for some in around)
        steps = [*measured, self._evaluated, self._then, *self._taken]
        place = address_of(told_by)
        return Several([*before, *self._taken, While(place, again, steps), If(place, found_at, after)])

    @staticmethod
    def _operation(one: Behind) -> Copy | MachineCall:
        target, source = one
        return one if isinstance(target, int) else Copy(address_of(target), address_of(source), target.nbytes)

    def _kept(self, words: Array) -> Array:
        self._keep.append(words)
        return words
