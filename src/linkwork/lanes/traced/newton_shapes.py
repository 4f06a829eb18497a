"""Converged steps of a large mechanism, and the start of their run, cut into pieces of few shapes (`shapes`).

Parts of a step (`tangent_steps`) stand in one room, as those of explicit steps do (`shapes_linked`): what a part leaves
in a cell is read there by the parts behind it. The unknowns behind a step have places of their own, since they come
from the run. Where they are predicted is left out: adjoints do not go there.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.engine import stamp
from linkwork.lanes.traced.newton_loops import loops
from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.shape_text import Columns
from linkwork.lanes.traced.shapes import CELL, Shapes
from linkwork.lanes.traced.shapes_layout import functions_of
from linkwork.lanes.traced.shapes_linked import Calls, Cut, Places
from linkwork.lanes.traced.tangent_steps import SAMPLE, RecordedTangents

Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]
PARTS = ("begin", "residual", "matrix", "solve", "end")
SEQUENCES = ("start", "begun", *PARTS, "shown")  # calls in a row; `begun` is the sample of the start


@dataclass(frozen=True)
class NewtonRecord:
    """A recorded step, and the start before it.

    given, moving : cells that move before the start, and behind it, in any step. left : the cells that each part of a
    step writes. carried : those that anything reads, in order. taken : those that come from the run behind a step.
    kept : these, and then those that stand between steps. fixed : others that a step reads before it writes them.
    """

    recorded: RecordedTangents
    start: Recording
    given: frozenset[int]
    moving: frozenset[int]
    left: dict[str, frozenset[int]]
    carried: tuple[int, ...]
    taken: tuple[int, ...]
    kept: tuple[int, ...]
    fixed: tuple[int, ...]

    @classmethod
    def of(
        cls,
        recorded: RecordedTangents,
        start: Recording,
        given: frozenset[int],
        moving: frozenset[int],
        changed: Set[int],
        shown: Iterable[int],
        poses: Set[int],
    ) -> NewtonRecord:
        """changed : cells that the first steps, or searches of these, have changed. shown : further cells that
        adjoints are handed to behind the start. poses : cells that are kept of each step besides, as far as they
        change."""
        parts, sample = {name: recorded.parts[name] for name in PARTS}, recorded.parts[SAMPLE]
        taken = (*recorded.unknowns, *recorded.contacts)
        leaves = {name: frozenset(part.found) for name, part in parts.items()}
        leaves["begin"] -= frozenset(recorded.unknowns)
        weights = {k for k in recorded.weights if k >= 0}
        shows = sample.cells_read(sample.samples)
        carried = {*taken, *shows, *shown, *recorded.corrections, *recorded.residual, *weights}
        before = set[int]()
        while carried != before:
            before = set(carried)
            for name, part in parts.items():
                carried |= part.cells_read(part.found[k] for k in carried & leaves[name])
        left = {name: frozenset(carried & leaves[name]) for name in PARTS}
        needed = set(shows)
        for name, part in reversed(parts.items()):
            needed -= left[name]
            needed -= {*taken} if name == "begin" else set()
            needed |= part.cells_read(part.found[k] for k in left[name])
        stands = (needed | poses) & ({*changed, *taken}.union(*left.values()))
        carried |= start.cells_read(start.found[k] for k in carried & start.found.keys())
        kept = (*taken, *sorted(stands - {*taken}))
        fixed, moves = tuple(sorted(needed - {*kept})), frozenset(moving)
        return cls(recorded, start, given, moves, left, tuple(sorted(carried)), taken, kept, fixed)


class NewtonLayout(NamedTuple):
    """Where code of such a run finds its numbers, as `shapes_layout.Layout` says.

    backs : of each shape, whether it hands adjoints on. state : places of the cells of a row. taken : of those that
    come from the row behind a step, the first of a row. unknowns : of z among these; weights : places of the cells of
    their weights in the norm of what is left, -1 where there is none; counted : whether they count there as they are.
    corrections, corrected : where the solution of the linear equations leaves delta, and the unknowns that they
    correct, of those that move.
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
    began: Ints
    began_from: Ints
    began_moves: Marks
    shown: Ints
    first_shown: Ints
    shown_moves: Marks
    state: Ints
    taken: Ints
    unknowns: Ints
    weights: Ints
    counted: Marks
    corrections: Ints
    corrected: Ints


class LinkedSteps(Calls):
    """All calls of a run of an implicit method, in the order of a step, start and samples about it. parts : by name.

    taken : places of what comes from the row behind a step. cells, sources, moves : as of `shapes_linked.Linked`.
    deltas, deltas_move : where the solution leaves corrections."""

    def __init__(self, record: NewtonRecord, parts: dict[str, Cut], places: Places) -> None:
        here, recorded = np.arange(len(places)), record.recorded
        super().__init__(SEQUENCES, len(places) + len(record.taken))
        self.taken: Ints = len(places) + np.arange(len(record.taken))
        self.began = self._call(parts["start"], "start", here)
        self.first_shown, _ = self._shown(self._call(parts[SAMPLE], "begun", here))
        now, moving = here, dict[int, bool]()
        taken_at = np.array([places[CELL, k] for k in record.taken], dtype=np.int64)
        for name in PARTS:
            called = self._call(parts[name], name, now)
            now = now.copy()
            written = np.array(list(called.cut.left), dtype=np.int64)
            now[written] = called.found_at(np.array(list(called.cut.left.values()), dtype=np.int64))
            moving.update(called.cut.moves)
            if name == "begin":
                now[taken_at] = self.taken
                moving.update((int(place), True) for place in taken_at[: len(recorded.unknowns)])
                moving.update((int(place), False) for place in taken_at[len(recorded.unknowns) :])
            if name == "solve":
                at = [places[CELL, k] for k in recorded.corrections]
                self.deltas: Ints = now[at]
                self.deltas_move = np.array([called.cut.moves.get(place, False) for place in at], dtype=bool)
        self.cells: Ints = np.array(sorted(moving), dtype=np.int64)
        self.sources: Ints = now[self.cells]
        self.moves = np.array([moving[k] for k in self.cells.tolist()], dtype=bool)
        self.shown, self.shown_moves = self._shown(self._call(parts[SAMPLE], "shown", now))
        self.meeting = [self.sources, self.shown, self.first_shown, self.deltas]


def laid_out(record: NewtonRecord, lanes: int) -> tuple[NewtonLayout, str]:
    """The layout of a run that goes backwards for so many functions at once, and the text of its code."""
    shapes, places, recorded = Shapes(), Places(record.carried), record.recorded
    sample, residual = recorded.parts[SAMPLE], frozenset(recorded.residual)
    moving = record.moving - residual - frozenset(recorded.corrections)
    move = dict.fromkeys((*PARTS, SAMPLE), moving) | {
        "start": record.given, "matrix": frozenset(), "solve": residual
    }  # fmt: skip
    began = frozenset(record.start.found) & frozenset(record.carried)
    asked = {name: _left(recorded.parts[name], record.left[name], places) for name in PARTS}
    asked |= {SAMPLE: list(enumerate(sample.samples)), "start": _left(record.start, began, places)}
    cut = {
        name: shapes.cut(record.start if name == "start" else recorded.parts[name], [k for _, k in of], move[name])
        for name, of in asked.items()
    }
    for one in cut.values():
        one.give_places()
    parts = {name: Cut.of(one, asked[name], places) for name, one in cut.items()}
    weights = np.array([places[CELL, k] if k >= 0 else -1 for k in recorded.weights], dtype=np.int64)
    linked, every = LinkedSteps(record, parts, places), list(shapes.by_key.values())
    columns, kinds = [Columns(shape, linked.rows(shape)) for shape in every], linked.kinds(every)
    functions, backs = functions_of(lanes, linked, columns, kinds, places.constants)
    text = "\n".join((*functions, loops(lanes, len(sample.samples))))
    begins, shows = linked.began.cut, sample.cells_read(sample.samples)
    began_at = np.array(sorted(begins.left), dtype=np.int64)
    unknowns = linked.taken[: len(recorded.unknowns)]
    return NewtonLayout(
        lanes=lanes,
        cells=len(record.carried),
        room=linked.size,
        times=places[CELL, "t"],
        code=stamp(text),
        constants_at=np.array(list(places.constants), dtype=np.int64),
        constants=np.array(list(places.constants.values()), dtype=float),
        kinds=kinds,
        sequence=linked.sequence.astype(np.int64),
        words=np.array([one.tables.shape[1] for one in columns], dtype=np.int64),
        tables=np.concatenate([one.tables.ravel() for one in columns]).astype(np.int64),
        backs=backs,
        written=linked.cells,
        sources=linked.sources,
        moves=linked.moves,
        began=began_at,
        began_from=linked.began.found_at(np.array([begins.left[k] for k in began_at.tolist()], dtype=np.int64)),
        began_moves=np.array([begins.moves[k] for k in began_at.tolist()], dtype=bool),
        shown=linked.shown,
        first_shown=linked.first_shown,
        shown_moves=linked.shown_moves,
        state=np.array([places[CELL, k] for k in record.kept], dtype=np.int64),
        taken=linked.taken,
        unknowns=unknowns,
        weights=weights,
        counted=np.array([k in shows for k in recorded.unknowns], dtype=bool),
        corrections=linked.deltas[linked.deltas_move],
        corrected=unknowns[linked.deltas_move],
    ), text


def _left(recording: Recording, cells: Set[int], places: Places) -> list[tuple[int, Key]]:
    """The places of cells that a recording leaves something in, and what."""
    return [(places[CELL, cell], recording.found[cell]) for cell in sorted(cells)]
