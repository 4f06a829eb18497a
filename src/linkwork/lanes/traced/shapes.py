"""Long recordings cut into pieces of few shapes: what a mechanism does once for each of many bodies is the same code.

A piece is some operations in a row. What it takes from elsewhere it finds through a table: numbers of cells, constants,
and values that pieces before it have left. Pieces that do the same with other tables have one shape, which is
compiled once. Operations that repeat in a row are cut at their period; others where the last few
operations say so, so that equal stretches are cut alike wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.derivatives import Pairs, moving_nodes, pairs_of
from linkwork.lanes.traced.numbers import Graph, Key
from linkwork.lanes.traced.operations import COMPARED
from linkwork.lanes.traced.recording import Recording

LEAST, MOST = 24, 1500  # operations of a period
REPEATS = 4  # of a period, at least
MANY = 16  # repeats, of which two are a piece
SHORTEST, NEAR = 12, 12  # operations of other pieces, and how far it is seen where they begin
AROUND = 4  # operations before and behind a place that say what it is like
ANSWERS = frozenset([*COMPARED, "or", "and"])
CELL, VALUE, CONSTANT = 0, 1, 2  # where a number comes from
Ints = NDArray[np.int64]
Source = tuple[int, Any]  # where from; which cell or node, or the constant in hexadecimal digits


@dataclass
class Shape:
    """What pieces have in common.

    graph : of it alone; inputs are the columns of tables. given, moving : of each column, whether it is a constant,
    and whether it moves. outputs : nodes that some piece is asked for. rows : of each piece, its sources and its
    nodes in `graph`.
    """

    graph: Graph
    given: tuple[int, ...]
    moving: tuple[bool, ...]
    pairs: Pairs
    outputs: dict[int, int] = field(default_factory=dict)  # node -> its place
    rows: list[list[Source]] = field(default_factory=list)


@dataclass
class Piece:
    """One of them. row : of its shape's rows. nodes : of the recording -> of the shape."""

    shape: Shape
    row: int
    nodes: dict[int, int]
    base: int = 0  # place of its first value


class Shapes:
    """All shapes of several recordings. words : operation -> its number, the same for all of them."""

    def __init__(self) -> None:
        self.by_key: dict[Any, Shape] = {}
        self.words: dict[str, int] = {}

    def cut(self, recording: Recording, wanted: Iterable[Key], cells: Set[int]) -> Pieces:
        """wanted : what is asked of it. cells : those that move."""
        return Pieces(self, recording, tuple(wanted), cells)


class Pieces:
    """A recording, cut. size : values that its pieces leave; places : of nodes among these."""

    def __init__(self, shapes: Shapes, recording: Recording, wanted: tuple[Key, ...], cells: Set[int]) -> None:
        self.recording, self.nodes = recording, recording.graph.nodes
        self.pairs = pairs_of(recording)
        self.moving = moving_nodes(recording, cells)
        live = recording.live(wanted)
        live = sorted({*live, *recording.live(live, self.pairs)})
        live = [k for k in live if self.nodes[k][0] != "in"]
        number = shapes.words
        words = np.array([number.setdefault(self.nodes[k][0], len(number)) for k in live], dtype=np.int64)
        self.pieces = [self._piece(shapes, live[a:b]) for a, b in cuts(words)]
        self._leave(wanted)

    def _piece(self, shapes: Shapes, some: list[int]) -> Piece:
        """These nodes as a piece, and its shape."""
        nodes, within, guards = self.nodes, set(some), self.recording.graph.guards
        local: dict[int, int] = {}  # of nodes, in the shape
        row: list[Source] = []  # of each column
        heads: list[tuple[Any, ...]] = []
        given: list[tuple[int, bool]] = []

        def column(source: Source, moves: bool) -> int:
            row.append(source)
            heads.append(("in", len(given)))
            given.append((CONSTANT if source[0] == CONSTANT else VALUE, moves))
            return len(heads) - 1

        def operand(x: Any) -> int:
            if isinstance(x, float):
                return column((CONSTANT, x.hex()), False)
            found = local.get(x)
            if found is not None:
                return found
            node = nodes[x]
            if node[0] == "in":
                return column((CELL, node[1]), x in self.moving)
            if x not in within and node[0] not in ANSWERS:
                return column((VALUE, x), x in self.moving)
            return say(x)

        def say(k: int) -> int:
            operation, *operands = nodes[k]
            told = (operation, *[operand(x) for x in operands])
            local[k] = len(heads)
            heads.append(told)
            return local[k]

        for k in some:
            if k not in local:
                say(k)
        pairs = tuple(
            (local[k], operand(self.pairs[k][0]), operand(self.pairs[k][1]), self.pairs[k][2])
            for k in some
            if k in self.pairs and k in self.moving
        )
        held = tuple((local[k], guards[k]) for k in some if k in guards)
        key = (tuple(heads), tuple(given), pairs, held)
        shape = shapes.by_key.get(key)
        if shape is None:
            graph = Graph()
            graph.nodes, graph.guards = list(heads), dict(held)
            shape = Shape(
                graph,
                tuple(kind for kind, _ in given),
                tuple(moves for _, moves in given),
                {k: (angle, other, which) for k, angle, other, which in pairs},
            )
            shapes.by_key[key] = shape
        shape.rows.append(row)
        return Piece(shape, len(shape.rows) - 1, local)

    def _leave(self, wanted: tuple[Key, ...]) -> None:
        """Which nodes pieces leave for others, and for the end."""
        asked = {k for k in wanted if isinstance(k, int)}
        asked.update(x for piece in self.pieces for kind, x in piece.shape.rows[piece.row] if kind == VALUE)
        for piece in self.pieces:
            for k, at in piece.nodes.items():
                if k in asked and self.nodes[k][0] not in ANSWERS:
                    piece.shape.outputs.setdefault(at, len(piece.shape.outputs))

    def give_places(self) -> None:
        """Give all values their places, once all recordings are cut."""
        self.size, self.places = 0, dict[int, int]()
        self._of_shape: dict[int, list[int]] = {}
        for n, piece in enumerate(self.pieces):
            self._of_shape.setdefault(id(piece.shape), []).append(n)
            piece.base = self.size
            outputs = piece.shape.outputs
            for k, at in piece.nodes.items():
                if at in outputs and k not in self.places:
                    self.places[k] = piece.base + outputs[at]
            self.size += len(outputs)

    def of_shape(self, shape: Shape) -> list[int]:
        """Which pieces have this shape, in order."""
        return self._of_shape.get(id(shape), [])

    def source(self, source: Source, cells: Mapping[Any, int]) -> int:
        """Where a number stands: the place of a cell, time or constant by `cells`, of a value v as -1 - v."""
        kind, x = source
        return -1 - self.places[x] if kind == VALUE else cells[kind, x]

    def sources(self, cells: Mapping[Any, int]) -> list[Ints]:
        """Of each piece: its first value, and what it takes."""
        return [
            np.array([-1 - piece.base, *(self.source(x, cells) for x in piece.shape.rows[piece.row])], dtype=np.int64)
            for piece in self.pieces
        ]


def cuts(words: Ints) -> list[tuple[int, int]]:
    """Where operations are cut, (begin, end) of each piece."""
    marks = _marks(words)
    out: list[tuple[int, int]] = []
    at = 0
    for first, period, repeats in repeated(words):
        begin = first + int(np.argmin(marks[first : first + period]))  # in step with other such repeats
        times = (first + repeats * period - begin) // period
        if times >= MANY:  # what one hands on to the next stays within a piece
            period, times = 2 * period, times // 2
        out += _stretch(marks, at, begin)
        out += [(begin + k * period, begin + (k + 1) * period) for k in range(times)]
        at = begin + times * period
    return out + _stretch(marks, at, len(words))


def repeated(words: Ints) -> list[tuple[int, int, int]]:
    """(begin, period, repeats) of what repeats in a row, the longest first of those that overlap; in order."""
    found = []
    for period in range(LEAST, min(MOST, len(words) // REPEATS) + 1):
        differ = np.flatnonzero(words[period:] != words[:-period])
        edges = np.concatenate([[-1], differ, [len(words) - period]])
        long = np.diff(edges) - 1
        which = np.flatnonzero(long >= (REPEATS - 1) * period)
        found += [(int(long[k]) // period + 1, period, int(edges[k]) + 1) for k in which]
    found.sort(key=lambda one: (-one[0] * one[1], one[1]))
    taken, out = np.zeros(len(words), dtype=bool), []
    for repeats, period, first in found:
        last = first + repeats * period
        if not taken[first:last].any():
            taken[first:last] = True
            out.append((first, period, repeats))
    return sorted(out)


def _marks(words: Ints) -> Ints:
    """A number of each place, by the few operations before and behind it alone."""
    total: Any = np.zeros(len(words), dtype=np.uint64)
    padded = np.concatenate([np.zeros(AROUND), words + 1, np.zeros(AROUND)]).astype(np.uint64)
    for k in range(2 * AROUND):
        total = total * np.uint64(1_000_003) + padded[k : k + len(words)]
    out: Ints = ((total * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(2)).astype(np.int64)
    return out


def _stretch(marks: Ints, first: int, last: int) -> list[tuple[int, int]]:
    """Pieces of what does not repeat: each begins at the least mark of its neighbourhood."""
    some = marks[first:last]
    if len(some) <= 2 * NEAR:
        return [(first, last)] if len(some) else []
    padded = np.concatenate([np.full(NEAR, np.iinfo(np.int64).max), some, np.full(NEAR, np.iinfo(np.int64).max)])
    least = np.lib.stride_tricks.sliding_window_view(padded, 2 * NEAR + 1).min(axis=1)
    begins = [first]
    for k in np.flatnonzero(some == least).tolist():
        if first + k - begins[-1] >= SHORTEST:
            begins.append(first + k)
    return list(zip(begins, [*begins[1:], last], strict=True))
