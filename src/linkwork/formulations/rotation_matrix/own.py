"""Where the formulation's own arrays stand in the table that entries receive: last of all."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.work import Own
from linkwork.kernels.jit import kernel
from linkwork.problems.addresses import WORDS, f1, f2, i1

COUNT = len(Own._fields)


@kernel
def own_of(c: Any) -> Any:
    """The nine elements' arrays."""
    k = c.shape[0] // WORDS - COUNT
    return Own(
        f2(c, k), f2(c, k + 1), f2(c, k + 2), f2(c, k + 3), f2(c, k + 4), f2(c, k + 5), f2(c, k + 6), f2(c, k + 7),
        f2(c, k + 8), f1(c, k + 9), i1(c, k + 10), i1(c, k + 11),
    )  # fmt: skip
