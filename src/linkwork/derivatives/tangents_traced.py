"""A run with tangents whose steps are recorded once and become straight-line code (`lanes.traced.forward`).

What `tangent_run` does for every run, done for explicit methods with steps of one size, where a step can be recorded.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.memory_tape import MemoryTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.lanes.memory import aligned
from linkwork.lanes.processor import width
from linkwork.lanes.traced.batch import PART, SampleLayout
from linkwork.lanes.traced.derivatives import moving_cells, need_smooth
from linkwork.lanes.traced.forward import text_of
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.machine_code import MachineCode, machine_code
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.shapes_layout import state_of
from linkwork.lanes.traced.step import Recorder

Array = NDArray[np.float64]
AT_ONCE = 8  # numbers, at most: their tangents are one or two vectors, four on some processors


class TracedTangents:
    """A prepared run with tangents, its steps recorded.

    prepared : the run, which is not begun; it is read, and not changed. tangents : (reals, numbers) of all that its
    compiled code works on. tape : what was kept of the run, which steps that solve equations anew are to follow. Raises
    NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array, tape: MemoryTape | None = None) -> None:
        run, self.tape = prepared.run, tape
        self.run = run
        moves = np.any(tangents != 0.0, axis=1)
        instead = in_place_of(run.problem)
        self.solved_anew = bool(instead)  # then values are those of the run but for rounding
        recorder = Recorder(run, instead)
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moves)], dtype=np.int64)
        read = cells >= 0
        cells, tangents = cells[read], tangents[moves][read]
        inputs = frozenset(cells.tolist()) | recorder.measures | (frozenset() if instead else recorder.lengths)
        self.recorded = recorded = recorder.recorded(inputs, kept=True)
        given = frozenset(cells.tolist())
        made_once(recorded.made, ("smooth", given), lambda: need_smooth(recorded, given))
        self.width, self.many = width(), tangents.shape[1]
        self.vectors = -(-min(self.many, AT_ONCE) // self.width)
        self.at_once = self.vectors * self.width
        places = {cell: k for k, cell in enumerate(recorded.carried)}
        carried = np.array([cell in places for cell in cells.tolist()], dtype=bool)
        self._places = np.array([places[cell] for cell in cells[carried].tolist()], dtype=np.int64)
        self._tangents, self._base = tangents[carried], recorded.cells[list(recorded.carried)]
        within = [self._given(cells, tangents, vector) for vector in range(self.vectors)]
        self._code = made_once(recorded.made, (self.width, *within), lambda: self._compiled(within))
        self._size = len(recorded.sample.samples)
        self._state = state_of(recorded)
        self._state_cells = np.array(recorded.carried, dtype=np.int64)[self._state]

    def _given(self, cells: NDArray[np.int64], tangents: Array, vector: int) -> frozenset[int]:
        """Cells that begin with tangents in this vector, of any pass."""
        within = np.arange(self.many) % self.at_once // self.width == vector
        return frozenset(cells[np.any(tangents[:, within] != 0.0, axis=1)].tolist())

    def _compiled(self, given: Sequence[frozenset[int]]) -> MachineCode:
        """given : of each vector."""
        moving = [moving_cells(self.recorded, one)[1] for one in given]
        return machine_code(text_of(self.recorded, self.width, moving))

    def samples(self) -> dict[str, Array]:
        """Arrays (samples, ..., 1 + numbers), values first.

        Raises NotTracedError where the run leaves the course that was recorded, or a derivative is not finite."""
        found = None
        for first in range(0, self.many, self.at_once):
            now = self._pass(first)
            found = now if found is None else np.concatenate([found, now[..., 1:]], axis=-1)
        assert found is not None
        time = np.zeros((len(found), 1 + self.many))
        time[:, 0] = self._times
        return {"time": time, **SampleLayout.of(self.run).arrays(found)}

    @property
    def _times(self) -> Array:
        run, every = self.run, self.run.every
        out: Array = float(run.run.start_time[0]) + every * np.arange(run.total // every + 1) * float(run.run.step[0])
        return out

    def _pass(self, first: int) -> Array:
        """(samples, numbers, 1 + tangents) of the run with the tangents from one on."""
        of = self._tangents[:, first : first + self.at_once]
        run, every = self.run, self.run.every
        begin, h = float(run.run.start_time[0]), float(run.run.step[0])
        cells = aligned(len(self._base) * (1 + self.vectors) * self.width).reshape(-1, 1 + self.vectors, self.width)
        cells[:, 0] = self._base[:, None]
        behind = np.zeros((len(self._base), self.at_once))
        behind[self._places, : of.shape[1]] = of
        cells[:, 1:] = behind.reshape(-1, self.vectors, self.width)
        out = np.empty((run.total // every + 1, self._size, 1 + of.shape[1]))
        at_once = max(1, PART // every)
        many = at_once * self._size
        some = aligned(many * (1 + self.vectors) * self.width).reshape(at_once, self._size, *cells.shape[1:])
        code, place, room = self._code, cells.ctypes.data, some.ctypes.data
        strayed = code.start(place, 0, begin, begin)
        strayed |= code.sample(place, room, begin, begin)
        told(out[:1], some)
        done, end = 0, run.total // every * every
        while done < end and not strayed and np.isfinite(cells).all():
            stop = end if self.tape is None else min(end, self.tape.next_place(done))
            here, aside = divmod(done, every)
            if not aside and stop - done >= every:
                samples, steps = min((stop - done) // every, at_once), every
            else:  # to a place between samples, or on to the next one
                samples, steps = 1, min(stop - done, every - aside)
            strayed |= code.advance(place, room, samples, steps, done, begin, h)
            done += samples * steps
            if done % every == 0:
                told(out[1 + here : 1 + here + samples], some)
            if self.tape is not None and self.tape.is_place(done):
                cells[self._state, 0] = self.tape.at(done, self._state_cells, cells[self._state, 0, 0])[:, None]
        if strayed or done < end or not np.isfinite(out).all():
            raise NotTracedError("another course of the run, or an infinite derivative,")
        return out


def told(out: Array, some: Array) -> None:
    """Samples as compiled code writes them go to (samples, numbers, 1 + tangents)."""
    some = some[: len(out)]
    out[..., 0] = some[:, :, 0, 0]
    out[..., 1:] = some[:, :, 1:].reshape(*some.shape[:2], -1)[..., : out.shape[-1] - 1]
