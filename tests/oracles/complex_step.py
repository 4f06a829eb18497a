"""Derivatives of residual kernels by complex steps, and the sparse matrices that should equal them, dense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

TINY = 1e-30
RELATIVE = 1e-12


def derivative(work: Any, evaluate: Callable[[Any], np.ndarray], columns: int) -> np.ndarray:
    """d(evaluate)/dz at work.z: the kernels run on complex copies of all arrays but settings, time and formulas."""
    kept = ("request", "stack")
    shadow = type(work)(*(x if name in kept else x.astype(complex) for name, x in work._asdict().items()))
    out = []
    for c in range(columns):
        shadow.z[:] = work.z
        shadow.z[c] += TINY * 1j
        out.append(evaluate(shadow).imag / TINY)
    return np.stack(out, axis=1)


def dense(structure: Any) -> np.ndarray:
    """The matrix as it stands in its sparse structure."""
    found, n = structure.pattern, structure.pattern.n
    out = np.zeros((n, n))
    for c in range(n):
        for e in range(found.indptr[c], found.indptr[c + 1]):
            out[found.indices[e], c] += structure.matrix.values[e]
    return out


def assert_matches(actual: np.ndarray, wanted: np.ndarray) -> None:
    """Every entry, to RELATIVE of the largest in its row, or of one in rows without large entries."""
    size = np.maximum(np.abs(wanted).max(axis=1, keepdims=True), 1.0)
    error = np.abs(actual - wanted) / size
    worst = np.unravel_index(np.argmax(error), error.shape)
    assert error[worst] < RELATIVE, (
        f"entry {worst}: {actual[worst]:.15g}, complex step {wanted[worst]:.15g}, relative error {error[worst]:.1e}"
    )
