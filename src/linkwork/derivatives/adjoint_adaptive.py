"""The reverse of a run whose steps find their own size, by recorded steps (`lanes.traced.adaptive_reverse_code`).

What `adjoint_traced` does for steps of one size. Sizes of steps move as in `tangents_adaptive`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_run import Seeds
from linkwork.derivatives.adjoint_traced import AT_ONCE, sown
from linkwork.derivatives.memory_tape import SamplesTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tangents_adaptive import moving_cells, need_same, need_smooth
from linkwork.derivatives.tape import Array, Ints
from linkwork.derivatives.traced import addresses_of
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.adaptive_reverse_code import AdaptiveReverse
from linkwork.lanes.traced.adaptive_steps import AdaptiveRecorder
from linkwork.lanes.traced.batch import SampleLayout
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError


class AdaptiveAdjoint:
    """A prepared run to be reversed, its steps recorded.

    prepare : makes the run, with room for so many samples. moving : (reals,) which of `Prepared.reals` move at the
    start. tape : samples of the run itself, which was carried out. sizes : of its steps [s]. cell_of : (reals,) columns
    of `gradients`, the last, which is zero, for what nothing depends on. Raises NotTracedError where a step cannot be
    recorded, or not be differentiated.
    """

    def __init__(
        self,
        prepare: Callable[[int], Prepared],
        moving: NDArray[np.bool_],
        tape: SamplesTape,
        sizes: Array,
    ) -> None:
        prepared = prepare(1)
        run, self.tape, self.sizes = prepared.run, tape, sizes
        self.run = run
        recorder = AdaptiveRecorder(run, in_place_of(run.problem), float(np.min(sizes)))
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moving)], dtype=np.int64)
        given = frozenset(cells[cells >= 0].tolist())
        self.given = given
        self.recorded = recorded = recorder.adaptive(given | recorder.measures | recorder.lengths)
        made_once(recorded.made, ("smooth", given), lambda: need_smooth(recorded, given))
        places = {cell: k for k, cell in enumerate(recorded.carried)}
        self.size = len(places)
        self.cell_of: Ints = np.full(len(moving), self.size, dtype=np.int64)
        self.cell_of[np.flatnonzero(moving)] = [places.get(int(cell), self.size) for cell in cells]
        self.first = aligned(self.size)
        self.first[:] = recorded.cells[list(recorded.carried)]

    def samples(self) -> dict[str, Array]:
        """Those of the run as it is, arrays as compiled code writes them."""
        return self.tape.samples

    def gradients(self, seeds: Seeds) -> Array:
        """(functions, size + 1) derivatives by every number at the start. seeds : those by the samples. Raises
        NotTracedError where the run leaves the course that was recorded."""
        several = len(next(iter(seeds.values())))
        lanes, recorded = 1 if several == 1 else AT_ONCE, self.recorded
        moving = moving_cells(recorded, self.given)
        code = made_once(
            recorded.made, ("reverse", lanes, self.given), lambda: AdaptiveReverse(recorded, lanes, moving)
        )
        taken = code.taken(self.first, self.run, self.sizes)
        if taken is None:
            raise NotTracedError("another course of the run")
        need_same(self.run, SampleLayout.of(self.run).arrays(taken.samples), self.samples())
        chunks = [taken.backwards(one) for one in sown(seeds, lanes)]
        if any(one is None for one in chunks):
            raise NotTracedError("another course of the run")
        found = np.array(chunks)
        reached = [place for place in np.unique(self.cell_of).tolist() if place < self.size]
        if not np.isfinite(found[:, reached]).all():  # a root of zero, for example, which compiled kernels leave out
            raise NotTracedError("an infinite derivative")
        out = np.zeros((several, self.size + 1))
        out[:, reached] = found.transpose(0, 2, 1).reshape(-1, self.size)[:several, reached]
        return out
