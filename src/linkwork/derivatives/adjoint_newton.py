"""The reverse of a run of an implicit method, by its converged steps, recorded once (`lanes.traced.newton_reverse`).

Compiled kernels take the run; what each step leaves is kept in a row of numbers, for one part of the run at a time. A
part is taken again from what was kept of all memory before it, and followed backwards. A run whose rows are few has one
part, and is taken once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_run import Seeds
from linkwork.derivatives.adjoint_traced import AT_ONCE, SHORT, sown
from linkwork.derivatives.converged_steps import ConvergedSteps, Kept
from linkwork.derivatives.run_tape import RunTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tape import Array, Ints
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.newton_reverse import NORMS, OF_BARS, copies_of, newton_reverse, text_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangent_steps import SAMPLE
from linkwork.lanes.traced.tangents import adjoints_before

STRAYED = (
    "another course of the run, as where abs, min, max or if of a formula change sides, or corrections that do not "
    "settle,"
)


class ReversedSteps(ABC):
    """A prepared run to be reversed, its converged steps recorded; in the words of `adjoint_traced.TracedAdjoint`.

    steps : these. moving : (reals,) which of `Prepared.reals` move. tape : of the run, if its rows were kept before.
    """

    def __init__(
        self, steps: ConvergedSteps, moving: NDArray[np.bool_], part: int | None = None, tape: RunTape | None = None
    ) -> None:
        self.steps, self.run, self._known = steps, steps.run, tape
        given = [cell for cell in steps.cells if cell >= 0]
        self.given = {cell: k for k, cell in enumerate(dict.fromkeys(given))}
        self.cell_of: Ints = np.full(len(moving), len(self.given), dtype=np.int64)
        self.cell_of[np.flatnonzero(moving)] = [self.given.get(cell, len(self.given)) for cell in steps.cells]
        row, total = len(steps.addresses), max(self.run.total, 1)
        memory = sum(one.size for one in steps.kept().spans) // 8
        best = max(1, round((total * memory / row) ** 0.5))
        self.part = part or (total if total * row <= SHORT else max(best, SHORT // (4 * row)))
        if tape is not None:
            self.part, self.tape = tape.part, tape.rows
        else:
            self.tape = aligned((min(self.part, total) + 1) * row).reshape(-1, row)

    @abstractmethod
    def gradients(self, seeds: Seeds) -> Array:
        """(functions, numbers + 1) derivatives by every number at the start. seeds : those by the samples. Raises
        NotTracedError where the run leaves the course that was recorded."""

    def parts(self) -> Iterator[tuple[int, int]]:
        """Parts of the run, the last one first, each with its rows in the tape: its first step, and how many. `begun`
        is the row of the start from then on."""
        if self._known is not None:
            self.begun = self._known.start
            yield from self._known.parts()
            return
        parts, self.begun = self._forwards()
        for first, kept in reversed(parts):
            many = min(self.part, self.run.total - first)
            if len(parts) > 1:
                self.steps.go_back(kept, first)
                self._go_on(many)
            yield first, many

    def _forwards(self) -> tuple[list[tuple[int, Kept]], Array]:
        """The run, and what its parts begin from; of one part alone also its tape; and the start's row."""
        steps, tape, parts, start = self.steps, self.tape, list[tuple[int, Kept]](), np.zeros(len(self.steps.addresses))
        steps.restart()
        for first in range(0, self.run.total, self.part):
            parts.append((first, steps.kept()))
            self._go_on(min(self.part, self.run.total - first))
            if first == 0:
                start[:] = tape[0]
        steps.need_constants()
        return parts, start

    def _go_on(self, many: int) -> None:
        """Take so many steps with their rows."""
        self.steps.gather(self.tape[0])
        self.steps.go_on(self.tape, many)


class NewtonAdjoint(ReversedSteps):
    """One whose steps are straight-line code.

    shares : how rows that depend on others share their reactions is followed, too; else `gradients` are not those of
    multipliers of such rows. Raises NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    def __init__(
        self,
        prepare: Callable[[int], Prepared],
        moving: NDArray[np.bool_],
        part: int | None = None,
        shares: bool = True,
        tape: RunTape | None = None,
    ) -> None:
        known = tape if tape is not None and tape.holds(moving) else None
        steps = ConvergedSteps(prepare(1), moving, dependent=True, shares=shares) if known is None else known.steps
        super().__init__(steps, moving, part, known)
        self.recorded = steps.recorded
        self.moving = self.recorded.moving(steps.moving)
        self.places = {cell: k for k, cell in enumerate(self.recorded.carried)}
        self.first = steps.values[list(self.places)]

    def gradients(self, seeds: Seeds) -> Array:
        """As of `ReversedSteps`."""
        several, steps, recorded, run = len(next(iter(seeds.values()))), self.steps, self.recorded, self.run
        lanes = 1 if several == 1 else AT_ONCE
        about = (lanes, self.moving)
        code = made_once(
            recorded.made,
            about,
            lambda: newton_reverse(text_of(recorded, self.places, self.moving, lanes)),
        )
        seed, size = sown(seeds, lanes), len(self.places)  # (chunks, samples, numbers, lanes)
        bars = [aligned((OF_BARS * size + NORMS) * lanes) for _ in seed]
        copies = copies_of(recorded)
        cells, out = aligned(copies * size), np.empty(max(1, len(recorded.parts[SAMPLE].samples)))
        cells.reshape(copies, size)[:] = self.first
        begin, h, every = float(run.run.start_time[0]), float(run.run.step[0]), int(run.run.every[0])
        strayed = 0
        for first, many in self.parts():
            for bar, of in zip(bars, seed, strict=True):
                at = of[1 + first // every :]
                where = cells.ctypes.data, bar.ctypes.data, self.tape.ctypes.data, at.ctypes.data, out.ctypes.data
                strayed |= code.backward(*where, many, every, first, begin, h)
        code.set_values(cells.ctypes.data, self.begun.ctypes.data)
        for bar, of in zip(bars, seed, strict=True):
            if not steps.index_1:
                code.back_sample(cells.ctypes.data, bar.ctypes.data, of.ctypes.data, begin, begin)
        after = np.concatenate([bar[: size * lanes].reshape(size, lanes).T for bar in bars])[:several]
        if strayed:
            raise NotTracedError(STRAYED)
        if not np.isfinite(after).all():
            raise NotTracedError("an infinite derivative,")
        left = {cell: after[:, k] for cell, k in self.places.items() if cell in self.moving}
        if steps.index_1:  # the start's sample is as it stands
            shown = np.concatenate([of[0].T for of in seed])[:several]
            for k, cell in enumerate(steps.shown):
                left[cell] = left.get(cell, 0.0) + shown[:, k]
        found = adjoints_before(steps.start, left, set(self.given))
        told = np.zeros((several, len(self.given) + 1))
        for cell, k in self.given.items():
            told[:, k] = found.get(cell, 0.0)
        return told
