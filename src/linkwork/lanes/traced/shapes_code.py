"""A long recorded run forwards and backwards by pieces of few shapes (`shapes`): compiled loops over tables.

A step is taken again from the cells that steps change, its pieces leaving their values. Then its pieces are followed
backwards, from the last to the first.
"""

from __future__ import annotations

import ctypes
from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import declarations
from linkwork.lanes.traced.shape_text import Columns, ShapeReverse, ShapeText, literals
from linkwork.lanes.traced.shapes import CELL, Shapes
from linkwork.lanes.traced.shapes_linked import SEQUENCES, Cut, Linked, Places, Touched
from linkwork.lanes.traced.shapes_loops import BARS, loops
from linkwork.lanes.traced.step import Recorded

Array = NDArray[np.float64]


class ShapesCode:
    """A recorded run that goes backwards by pieces.

    lanes : functions at once. first, later : cells that move at the start, and from then on. kept : numbers that a tape
    holds of each step. cells : as they are now. shapes, pieces : how many there are."""

    def __init__(self, recorded: Recorded, lanes: int, first: Set[int], later: Set[int]) -> None:
        self.recorded, self.lanes = recorded, lanes
        self.size = len(recorded.carried)
        shapes, places = Shapes(), Places(recorded.carried)
        start, sample = recorded.start, recorded.sample
        began = frozenset(start.found) & frozenset(recorded.carried)
        several = [
            *(
                (one, _left(one, left, places), later)
                for one, left in zip(recorded.functions, recorded.left, strict=True)
            ),
            (sample, list(enumerate(sample.samples)), later),
            (start, _left(start, began, places), first),
        ]
        pieces = [shapes.cut(one, [key for _, key in asked], moving) for one, asked, moving in several]
        for one in pieces:
            one.give_places()
        cut = [Cut.of(one, asked, places) for one, (_, asked, _) in zip(pieces, several, strict=True)]
        self._linked = Linked(recorded, cut, places)
        self.shapes, self.pieces = len(shapes.by_key), sum(len(one.pieces) for one in pieces)
        calls = self._compiled(shapes, places)
        self._all = aligned(self._linked.size)
        self.cells = self._all[: self.size]
        self._all[list(places.constants)] = list(places.constants.values())
        self._laid_out(calls, places, cut[-1])

    def _compiled(self, shapes: Shapes, places: Places) -> dict[str, Any]:
        """Of each sequence, its calls: addresses of functions and tables."""
        linked, every = self._linked, list(shapes.by_key.values())
        number = {id(shape): k for k, shape in enumerate(every)}
        kinds = np.array([number[id(piece.shape)] for one in linked.calls for piece in one.cut.pieces.pieces])
        order = {k: np.flatnonzero(kinds == k) for k in range(len(every))}
        forward, backward, tables = list[str](), dict[int, ShapeReverse](), dict[int, Any]()
        for k, shape in enumerate(every):
            columns = Columns(shape, linked.rows(shape))
            literal = literals(shape, columns, places.constants)
            forward.append(ShapeText(shape, columns, literal).forward(f"shape{k}"))
            backward[k] = ShapeReverse(shape, columns, literal, self.lanes)
            tables[k] = columns.tables
        touched = Touched(linked, order, backward)
        back = [one.back(f"back{k}", touched.first[k], touched.cleared[k]) for k, one in backward.items()]
        text = [*forward, *back, loops(self.lanes, len(self.recorded.sample.samples)), *declarations(1)]
        if self.lanes > 1:
            kind = f"<{self.lanes} x double>"
            text.append(f"declare {kind} @llvm.fmuladd.v{self.lanes}f64({kind}, {kind}, {kind})")
        self._engine, self._tables = engine_of("\n".join(text)), tables
        address = self._engine.get_function_address
        calls = np.zeros((len(kinds), 3), dtype=np.int64)
        for k, table in tables.items():
            calls[order[k], :2] = address(f"shape{k}"), address(f"back{k}")
            calls[order[k], 2] = table.ctypes.data + table.strides[0] * np.arange(len(table))
        sequence = linked.sequence
        return {name: np.ascontiguousarray(calls[sequence == k]) for k, name in enumerate(SEQUENCES)}

    def _laid_out(self, calls: dict[str, Any], places: Places, start: Cut) -> None:
        """Memory, and the tables that lead to it."""
        linked = self._linked
        self._begins, self._ends = places[CELL, "t"], places[CELL, "end"]
        self._state = state_of(self.recorded)
        self.kept = len(self._state)
        reverse = np.isin(linked.cells, self._state)
        step = Moves(linked.cells, linked.sources, linked.moves)
        back = Moves(linked.cells[reverse], linked.sources[reverse], linked.moves[reverse])
        called = next(one for one in linked.calls if one.sequence == "start")
        began = np.array(sorted(start.left), dtype=np.int64)
        whence = called.found_at(np.array([start.left[k] for k in began.tolist()], dtype=np.int64))
        self._began = Moves(began, whence, np.array([start.moves[k] for k in began.tolist()], dtype=bool))
        self._calls, self._moves = calls, (step, back)
        self._shown = Moves(np.arange(len(linked.shown)), linked.shown, linked.shown_moves)
        self._first_shown = Moves(np.arange(len(linked.shown)), linked.first_shown, linked.shown_moves)
        most = max(len(one.to) for one in (step, self._began, self._shown))
        self._same = np.arange(max(most, self.kept, 1), dtype=np.int32)
        self._room = aligned(max(most, 1) * self.lanes)
        self._begun = self._all.copy()
        self._shares = np.array(linked.shares)
        self._context = np.array(
            [
                self._all.ctypes.data,
                0,
                *(number for k in ("step", "shown") for number in (calls[k].ctypes.data, len(calls[k]))),
                *step.words,
                *back.words,
                *self._shown.words,
                self._shares.ctypes.data,
                len(self._shares),
                self._all[linked.times :].ctypes.data,
                self._all[self._ends :].ctypes.data,
                *(x.ctypes.data for x in (self._same, self._room, self._state)),
                self.kept,
            ],
            dtype=np.int64,
        )
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(count, *arguments)(self._engine.get_function_address(name))

        self._advance = function("advance", pointer, pointer, count, count, double, double)
        self._reverse = function("reverse", pointer, pointer, pointer, count, count, count, double, double)
        self._forwards = function("forwards", pointer, count, pointer)
        self._backwards = function("backwards", pointer, count, pointer, pointer)

    def bars(self, many: int) -> Array:
        """(many, cells and further numbers, lanes) adjoints, zero."""
        return aligned(many * len(self._all) * self.lanes).reshape(many, len(self._all), self.lanes)

    def start(self, first: Array, begin: float) -> int:
        """The start of the run from these cells. Returns not 0 where the course is left, as `advance` does."""
        self.cells[:] = first
        self._all[[self._begins, self._ends]] = begin
        calls = self._calls["start"]
        left = self._forwards(calls.ctypes.data, len(calls), self._all.ctypes.data)
        self._begun[:] = self._all  # what the start began with, and the values it left
        self._all[self._began.to] = self._all[self._began.whence]
        return int(left)

    def advance(self, tape: Array, steps: int, first: int, begin: float, h: float) -> int:
        """So many steps, the first of which is number `first` of the run."""
        return int(self._advance(self._context.ctypes.data, tape.ctypes.data, steps, first, begin, h))

    def backward(
        self, tape: Array, bar: Array, seeds: Array, steps: int, every: int, first: int, begin: float, h: float
    ) -> int:
        """Back through these steps. seeds : (samples, numbers, lanes) of those within. Returns as `start` does."""
        self._context[BARS] = bar.ctypes.data
        where = (self._context.ctypes.data, tape.ctypes.data, seeds.ctypes.data)
        return int(self._reverse(*where, steps, every, first, begin, h))

    def back_start(self, bar: Array, seeds: Array, begin: float) -> None:
        """Back through the sample at the start, and the start."""
        room, began = self._all, self._began
        room[:] = self._begun
        room[began.to] = self._begun[began.whence]
        self._through("begun", bar, self._first_shown, seeds[0][self._first_shown.order])
        room[: self.size] = self._begun[: self.size]
        taken = bar[began.to]
        bar[began.to] = 0.0
        self._through("start", bar, began, taken, forwards=False)

    def _through(self, sequence: str, bar: Array, moves: Moves, seeds: Array, forwards: bool = True) -> None:
        calls = self._calls[sequence]
        if forwards:
            self._forwards(calls.ctypes.data, len(calls), self._all.ctypes.data)
        np.add.at(bar, moves.whence[: moves.moving], seeds[: moves.moving])
        self._backwards(calls.ctypes.data, len(calls), self._all.ctypes.data, bar.ctypes.data)


class Moves:
    """What goes from places to others, that which moves first. order : of what was told. moving : how much moves."""

    def __init__(self, to: Any, whence: Any, moves: Any) -> None:
        self.order = np.argsort(~moves, kind="stable")
        self.to, self.whence = (np.ascontiguousarray(x[self.order], dtype=np.int32) for x in (to, whence))
        self.moving = int(np.count_nonzero(moves))

    @property
    def words(self) -> tuple[int, ...]:
        """As compiled loops read it."""
        return self.to.ctypes.data, self.whence.ctypes.data, len(self.to), self.moving


def state_of(recorded: Recorded) -> Any:
    """Places among the cells carried of those that a step changes and reads before it writes them."""
    needed, written = set[int](), set[int]()
    for part in recorded.step:
        one, left = recorded.functions[part.function], recorded.left[part.function]
        needed |= one.cells_read(one.found[k] for k in left) - written
        written |= left
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    return np.array(sorted(places[k] for k in needed & written), dtype=np.int32)


def _left(recording: Any, cells: Set[int], places: Places) -> list[tuple[int, Any]]:
    """The places of cells that a recording leaves something in, and what."""
    return [(places[CELL, cell], recording.found[cell]) for cell in sorted(cells)]
