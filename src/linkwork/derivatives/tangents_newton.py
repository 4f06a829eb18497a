"""A run of an implicit method with tangents, its converged steps recorded once as straight-line code.

Values are those of the run itself, to the last bit: compiled kernels take each step, and what it leaves is kept. The
tangents follow from that by code of their own (`lanes.traced.tangent_code`), those of the start by what it records
(`lanes.traced.tangents`).
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.integrators.start import set_coefficients
from linkwork.lanes.memory import aligned
from linkwork.lanes.processor import width
from linkwork.lanes.traced.derivatives import hangs_on_equality
from linkwork.lanes.traced.implicit import arrays_of_samples, why_not_newton
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangent_code import tangent_code, text_of
from linkwork.lanes.traced.tangent_steps import SAMPLE, TangentRecorder
from linkwork.lanes.traced.tangent_text import NORMS, Layout
from linkwork.lanes.traced.tangents import tangents_left
from linkwork.problems.layout import address_table
from linkwork.status import Status

Array = NDArray[np.float64]
AT_ONCE = 8  # numbers, at most: their tangents are one or two vectors, four on some processors
FIRST_STEPS = 3  # before a step is recorded: what it reads stands as in all steps then
PART = 1024  # steps whose states are kept at a time
NEAR = 1e-6  # of the largest: how far recorded kernels may be from compiled ones


class NewtonTangents:
    """A prepared run with tangents, its converged steps recorded.

    prepared : the run, which is not begun, and carried out once here. tangents : (reals, numbers) of all that its
    compiled code works on. Raises NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array) -> None:
        from linkwork.integrators.implicit_kernels import ADVANCE

        run = self.run = prepared.run
        why = why_not_newton(run) or ("samples solve equations of their own" if run.run.from_index_1[0] == 1 else "")
        if why:
            raise NotTracedError(why)
        moves = np.any(tangents != 0.0, axis=1)
        set_coefficients(run.run)  # as each chunk of steps does
        recorder = TangentRecorder(run)
        placed = recorder.cells.values
        cells = [recorder.cells.cell(address) for address in addresses_of(prepared, moves)]
        given = {k: row for k, row in zip(cells, tangents[moves], strict=True) if k >= 0}
        moving = self._after_start(recorder, given)
        self.block = run._room(1)
        memory = Kept(recorder)
        for _ in range(min(FIRST_STEPS, run.total)):
            self._step()
        after = TangentRecorder(run)
        self.recorded = recorded = after.recorded(
            (set(moving) | set(np.flatnonzero(after.cells.values != placed).tolist())) - after.factors
        )
        self._cells, self._values = after.cells, after.cells.values
        memory.restore()
        self.moving = {k: row for k, row in moving.items() if k in set(recorded.kept)}
        recorded.need_smooth(set(self.moving))
        self.width, self.many = width(), tangents.shape[1]
        self.vectors = -(-min(self.many, AT_ONCE) // self.width)
        self.at_once = self.vectors * self.width
        vectors = [self._moving(vector) for vector in range(self.vectors)]
        self._call, by_numba = ADVANCE.native
        self.layout = Layout(recorded, self.width, vectors)
        self._code = tangent_code(text_of(recorded, self.layout, by_numba))
        self._addresses = np.array([after.cells.address(k) for k in recorded.kept], dtype=np.int64)
        self._size = len(recorded.parts[SAMPLE].samples)

    def _after_start(self, recorder: TangentRecorder, given: dict[int, Array]) -> dict[int, Array]:
        """The tangents of cells once the run has begun, which it does here."""
        start, expected = recorder.start(set(given))
        if hangs_on_equality(start, set(given)):
            raise NotTracedError("a start that hangs on equality")
        moving = dict(given)
        for cell, row in tangents_left(start, given).items():
            moving.pop(cell, None)
            if row is not None:
                moving[cell] = row
        if self.run.initialise() != Status.OK:
            raise NotTracedError("a start that fails")
        set_coefficients(self.run.run)
        found, record = recorder.cells.now, self.run.run
        for array in (record.z, record.rate, record.carried):
            cells = list(recorder.cells_of(array))
            size = float(np.max(np.abs(found[cells]), initial=0.0))
            if not np.all(np.abs(found[cells] - expected[cells]) <= NEAR * size):
                raise NotTracedError("another course of the start")
        return moving

    def _step(self) -> None:
        from linkwork.integrators.implicit_kernels import ADVANCE

        status, _ = ADVANCE(self.run._table, 1, address_table(self.block))
        if status != Status.OK:
            raise NotTracedError("a step that fails")

    def _moving(self, vector: int) -> frozenset[int]:
        """Cells that have tangents in this vector, of any pass."""
        within = np.arange(self.many) % self.at_once // self.width == vector
        return self.recorded.moving({k for k, row in self.moving.items() if np.any(row[within] != 0.0)})

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
        tape = np.empty((every * min(at_once, max(samples, 1)) + 1, len(self._addresses)))
        some = np.empty((at_once, self._size, size))
        strayed, code, room = 0, self._code, some.ctypes.data
        code.gather(self._addresses.ctypes.data, tape.ctypes.data)
        for k, cells in enumerate(passes):
            code.set_values(cells.ctypes.data, tape.ctypes.data)
            strayed |= code.sample(cells.ctypes.data, room, begin, begin)
            self._tell(found[:1], some, k)
        for done in range(0, samples, at_once):
            many = min(at_once, samples - done)
            self._go_on(tape, many * every)
            for k, cells in enumerate(passes):
                where = cells.ctypes.data, norms[k].ctypes.data, tape.ctypes.data, room
                strayed |= code.advance(*where, many, every, done * every, begin, h)
                self._tell(found[1 + done : 1 + done + many], some, k)
            if strayed or not np.isfinite(found[1 + done : 1 + done + many]).all():
                raise NotTracedError("another course of the run, or an infinite derivative,")
        now, fixed = self._cells.now, self.recorded.constants
        if not np.array_equal(now[fixed], self._values[fixed], equal_nan=True):
            raise NotTracedError("a change of what was taken for a constant")
        time = np.zeros((len(found), 1 + self.many))
        time[:, 0] = begin + every * np.arange(samples + 1) * h
        return {"time": time, **arrays_of_samples(run, found)}

    def _go_on(self, tape: Array, steps: int) -> None:
        """Take so many steps, and keep what stands behind each."""
        table, room = self.run._table, address_table(self.block)
        where = table.ctypes.data, table.size, room.ctypes.data, room.size, self._addresses.ctypes.data
        if self._code.record(self._call, *where, tape.ctypes.data, steps) < steps:
            raise NotTracedError("a step that fails")

    def _cells_of_pass(self, first: int) -> Array:
        """Cells with the tangents from one on, as they stand at the start."""
        layout = self.layout
        cells = aligned(layout.size)
        cells[: len(layout.places)] = self._values[list(layout.places)]
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


class Kept:
    """All memory that a recorder's run works on, as it stands now."""

    def __init__(self, recorder: TangentRecorder) -> None:
        self.spans = [*recorder.cells.spans, *recorder.cells.others]
        self.bytes = [ctypes.string_at(one.address, one.size) for one in self.spans]

    def restore(self) -> None:
        """Bring it back."""
        for one, kept in zip(self.spans, self.bytes, strict=True):
            ctypes.memmove(one.address, kept, one.size)
