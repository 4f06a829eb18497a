"""How much of a quantity is rounding: the torque of a ball joint is nothing else, and has no slope that formulas of two
orders agree on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.stencil import NOISE

Array = NDArray[np.float64]
ROUNDING = 2.0**-50  # of every number of a sample
MARGIN = 16.0  # by how much more a quantity may round than is seen
TRIES = 3


def size_of_rounding(value: Callable[[dict[str, Array]], Array], samples: Mapping[str, Array]) -> float:
    """The size of what a quantity is made of, of which its rounding is a share NOISE: by how it changes where every
    number of the samples is moved by its rounding, up or down."""
    signs, here = np.random.default_rng(0), np.asarray(value(dict(samples)))
    moved = 0.0
    for _ in range(TRIES):
        by = {name: 1.0 + ROUNDING * signs.choice((-1.0, 1.0), one.shape) for name, one in samples.items()}
        change = np.abs(value({name: one * by[name] for name, one in samples.items()}) - here)
        moved = max(moved, float(np.max(change, initial=0.0)))
    return MARGIN * moved / NOISE
