"""A run of an implicit method with tangents, its converged steps recorded once as straight-line code.

Values are those of the run itself, to the last bit: compiled kernels take each step, and what it leaves is kept. The
tangents follow from that by code of their own (`lanes.traced.tangent_code`), those of the start by what it records
(`lanes.traced.tangents`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.run_tape import RunTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.lanes.memory import aligned
from linkwork.lanes.processor import width
from linkwork.lanes.traced.implicit import arrays_of_samples
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangent_code import TangentCode, tangent_code, text_of
from linkwork.lanes.traced.tangent_steps import SAMPLE
from linkwork.lanes.traced.tangent_text import NORMS, Layout
from linkwork.lanes.traced.tangents import tangents_left

Array = NDArray[np.float64]
AT_ONCE = 8  # numbers, at most: their tangents are one or two vectors, four on some processors
PART = 1024  # steps whose states are kept at a time


class NewtonTangents:
    """A prepared run with tangents, its converged steps recorded.

    prepared : the run, which is not begun, and carried out once here. tangents : (reals, numbers) of all that its
    compiled code works on. tape : of the run, if its rows were kept before; else the prepared one is carried out.
    Raises NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array, tape: RunTape | None = None) -> None:
        moves = np.any(tangents != 0.0, axis=1)
        known = tape if tape is not None and tape.holds(moves) else None
        self._rows = None if known is None else known.rows
        self.steps = steps = ConvergedSteps(prepared, moves, shares=True) if known is None else known.steps
        self.run, self.recorded = steps.run, steps.recorded
        recorded = steps.recorded
        given = {k: row for k, row in zip(steps.cells, tangents[moves], strict=True) if k >= 0}
        left = tangents_left(steps.start, given)
        self._first = {k: left[k] if k in left else given[k] for k in steps.shown if k in left or k in given}
        self.moving = {k: row for k in steps.moving if (row := left[k] if k in left else given.get(k)) is not None}
        self.width, self.many = width(), tangents.shape[1]
        self.vectors = -(-min(self.many, AT_ONCE) // self.width)
        self.at_once = self.vectors * self.width
        begin = [self._given(vector) for vector in range(self.vectors)]
        about = (self.width, *begin)
        self.layout, self._code = made_once(recorded.made, about, lambda: self._compiled(begin))
        self._size = len(recorded.parts[SAMPLE].samples)

    def _given(self, vector: int) -> frozenset[int]:
        """Cells that begin with tangents in this vector, of any pass."""
        within = np.arange(self.many) % self.at_once // self.width == vector
        return frozenset(k for k, row in self.moving.items() if np.any(row[within] != 0.0))

    def _compiled(self, given: Sequence[frozenset[int]]) -> tuple[Layout, TangentCode]:
        """given : of each vector."""
        layout = Layout(self.recorded, self.width, [self.recorded.moving(one) for one in given])
        return layout, tangent_code(text_of(self.recorded, layout))

    def samples(self) -> dict[str, Array]:
        """Arrays (samples, ..., 1 + numbers), values first.

        Raises NotTracedError where the run leaves the course that was recorded, or a derivative is not finite."""
        run, every = self.run, int(self.run.run.every[0])
        begin, h = float(run.run.start_time[0]), float(run.run.step[0])
        size, samples = 1 + self.at_once, run.total // every
        passes = [self._cells_of_pass(first) for first in range(0, self.many, self.at_once)]
        norms = [aligned(NORMS * self.vectors * self.width) for _ in passes]
        for one in norms:
            one[-self.vectors * self.width :] = np.inf  # no contraction is known
        found = np.empty((samples + 1, self._size, 1 + self.many))
        at_once = max(1, PART // every)
        rows = self._rows
        tape = (
            np.empty((every * min(at_once, max(samples, 1)) + 1, len(self.steps.addresses))) if rows is None else rows
        )
        some = np.empty((at_once, self._size, size))
        strayed, code, room = 0, self._code, some.ctypes.data
        if rows is None:
            self.steps.gather(tape[0])
        for k, cells in enumerate(passes):
            code.set_values(cells.ctypes.data, tape.ctypes.data)
            strayed |= code.sample(cells.ctypes.data, room, begin, begin)
            self._tell(found[:1], some, k)
        if self.steps.index_1:
            found[0, :, 0] = self.steps.first()
            found[0, :, 1:] = [self._first.get(k, np.zeros(self.many)) for k in self.steps.shown]
        for done in range(0, samples, at_once):
            many = min(at_once, samples - done)
            if rows is None:
                self.steps.go_on(tape, many * every)
            else:
                tape = rows[done * every :]
            for k, cells in enumerate(passes):
                where = cells.ctypes.data, norms[k].ctypes.data, tape.ctypes.data, room
                strayed |= code.advance(*where, many, every, done * every, begin, h)
                self._tell(found[1 + done : 1 + done + many], some, k)
            if strayed or not np.isfinite(found[1 + done : 1 + done + many]).all():
                raise NotTracedError("another course of the run, or an infinite derivative,")
        if rows is None:
            self.steps.need_constants()
        time = np.zeros((len(found), 1 + self.many))
        time[:, 0] = begin + every * np.arange(samples + 1) * h
        return {"time": time, **arrays_of_samples(run, found)}

    def _cells_of_pass(self, first: int) -> Array:
        """Cells with the tangents from one on, as they stand at the start."""
        layout = self.layout
        cells = aligned(layout.size)
        cells[: len(layout.places)] = self.steps.values[list(layout.places)]
        vectors = cells.reshape(-1, self.width)
        for group, places in enumerate(layout.vectors):
            begin = first + group * self.width
            for cell in places.keys() & self.moving.keys():
                few = self.moving[cell][begin : min(begin + self.width, first + self.at_once)]
                vectors[places[cell], : len(few)] = few
        return cells

    def _tell(self, out: Array, some: Array, k: int) -> None:
        """Samples of pass k, as compiled code writes them, go to (samples, numbers, 1 + tangents)."""
        first = 1 + k * self.at_once
        few = min(self.at_once, self.many - k * self.at_once)
        out[..., 0] = some[: len(out), :, 0]
        out[..., first : first + few] = some[: len(out), :, 1 : 1 + few]
