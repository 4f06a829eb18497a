"""The reverse of a run of an implicit method of a large mechanism: its converged steps go backwards by pieces.

As `adjoint_newton` does it, whose rows these are; the start goes by pieces as well (`steps_in_pieces`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_newton import STRAYED, ReversedSteps
from linkwork.derivatives.adjoint_run import Seeds
from linkwork.derivatives.adjoint_traced import AT_ONCE, sown
from linkwork.derivatives.run_tape import RunTape
from linkwork.derivatives.steps_in_pieces import StepsInPieces
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tape import Array
from linkwork.lanes.traced.newton_shapes_code import NewtonShapesCode
from linkwork.lanes.traced.numbers import NotTracedError


class PiecesAdjoint(ReversedSteps):
    """A prepared run to be reversed by pieces. tape : of the run, if its rows were kept before.

    Raises NotTracedError where a step cannot be recorded, or not be differentiated.
    """

    steps: StepsInPieces

    def __init__(
        self,
        prepare: Callable[[int], Prepared],
        moving: NDArray[np.bool_],
        part: int | None = None,
        tape: RunTape | None = None,
    ) -> None:
        known = tape if tape is not None and tape.holds(moving) else None
        super().__init__(StepsInPieces(prepare(1), moving) if known is None else known.steps, moving, part, known)

    def gradients(self, seeds: Seeds) -> Array:
        """As of `ReversedSteps`."""
        several, pieces = len(next(iter(seeds.values()))), self.steps.pieces
        lanes = 1 if several == 1 else AT_ONCE
        code = pieces.code(lanes, self.run.problem.structure.pattern)
        found = self._by_code(code, sown(seeds, lanes))[:several]
        pieces.made[lanes] = code
        if not np.isfinite(found).all():
            raise NotTracedError("an infinite derivative,")
        return found

    def _by_code(self, code: NewtonShapesCode, seed: Array) -> Array:
        """(chunks times lanes, numbers + 1). seed : (chunks, samples, numbers, lanes)."""
        steps, run, places = self.steps, self.run.run, {cell: k for k, cell in enumerate(self.steps.pieces.carried)}
        begin, h, every = float(run.start_time[0]), float(run.step[0]), int(run.every[0])
        strayed, started = code.start(steps.placed, begin)
        steps.need_same_start(started, code.layout.began)
        code.stand(steps.begun)
        bars = code.bars(len(seed))
        for first, many in self.parts():
            for bar, of in zip(bars, seed, strict=True):
                strayed |= code.backward(self.tape, bar, of[1 + first // every :], many, every, first, begin, h)
        if strayed:
            raise NotTracedError(STRAYED)
        shown = [places[cell] for cell in steps.shown] if steps.index_1 else []
        out = np.zeros((len(seed), code.lanes, len(self.given) + 1))
        for bar, of, told in zip(bars, seed, out, strict=True):
            if steps.index_1:  # the start's sample is as it stands
                np.add.at(bar, shown, of[0])
            else:
                code.back_sample(bar, of[0])
            code.back_start(bar)
            for cell, k in self.given.items():
                if cell in places:
                    told[:, k] = bar[places[cell]]
        return out.reshape(-1, out.shape[2])
