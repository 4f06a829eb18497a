"""The reverse of a run whose steps are recorded once and become straight-line code (`lanes.traced`).

What `adjoint_run` does for every explicit run, done for those that can be recorded, in steps of one size. A step
costs a few plain ones, whatever is moved; making the code costs up to seconds: `traced` says when it pays. Steps of a
few bodies are one function (`lanes.traced.reverse_code`), longer ones pieces of few shapes (`shapes_code`). The run is
kept at the beginning of each part; a part is taken again with its tape, which is what its steps begin from, and then
followed backwards. A run whose whole tape is short has one part. Where equations are solved anew in the record
(`lanes.traced.newton_euler`), steps follow the run wherever its memory was kept (`memory_tape`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_run import Seeds
from linkwork.derivatives.memory_tape import MemoryTape
from linkwork.derivatives.states_tape import StatesTape
from linkwork.derivatives.tangent_run import SAMPLED, Prepared
from linkwork.derivatives.tape import Array, Ints
from linkwork.derivatives.traced import addresses_of, same_but_for_rounding
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.reverse_code import ReverseCode
from linkwork.lanes.traced.reversible import reversible
from linkwork.lanes.traced.shape_text import WIDE
from linkwork.lanes.traced.shapes_code import ShapesCode
from linkwork.lanes.traced.shapes_layout import state_of
from linkwork.lanes.traced.step import Recorded, Recorder
from linkwork.status import Status

SHORT = 2**22  # numbers of a tape that is not worth dividing: 32 MB
AT_ONCE = 4  # functions
SEEN = 8  # steps of the run that are taken again to see that they come to the same
APART = 1e-6  # of the largest number of a state: what rounding may grow to in a part of a run
NEAR = 2.0**-20  # of the size of a number: how far it is moved to see what follows from it
MOST_IN_PIECES = 2_000_000  # operations: what is recorded takes about a second for 100,000


class TracedAdjoint:
    """A prepared run to be reversed, its steps recorded.

    prepare : makes the run, with room for so many samples. moving : (reals,) which of `Prepared.reals` move at the
    start. part : steps of a part, the best length if left out. alone : makes the run with memory that no other run
    reads; if left out, it takes longer to see what changes. tape : what was kept of the run itself, if that was carried
    out before, as it has to be where equations are solved anew. cell_of : (reals,) columns of `gradients`, the last,
    which is zero, for what nothing depends on. Raises NotTracedError where a step cannot be recorded, or not be
    differentiated.
    """

    def __init__(
        self,
        prepare: Callable[[int], Prepared],
        moving: NDArray[np.bool_],
        part: int | None = None,
        alone: Callable[[], Prepared] | None = None,
        tape: MemoryTape | None = None,
    ) -> None:
        self.prepare, prepared = prepare, prepare(1)
        run = self.run = prepared.run
        instead = in_place_of(run.problem)
        recorder = Recorder(run, instead, MOST_IN_PIECES)
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moving)], dtype=np.int64)
        given = frozenset(cells[cells >= 0].tolist()) | recorder.measures
        likely = frozenset[int]()
        if not instead:
            likely = recorder.lengths | (that_follow(alone, moving) if alone else frozenset())
        back, self._likely = reversible(recorder, given, likely), likely
        self.back, self.moves = back, back.moves
        places = {cell: k for k, cell in enumerate(back.carried)}
        self.size = len(places)
        self.cell_of: Ints = np.full(len(moving), self.size, dtype=np.int64)
        self.cell_of[np.flatnonzero(moving)] = [places.get(int(cell), self.size) for cell in cells]
        self.first = aligned(self.size)
        self.first[:] = recorder.cells.values[list(back.carried)]
        self.part: int | None = part
        self.tape: StatesTape | MemoryTape | None = tape
        self._follows = bool(instead)
        held = set(state_of(self.recorded).tolist()) if instead else set()
        held |= {places[cell] for cell in self._shown} if instead else set()
        self._held: Ints = np.array(sorted(held), dtype=np.int64)  # what a step begins with or a sample is made of
        self._held_cells: Ints = np.array(back.carried, dtype=np.int64)[self._held]

    @property
    def _shown(self) -> set[int]:
        """Cells that a sample is made of, of those carried."""
        sample = self.recorded.sample
        return sample.cells_read(sample.samples) & set(self.back.carried)

    @property
    def recorded(self) -> Recorded:
        """The record of a step."""
        return self.back.need_record(self._again)

    def _again(self) -> Recorded:
        return Recorder(self.prepare(1).run, None, MOST_IN_PIECES).anew(self.back.given, self._likely)

    @contextmanager
    def code(self, lanes: int) -> Iterator[ReverseCode | ShapesCode]:
        """Compiled functions, backwards for so many functions of the run at once; with memory of their own, which
        nobody else uses within."""
        code = self.back.made.pop(lanes, None)
        if code is None:
            of_one = self.back.one
            code = ReverseCode(self.recorded, lanes) if of_one else self.back.in_pieces(lanes, self._again)
        yield code
        self.back.made[lanes] = code

    def steps_of_part(self, code: ReverseCode | ShapesCode) -> int:
        """How many are kept at once."""
        total, step = self.run.total, code.kept
        best = max(1, round((total * self.size / step) ** 0.5))
        return self.part or (total if total * step <= SHORT else max(best, SHORT // (4 * step)))

    def samples(self) -> dict[str, Array]:
        """Those of the run as it is, arrays as compiled code writes them."""
        if self.tape is not None:
            return self.tape.samples
        return self.prepare(0).samples()

    def gradients(self, seeds: Seeds) -> Array:
        """(functions, size + 1) derivatives by every number at the start. seeds : those by the samples. Raises
        NotTracedError where the run leaves the course that was recorded."""
        several = len(next(iter(seeds.values())))
        lanes = 1 if several == 1 else AT_ONCE
        with self.code(lanes) as code:
            found = self._by_code(code, sown(seeds, lanes))
        moving = [place for place in np.unique(self.cell_of).tolist() if place < self.size]
        if not np.isfinite(found[:, moving]).all():  # a root of zero, for example, which compiled kernels leave out
            raise NotTracedError("an infinite derivative")
        out = np.zeros((several, self.size + 1))
        out[:, moving] = found.transpose(0, 2, 1).reshape(-1, self.size)[:several, moving]
        return out

    def _by_code(self, code: ReverseCode | ShapesCode, several_seeds: Array) -> Array:
        """(chunks, size, lanes) derivatives. several_seeds : (chunks, samples, numbers, lanes)."""
        bars = code.bars(len(several_seeds))
        run, strayed = self.run, 0
        begin, h, every = float(run.run.start_time[0]), float(run.run.step[0]), run.every
        begins, part, tape, filled = self._forwards(code)
        for first, state in reversed(begins):
            steps = min(part, run.total - first)
            if first not in filled:
                strayed |= self._taken_again(code, tape, state, steps, first)
            for bar, seed in zip(bars, several_seeds, strict=True):
                at = seed[1 + first // every :]
                strayed |= code.backward(tape, bar, at, steps, every, first, begin, h)
        if strayed:
            raise NotTracedError("another course of the run")
        for bar, seed in zip(bars, several_seeds, strict=True):
            code.back_start(bar, seed, begin)
        return np.array([bar[: self.size] for bar in bars])

    def _taken_again(self, code: ReverseCode | ShapesCode, tape: Array, state: Array, steps: int, first: int) -> int:
        """Fill the tape of a part, by steps from places whose states were kept all at once."""
        kept, each = self.states, steps // WIDE
        if kept is None or not isinstance(code, ShapesCode) or steps % WIDE or each % kept.distance:
            code.cells[:] = state
            strayed = self._advanced(code, tape, steps, first)
            self._need_near(code.cells, first + steps)
            return strayed
        begin, h = float(self.run.run.start_time[0]), float(self.run.run.step[0])
        cells = np.stack([kept.begins[(first + k * each) // kept.distance] for k in range(WIDE)])
        strayed = code.advance_several(tape, cells, each, first, begin, h)
        for k, one in enumerate(cells):
            self._need_near(one, first + (k + 1) * each)
        return strayed

    def _advanced(self, code: ReverseCode | ShapesCode, tape: Array, steps: int, first: int) -> int:
        """So many steps with their tape, which follow the run where its memory was kept."""
        begin, h, kept = float(self.run.run.start_time[0]), float(self.run.run.step[0]), self.tape
        if not self._follows:
            return code.advance(tape, steps, first, begin, h)
        if not isinstance(kept, MemoryTape):
            raise NotTracedError("equations that are solved anew, of a run that was not kept")
        done, end, strayed = first, first + steps, 0
        while done < end and not strayed:
            ahead = min(end, kept.next_place(done)) - done
            strayed |= code.advance(tape[(done - first) * code.kept :], ahead, done, begin, h)
            done += ahead
            if kept.is_place(done):
                code.cells[self._held] = kept.at(done, self._held_cells, code.cells[self._held])
        return strayed

    def _forwards(self, code: ReverseCode | ShapesCode) -> tuple[list[tuple[int, Array]], int, Array, tuple[int, ...]]:
        """Steps with which parts begin, and the cells then; steps of a part; room for the tape of one, and with which
        steps the parts begin of which it holds that."""
        run, kept, cells = self.run, self.states, code.cells
        part = self.steps_of_part(code)
        strayed = code.start(self.first, float(run.run.start_time[0]))
        if kept is not None and strayed:
            raise NotTracedError("another course of the run")
        if kept is not None:
            self._need_near(cells, 0)
            if kept.rows is not None:
                self._need_same_steps(code, kept)
                return [(0, self.first)], run.total, kept.rows, (0,)
            several = WIDE * kept.distance
            part = several * max(1, round(part / several))
        tape = aligned((min(part, run.total) + 1) * code.kept)
        if kept is not None:
            every = part // kept.distance
            return [(k * kept.distance, kept.begins[k]) for k in range(0, len(kept.begins), every)], part, tape, ()
        begins: list[tuple[int, Array]] = []
        for first in range(0, run.total, part):
            begins.append((first, cells.copy()))
            strayed |= self._advanced(code, tape, min(part, run.total - first), first)
            if strayed or not np.isfinite(cells).all():
                raise NotTracedError("another course of the run")
        return begins, part, tape, (begins[-1][0],)

    @property
    def states(self) -> StatesTape | None:
        """What was kept of the run itself, if that is states."""
        return self.tape if isinstance(self.tape, StatesTape) and self.tape.in_pieces else None

    def _need_near(self, cells: Array, steps: int) -> None:
        """Raise NotTracedError where these are not the cells of the run after so many steps, if they were kept."""
        kept = self.states
        if kept is None or steps % kept.distance or steps // kept.distance >= len(kept.begins):
            return
        wanted = kept.begins[steps // kept.distance]
        found, wanted = (of[kept.state] if steps else of for of in (cells, wanted))
        if not float(np.max(np.abs(found - wanted))) <= APART * float(np.max(np.abs(wanted))):
            raise NotTracedError("steps that come to another state than the run")

    def _need_same_steps(self, code: ShapesCode | ReverseCode, kept: StatesTape) -> None:
        """The same for single steps of it."""
        rows = kept.rows
        assert rows is not None
        run, cells, states, room = self.run, code.cells.copy(), kept.state, aligned(2 * code.kept)
        begin, h = float(run.run.start_time[0]), float(run.run.step[0])
        for k in np.unique(np.linspace(0, run.total - 1, SEEN).astype(int)).tolist():
            code.cells[states] = rows[k]
            strayed = code.advance(room, 1, k, begin, h)
            found, wanted = code.cells[states], rows[k + 1]
            if strayed or not all(same_but_for_rounding([(found, wanted)])):
                raise NotTracedError("steps that come to another state than the run")
        code.cells[:] = cells


def that_follow(alone: Callable[[], Prepared], moving: NDArray[np.bool_]) -> frozenset[int]:
    """Cells of a run's memory (`lanes.traced.memory`) that follow from the numbers that move, or change in a step, as
    two runs of a step show, of which one begins a little off. None of them where that fails."""
    seen = [_begun_and_after(alone(), moving, by) for by in (0.0, NEAR)]
    if not all(seen):
        return frozenset()
    (begun, after), _ = seen
    differ = [(a != b) & ~(np.isnan(a) & np.isnan(b)) for a, b in (*zip(*seen, strict=True), (begun, after))]
    return frozenset(np.flatnonzero(np.any(differ, axis=0)).tolist())


def _begun_and_after(prepared: Prepared, moving: NDArray[np.bool_], by: float) -> list[Array]:
    """All cells at the start and a step later, from numbers that are off by so much of their size; [] if it fails."""
    rng, run, arrays = np.random.default_rng(1), prepared.run, prepared.reals.arrays
    for array, moves in zip(arrays, np.split(moving, np.cumsum([array.size for array in arrays])[:-1]), strict=True):
        which = np.flatnonzero(moves)
        array.flat[which] += by * rng.uniform(1.0, 2.0, len(which)) * (1.0 + np.abs(array.flat[which]))
    cells = Recorder(run).cells
    if run.initialise() != Status.OK:
        return []
    run.first()
    begun = cells.now
    return [begun, cells.now] if run.advance(1)[0] == Status.OK else []


def sown(seeds: Seeds, lanes: int) -> Array:
    """(chunks, samples, numbers, lanes) seeds as compiled code reads them."""
    flat = np.concatenate(
        [seeds[name].reshape(*seeds[name].shape[:2], -1) for name in SAMPLED if name in seeds], axis=2
    )
    many, samples, numbers = flat.shape
    chunks = -(-many // lanes)
    out = aligned(chunks * samples * numbers * lanes).reshape(chunks, samples, numbers, lanes)
    for k in range(many):
        out[k // lanes, :, :, k % lanes] = flat[k]
    return out
