"""W runs of an implicit method at once, in steps of one size, by code that was recorded."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import contract
from linkwork.integrators.implicit_kernels import RECORDED
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.lanes.memory import Span, aligned, finite_lanes
from linkwork.lanes.processor import width
from linkwork.lanes.traced.implicit import arrays_of_samples
from linkwork.lanes.traced.newton import CONTROLS, PLACES, Controls
from linkwork.lanes.traced.newton_code import newton_code, text_of
from linkwork.lanes.traced.newton_step import FIRST_STEPS, NewtonRecorder, RecordedNewton
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.status import Status

PART = 4096  # steps between two looks at whether a run has left its path
Floats = NDArray[np.float64]
Place = tuple[str, int]  # an array of a held run, and the flat index of an entry


class Standing(Protocol):
    """Where a run stood once."""

    def restore(self, run: Any) -> None: ...


class Held(Protocol):
    """A run with its arrays by place (`run.held`)."""

    @property
    def run(self) -> Any: ...
    @property
    def arrays(self) -> Mapping[str, Any]: ...
    @property
    def placed(self) -> Standing: ...


class NewtonBatch:
    """W runs at once.

    held : the run that all lanes begin as; each instance's start and first steps are taken in its arrays, by compiled
    kernels. places : of the numbers in which instances differ. width : how many lanes. strays : lanes that branch
    otherwise than the recorded run, or do not converge, and have to be run again elsewhere. Raises NotTracedError
    where a step cannot be recorded.
    """

    def __init__(self, held: Held, places: Sequence[Place], lanes: int | None = None) -> None:
        self.held, self.places, self.width = held, tuple(places), lanes or width()
        self.run: ImplicitRun = held.run
        self.every = int(self.run.run.every[0])
        described = [self._array(array)[at] for array, at in self.places]
        self._stand(described)
        self._room = np.zeros(CONTROLS)  # one for both recorders
        before = NewtonRecorder(self.run, self._room).cells.values
        if self._first_steps() is None or self.run.run.from_index_1[0] == 1:
            raise NotTracedError("the start of a run, or samples that solve equations of their own,")
        recorder = NewtonRecorder(self.run, self._room)
        values, whole = recorder.cells.values, recorder.integers
        given = {recorder.cells.cell(self._address(array, at)) for array, at in self.places} - {-1}
        given |= set(np.flatnonzero(values != before).tolist())
        given -= recorder.factors
        recorded = recorder.recorded(frozenset(given))
        self._translate(recorded)
        self._carried = np.array(recorded.carried)
        self._controls = [recorded.carried.index(k) for k in recorder.control_cells]
        self._fixed, self._base = recorded.fixed, values
        counters = (*recorder.counters, *(x for x in self.run.problem.structure.factors if x.dtype != np.float64))
        outside = recorder.bytes_outside(counters)
        self._integers = np.concatenate([array[mask] for array, mask in zip(whole, outside, strict=True)])
        self._outside = np.concatenate(outside)
        self._seen, self._bytes = np.zeros_like(values), np.zeros(len(self._outside), dtype=np.uint8)
        self._moves = [
            *moves(self._seen.ctypes.data, recorder.cells.spans),
            *moves(self._bytes.ctypes.data, recorder.cells.others),
        ]
        self._cells = aligned(len(self._carried) * self.width).reshape(-1, self.width)
        self._begin = np.zeros_like(self._cells)
        self._lost, self._strayed, self._many, self._done, self._begins = 0, 0, 0, 0, True
        self._size = len(recorded.sample.samples)
        self._blocks: list[list[contract.Block]] = []
        held.placed.restore(self.run)

    def _translate(self, recorded: RecordedNewton) -> None:
        """Machine code of what was recorded."""
        self._code = newton_code(text_of(recorded, self.width))

    def _array(self, name: str) -> Any:
        return self.held.arrays[name].reshape(-1)

    def _address(self, name: str, at: int) -> int:
        array = self._array(name)
        first: int = array.__array_interface__["data"][0]
        return first + int(array.itemsize) * at

    def _stand(self, values: Sequence[float] | Floats) -> None:
        """The held run is placed, with these numbers."""
        self.held.placed.restore(self.run)
        for (name, at), value in zip(self.places, values, strict=True):
            self._array(name)[at] = value

    def _first_steps(self) -> list[contract.Block] | None:
        """The held run starts, and takes its first steps. What was recorded; None where that fails."""
        if self.run.initialise() != Status.OK:
            return None
        blocks = [self.run.first()]
        status, block = self.run.advance(FIRST_STEPS)
        return [*blocks, block] if status == Status.OK else None

    def alter(self, values: Floats) -> None:
        """Lanes 0, 1, ... begin with these numbers (lanes, places)."""
        self._blocks, self._lost = [], 0
        for lane, row in enumerate(values):
            self._stand(row)
            blocks = self._first_steps()
            if blocks is None or not self._taken(lane):
                self._lost |= 1 << lane
                self._begin[:, lane] = self._base[self._carried]
            self._blocks.append(blocks or [])
        self._begin[:, len(values) :] = self._begin[:, :1]
        for control, value in zip(self._controls, self._first_controls(), strict=True):
            self._begin[control] = value

    def _first_controls(self) -> Floats:
        """No matrix is there: its pivots are those of the recorded run."""
        found = np.zeros(len(self._controls))
        c = Controls(found)
        c.phase, c.age, c.active = FIRST_STEPS, 1.0, 1.0
        return found

    def _taken(self, lane: int) -> bool:
        """What the held run's arrays hold now is what a lane begins with. False where they differ from those of the
        recorded run in what was taken for a constant."""
        for target, source, size in self._moves:
            ctypes.memmove(target, source, size)
        self._begin[:, lane] = self._seen[self._carried]
        same = np.array_equal(self._seen[self._fixed], self._base[self._fixed], equal_nan=True)
        return bool(same and np.array_equal(self._bytes[self._outside], self._integers))

    def begin(self, many: int) -> None:
        """The first so many lanes stand where they begin; the others are copies of the first."""
        self._many, self._done, self._begins = many, FIRST_STEPS, True
        self._cells[:] = self._begin
        for lane in range(many):
            if self._lost >> lane & 1:
                self._cells[self._controls[PLACES["left"]], lane] = 1.0
        self._strayed = self._lost | (2**self.width - 2**many)  # copies have no say

    def keeps_its_path(self, values: Floats, steps: int) -> bool:
        """Whether the instance with these numbers (1, places) is none of the strays after so many steps."""
        self.alter(values)
        self.begin(1)
        for first in range(0, steps, PART):
            if self.strays:
                break
            self.advance(min(PART, steps - first))
        return not self.strays

    @property
    def strays(self) -> tuple[int, ...]:
        """The lanes that left the others' path."""
        return tuple(k for k in range(self._many) if self._strayed >> k & 1)

    def find_slopes(self) -> Status:
        """Accelerations at the start are found when lanes are altered."""
        return Status.OK

    def sample(self) -> contract.Block:
        """The start as one sample."""
        return self._gathered(0, 1)

    def advance(self, steps: int) -> tuple[Status, contract.Block]:
        """Go on by so many steps, first by those at least that compiled kernels take. Samples as `contract.Run.advance`
        gives them, with a last axis for the lanes."""
        every, h = self.every, float(self.run.run.step[0])
        begin, blocks = float(self.run.run.start_time[0]), list[contract.Block]()
        if self._begins:
            self._begins = False
            steps -= FIRST_STEPS
            blocks.append(self._gathered(1, FIRST_STEPS // every))
        odd = min(-self._done % every, steps)
        for samples, each in ((1, odd), ((steps - odd) // every, every), (1, (steps - odd) % every)):
            if samples < 1 or each < 1:
                continue
            out = aligned(samples * self._size * self.width, filled=False).reshape(-1, self._size, self.width)
            first = self._done
            self._strayed |= self._go_on(out, samples, each)
            self._done += samples * each
            if self._done % every == 0:
                time = np.array([begin + (first + each * k) * h for k in range(1, samples + 1)])
                blocks.append(self._block(out, time))
        names = ("time", "motion", "multiplier")
        return Status.OK, {name: np.concatenate([block[name] for block in blocks]) for name in names}

    def _go_on(self, out: Floats, samples: int, each: int) -> int:
        """By so many samples with so many steps each, which go to `out` (samples, numbers, lanes). Bits of strays."""
        h, begin, cells = float(self.run.run.step[0]), float(self.run.run.start_time[0]), self._cells.ctypes.data
        found: int = self._code.advance(cells, out.ctypes.data, samples, each, self._done, begin, h)
        return found

    def _gathered(self, k: int, samples: int) -> contract.Block:
        """Samples of the lanes' starts (0), or of their first steps (1)."""
        layout, many = self.run.problem.layout, self._many
        found = {
            "time": np.zeros((samples, many)),
            "motion": np.zeros((samples, layout.nb, RECORDED, many)),
            "multiplier": np.zeros((samples, layout.nc, many)),
        }
        for lane, blocks in enumerate(self._blocks[:many]):
            if blocks and len(blocks[k]["time"]) == samples:
                for name, values in found.items():
                    values[..., lane] = blocks[k][name]
                if not all(np.isfinite(values[..., lane]).all() for values in found.values()):
                    self._strayed |= 1 << lane
        return found

    def _block(self, out: Floats, time: Floats) -> contract.Block:
        """What stands in the samples, instances along the last axis. Numbers that are not finite make strays."""
        many = self._many
        out = out[..., :many]
        for lane in np.flatnonzero(~finite_lanes(out)):
            self._strayed |= 1 << int(lane)
        return {"time": np.repeat(time[:, None], many, axis=1), **arrays_of_samples(self.run, out)}


def moves(target: int, spans: Iterable[Span]) -> list[tuple[int, int, int]]:
    """(target, source, bytes) that bring spans one behind the other, from an address on."""
    found: list[tuple[int, int, int]] = []
    for one in spans:
        found.append((target, one.address, one.size))
        target += one.size
    return found
