"""A long recorded run forwards and backwards by pieces of few shapes (`shapes`): compiled loops over tables.

Steps are taken again from the cells that they change, several at once, their pieces leaving their values. Then pieces
are followed backwards, from the last of the last step to the first of the first.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.shape_text import WIDE
from linkwork.lanes.traced.shapes_layout import Layout
from linkwork.lanes.traced.shapes_linked import SEQUENCES
from linkwork.lanes.traced.shapes_loops import BARS

Array = NDArray[np.float64]


class PiecesCode:
    """Steps that go backwards by pieces.

    layout : where it finds everything; engine : machine code of the text that was laid out with it. size : cells that
    are carried."""

    _context: NDArray[np.int64]

    def __init__(self, layout: Any, engine: Any) -> None:
        self._engine, self.size, self.lanes = engine, layout.cells, layout.lanes
        self._all = aligned(layout.room * WIDE).reshape(-1, WIDE)
        self._all[layout.constants_at] = layout.constants[:, None]
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self._reverse = self._function("reverse", *[pointer] * 3, *[count] * 3, double, double)
        self._forwards = self._function("forwards", pointer, count, pointer)
        self._backwards = self._function("backwards", pointer, count, pointer, pointer)

    def _function(self, name: str, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(self._engine.get_function_address(name))

    def bars(self, many: int) -> Array:
        """(many, cells and further numbers, lanes) adjoints, zero."""
        return aligned(many * len(self._all) * self.lanes).reshape(many, len(self._all), self.lanes)

    def backward(
        self, tape: Array, bar: Array, seeds: Array, steps: int, every: int, first: int, begin: float, h: float
    ) -> int:
        """Back through these steps. seeds : (samples, numbers, lanes) of those within. Returns not 0
        where their course is left."""
        self._context[BARS] = bar.ctypes.data
        where = (self._context.ctypes.data, tape.ctypes.data, seeds.ctypes.data)
        return int(self._reverse(*where, steps, every, first, begin, h))


class ShapesCode(PiecesCode):
    """A recorded run that goes backwards by pieces. kept : numbers that a tape holds of each step. cells : as they are
    now."""

    def __init__(self, layout: Layout, engine: Any) -> None:
        super().__init__(layout, engine)
        self.layout, self.kept = layout, len(layout.state)
        self._several = aligned(WIDE * self.size).reshape(WIDE, self.size)
        self.cells = aligned(self.size)
        self._calls = self._called()
        self._connect()

    def _called(self) -> dict[str, Any]:
        """Of each sequence, its calls: addresses of functions and tables."""
        layout = self.layout
        calls, self._tables = calls_of(layout, self._engine.get_function_address)
        return {name: np.ascontiguousarray(calls[layout.sequence == k]) for k, name in enumerate(SEQUENCES)}

    def _connect(self) -> None:
        """Memory, and the tables that lead to it."""
        layout, calls, state = self.layout, self._calls, self.layout.state
        self._begins, self._ends = layout.cells, layout.cells + 1
        reverse = np.isin(layout.written, state)
        step = Moves(layout.written, layout.sources, layout.moves)
        back = Moves(layout.written[reverse], layout.sources[reverse], layout.moves[reverse])
        self._began = Moves(layout.began, layout.began_from, layout.began_moves)
        self._moves = step, back
        self._shown = Moves(np.arange(len(layout.shown)), layout.shown, layout.shown_moves)
        self._first_shown = Moves(np.arange(len(layout.shown)), layout.first_shown, layout.shown_moves)
        most = max(1, self.kept, self.size, *(len(one.to) for one in (step, self._shown)))
        self._same = np.arange(most, dtype=np.int32)
        self._state = state.astype(np.int32)
        self._aside = aligned(most * max(self.lanes, WIDE))
        self._begun = self._all.copy()
        self._shares = layout.shares.copy()
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
                layout.times,
                self._ends,
                *(x.ctypes.data for x in (self._same, self._aside, self._state)),
                self.kept,
                self.size,
            ],
            dtype=np.int64,
        )
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self._advance = self._function("advance", pointer, pointer, pointer, count, count, count, double, double)

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


def calls_of(layout: Any, address: Any) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(calls, 3) addresses of functions forward and back and of tables, and all tables, which have to outlive these.
    layout : a layout of pieces. address : of a function by name."""
    calls = np.zeros((len(layout.kinds), 3), dtype=np.int64)
    tables = layout.tables.astype(np.int32)
    at = tables.ctypes.data
    for k, words in enumerate(layout.words.tolist()):
        mine = np.flatnonzero(layout.kinds == k)
        stride = tables.itemsize * words
        calls[mine, :2] = address(f"shape{k}"), address(f"back{k}")
        calls[mine, 2] = at + stride * np.arange(len(mine))
        at += stride * len(mine)
    return calls, tables


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
