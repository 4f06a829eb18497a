"""A run with tangents whose steps find their own size, recorded (`lanes.traced.adaptive_steps`).

What `tangents_traced` does for steps of one size. Sizes of steps move with the numbers as the run's own rule has it, so
that these are derivatives of the discrete map. Sizes hang on estimates of errors, of which rounding leaves fewer digits
than of states: steps are as long as those of the run itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tangents_traced import AT_ONCE, told
from linkwork.derivatives.traced import addresses_of
from linkwork.lanes.memory import aligned
from linkwork.lanes.processor import width
from linkwork.lanes.traced.adaptive_code import AdaptiveCode, adaptive_code, text_of
from linkwork.lanes.traced.adaptive_steps import START, AdaptiveRecord, AdaptiveRecorder
from linkwork.lanes.traced.batch import SampleLayout
from linkwork.lanes.traced.derivatives import cells_left, hangs_on_equality
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError

Array = NDArray[np.float64]
NEAR = 1e-6  # of the largest of its kind: digits tell what rounding has grown to
PART = 1024  # samples between two looks at whether numbers are finite


class AdaptiveTangents:
    """A prepared run with tangents, its steps recorded.

    prepared : the run, which is not begun; it is read, and not changed. tangents : (reals, numbers) of all that its
    compiled code works on. sizes : of the run's steps [s]. Raises NotTracedError where a step cannot be recorded, or
    not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array, sizes: Array) -> None:
        run, self.sizes = prepared.run, np.ascontiguousarray(sizes)
        self.run = run
        moves = np.any(tangents != 0.0, axis=1)
        recorder = AdaptiveRecorder(run, in_place_of(run.problem))
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moves)], dtype=np.int64)
        read = cells >= 0
        cells, tangents = cells[read], tangents[moves][read]
        given = frozenset(cells.tolist())
        self.recorded = recorded = recorder.adaptive(given | recorder.measures | recorder.lengths)
        made_once(recorded.made, ("smooth", given), lambda: need_smooth(recorded, given))
        self.width, self.many = width(), tangents.shape[1]
        self.vectors = -(-min(self.many, AT_ONCE) // self.width)
        self.at_once = self.vectors * self.width
        places = {cell: k for k, cell in enumerate(recorded.carried)}
        carried = np.array([cell in places for cell in cells.tolist()], dtype=bool)
        self._places = np.array([places[cell] for cell in cells[carried].tolist()], dtype=np.int64)
        self._tangents, self._base = tangents[carried], recorded.cells[list(recorded.carried)]
        within = tuple(self._given(cells, tangents, vector) for vector in range(self.vectors))
        self._code: AdaptiveCode = made_once(recorded.made, (self.width, *within), lambda: self._compiled(within))
        changing = frozenset[int]().union(*recorded.left)
        self._changing = np.array([places[cell] for cell in sorted(changing)], dtype=np.int64)

    def _given(self, cells: NDArray[np.int64], tangents: Array, vector: int) -> frozenset[int]:
        """Cells that begin with tangents in this vector, of any pass."""
        within = np.arange(self.many) % self.at_once // self.width == vector
        return frozenset(cells[np.any(tangents[:, within] != 0.0, axis=1)].tolist())

    def _compiled(self, given: tuple[frozenset[int], ...]) -> AdaptiveCode:
        """given : of each vector."""
        return adaptive_code(text_of(self.recorded, self.width, [moving_cells(self.recorded, one) for one in given]))

    def samples(self) -> dict[str, Array]:
        """Arrays (samples, ..., 1 + numbers), values first.

        Raises NotTracedError where the run leaves the course that was recorded, or a derivative is not finite."""
        found = None
        for first in range(0, self.many, self.at_once):
            now = self._pass(first)
            found = now if found is None else np.concatenate([found, now[..., 1:]], axis=-1)
        assert found is not None
        time = np.zeros((len(found), 1 + self.many))
        time[:, 0] = self.run.times
        return {"time": time, **SampleLayout.of(self.run).arrays(found)}

    def _pass(self, first: int) -> Array:
        """(samples, numbers, 1 + tangents) of the run with the tangents from one on."""
        of, run, code, size = (
            self._tangents[:, first : first + self.at_once],
            self.run,
            self._code,
            self.recorded.samples,
        )
        cells = aligned(len(self._base) * (1 + self.vectors) * self.width).reshape(-1, 1 + self.vectors, self.width)
        cells[:, 0] = self._base[:, None]
        behind = np.zeros((len(self._base), self.at_once))
        behind[self._places, : of.shape[1]] = of
        cells[:, 1:] = behind.reshape(-1, self.vectors, self.width)
        out = np.empty((len(run.times), size, 1 + of.shape[1]))
        some = aligned(PART * size * (1 + self.vectors) * self.width).reshape(PART, size, *cells.shape[1:])
        words, place, room = np.zeros(3, dtype=np.int64), cells.ctypes.data, some.ctypes.data
        further = words.ctypes.data, self.sizes.ctypes.data, len(self.sizes)
        left = code.start(place, 0, 0.0, 0)
        begun, done = len(run.times) - run.total, 0
        if begun:
            left |= code.shown(place, room, 0.0, 0)
            told(out[:1], some)
        while done < run.total and not left:
            stop = min(run.total, done + PART)
            targets = np.ascontiguousarray(run.times[begun + done : begun + stop])
            left |= code.advance(place, room, targets.ctypes.data, len(targets), *further)
            told(out[begun + done : begun + stop], some)
            done = stop
            if left or not np.isfinite(cells[self._changing]).all():
                raise NotTracedError("another course of the run, or an infinite derivative,")
        if left or not np.isfinite(out).all():
            raise NotTracedError("another course of the run, or an infinite derivative,")
        return out


def moving_cells(recorded: AdaptiveRecord, given: frozenset[int]) -> frozenset[int]:
    """Cells that move sooner or later, where these are moved before the start."""
    moving = set(given)
    while True:
        more = set(moving)
        for one in recorded.functions:
            more |= cells_left(one, more)
        if more == moving:
            return frozenset(moving)
        moving = more


def need_smooth(recorded: AdaptiveRecord, given: frozenset[int]) -> None:
    """Raise NotTracedError where the course that was recorded hangs on two numbers being equal that move apart."""
    moving, (start,) = moving_cells(recorded, given), recorded.operations[START]
    for k, one in enumerate(recorded.functions):
        if hangs_on_equality(one, given if k == start else moving):
            raise NotTracedError("a course that hangs on equality")
