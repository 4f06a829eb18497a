"""A run with tangents whose steps are recorded once and become straight-line code (`lanes.traced.forward`).

What `tangent_run` does for every run, done for explicit methods with steps of one size, where a step can be recorded.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.memory_tape import MemoryTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tangents_in_lanes import TangentsInLanes, told
from linkwork.lanes.traced.batch import PART
from linkwork.lanes.traced.derivatives import moving_cells, need_smooth
from linkwork.lanes.traced.forward import text_of
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.machine_code import MachineCode, machine_code
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.shapes_layout import state_of
from linkwork.lanes.traced.step import Recorder

Array = NDArray[np.float64]


class TracedTangents(TangentsInLanes):
    """A prepared run with tangents, its steps recorded.

    tape : what was kept of the run, which steps that solve equations anew are to follow. Raises NotTracedError where a
    step cannot be recorded, or not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array, tape: MemoryTape | None = None) -> None:
        instead = in_place_of(prepared.run.problem)
        self.solved_anew, self.tape = bool(instead), tape  # then values are those of the run but for rounding
        recorder = Recorder(prepared.run, instead)
        super().__init__(prepared, recorder, tangents)
        inputs = self.given | recorder.measures | (frozenset() if instead else recorder.lengths)
        recorded = recorder.recorded(inputs, kept=True)
        made_once(recorded.made, ("smooth", self.given), lambda: need_smooth(recorded, self.given))
        self._code: MachineCode = self.code_of(recorded)
        self._size = len(recorded.sample.samples)
        self._state = state_of(recorded)
        self._state_cells = np.array(recorded.carried, dtype=np.int64)[self._state]

    def compiled(self, given: Sequence[frozenset[int]]) -> MachineCode:
        """given : of each vector."""
        moving = [moving_cells(self.recorded, one)[1] for one in given]
        return machine_code(text_of(self.recorded, self.width, moving))

    @property
    def times(self) -> Array:
        """(samples,) [s]."""
        run, every = self.run, self.run.every
        out: Array = float(run.run.start_time[0]) + every * np.arange(run.total // every + 1) * float(run.run.step[0])
        return out

    def carried_out(self, cells: Array, many: int) -> Array:
        """(samples, numbers, 1 + many) of the run from these cells."""
        run, every = self.run, self.run.every
        begin, h = float(run.run.start_time[0]), float(run.run.step[0])
        out = np.empty((run.total // every + 1, self._size, 1 + many))
        at_once = max(1, PART // every)
        some = self.room(at_once, self._size)
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
