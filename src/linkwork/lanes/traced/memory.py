"""A run's arrays with recorded numbers in them, and the tables through which kernels find them.

Cells are the floating-point numbers of a run's arrays, one after the other in the order in which the arrays are named:
where they happen to lie in memory must not show in what is recorded, whose operands stand in the order of the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import Span, merged
from linkwork.lanes.traced.numbers import Graph, Traced
from linkwork.problems.layout import WORDS, Table
from linkwork.problems.levels import Level

Ints = NDArray[np.int64]


class Cells:
    """The memory of one instance, with objects in the place of floating-point numbers.

    spans : what it holds; numbers are those that stand there now. Views share memory as the arrays do.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        named = [one for one in spans if one.size]
        every = sorted(merged(named), key=lambda one: next(k for k, of in enumerate(named) if of.within(one)))
        self.spans = [one for one in every if one.floats]
        self.others = [one for one in every if not one.floats]
        self.starts = np.cumsum([0, *(one.size // 8 for one in self.spans)])
        self.values = self.now
        self.integers = [_copied(one, np.uint8) for one in self.others]

    @cached_property
    def objects(self) -> Any:
        """What stands in the place of each number: the number itself until something is recorded."""
        return self.values.astype(object)

    @property
    def now(self) -> NDArray[np.float64]:
        """The numbers that stand in the arrays now."""
        words: Any = [_copied(one, np.float64) for one in self.spans]
        return np.concatenate(words) if words else np.zeros(0)

    def addresses(self, cells: Iterable[int]) -> Ints:
        """Where the numbers of cells stand."""
        which = np.fromiter(cells, dtype=np.int64)
        k = np.searchsorted(self.starts, which, side="right") - 1
        begins = np.array([one.address for one in self.spans], dtype=np.int64)
        found: Ints = begins[k] + 8 * (which - self.starts[k])
        return found

    def stand(self, values: Mapping[int, Any] | NDArray[np.float64]) -> None:
        """Write all cells, plain numbers."""
        for k, value in enumerate(values.tolist() if isinstance(values, np.ndarray) else values.values()):
            self.objects[k] = value

    def cell(self, address: int) -> int:
        """The cell at an address, -1 if there is none."""
        for one, start in zip(self.spans, self.starts, strict=False):
            if one.address <= address < one.end:
                return int(start) + (address - one.address) // 8
        return -1

    def view(self, address: int, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array over these cells."""
        kind = np.dtype(dtype)
        size = int(np.prod(shape))
        if size == 0:
            return np.zeros(shape, dtype=object if kind == np.float64 else kind)
        if kind == np.float64:
            first = self.cell(address)
            if first >= 0:
                return self.objects[first : first + size].reshape(shape)
        for one, array in zip(self.others, self.integers, strict=True):
            if one.address <= address < one.end:
                at = address - one.address
                return array[at : at + size * kind.itemsize].view(kind).reshape(shape)
        raise LookupError("an array that no record of this run holds")

    def record(self, graph: Graph, which: Iterable[int]) -> None:
        """What stands in these cells is an input of what is recorded from now on."""
        for k in which:
            found = self.objects[k]
            self.objects[k] = graph.input(k, found.value if isinstance(found, Traced) else float(found))

    def plain(self) -> NDArray[np.float64]:
        """What all cells come to for the instance that is recorded."""
        return np.array([x.value if isinstance(x, Traced) else float(x) for x in self.objects], dtype=float)

    def whole_numbers(self) -> list[NDArray[np.uint8]]:
        """Copies of all other arrays."""
        return [array.copy() for array in self.integers]


class TracedTable:
    """Stands where a table of addresses does: hands out arrays over cells. level : what stands there besides arrays,
    entries and the table that these receive, which are handed out as plain Python and as another such table."""

    def __init__(self, words: Any, cells: Cells, level: Level | None = None, instead: Any = None) -> None:
        self.instead: Mapping[Any, Any] = instead or {}  # entry -> what is recorded in its place
        self.words, self.cells, self.shape, self.level = words, cells, words.shape, level
        self._made: dict[tuple[int, str, int], Any] = {}
        inside = level.inside if level else None
        self._inside = TracedTable(inside.words, cells, inside, instead) if inside else None

    def __getitem__(self, word: int) -> Any:
        entry = self.level.calls.get(word // WORDS) if self.level else None
        return (self.instead.get(entry) or called(entry)) if entry else int(self.words[word])

    def array(self, k: int, dtype: str, ndim: int) -> Any:
        """Array number k."""
        if self.level and k == self.level.index:
            return self._inside
        key = k, dtype, ndim
        if key not in self._made:
            address, *extents = (int(word) for word in self.words[WORDS * k : WORDS * (k + 1)])
            self._made[key] = self.cells.view(address, tuple(extents[:ndim]), dtype)
        return self._made[key]


def called(entry: Any) -> Callable[[Any], Any]:
    """An entry as plain Python."""
    return lambda context: entry.__wrapped__(context)


def _copied(span: Span, dtype: Any) -> Any:
    size = span.size // np.dtype(dtype).itemsize
    words = np.array([span.address, size, 0, 0], dtype=np.int64)
    return Table(words).array(0, dtype, 1).copy()
