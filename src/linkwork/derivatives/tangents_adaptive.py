"""A run with tangents whose steps find their own size, recorded (`lanes.traced.adaptive_steps`).

What `tangents_traced` does for steps of one size. Sizes of steps move with the numbers as the run's own rule has it, so
that these are derivatives of the discrete map. Sizes hang on estimates of errors, of which rounding leaves fewer digits
than of states: steps are as long as those of the run itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tangents_in_lanes import TangentsInLanes, told
from linkwork.derivatives.traced import same_but_for_rounding
from linkwork.lanes.traced.adaptive_code import AdaptiveCode, adaptive_code, new_words, text_of
from linkwork.lanes.traced.adaptive_steps import START, AdaptiveRecord, AdaptiveRecorder
from linkwork.lanes.traced.derivatives import cells_left, hangs_on_equality
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError

Array = NDArray[np.float64]
NEAR = 1e-6  # of the largest of its kind: how far samples may be off the run
BEGIN = 0.1  # of the samples, which have to be; digits tell what rounding grows to later
KINDS = ((0, 3), (3, 12))  # columns of motion: positions and rotations; at rest rates are what steps leave of them
PART = 1024  # samples between two looks at whether numbers are finite


class AdaptiveTangents(TangentsInLanes):
    """A prepared run with tangents, its steps recorded.

    sizes : of the run's steps [s]. Raises NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    def __init__(self, prepared: Prepared, tangents: Array, sizes: Array) -> None:
        recorder = AdaptiveRecorder(prepared.run, in_place_of(prepared.run.problem), float(np.min(sizes)))
        super().__init__(prepared, recorder, tangents)
        recorded = recorder.adaptive(self.given | recorder.measures | recorder.lengths)
        made_once(recorded.made, ("smooth", self.given), lambda: need_smooth(recorded, self.given))
        self._code: AdaptiveCode = self.code_of(recorded)
        self.sizes = np.ascontiguousarray(sizes)
        changing, places = frozenset[int]().union(*recorded.left), {cell: k for k, cell in enumerate(recorded.carried)}
        self._changing = np.array([places[cell] for cell in sorted(changing)], dtype=np.int64)

    def compiled(self, given: Sequence[frozenset[int]]) -> AdaptiveCode:
        """given : of each vector."""
        return adaptive_code(text_of(self.recorded, self.width, [moving_cells(self.recorded, one) for one in given]))

    @property
    def times(self) -> Array:
        """(samples,) [s]."""
        found: Array = self.run.times
        return found

    def carried_out(self, cells: Array, many: int) -> Array:
        """(samples, numbers, 1 + many) of the run from these cells."""
        run, code, size = self.run, self._code, self.recorded.samples
        out, some = np.empty((len(run.times), size, 1 + many)), self.room(PART, size)
        words, place, room = new_words(), cells.ctypes.data, some.ctypes.data
        further = words.ctypes.data, self.sizes.ctypes.data, len(self.sizes)
        strayed = code.start(place, 0, 0.0, 0)
        begun, done = len(run.times) - run.total, 0
        if begun:
            strayed |= code.shown(place, room, 0.0, 0)
            told(out[:1], some)
        while done < run.total and not strayed and np.isfinite(cells[self._changing]).all():
            stop = min(run.total, done + PART)
            targets = np.ascontiguousarray(run.times[begun + done : begun + stop])
            strayed |= code.advance(place, room, targets.ctypes.data, len(targets), *further)
            told(out[begun + done : begun + stop], some)
            done = stop
        if strayed or done < run.total or not np.isfinite(out).all():
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


def need_same(run: Any, found: Mapping[str, Array], wanted: Mapping[str, Array]) -> None:
    """Raise NotTracedError where samples are not those of the run: at its begin, and where equations are solved anew,
    whose kept rows may be others later on, all the way."""
    whole = in_place_of(run.problem)
    few = slice(None if whole else max(2, round(BEGIN * len(wanted["time"]))))
    motion, right = found["motion"][few], wanted["motion"][few]
    pairs = [(motion[..., first:last], right[..., first:last]) for first, last in KINDS]
    pairs.append((found["multiplier"][few], wanted["multiplier"][few]))
    if not all(same_but_for_rounding(pairs, NEAR)):
        raise NotTracedError("steps that come to something else than the run")
