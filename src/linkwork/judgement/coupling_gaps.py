"""How far rigid couplings are from being met, as lengths, sample by sample.

Their rows count angles with turns from sample to sample, so that residuals are taken where samples are derived in order
(`MechanismDeriver.missed`), not at single poses as `samples.Gaps` does. Turns are known as long as nothing turns by
135 degrees from one sample to the next (`kernels.angles.told`); from where something does, nobody knows what a residual
is, and none is looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import Missed
from linkwork.judgement.samples import LEAST_SIZE, Gap
from linkwork.kernels.angles import DOUBTFUL
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import coupled_parts
from linkwork.system.dense import drives

Array = NDArray[np.float64]


class CouplingGaps:
    """Of one mechanism. worst : the largest gap of a position row [m] and of its rate [m/s], of all samples seen.
    counted : whether turns were known at all of them. near : a gap at the first sample that is none of a turn [m]."""

    def __init__(self, mechanism: CompiledMechanism, near: float) -> None:
        self.counted, self.near = True, near
        self._before: tuple[float, float] | None = None  # time [s] of the last sample, and how fast angles may change
        self.first_row = mechanism.nc - mechanism.rigid
        self.worst = {"position": Gap(-1, 0.0, 0.0), "velocity": Gap(-1, 0.0, 0.0)}
        self._sizes = np.ones(0)
        self._last = np.zeros((0, 0))  # gaps of the samples looked at last, (n, rigid) m
        if mechanism.rigid:
            _, J = coupled_parts(mechanism, mechanism.r, mechanism.A, drives(mechanism, 0.0))
            units = np.tile([1.0] * 3 + [1.0 / mechanism.extent] * 3, mechanism.nb)
            self._sizes = np.maximum(np.linalg.norm(J * units, axis=1), LEAST_SIZE)

    def look(self, time: Array, motion: Array, missed: Missed | None) -> None:
        """At samples, in order. time : (n,) s. motion : (n, nb, 24). missed : what was found of these, None without
        couplings."""
        if missed is None or not len(self._sizes) or not len(time):
            return
        found, rates = self._lengths(missed.phi), self._lengths(missed.rate)
        broken = ~np.all(np.isfinite(motion[:, :, :18]), axis=(1, 2))
        lost = ~self._known(time, motion, found)
        for lengths in (found, rates):
            lengths[lost], lengths[broken] = 0.0, np.inf
        self._last = found
        for name, lengths in (("position", found), ("velocity", rates)):
            n, k = divmod(int(np.argmax(lengths)), lengths.shape[1])
            if lengths[n, k] > self.worst[name].size:
                self.worst[name] = Gap(self.first_row + k, float(lengths[n, k]), float(time[n]))

    def _known(self, time: Array, motion: Array, lengths: Array) -> NDArray[np.bool_]:
        """(n,) at which samples turns are known."""
        spins = np.sort(np.linalg.norm(motion[:, :, 15:18], axis=2), axis=1)
        fast = np.sum(spins[:, -2:], axis=1)  # no joint turns faster than the two fastest bodies against each other
        first = self._before is None
        t, w = (time[0], fast[0]) if self._before is None else self._before
        known = np.diff(time, prepend=t) * np.maximum(fast, np.concatenate(([w], fast[:-1]))) < DOUBTFUL
        known &= np.all(np.isfinite(lengths), axis=1)
        known[0] &= self.counted and (not first or float(np.max(lengths[0])) <= self.near)
        known = np.logical_and.accumulate(known)
        self._before, self.counted = (float(time[-1]), float(fast[-1])), bool(known[-1])
        return known

    def first_beyond(self, far: float, time: Array) -> tuple[int | None, Gap]:
        """The first of the samples looked at last with a coupling off by more than `far` [m]."""
        if not self._last.size or not len(beyond := np.argwhere(self._last > far)):
            return None, Gap(-1, 0.0, 0.0)
        n, k = (int(one) for one in beyond[0])
        return n, Gap(self.first_row + k, float(self._last[n, k]), float(time[n]))

    def _lengths(self, residuals: Array) -> Array:
        found: Array = np.where(np.isfinite(residuals), np.abs(residuals), np.inf) / self._sizes
        return found
