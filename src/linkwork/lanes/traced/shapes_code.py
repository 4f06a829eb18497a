"""A long recorded run forwards and backwards by pieces of few shapes (`shapes`): compiled loops over tables.

A step is taken again from the cells that steps change, its parts leaving their values and what they overwrite. Then
its parts are followed backwards, from the last to the first, each from the cells that it began with.
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
from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.shape_text import Columns, ShapeReverse, ShapeText, literals
from linkwork.lanes.traced.shapes import CELL, CONSTANT, Pieces, Shapes, Source
from linkwork.lanes.traced.shapes_loops import BARS, PART, loops
from linkwork.lanes.traced.step import Recorded

Array = NDArray[np.float64]


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


class ShapesCode:
    """A recorded run that goes backwards by pieces.

    lanes : functions at once. first, later : cells that move at the start, and from then on. kept : numbers that a tape
    holds of each step. cells : as they are now. shapes, pieces : how many there are."""

    def __init__(self, recorded: Recorded, lanes: int, first: Set[int], later: Set[int]) -> None:
        self.recorded, self.lanes = recorded, lanes
        self.size = len(recorded.carried)
        shapes, places = Shapes(), Places(recorded.carried)
        start, sample = recorded.start, recorded.sample
        began = set(start.found) & set(recorded.carried)
        of: list[tuple[Recording, list[tuple[int, Key]], Set[int]]] = [
            *(_left(*one, later, places) for one in zip(recorded.functions, recorded.left, strict=True)),
            (sample, list(enumerate(sample.samples)), later),
            _left(start, began, first, places),
        ]
        cut = [shapes.cut(one, [key for _, key in asked], moving) for one, asked, moving in of]
        for pieces in cut:
            pieces.give_places()
        moves = [_moves(one, asked, places) for one, (_, asked, _) in zip(cut, of, strict=True)]
        calls = self._compiled(shapes, cut, places, len(sample.samples))
        self._all = aligned(len(places))
        self.cells = self._all[: self.size]
        self._all[list(places.constants)] = list(places.constants.values())
        self._linked(cut, calls, moves)

    def _compiled(self, shapes: Shapes, cut: list[Pieces], places: Places, sample: int) -> Any:
        """Of each cut recording, its calls: addresses of functions and tables."""
        rows: dict[int, list[Any]] = {id(one): [None] * len(one.rows) for one in shapes.by_key.values()}
        for one in cut:
            for piece, row in zip(one.pieces, one.tables(places), strict=True):
                rows[id(piece.shape)][piece.row] = row
        text, tables = [], {}
        for k, shape in enumerate(shapes.by_key.values()):
            columns = Columns(shape, rows[id(shape)])
            literal = literals(shape, columns, places.constants)
            text.append(ShapeText(shape, columns, literal).forward(f"shape{k}"))
            text.append(ShapeReverse(shape, columns, literal, self.lanes).back(f"back{k}"))
            tables[id(shape)] = (k, np.array(columns.tables, dtype=np.int32))
        text += [loops(self.lanes, sample), *declarations(1)]
        if self.lanes > 1:
            kind = f"<{self.lanes} x double>"
            text.append(f"declare {kind} @llvm.fmuladd.v{self.lanes}f64({kind}, {kind}, {kind})")
        self.shapes, self.pieces = len(shapes.by_key), sum(len(one.pieces) for one in cut)
        self._engine = engine_of("\n".join(text))
        self._tables = tables
        address = self._engine.get_function_address
        functions = [(address(f"shape{k}"), address(f"back{k}")) for k in range(len(shapes.by_key))]
        out = []
        for one in cut:
            calls = np.zeros((len(one.pieces), 3), dtype=np.int64)
            for n, piece in enumerate(one.pieces):
                k, table = tables[id(piece.shape)]
                calls[n] = (*functions[k], table.ctypes.data + table.strides[0] * piece.row)
            out.append(calls)
        return out

    def _linked(self, cut: list[Pieces], calls: list[Any], moves: list[Any]) -> None:
        """Memory, and the tables that lead to it."""
        recorded, self._kept = self.recorded, [*calls, *(one for one, *_ in moves)]
        functions = [*(part.function for part in recorded.step), len(recorded.functions), len(recorded.functions) + 1]
        self._rows = np.zeros((len(functions), PART), dtype=np.int64)
        for row, k in zip(self._rows, functions, strict=True):
            to, nv, nc, nm = moves[k]
            values, undo = aligned(max(1, cut[k].size)), aligned(max(1, nv + 2 * nc))
            self._kept += [values, undo]
            row[:] = (
                calls[k].ctypes.data,
                len(calls[k]),
                values.ctypes.data,
                undo.ctypes.data,
                to.ctypes.data,
                nv,
                nc,
                nm,
            )
        most = max(nv + nc for _, nv, nc, _ in moves)
        self._state = state_of(recorded)
        self.kept = len(self._state)
        self._shares = np.array([-1.0 if part.time is None else part.time for part in recorded.step])
        self._same = np.arange(max(most, self.kept, 1), dtype=np.int32)
        self._room = aligned(max(most, 1) * self.lanes)
        self._begun = self._all.copy()
        self._valuebars = aligned(max(max(one.size for one in cut), 1) * self.lanes)
        self._context = np.array(
            [
                self._all.ctypes.data,
                0,
                self._valuebars.ctypes.data,
                self._rows.ctypes.data,
                len(recorded.step),
                *(x.ctypes.data for x in (self._shares, self._all[self.size :], self._same, self._room, self._state)),
                self.kept,
            ],
            dtype=np.int64,
        )
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(count, *arguments)(self._engine.get_function_address(name))

        self._advance = function("advance", pointer, pointer, count, count, double, double)
        self._reverse = function("reverse", pointer, pointer, pointer, count, count, count, double, double)
        self._part_forward = function("part_forward", pointer, pointer, pointer)
        self._part_back = function("part_back", *[pointer] * 6)
        self._sample_back = function("sample_back", *[pointer] * 5)

    def _address(self, row: int) -> int:
        return int(self._rows[row:].ctypes.data)

    def bars(self, many: int) -> Array:
        """(many, cells and further numbers, lanes) adjoints, zero."""
        return aligned(many * len(self._all) * self.lanes).reshape(many, len(self._all), self.lanes)

    def start(self, first: Array, begin: float) -> int:
        """The start of the run from these cells. Returns not 0 where the course is left, as `advance` does."""
        self.cells[:] = first
        self._all[self.size : self.size + 2] = begin
        left = self._part_forward(self._address(-1), self._all.ctypes.data, self._same.ctypes.data)
        self._begun[:] = self._all
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
        self._all[:] = self._begun
        where = (self._all.ctypes.data, bar.ctypes.data, self._valuebars.ctypes.data)
        self._sample_back(self._address(len(self.recorded.step)), *where, seeds.ctypes.data)
        self._part_back(self._address(-1), *where, self._same.ctypes.data, self._room.ctypes.data)


def state_of(recorded: Recorded) -> Any:
    """Places among the cells carried of those that a step changes and reads before it writes them."""
    needed, written = set[int](), set[int]()
    for part in recorded.step:
        one, left = recorded.functions[part.function], recorded.left[part.function]
        needed |= one.cells_read(one.found[k] for k in left) - written
        written |= left
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    return np.array(sorted(places[k] for k in needed & written), dtype=np.int32)


def _left(recording: Recording, cells: Set[int], moving: Set[int], places: Places) -> Any:
    """A recording, the places of cells that it leaves something in and what, and the cells that move before it."""
    return recording, [(places[CELL, cell], recording.found[cell]) for cell in sorted(cells)], moving


def _moves(one: Pieces, asked: list[tuple[int, Key]], places: Places) -> tuple[Any, int, int, int]:
    """What goes from values, those that move first, and then from cells: to where, from where; how many of each, and
    how many values move."""
    moving, still, others = list[tuple[int, int]](), list[tuple[int, int]](), list[tuple[int, int]]()
    for place, key in asked:
        if not isinstance(key, int):
            others.append((place, places[CONSTANT, float(key).hex()]))
        elif one.nodes[key][0] == "in":
            others.append((place, places[CELL, one.nodes[key][1]]))
        else:
            (moving if key in one.moving else still).append((place, one.places[key]))
    every = [*moving, *still, *others]
    told = [place for place, _ in every] + [source for _, source in every]
    return np.array(told, dtype=np.int32), len(moving) + len(still), len(others), len(moving)
