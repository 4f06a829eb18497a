"""Converged steps of a large mechanism, and the start of their run, cut into pieces of few shapes (`shapes`).

Parts of a step (`tangent_steps`) stand in one room, as those of explicit steps do (`shapes_linked`): what a part leaves
in a cell is read there by the parts behind it. The unknowns behind a step have places of their own, since they come
from the run. Where they are predicted is left out: adjoints do not go there. Linear equations are solved by kernels
(`linear_nodes`); what they solve for has places of its own, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.engine import stamp
from linkwork.lanes.traced.linear_nodes import RecordedStart
from linkwork.lanes.traced.newton_layout import PARTS, SEQUENCES, NewtonLayout, Solved
from linkwork.lanes.traced.newton_loops import loops
from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.shape_text import Columns
from linkwork.lanes.traced.shapes import CELL, Shapes
from linkwork.lanes.traced.shapes_layout import functions_of, numbers_of
from linkwork.lanes.traced.shapes_linked import Calls, Cut, Places
from linkwork.lanes.traced.tangent_steps import SAMPLE, RecordedTangents

Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class NewtonRecord:
    """A recorded step, and the start before it.

    given, moving : cells that move before the start, and behind it, in any step. left : the cells that each part of a
    step writes. carried : those that anything reads, in order. taken : those that come from the run behind a step.
    kept : these, and then those that stand between steps. fixed : others that a step reads before it writes them.
    starts : the cells that each part of the start leaves something in.
    """

    recorded: RecordedTangents
    start: RecordedStart
    given: frozenset[int]
    moving: frozenset[int]
    left: dict[str, frozenset[int]]
    carried: tuple[int, ...]
    taken: tuple[int, ...]
    kept: tuple[int, ...]
    fixed: tuple[int, ...]
    starts: list[frozenset[int]]

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """All of it."""
        return *self.start.parts, *self.recorded.parts.values()

    @classmethod
    def of(
        cls,
        recorded: RecordedTangents,
        start: RecordedStart,
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
        solved = start.equations
        carried = {*taken, *shows, *shown, *solved.matrix, *solved.right, *solved.solution, *recorded.residual}
        carried |= weights
        before = set[int]()
        while carried != before:
            before = set(carried)
            for name, part in parts.items():
                carried |= part.cells_read(part.found[k] for k in carried & leaves[name])
        left = {name: frozenset(carried & leaves[name]) for name in PARTS}
        needed = {*shows, *solved.matrix, *solved.right}
        for name, part in reversed(parts.items()):
            needed -= left[name]
            needed -= {*taken} if name == "begin" else set()
            needed |= part.cells_read(part.found[k] for k in left[name])
        stands = (needed | poses) & ({*changed, *taken}.union(*left.values()))
        starts, read = start.left(carried)
        carried |= read.union(*starts)
        kept = (*taken, *sorted(stands - {*taken}))
        fixed, moves = tuple(sorted(needed - {*kept})), frozenset(moving)
        return cls(recorded, start, given, moves, left, tuple(sorted(carried)), taken, kept, fixed, starts)


class LinkedSteps(Calls):
    """All calls of a run of an implicit method, in the order of a step, start and samples about it. parts : by name.
    starts : parts of the start.

    taken : places of what comes from the row behind a step. began, began_from, began_moves : places of cells that the
    start writes, of what they hold behind it, and whether that moves; cells, sources, moves : likewise of a step.
    solved : equations of the start. rights, rights_move, matrix : of a step's.
    """

    def __init__(self, record: NewtonRecord, starts: list[Cut], parts: dict[str, Cut], places: Places) -> None:
        here, recorded = np.arange(len(places)), record.recorded
        super().__init__(SEQUENCES, len(places) + len(record.taken))
        self.taken: Ints = len(places) + np.arange(len(record.taken))
        self._places, equations = places, record.start.equations
        self._link_start(record, starts, here)
        self.first_shown, _ = self._shown(self._call(parts[SAMPLE], "begun", here))
        now, moving = here, dict[int, bool]()
        taken_at = self._at(record.taken)
        for name in PARTS:
            now = self._linked(parts[name], name, now, moving)
            if name == "begin":
                now[taken_at] = self.taken
                moving.update((int(place), True) for place in taken_at[: len(recorded.unknowns)])
                moving.update((int(place), False) for place in taken_at[len(recorded.unknowns) :])
            if name == "solve":
                at = self._at(equations.right)
                self.rights, self.matrix = now[at], now[self._at(equations.matrix)]
                self.rights_move = np.array([moving.get(place, False) for place in at.tolist()], dtype=bool)
        self.cells: Ints = np.array(sorted(moving), dtype=np.int64)
        self.sources: Ints = now[self.cells]
        self.moves = np.array([moving[k] for k in self.cells.tolist()], dtype=bool)
        self.shown, self.shown_moves = self._shown(self._call(parts[SAMPLE], "shown", now))
        self.meeting = [self.sources, self.shown, self.first_shown, self.rights]

    def _at(self, cells: Iterable[int]) -> Ints:
        return np.array([self._places[CELL, k] for k in cells], dtype=np.int64)

    def _linked(self, cut: Cut, sequence: str, now: Ints, moving: dict[int, bool]) -> Ints:
        """Where all stands behind a call. moving : changed, cells that were written and whether they move."""
        called = self._call(cut, sequence, now)
        now = now.copy()
        written = np.array(list(cut.left), dtype=np.int64)
        now[written] = called.found_at(np.array(list(cut.left.values()), dtype=np.int64))
        moving.update(cut.moves)
        return now

    def _link_start(self, record: NewtonRecord, starts: list[Cut], here: Ints) -> None:
        now, moving = here, {int(k): True for k in self._at(record.given & {*record.carried})}
        before, solved, equations = dict(moving), list[Solved](), record.start.equations
        matrix, right, solution = map(self._at, (equations.matrix, equations.right, equations.solution))
        for k, cut in enumerate(starts):
            now = self._linked(cut, "start", now, moving)
            if k + 1 < len(starts):
                found = self.size + np.arange(len(solution))
                self.size += len(solution)
                moves = [
                    np.array([moving.get(at, False) for at in some.tolist()], dtype=bool) for some in (matrix, right)
                ]
                solved.append(Solved(now[matrix], now[right], found, *moves))
                now[solution] = found
                moving.update(dict.fromkeys(solution.tolist(), bool(moves[0].any() or moves[1].any())))
        written = {place for cut in starts for place in cut.left}.union(solution.tolist())
        self.solved, self.began = tuple(solved), np.array(sorted(written), dtype=np.int64)
        self.began_from, began = now[self.began], {**before, **moving}
        self.began_moves = np.array([began.get(k, False) for k in self.began.tolist()], dtype=bool)


def laid_out(record: NewtonRecord, lanes: int) -> tuple[NewtonLayout, str]:
    """The layout of a run that goes backwards for so many functions at once, and the text of its code."""
    shapes, places, recorded = Shapes(), Places(record.carried), record.recorded
    sample, residual = recorded.parts[SAMPLE], frozenset(recorded.residual)
    moving = record.moving - residual - frozenset(recorded.corrections)
    move = dict.fromkeys((*PARTS, SAMPLE), moving) | {"matrix": frozenset(), "solve": residual}
    asked = {name: _left(recorded.parts[name], record.left[name], places) for name in PARTS}
    asked[SAMPLE] = list(enumerate(sample.samples))
    begins = [_left(one, left, places) for one, left in zip(record.start.parts, record.starts, strict=True)]
    every_part = [(recorded.parts[name], of, move[name]) for name, of in asked.items()]
    every_part += list(zip(record.start.parts, begins, record.start.moving(record.given), strict=False))
    pieces = [shapes.cut(one, [k for _, k in of], moves) for one, of, moves in every_part]
    for one in pieces:
        one.give_places()
    cuts = [Cut.of(one, of, places) for one, (_, of, _) in zip(pieces, every_part, strict=True)]
    parts, starts = dict(zip(asked, cuts, strict=False)), cuts[len(asked) :]
    weights = np.array([places[CELL, k] if k >= 0 else -1 for k in recorded.weights], dtype=np.int64)
    linked, every = LinkedSteps(record, starts, parts, places), list(shapes.by_key.values())
    columns, kinds = [Columns(shape, linked.rows(shape)) for shape in every], linked.kinds(every)
    functions, backs = functions_of(lanes, linked, columns, kinds, places.constants)
    text = "\n".join((*functions, loops(lanes, len(sample.samples))))
    shows = sample.cells_read(sample.samples)
    unknowns = linked.taken[: len(recorded.unknowns)]
    return NewtonLayout(
        lanes=lanes,
        cells=len(record.carried),
        room=linked.size,
        times=places[CELL, "t"],
        code=stamp(text),
        **numbers_of(linked, columns, kinds, places),
        backs=backs,
        written=linked.cells,
        sources=linked.sources,
        moves=linked.moves,
        began=linked.began,
        began_from=linked.began_from,
        began_moves=linked.began_moves,
        shown=linked.shown,
        first_shown=linked.first_shown,
        shown_moves=linked.shown_moves,
        state=np.array([places[CELL, k] for k in record.kept], dtype=np.int64),
        taken=linked.taken,
        unknowns=unknowns,
        weights=weights,
        counted=np.array([k in shows for k in recorded.unknowns], dtype=bool),
        corrections=linked.rights[linked.rights_move],
        corrected=np.flatnonzero(linked.rights_move),
        matrix=linked.matrix,
        started=np.array([len(one.pieces.pieces) for one in starts], dtype=np.int64),
        solved=linked.solved,
    ), text


def _left(recording: Recording, cells: Set[int], places: Places) -> list[tuple[int, Key]]:
    """The places of cells that a recording leaves something in, and what."""
    return [(places[CELL, cell], recording.found[cell]) for cell in sorted(cells)]
