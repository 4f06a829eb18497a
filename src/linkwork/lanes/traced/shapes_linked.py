"""Where all numbers of a run in pieces (`shapes`) stand: one room for cells, times, constants and values.

The parts of a step leave their values at places of their own, and what a part leaves in a cell is read there by the
parts behind it: nothing is copied from part to part. Cells themselves change between steps alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.shape_text import ShapeReverse
from linkwork.lanes.traced.shapes import CELL, CONSTANT, VALUE, Pieces, Shape, Source
from linkwork.lanes.traced.step import Recorded

Ints = NDArray[np.int64]
SEQUENCES = ("start", "step", "shown", "begun")  # calls in a row: the sample behind a step, that of the start


class Places(dict[Any, int]):
    """Where cells, times and constants stand; constants get a place when they are asked for."""

    def __init__(self, carried: tuple[int, ...]) -> None:
        super().__init__({(CELL, cell): place for place, cell in enumerate((*carried, "t", "end"))})
        self.constants: dict[int, float] = {}

    def __missing__(self, source: Source) -> int:
        place = self[source] = len(self)
        _, told = source
        self.constants[place] = float.fromhex(told)
        return place


class Cut(NamedTuple):
    """A recording in pieces. left : what it leaves, by places of cells or of a sample, and from where
    (`Pieces.source`). moves : whether that moves. sources : of its pieces."""

    pieces: Pieces
    left: dict[int, int]
    moves: dict[int, bool]
    sources: list[Ints]

    @classmethod
    def of(cls, pieces: Pieces, asked: Iterable[tuple[int, Key]], places: Places) -> Cut:
        """asked : places, and what goes there."""
        left, moves = dict[int, int](), dict[int, bool]()
        for place, key in asked:
            if not isinstance(key, int):
                source: Source = (CONSTANT, float(key).hex())
            elif pieces.nodes[key][0] == "in":
                source = (CELL, pieces.nodes[key][1])
            else:
                source = (VALUE, key)
            left[place] = pieces.source(source, places)
            moves[place] = isinstance(key, int) and key in pieces.moving
        return cls(pieces, left, moves, pieces.sources(places))


class Called(NamedTuple):
    """A recording where it is called. sequence : where that is. base : place of its first value. at : of each cell,
    time and constant, where it stands then."""

    cut: Cut
    sequence: str
    base: int
    at: Ints

    def found_at(self, sources: Any) -> Any:
        """Of sources (`Pieces.source`)."""
        return np.where(sources < 0, self.base - 1 - sources, self.at[np.maximum(sources, 0)])


class Calls:
    """Calls of a run in pieces, in the order in which they were linked. sequences : their names. size : of the room.
    meeting : places whose adjoints come from elsewhere, too, besides those that calls of several sequences share."""

    def __init__(self, sequences: tuple[str, ...], size: int) -> None:
        self.sequences, self.size, self.calls = sequences, size, list[Called]()
        self.meeting: list[Ints] = []

    def _call(self, cut: Cut, sequence: str, at: Ints) -> Called:
        called = Called(cut, sequence, self.size, at)
        self.calls.append(called)
        self.size += cut.pieces.size
        return called

    def _shown(self, called: Called) -> tuple[Ints, NDArray[np.bool_]]:
        order = sorted(called.cut.left)
        told = np.array([called.cut.left[k] for k in order], dtype=np.int64)
        return called.found_at(told), np.array([called.cut.moves[k] for k in order], dtype=bool)

    @property
    def sequence(self) -> Ints:
        """Of each piece that is called, in which sequence."""
        many = [len(one.cut.pieces.pieces) for one in self.calls]
        return np.repeat([self.sequences.index(one.sequence) for one in self.calls], many)

    def rows(self, shape: Shape) -> Ints:
        """(calls of pieces of a shape, 1 + inputs) places."""
        found = [
            called.found_at(np.stack([called.cut.sources[n] for n in mine]))
            for called, mine in ((one, one.cut.pieces.of_shape(shape)) for one in self.calls)
            if mine
        ]
        return np.concatenate(found)

    def kinds(self, shapes: list[Shape]) -> Ints:
        """Of each piece that is called, which of these shapes it has."""
        number = {id(shape): k for k, shape in enumerate(shapes)}
        return np.array([number[id(piece.shape)] for one in self.calls for piece in one.cut.pieces.pieces], np.int64)


class Linked(Calls):
    """All calls of a run of an explicit method.

    calls : in the order of a step, start and samples about it. times, shares : places of times, and how far in the step
    each is. cells, sources : places of cells that a step writes, and of what they hold at its end.
    moves : which of these move. shown, shown_moves : the same of a sample behind a step; first_shown : behind the
    start.
    """

    def __init__(self, recorded: Recorded, cut: list[Cut], places: Places) -> None:
        *parts, sample, start = cut
        t, end = (places[CELL, name] for name in ("t", "end"))
        here = np.arange(len(places))
        self.shares = sorted({part.time for part in recorded.step if part.time is not None})
        self.times = len(places)
        super().__init__(SEQUENCES, self.times + len(self.shares))
        self._call(start, "start", here)
        now, moving = here, dict[int, bool]()
        for part in recorded.step:
            one = parts[part.function]
            now = now.copy()
            now[t] = end if part.time is None else self.times + self.shares.index(part.time)
            called = self._call(one, "step", now)
            now = now.copy()
            written = np.array(list(one.left), dtype=np.int64)
            now[written] = called.found_at(np.array(list(one.left.values()), dtype=np.int64))
            moving.update(one.moves)
        now = now.copy()
        now[t] = end
        self.cells: Ints = np.array(sorted(moving), dtype=np.int64)
        self.sources: Ints = now[self.cells]
        self.moves = np.array([moving[k] for k in self.cells.tolist()], dtype=bool)
        self.shown, self.shown_moves = self._shown(self._call(sample, "shown", now))
        self.first_shown, _ = self._shown(self._call(sample, "begun", here))
        self.meeting = [self.sources, self.shown, self.first_shown]


class Touched:
    """Who adds to which adjoints first, on the way back."""

    def __init__(self, linked: Calls, order: dict[int, Ints], texts: dict[int, ShapeReverse]) -> None:
        """order : of each shape, when its pieces are called, as rows are. texts : of each shape."""
        owner = np.full(linked.size, -1, dtype=np.int64)
        for one in linked.calls:
            owner[one.base : one.base + one.cut.pieces.size] = linked.sequences.index(one.sequence)
        sequence = linked.sequence
        whole = []
        for k, text in texts.items():
            for turn, column in enumerate(text.touched):
                places = text.columns.rows[:, 1 + column]
                label = np.full((len(places), 2), (k, column))
                whole.append(
                    np.column_stack([places, -order[k], np.full(len(places), turn), sequence[order[k]], label])
                )
        every = np.concatenate(whole) if whole else np.zeros((0, 6), dtype=np.int64)
        at, _, where, _, kinds, columns = every[np.lexsort((every[:, 3], every[:, 1], every[:, 0]))].T
        shared = np.zeros(linked.size, dtype=bool)
        for places in (at[owner[at] != where], *linked.meeting):
            shared[places] = True
        for one in linked.calls:
            if one.sequence == "start":
                shared[one.base : one.base + one.cut.pieces.size] = True
        first = np.diff(at, prepend=-1) != 0
        first &= ~shared[at] & (owner[at] >= 0)
        same = kinds * (1 + columns.max(initial=0)) + columns
        good = first & ~np.isin(same, same[~first])  # of columns that are the first in all pieces
        self.first: dict[int, set[int]] = {k: set() for k in texts}
        for k, column in zip(kinds[good].tolist(), columns[good].tolist(), strict=True):
            self.first[k].add(column)
        always = np.zeros(linked.size, dtype=bool)
        always[at[good]] = True
        self.cleared = {
            k: {place for place in text.left if not always[text.columns.rows[:, 0] + place].all()}
            for k, text in texts.items()
        }
