"""Converged steps of a large mechanism backwards by pieces of few shapes (`newton_shapes`): memory, tables, calls."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.newton_layout import SEQUENCES, NewtonLayout, Solved
from linkwork.lanes.traced.newton_loops import BACKWARD, DIFFERENCES, FORWARD, WORDS
from linkwork.lanes.traced.shapes_code import Moves, PiecesCode, calls_of
from linkwork.problems.transposed import FACTOR, MULTIPLY_TRANSPOSED, SOLVE_TRANSPOSED, TransposedEquations

Array = NDArray[np.float64]
FORWARD_PARTS = {
    "before": ("begin", "residual"),
    "unheard": ("matrix", "solve"),
    "behind": ("end",),
    "shown": ("shown",),
}


class NewtonShapesCode(PiecesCode):
    """Converged steps that go backwards by pieces, not 0 also where w does not settle. equations : of the matrix."""

    def __init__(self, layout: NewtonLayout, engine: Any, equations: TransposedEquations) -> None:
        super().__init__(layout, engine)
        self.layout, self.equations, self._results = layout, equations, np.zeros(2, dtype=np.int64)
        self._calls = self._called()
        step = Moves(layout.written, layout.sources, layout.moves)
        self._began = Moves(layout.began, layout.began_from, layout.began_moves)
        self._shown = Moves(np.arange(len(layout.shown)), layout.shown, layout.shown_moves)
        self._first_shown = Moves(np.arange(len(layout.shown)), layout.first_shown, layout.shown_moves)
        most = max(1, len(step.to), len(layout.unknowns))
        self._same, self._aside = np.arange(most, dtype=np.int32), aligned(most * self.lanes)
        self._scales = aligned(len(layout.unknowns) * self.lanes).reshape(-1, self.lanes)
        several = (layout.unknowns, layout.corrections, layout.corrected, layout.state, layout.taken, layout.matrix)
        self._tables_of = [one.astype(np.int32) for one in several]
        unknowns, corrections, corrected, state, taken, matrix = self._tables_of
        calls = [number for name in FORWARD for number in self._address(name)]
        calls += [number for name in BACKWARD for number in self._address(f"back_{name}")]
        words = [self._all.ctypes.data, 0, *calls, *step.words, *self._shown.words]
        words += [unknowns.ctypes.data, len(unknowns), self._scales.ctypes.data, corrections.ctypes.data]
        words += [corrected.ctypes.data, len(corrections), state.ctypes.data, len(state), taken.ctypes.data, len(taken)]
        entries = FACTOR, SOLVE_TRANSPOSED, MULTIPLY_TRANSPOSED
        (factor, call), (solve, _), (multiply, _) = (equations.call(one, self._results) for one in entries)
        numbers = equations.numbers
        words += [factor, solve, multiply, *call, numbers.values.ctypes.data, matrix.ctypes.data, len(matrix)]
        words += [
            numbers.w.ctypes.data,
            *(0, 0, 0),  # `backward` tells where w is
            layout.times,
            self._same.ctypes.data,
            self._aside.ctypes.data,
        ]
        self._context, self._step = np.array(words, dtype=np.int64), step

    def _called(self) -> dict[str, NDArray[np.int64]]:
        """Calls in a row by name: addresses of functions forward and back, and of tables. Backwards those alone that
        hand adjoints on."""
        layout = self.layout
        calls, self._rows = calls_of(layout, self._engine.get_function_address)
        number = {name: k for k, name in enumerate(SEQUENCES)}
        parts = {**{name: (name,) for name in SEQUENCES}, **FORWARD_PARTS}
        of = {name: np.isin(layout.sequence, [number[k] for k in names]) for name, names in parts.items()}
        back = layout.backs[layout.kinds]
        found = {name: np.ascontiguousarray(calls[which]) for name, which in of.items()}
        return found | {f"back_{name}": np.ascontiguousarray(calls[of[name] & back]) for name in SEQUENCES}

    def _address(self, name: str) -> tuple[int, int]:
        return self._calls[name].ctypes.data, len(self._calls[name])

    def bars(self, many: int) -> Array:
        """(many, cells and further numbers, lanes) adjoints, with what is known of w behind them, zero."""
        rows = len(self._all) + (1 + DIFFERENCES) * len(self.layout.corrections) + 1
        return aligned(many * rows * self.lanes).reshape(many, rows, self.lanes)

    def backward(
        self, tape: Array, bar: Array, seeds: Array, steps: int, every: int, first: int, begin: float, h: float
    ) -> int:
        """As of `PiecesCode`."""
        w, row = len(self._all), bar.strides[0]
        places = {"w": w, "differences": w + len(self.layout.corrections), "known": len(bar) - 1}
        for name, place in places.items():
            self._context[WORDS[name]] = bar.ctypes.data + row * place
        return super().backward(tape, bar, seeds, steps, every, first, begin, h)

    def start(self, first: Array, begin: float) -> tuple[int, Array]:
        """The start of the run from these cells: not 0 where its course is left, and what the cells hold behind it."""
        self._first, self._begins, left, room = first.copy(), begin, 0, self._all
        self._put(first)
        self.equations.forget()
        for k, part in enumerate(self._parts_of_start):
            left |= int(self._forwards(*part, room.ctypes.data))
            if k < len(self.layout.solved):
                equations = self.layout.solved[k]
                left |= not self.equations.factor(room[equations.matrix, 0])
                room[equations.solution] = self.equations.solved(room[equations.right, 0])[:, None]
        self._started = room[:, 0].copy()
        cells = first.copy()
        cells[self._began.to] = self._started[self._began.whence]
        return left, cells

    @property
    def _parts_of_start(self) -> list[tuple[int, int]]:
        """Calls of each part: where they stand, and how many."""
        calls, ends = self._calls["start"], np.cumsum(self.layout.started)
        begins = ends - self.layout.started
        return [(calls[a:].ctypes.data, int(b - a)) for a, b in zip(begins, ends, strict=True)]

    def _put(self, cells: Array) -> None:
        times = self.layout.times
        self._all[: self.size] = cells[:, None]
        self._all[times : times + 2] = self._begins

    def stand(self, begun: Array) -> None:
        """Cells are as they are behind the start."""
        layout = self.layout
        self._begun = begun.copy()
        self._put(begun)
        weights = np.where(layout.weights >= 0, begun[layout.weights], 1.0)
        weighed = np.where((layout.weights >= 0) | layout.counted, weights**-2, 0.0)
        self._scales[:] = weighed[:, None]

    def back_sample(self, bar: Array, seeds: Array) -> None:
        """Back through the sample at the start. seeds : (numbers, lanes)."""
        shown = self._first_shown
        self._put(self._begun)
        self._forwards(*self._address("begun"), self._all.ctypes.data)
        np.add.at(bar, shown.whence[: shown.moving], seeds[shown.order][: shown.moving])
        self._backwards(*self._address("back_begun"), self._all.ctypes.data, bar.ctypes.data)

    def back_start(self, bar: Array) -> None:
        """Back through the start."""
        began, room = self._began, self._all
        room[:] = self._started[:, None]
        room[: self.size] = self._first[:, None]
        taken = bar[began.to]
        bar[began.to] = 0.0
        np.add.at(bar, began.whence[: began.moving], taken[: began.moving])
        parts = self._parts_of_start
        for k in reversed(range(len(parts))):
            if k < len(self.layout.solved):
                self._back_solution(self.layout.solved[k], bar)
            self._backwards(*parts[k], room.ctypes.data, bar.ctypes.data)

    def _back_solution(self, of: Solved, bar: Array) -> None:
        """Back through the solution of equations: b_bar + w, A_bar - w x^T."""
        equations, room, x_bar = self.equations, self._started, bar[of.solution]
        bar[of.solution] = 0.0
        equations.factor(room[of.matrix])  # as it did before
        w = equations.solved_transposed(x_bar)
        np.add.at(bar, of.right[of.right_moves], w[of.right_moves])
        rows, columns = (some[of.matrix_moves] for some in (equations.rows, equations.columns))
        np.subtract.at(bar, of.matrix[of.matrix_moves], w[rows] * room[of.solution[columns]][:, None])
