"""Small dense systems of couplings, by elimination without pivots; refused where one depends on those before."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats

LEAST = 1e-11  # of a coupling's size that must be left to it


@kernel
def eliminate(S: Floats, size: Floats) -> int:
    """S = L U in place, L with ones on its diagonal. Returns the first row whose pivot is nothing beside `size`, -1 if
    none."""
    n = size.shape[0]
    for k in range(n):
        if not abs(S[k, k]) > LEAST * size[k]:
            return k
        for i in range(k + 1, n):
            S[i, k] /= S[k, k]
            for j in range(k + 1, n):
                S[i, j] -= S[i, k] * S[k, j]
    return -1


@kernel
def substitute(S: Floats, b: Floats) -> None:
    """b becomes the solution of L U x = b."""
    n = b.shape[0]
    for i in range(n):
        for j in range(i):
            b[i] -= S[i, j] * b[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= S[i, j] * b[j]
        b[i] /= S[i, i]
