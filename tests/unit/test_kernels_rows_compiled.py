"""The compiled row kernels give the numbers of the plain Python ones."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.rows_samples import sample

from linkwork.kernels import jit
from linkwork.kernels.rows import table


@pytest.fixture(scope="module")
def compiled():
    def everything(rows, r, A, v, w, drive, lam, phi, G_i, G_j, nu, gamma, variation, rate):
        table.evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
        table.rows_nu(rows, r, A, drive, nu)
        table.rows_gamma(rows, r, A, v, w, drive, gamma)
        for k in range(rows.kind.shape[0]):
            table.row_variation(rows, k, lam[k], r, A, drive, variation[k])
            table.rate_variation(rows, k, r, A, v, w, drive, rate[k])

    return jit.compiled(everything, kept=False)


@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_plain_agree_to_rounding(compiled, seed):
    """Not to the bit: compiled code may fuse a multiplication and an addition."""
    s = sample(seed)
    nc = len(s.kinds)
    variations = {"row variation": (nc, 12, 12), "rate variation": (nc, 12)}
    shapes = {"phi": nc, "G_i": (nc, 6), "G_j": (nc, 6), "nu": nc, "gamma": nc, **variations}
    fast = [np.zeros(shape) for shape in shapes.values()]
    plain = [np.zeros(shape) for shape in shapes.values()]
    arguments = (s.rows, s.r, s.A, s.v, s.w, s.drive, s.lam)
    compiled(*arguments, *fast)
    compiled.__wrapped__(*arguments, *plain)
    for name, a, b in zip(shapes, fast, plain, strict=True):
        assert np.any(b != 0.0)
        np.testing.assert_allclose(a, b, rtol=0.0, atol=2e-14 * np.max(np.abs(b)), err_msg=name)
