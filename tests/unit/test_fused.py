"""Products and sums in one instruction: rounded once, and the same as what Python works out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from linkwork.kernels.fused import fused
from linkwork.kernels.jit import compiled
from linkwork.kernels.spatial.inertias import turn_block, turn_symmetric

N = 200


def fuse(x: Any, out: Any) -> None:
    """Compiled code that calls `fused`."""
    for k in range(out.shape[0]):
        out[k] = fused(x[k, 0], x[k, 1], x[k, 2])


def turn(x: Any, out: Any) -> None:
    """Compiled code that turns blocks."""
    for k in range(out.shape[0]):
        a, b, e, d, c, s = x[k, 0], x[k, 1], x[k, 2], x[k, 3], x[k, 4], x[k, 5]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = turn_block(a, b, e, d, a - d, b + e, c, s)
        out[k, 4], out[k, 5], out[k, 6] = turn_symmetric(a, b, d, a - d, c, s, c + c)


def test_one_rounding_where_the_processor_can_and_never_anything_else() -> None:
    x = np.random.default_rng(1).normal(size=(N, 3))
    x[:, 2] = -x[:, 0] * x[:, 1]  # what is left is the product's own rounding
    out = np.full(N, np.nan)
    compiled(fuse, kept=False)(x, out)
    once = [float(Fraction(a) * Fraction(b) + Fraction(c)) for a, b, c in x.tolist()]
    assert any(once)
    assert out.tolist() in (once, [0.0] * N)


def test_compiled_blocks_are_those_of_python_and_of_matrices() -> None:
    x = np.random.default_rng(2).normal(size=(N, 6))
    angle = x[:, 4].copy()
    x[:, 4], x[:, 5] = np.cos(angle), np.sin(angle)
    found, plain = np.full((N, 7), np.nan), np.full((N, 7), np.nan)
    compiled(turn, kept=False)(x, found)
    turn(x, plain)
    np.testing.assert_allclose(found, plain, rtol=0.0, atol=4e-15)
    for (a, b, e, d, c, s), row in zip(x, found, strict=True):
        R = np.array([[c, -s], [s, c]])
        np.testing.assert_allclose(row[:4], (R @ [[a, b], [e, d]] @ R.T).ravel(), rtol=0.0, atol=4e-15)
        np.testing.assert_allclose(row[[4, 5, 5, 6]], (R @ [[a, b], [b, d]] @ R.T).ravel(), rtol=0.0, atol=4e-15)
