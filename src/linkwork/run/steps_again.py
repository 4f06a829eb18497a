"""Steps of a run that are taken again from one of its samples, each recorded, where the run recorded every k-th alone.

Explicit methods of one step take the very same steps, to rounding. What implicit ones carry from step to step beyond
the state begins anew (generalized-alpha's averaged acceleration is that of the sample): their steps are such as the
method takes from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.kernels.compiling import purpose
from linkwork.problems.implicit import A, R, V, W
from linkwork.remembered import fresh
from linkwork.run.recording import joined_blocks
from linkwork.run.starting import new_run, started
from linkwork.system import CompiledMechanism
from linkwork.system.counted_angles import angles_after, counts_angles

if TYPE_CHECKING:
    from linkwork.run.simulate import Call

Array = NDArray[np.float64]
KEPT = ("time", "motion")


class StepsAgain:
    """Of one run. start : its mechanism, at the start. recorded : gives its samples from one number on, up to another,
    as blocks."""

    def __init__(
        self, call: Call, start: CompiledMechanism, recorded: Callable[[int, int], Iterable[Mapping[str, Array]]]
    ) -> None:
        self.call, self.start, self.recorded = call, start, recorded
        self._counted: dict[int, Array] = {}  # angles at samples, as far as they have been counted

    def __call__(self, k: int, steps: int) -> dict[str, Array] | None:
        """Steps from sample k on, as of `judgement.defects.StepsAgain`."""
        call, start = self.call, self.start
        (sample,) = self.recorded(k, k + 1)
        time, motion = float(sample["time"][0]), sample["motion"][0]
        r, rotation, v, w = (fresh(one) for one in (start.r, start.A, start.v, start.w))
        for array, at in ((r, R), (rotation, A), (v, V), (w, W)):
            array[: start.nb] = motion[:, at : at + array.shape[1]]
        angles = self._angles(k)
        there = start.at(r, rotation, v, w).other(
            tables=fresh(start.tables), couplings=fresh(start.couplings), counted_angles=angles
        )
        new = partial(new_run, call.formulation, call.integrator, step=call.step, t_end=steps * call.step)
        try:
            with purpose(call.label):
                run = started(there, new, time=time, counted_angles=angles, refusal=call.formulation.refusal)
                blocks = [run.first(), run.advance(steps)[1]]
        except LinkworkError:
            return None
        return joined_blocks([{name: block[name] for name in KEPT} for block in blocks])

    def _angles(self, k: int) -> Array:
        """(angles,) that are counted with their turns, at sample k [rad]."""
        last = max((one for one in self._counted if one <= k), default=-1)
        told = self.start.counted_angles
        angles = np.zeros(self.start.angles) if told is None else told
        angles = self._counted.get(last, angles)
        for block in self.recorded(last + 1, k + 1) if counts_angles(self.start) else ():
            angles = angles_after(self.start, block["motion"][:, :, A : A + 9], angles)
        self._counted[k] = angles
        return angles
