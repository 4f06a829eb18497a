"""Which runs are differentiated by code of their own, made of a recorded step (`lanes.traced`), forward or in reverse;
and whether what that comes to is the run.

The choice is by numbers of the run alone, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.lanes.traced.newton_euler import in_place_of
from linkwork.lanes.traced.numbers import NotTracedError

FEW = 3  # bodies whose steps always get code: it takes about a second, what else would be compiled a minute
WORTH = 50_000  # evaluations of a run from which on longer steps get code: about where both ways cost the same
WORTH_ANEW = 400_000  # the same of tangents of adaptive steps that solve equations anew: such records are not kept
WORTH_BACK = 10_000  # and of their adjoints, where each step is recorded anew otherwise
SAME = 1e-10  # of the largest number of its kind: by how much equations solved anew may be off the run
NOTHING = 1e-15  # of the largest number of all: rounding of what is none
MANY, WORTH_OF_MANY = 50, 5_000  # the same for adjoints of so many bodies, whose steps are pieces of few shapes


def need_worth(run: Any, backwards: bool = False) -> None:
    """Raise NotTracedError where code of its own does not pay, or steps are not alike."""
    if type(run) is ImplicitRun:
        evaluations = 1
    elif finds_its_steps(run):
        worth = WORTH_BACK if backwards else WORTH_ANEW if in_place_of(run.problem) else WORTH
        if run.counts["evaluations"] < worth:
            raise NotTracedError("fewer steps than code of their own is worth")
        return
    elif not isinstance(run, RungeKuttaRun) or run.times is not None or run.held.project_every > 0:
        raise NotTracedError("steps of other than one size, or projection,")
    else:
        evaluations = int(run.run.stages[0])
    bodies = run.problem.mechanism.nb
    if bodies > FEW and run.total * evaluations < (WORTH_OF_MANY if backwards and bodies >= MANY else WORTH):
        raise NotTracedError("fewer steps than code of their own is worth")


def finds_its_steps(run: Any) -> bool:
    """Whether this is an explicit run whose steps find their own size, and end at no kink nor on the constraints."""
    explicit = isinstance(run, RungeKuttaRun) and run.times is not None and run.tolerances is not None
    return explicit and not len(run.kinks) and run.held.project_every == 0


def same_but_for_rounding(
    pairs: Iterable[tuple[NDArray[np.float64], NDArray[np.float64]]], within: float | None = None
) -> list[bool]:
    """Whether arrays that equations solved anew come to are those of the run. pairs : (found, in the run). within : of
    the largest number; `SAME`, if left out."""
    every = list(pairs)
    largest = max((float(np.max(np.abs(wanted), initial=0.0)) for _, wanted in every), default=0.0)
    out = []
    for found, wanted in every:
        off, size = (float(np.max(np.abs(one), initial=0.0)) for one in (found - wanted, wanted))
        out.append(off <= max((SAME if within is None else within) * size, NOTHING * largest))
    return out


def addresses_of(prepared: Prepared, moving: NDArray[np.bool_]) -> list[int]:
    """Of the reals that move."""
    found: list[NDArray[np.int64]] = [
        array.__array_interface__["data"][0] + 8 * np.arange(array.size) for array in prepared.reals.arrays
    ]
    out: list[int] = np.concatenate(found)[moving].tolist()
    return out
