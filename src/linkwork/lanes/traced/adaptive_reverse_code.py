"""The reverse of steps that find their own size, as machine code (`adaptive_code` forwards).

Of long runs the cells of some steps alone are kept, at equal distances, and all of the steps between when the reverse
comes to them: memory grows with the square root of the steps [Griewank and Walther 2008, section 12.1].
"""

from __future__ import annotations

import ctypes
from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.adaptive_code import CODES, STUCK, new_words
from linkwork.lanes.traced.adaptive_reverse_text import WORDS, text_of
from linkwork.lanes.traced.adaptive_steps import SHOWN, START, AdaptiveRecord
from linkwork.lanes.traced.engine import engine_of

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
SHORT = 2**22  # numbers that are all kept: 32 MB
OPERATIONS, FURTHER = 3, 2  # that are kept of a step, and of a sample, at most
STEPS = 2  # where `advance` has the steps in `words`


class AdaptiveReverse:
    """Compiled functions of a record, forwards, and backwards for `lanes` functions at once. moving : cells that
    move."""

    def __init__(self, recorded: AdaptiveRecord, lanes: int, moving: Set[int]) -> None:
        self._engine: Any = engine_of(text_of(recorded, lanes, moving))
        self.lanes, self.size, self.parts = lanes, len(recorded.carried), recorded.samples
        self.counts = np.array([len(recorded.operations.get(one, ())) for one in CODES])
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, result: Any, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

        once = count, pointer, pointer, double, pointer
        self.start, self.shown = function("start", *once), function("shown", *once)
        self.advance = function("advance", count, pointer, pointer, pointer, count, pointer, pointer, count)
        self.back = function("back", None, *[pointer] * 4, *[count] * 3, *[pointer] * 7)
        (start,), (shown,) = recorded.operations[START], recorded.operations[SHOWN]
        self.back_start, self.back_shown = (
            function(f"back{k}", None, pointer, pointer, pointer, double, double) for k in (start, shown)
        )

    def taken(self, first: Array, run: Any, sizes: Array) -> Taken | None:
        """The whole run from these cells, in steps of these sizes; None where the course is left."""
        taken = Taken(self, first, run, sizes)
        return taken if taken.good else None


class Steps(NamedTuple):
    """Of steps one after the other: rows (steps, cells) with which they begin; log (operations,); where in it each
    begins, and how many samples there were before."""

    rows: Array
    log: Ints
    begins: Ints
    samples: Ints


class Taken:
    """A run that was taken, with what its reverse needs. samples : (samples, numbers). good : whether it kept its
    course."""

    def __init__(self, code: AdaptiveReverse, first: Array, run: Any, sizes: Array) -> None:
        self.code, self.first, self.sizes = code, first.copy(), np.ascontiguousarray(sizes)
        self.begun = len(run.times) - run.total
        self.times = np.ascontiguousarray(run.times[self.begun :])
        self.samples = np.empty((len(run.times), code.parts))
        cells, words = aligned(code.size), new_words()
        cells[:] = first
        words[WORDS["EVERY"]] = 1
        left = code.start(cells.ctypes.data, 0, 0.0, words.ctypes.data)
        if self.begun:
            left |= code.shown(cells.ctypes.data, self.samples.ctypes.data, 0.0, words.ctypes.data)
        self.after = cells.copy()
        most = len(sizes)
        self.every = 1 if most * code.size <= SHORT else int(np.ceil(np.sqrt(most)))
        self.good, self.kept, self.steps = False, None, 0
        if not left:
            out = self.samples[self.begun :]
            self.kept, self.steps = self._forwards(cells, out, 0, 0, -(-most // self.every), self.every)
            self.good = self.kept is not None

    def _forwards(
        self, cells: Array, out: Array, step: int, sample: int, rows: int, every: int, stop: int = STUCK
    ) -> tuple[Steps | None, int]:
        """Steps from these cells on, of which each so many is kept, and how many there were; None where the course is
        left, or there are more than `rows`. stop : number of the step before which it ends."""
        code, words = self.code, new_words(stop)
        samples = len(self.times) - sample if stop == STUCK else int(self._samples_at(stop)) - sample + 1
        room = OPERATIONS * rows + FURTHER * samples if every == 1 else 0
        kept = Steps(
            aligned(rows * code.size, filled=False).reshape(rows, code.size),
            *(np.zeros(many, dtype=np.int64) for many in (room, rows, rows)),
        )
        places = dict(zip(("ROW", "LOG", "INDEX", "FIRST"), (one.ctypes.data for one in kept), strict=True))
        limits = {"MOST_LOGGED": room, "MOST_ROWS": rows, "EVERY": every, "SAMPLES": sample}
        for name, value in {**places, **limits}.items():
            words[WORDS[name]] = value
        words[STEPS] = step
        times, where = self.times[sample:], (cells.ctypes.data, out.ctypes.data)
        left = code.advance(
            *where, times.ctypes.data, len(times), words.ctypes.data, self.sizes.ctypes.data, len(self.sizes)
        )
        steps, logged = int(words[WORDS["ROWS"]]), int(words[WORDS["LOGGED"]])
        if left or steps > rows * every or (every == 1 and logged > room):
            return None, 0
        return kept._replace(log=kept.log[: min(logged, room)]), steps

    def _samples_at(self, step: int) -> int:
        """How many samples there were before a step that was kept."""
        found: int = self.kept.samples[step // self.every] if self.kept is not None else 0
        return found

    def backwards(self, seeds: Array) -> Array | None:
        """(cells, lanes) derivatives by all cells before the start; None where the course is left. seeds : (samples,
        numbers, lanes)."""
        code, kept, seeds = self.code, self.kept, np.ascontiguousarray(seeds)
        assert kept is not None
        bars = aligned(code.size * code.lanes).reshape(code.size, code.lanes)
        if self.every == 1:
            self._back(kept, self.steps, bars, seeds)
        else:
            for k in reversed(range(-(-self.steps // self.every))):
                first, cells = k * self.every, aligned(code.size)
                cells[:] = kept.rows[k]
                last = first + self.every
                out, stop = np.empty_like(self.samples), last if last < self.steps else STUCK
                some, steps = self._forwards(cells, out, first, int(kept.samples[k]), self.every, 1, stop)
                if some is None:
                    return None
                self._back(some, steps, bars, seeds)
        if self.begun:
            code.back_shown(self.after.ctypes.data, bars.ctypes.data, seeds.ctypes.data, 0.0, 0.0)
        code.back_start(self.first.ctypes.data, bars.ctypes.data, 0, 0.0, 0.0)
        return bars

    def _back(self, kept: Steps, steps: int, bars: Array, seeds: Array) -> None:
        """Back through these steps."""
        code = self.code
        counts = np.concatenate([[0], np.cumsum(code.counts[kept.log])])
        begins = kept.begins[:steps]
        ends = np.append(begins, len(kept.log))[1:]
        most = int(np.max(counts[ends] - counts[begins], initial=1))
        cells, out = aligned(code.size), aligned(max(1, code.parts))
        buffer, work = aligned(most * code.size, filled=False), np.zeros((most, 2), dtype=np.int64)
        further = (cells, buffer, work, bars, seeds[self.begun :], self.times, out)
        code.back(*(one.ctypes.data for one in kept), 0, steps, len(kept.log), *(one.ctypes.data for one in further))
