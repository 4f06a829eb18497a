"""Where code of converged steps in pieces (`newton_shapes`) finds its numbers: arrays, which files keep as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.shapes_layout import as_arrays, told_fields

Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]
PARTS = ("begin", "residual", "matrix", "solve", "end")
SEQUENCES = ("start", "begun", *PARTS, "shown")  # calls in a row; `begun` is the sample of the start


class Solved(NamedTuple):
    """Linear equations between two parts of the start: places of the matrix, the right side, the solution, and which of
    the first two move."""

    matrix: Ints
    right: Ints
    solution: Ints
    matrix_moves: Marks
    right_moves: Marks

    @property
    def of_unknowns(self) -> tuple[NDArray[Any], ...]:
        """What it has for each unknown."""
        return self.right, self.solution, self.right_moves

    @property
    def of_entries(self) -> tuple[NDArray[Any], ...]:
        """What it has for each entry of the matrix."""
        return self.matrix, self.matrix_moves


class NewtonLayout(NamedTuple):
    """Where code of such a run finds its numbers, as `shapes_layout.Layout` says.

    backs : of each shape, whether it hands adjoints on. state : places of the cells of a row. taken : of those that
    come from the row behind a step, the first of a row. unknowns : of z among these; weights : places of the cells of
    their weights in the norm of what is left, -1 where there is none; counted : whether they count there as they are.
    corrections, corrected : where the right side of the linear equations stands, and which of these that is, of what
    moves. matrix : where their entries stand. started : how many pieces each part of the start has; solved : the
    equations between these.
    """

    lanes: int
    cells: int
    room: int
    times: int
    code: str
    constants_at: Ints
    constants: NDArray[np.float64]
    kinds: Ints
    sequence: Ints
    words: Ints
    tables: Ints
    backs: Marks
    written: Ints
    sources: Ints
    moves: Marks
    taken: Ints
    began: Ints
    began_from: Ints
    began_moves: Marks
    unknowns: Ints
    shown: Ints
    first_shown: Ints
    shown_moves: Marks
    state: Ints
    weights: Ints
    counted: Marks
    corrections: Ints
    corrected: Ints
    matrix: Ints
    started: Ints
    solved: tuple[Solved, ...]

    @property
    def sound(self) -> bool:
        """Whether all of it leads to where it should: of a layout that was read."""
        n, entries = len(self.unknowns), len(self.matrix)
        rows = np.bincount(self.kinds[self.kinds >= 0], minlength=len(self.words))
        alike = (
            (self.kinds, self.sequence),
            (self.words, self.backs),
            (self.constants_at, self.constants),
            (self.written, self.sources, self.moves),
            (self.began, self.began_from, self.began_moves),
            (self.shown, self.first_shown, self.shown_moves),
            (self.corrections, self.corrected),
            (self.unknowns, self.weights, self.counted, *(each for one in self.solved for each in one.of_unknowns)),
            (self.matrix, *(each for one in self.solved for each in one.of_entries)),
        )
        of_solved = [places for one in self.solved for places in (one.matrix, one.right, one.solution)]
        from_run = (self.taken, self.unknowns, self.corrections, self.matrix, *of_solved)
        within = {
            len(self.words): (self.kinds,),
            len(SEQUENCES): (self.sequence,),
            self.cells: (self.written, self.began, self.state, self.weights[self.weights != -1]),
            self.room: (self.constants_at, self.sources, self.began_from, self.shown, self.first_shown, *from_run),
            self.room + 1: (self.tables,),  # a piece that leaves nothing may begin behind all places
            n: (self.corrected,),
        }
        return (
            self.lanes > 0
            and self.cells <= self.times <= self.room - 2
            and entries > 0
            and len(self.unknowns) <= len(self.taken) <= len(self.state)
            and len(self.started) == len(self.solved) + 1
            and int(np.sum(self.started)) == int(np.sum(self.sequence == SEQUENCES.index("start")))
            and bool(np.all(self.started >= 0))
            and all(len(one) == len(some[0]) for some in alike for one in some)
            and all(bool(np.all((one >= 0) & (one < most))) for most, several in within.items() for one in several)
            and len(rows) == len(self.words)
            and int(rows @ self.words) == len(self.tables)
        )

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[Any]]) -> NewtonLayout | None:
        """Of arrays by name (`arrays`); None where something is missing, or not `sound`."""
        try:
            every = range(int(arrays["equations"].item()))
            solved = [told_fields(Solved, {name: arrays[f"{k} {name}"] for name in Solved._fields}) for k in every]
            made = cls(**told_fields(cls, arrays), solved=tuple(Solved(**one) for one in solved))
            return made if made.sound else None
        except (KeyError, ValueError):
            return None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays by name."""
        told = as_arrays(self._replace(solved=())) | {"equations": np.array(len(self.solved))}
        del told["solved"]
        return told | {f"{k} {name}": of for k, one in enumerate(self.solved) for name, of in as_arrays(one).items()}
