"""What runs of explicit methods call, imported when one begins: listing integrators loads no kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def of_entries() -> tuple[Any, int, NDArray[np.int64], Callable[..., Any]]:
    """`ADVANCE`, `START`, `NO_SAMPLES`, and what makes tables of addresses."""
    from linkwork.integrators.explicit_table import NO_SAMPLES
    from linkwork.integrators.runge_kutta_kernels import ADVANCE, START
    from linkwork.problems.layout import address_table

    return ADVANCE, START, NO_SAMPLES, address_table
