"""Turns counted: angles that are known within half a turn at every sample, made continuous."""

from __future__ import annotations

import numpy as np

from linkwork.header import Array

REVOLUTION = 2.0 * np.pi


def continued(angle: Array, rate: Array, time: Array, start: Array | float | None = None) -> Array:
    """The angle (..., nt) rad with its turns; of several runs each by itself.

    From sample to sample the turns are such that the angle lies nearest to where its rate, by the trapezoidal rule, has
    brought it: samples may be several turns apart as long as that is good to half a turn. start : an angle (...)
    that the first sample lies nearest to; itself, within half a turn of zero, if left out.
    """
    if not angle.size:
        return angle
    ahead = angle[..., :-1] + 0.5 * np.diff(time) * (rate[..., :-1] + rate[..., 1:])
    jumps = np.round((ahead - angle[..., 1:]) / REVOLUTION)
    whole = np.zeros(angle.shape)
    np.cumsum(jumps, axis=-1, out=whole[..., 1:])
    if start is not None:
        whole += np.round((start - angle[..., 0]) / REVOLUTION)[..., None]
    return np.asarray(angle + REVOLUTION * whole)
