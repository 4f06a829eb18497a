"""A long recorded run forwards and backwards by pieces of few shapes (`shapes`): compiled loops over tables.

Steps are taken again from the cells that they change, several at once, their pieces leaving their values. Then pieces
are followed backwards, from the last of the last step to the first of the first.
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
from linkwork.lanes.traced.shape_text import WIDE, Columns, ShapeReverse, ShapeText, literals
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
        self._all = aligned(self._linked.size * WIDE).reshape(-1, WIDE)
        self._all[list(places.constants)] = np.array(list(places.constants.values()))[:, None]
        self._several = aligned(WIDE * self.size).reshape(WIDE, self.size)
        self.cells = aligned(self.size)
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
        text = [*forward, *back, loops(self.lanes, len(self.recorded.sample.samples))]
        text += dict.fromkeys(line for width in (1, WIDE, self.lanes) for line in declarations(width))
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
        most = max(1, self.kept, self.size, *(len(one.to) for one in (step, self._shown)))
        self._same = np.arange(most, dtype=np.int32)
        self._aside = aligned(most * max(self.lanes, WIDE))
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
                linked.times,
                self._ends,
                *(x.ctypes.data for x in (self._same, self._aside, self._state)),
                self.kept,
                self.size,
            ],
            dtype=np.int64,
        )
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(count, *arguments)(self._engine.get_function_address(name))

        self._advance = function("advance", pointer, pointer, pointer, count, count, count, double, double)
        self._reverse = function("reverse", pointer, pointer, pointer, count, count, count, double, double)
        self._forwards = function("forwards", pointer, count, pointer)
        self._backwards = function("backwards", pointer, count, pointer, pointer)

    def bars(self, many: int) -> Array:
        """(many, cells and further numbers, lanes) adjoints, zero."""
        return aligned(many * len(self._all) * self.lanes).reshape(many, len(self._all), self.lanes)

    def start(self, first: Array, begin: float) -> int:
        """The start of the run from these cells. Returns not 0 where the course is left, as `advance` does."""
        self.cells[:] = first
        self._all[: self.size] = first[:, None]
        self._all[[self._begins, self._ends]] = begin
        calls = self._calls["start"]
        left = self._forwards(calls.ctypes.data, len(calls), self._all.ctypes.data)
        self._begun[:] = self._all  # what the start began with, and the values it left
        self.cells[self._began.to] = self._all[self._began.whence, 0]
        return int(left)

    def advance(self, tape: Array, steps: int, first: int, begin: float, h: float) -> int:
        """So many steps, the first of which is number `first` of the run."""
        several = self._several
        several[:] = self.cells
        left = self._onwards(tape, steps, 0, first, begin, h)
        self.cells[:] = several[0]
        return left

    def advance_several(self, tape: Array, cells: Array, steps: int, first: int, begin: float, h: float) -> int:
        """So many steps from each of several places of the run, so many steps apart, the first of which is `first`.
        cells : (WIDE, size) then and afterwards."""
        self._several[:] = cells
        left = self._onwards(tape, steps, steps, first, begin, h)
        cells[:] = self._several
        return left

    def _onwards(self, tape: Array, steps: int, far: int, first: int, begin: float, h: float) -> int:
        where = (x.ctypes.data for x in (self._context, tape, self._several))
        return int(self._advance(*where, steps, far, first, begin, h))

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
