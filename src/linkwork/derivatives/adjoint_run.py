"""The reverse of a run: derivatives of a few functions of its samples by all numbers that compiled code works on.

The run is taken once as it is, in parts, and all that changes is kept before each part. Then, from the last part to the
first, a part is taken again on numbers that record (`dual_tape`), from what was kept, and its record is read backwards.
Parts are as long as makes memory least: it grows with the square root of the number of steps (Griewank and Walther
2008, section 12.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.memory import Cells
from linkwork.derivatives.tangent_run import SAMPLED, Linked, Prepared, all_reals, begin_explicit, clock_of, floats_of
from linkwork.derivatives.tape import FULL, WORDS, Array, Ints, Tape
from linkwork.errors import UsageError
from linkwork.integrators.kinks import Clock, to_next_kink
from linkwork.problems.layout import address_table
from linkwork.status import Status

LOOKED_AT = 5  # samples that there is room for while parts are chosen
AHEAD = 6  # steps, at most
Seeds = Mapping[str, Array]  # name of an array of samples -> (functions, samples, ...)
_TAPE = Lock()  # there is one tape


@dataclass(frozen=True)
class Kept:
    """What a part of a run begins from. samples : recorded before. steps, taken : its steps and samples."""

    values: Array
    integers: list[NDArray[Any]]
    samples: int
    steps: int
    taken: int


class _GrownError(Exception):
    """More numbers move than was known."""


class AdjointRun:
    """A prepared run, taken in parts that can be reversed.

    prepared : with room for the samples of a part. moving : (reals,) which of `prepared.reals` move at the start.
    part : steps of a part.
    """

    def __init__(self, prepared: Prepared, moving: NDArray[np.bool_], part: int) -> None:
        from linkwork.derivatives.dual_tape import RECORDED

        self.prepared, self.run, self.part = prepared, prepared.run, part
        reals = all_reals(prepared)
        self.cells, self.integers = Cells(reals, 2), reals.integers
        self.places: Ints = self.cells.all.view(np.int64)[:, 1]  # of each number's record
        self.linked = Linked(prepared, self.cells, RECORDED)
        self.words, self.room, self.recording = self.linked.words, self.linked.room, self.linked.calls
        self.plain = {entry: entry for entry in prepared.calls}
        self.plain_room = address_table(prepared.block)
        arrays = [array for array in prepared.reals.arrays if array.size]
        self.cell_of = np.concatenate([self.cells.first_of(array) + np.arange(array.size) for array in arrays])
        self.moving = np.zeros(len(self.cells.all), bool)  # cells, at the start
        self.moving[self.cell_of[moving]] = True  # some have two places in `reals`
        self.active = self.moving.copy()  # cells, in the course of the run
        self.length, self.recorded = 1, 0  # records: of a step, of all parts
        self.begun = 1 if self.run.times is None else self.run._first  # samples of the start

    def keep(self) -> tuple[Array, list[NDArray[Any]]]:
        """All that changes, as it is now."""
        return self.cells.values, [array.copy() for array in self.integers]

    def restore(self, values: Array, integers: list[NDArray[Any]]) -> None:
        """Put it back, in the run and in the cells."""
        first = 0
        for array in self.cells.plain:
            array[:] = values[first : first + len(array)]
            first += len(array)
        self.cells.all[:, 0] = values
        for array, of in zip(self.integers, integers, strict=True):
            array[...] = of

    def begin(self, words: Any, room: Any, calls: Any) -> dict[str, Array]:
        """The start of the run. Returns its sample."""
        status, first = begin_explicit(self.run, self.cells, words, room, calls)
        self._need(status)
        return first

    def go_on(self, words: Any, room: Any, calls: Any, samples: int, steps: int) -> int:
        """Take so many steps, fewer where there is no room for more samples. Returns how many samples were recorded."""
        if self.run.times is None:
            status, done = calls[self.run._compiled()](words, steps, room)
        else:
            from linkwork.integrators.dense_output_kernels import ADVANCE_TO

            run = self.run
            first = self.begun + samples
            clock = Clock.of(run.run, run.kinks) if words is run._table else clock_of(self.prepared, self.cells)
            targets = run.times[first : first + len(self.prepared.block.time) - 1]

            def advance(wanted: Array, most: int) -> tuple[int, int]:
                status, recorded = calls[ADVANCE_TO](words, wanted, most, room)
                return status, recorded

            status, done = to_next_kink(clock, targets, steps, advance, run.forget_slope)
        self._need(status)
        return int(done)

    @staticmethod
    def _need(status: int) -> None:
        if status != Status.OK:
            raise UsageError(f"the run failed when it was taken again ({Status(status).name}).")

    def gradients(self, seeds: Seeds) -> Array:
        """(functions, cells) derivatives by every number at the start. seeds : those by the samples."""
        with _TAPE:
            tape, start = Tape(len(self.cells.all)), self.keep()
            self.look_ahead(tape, start)
            while True:
                try:
                    return self._reverse(tape, start, seeds)
                except _GrownError:
                    continue

    def samples(self) -> dict[str, Array]:
        """Those of the run as it is, arrays as compiled code writes them."""
        with _TAPE:
            start, told = self.keep(), list[dict[str, Array]]()
            self.forwards(told)
            self.restore(*start)
        return {name: np.concatenate([part[name] for part in told]) for name in ("time", *SAMPLED)}

    def forwards(self, told: list[dict[str, Array]] | None = None) -> list[Kept]:
        """The run as it is, and what its parts begin from. told : gets their samples."""
        self.begin(self.run._table, self.plain_room, self.plain)
        if told is not None:
            told.append({name: np.array(array) for name, array in self.run.first().items()})
        parts, samples, left = [], 0, self.run.total
        while left > 0:
            kept = self.keep()
            steps = self.part if self.run.times is not None else min(self.part, left)
            taken = self.go_on(self.run._table, self.plain_room, self.plain, samples, steps)
            parts.append(Kept(*kept, samples, steps, taken))
            if told is not None:
                told.append({name: array[:taken].copy() for name, array in floats_of(self.prepared.block).items()})
            samples += taken
            left -= steps if self.run.times is None else taken
        return parts

    def _reverse(self, tape: Tape, start: Any, seeds: Seeds) -> Array:
        self.restore(*start)
        adjoints = np.zeros((len(next(iter(seeds.values()))), len(self.cells.all)))
        for kept in reversed(self.forwards()):
            self.restore(kept.values, kept.integers)
            tape.begin(self.places, self.active)
            taken = self.go_on(self.words, self.room, self.recording, kept.samples, kept.steps)
            if taken != kept.taken:
                raise UsageError("a part of the run went another way when it was taken again.")
            self._finish(tape)
            first = self.begun + kept.samples
            sown = self._sown(self._sampled(taken), seeds, slice(first, first + taken))
            adjoints = tape.backwards(self.places, adjoints, sown)
        self.restore(*start)
        tape.begin(self.places, self.moving)
        first_sample = self.begin(self.words, self.room, self.recording)
        self._finish(tape)
        adjoints = tape.backwards(self.places, adjoints, self._sown(first_sample, seeds, slice(0, self.begun)))
        self.restore(*start)
        return adjoints

    def _sampled(self, count: int) -> dict[str, Array]:
        return {name: self.cells.of(array)[:count] for name, array in floats_of(self.prepared.block).items()}

    @staticmethod
    def _sown(samples: Mapping[str, Array], seeds: Seeds, which: slice) -> list[tuple[Ints, Array]]:
        """Places of the samples' records, and the seeds that belong there."""
        out = []
        for name in SAMPLED:
            places = np.ascontiguousarray(samples[name]).view(np.int64)[..., 1].ravel()
            out.append((places, seeds[name][:, which].reshape(len(seeds[name]), -1)))
        return out

    def _finish(self, tape: Tape) -> None:
        """After a part: whether it was known what moves."""
        self.recorded += tape.count - tape.leaves - 1
        if self._grown():
            raise _GrownError

    def _grown(self) -> bool:
        """Whether more moves than was known; it is known from now on."""
        moves = self.places != 0
        more = bool(np.any(moves & ~self.active))
        self.active |= moves
        return more

    def look_ahead(self, tape: Tape, start: Any) -> None:
        """Take the start and a few steps, to see what moves and how long the record of a step is."""
        self.restore(*start)
        tape.begin(self.places, self.moving)
        self.begin(self.words, self.room, self.recording)
        grown, samples = self._grown(), 0
        for _ in range(min(AHEAD, self.run.total)):
            tape.begin(self.places, self.active)
            samples += self.go_on(self.words, self.room, self.recording, samples, 1)
            self.length = max(self.length, tape.count - tape.leaves - 1)
            if not self._grown() and not grown:
                break
            grown = False
        if self.part * self.length > FULL * tape.size:
            raise UsageError("the adjoint of this run takes too much memory.", remedy='Take mode="tangent".')


def adjoint_run(prepare: Callable[[int], Prepared], moving: NDArray[np.bool_], steps: int, samples: int) -> AdjointRun:
    """A run to be reversed, in parts of the best length.

    prepare : makes the run, with room for so many samples. moving : which reals move at the start. steps, samples :
    about how many there are.
    """
    trial = AdjointRun(prepare(LOOKED_AT), moving, 1)
    with _TAPE:
        trial.look_ahead(Tape(len(trial.cells.all)), trial.keep())
    kept = 8.0 * len(trial.cells.all) + sum(array.nbytes for array in trial.integers)
    part = max(1, min(steps, round((steps * kept / (8.0 * WORDS * trial.length)) ** 0.5)))
    room = -(-samples * part // max(steps, 1)) + 3
    return AdjointRun(prepare(room), moving, part)
