"""Constraint rows and their exact first derivatives, all rows of a kind at once.

The kernels of rows are arithmetic without branches (others go one by one), so that they take arrays of complex
numbers: every row is evaluated with a tiny imaginary step in each displacement (r_i, theta_i, r_j, theta_j) and
velocity (v_i, w_i, v_j, w_j) of its two bodies, and the imaginary parts are the derivatives, to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.rows.kind import RowKind, stacked
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import Rows
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
STEP = 1e-30
PLACES, MOTIONS = 12, 24  # displacements of two bodies; and their velocities
GENERATORS = np.array([
    [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
    [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
], dtype=float)  # fmt: skip


class RowDerivatives(NamedTuple):
    """Values of n rows and their derivatives along the displacements, and of gamma also along the velocities.

    Columns are those of body i, then those of body j: translation global [m], rotation in the body [rad].
    """

    G: Array  # (n, 12)
    nu: Array  # (n,) row/s
    gamma: Array  # (n,) row/s^2
    dG: Array  # (n, 12, 12): the last index is the displacement
    dnu: Array  # (n, 12)
    dgamma: Array  # (n, 24): displacements, then velocities


def row_derivatives(at: CompiledMechanism, drive: Array, *, moving: bool = True) -> RowDerivatives:
    """All rows at the start state of `at`. drive (nc, 3) : f, f', f''. moving : derivatives of gamma are wanted."""
    n, rows = at.nc, at.system.rows
    local = _two_bodies_each(rows, n)
    r, A, v, w = _steps(at, MOTIONS if moving else PLACES)
    found = RowDerivatives(
        np.zeros((n, 12)), np.zeros(n), np.zeros(n), np.zeros((n, 12, 12)), np.zeros((n, 12)), np.zeros((n, 24))
    )
    f, plain = drive[:, :, None], rows._replace(body_i=local.body_i, body_j=local.body_j)
    for number, kind in enumerate(KINDS):
        k = np.flatnonzero(rows.kind == number)
        if not len(k):
            continue
        few, table = (r[..., :PLACES], A[..., :PLACES]), plain if kind.one_by_one else local
        _, *parts = _at_steps(kind, kind.row, table, k, *few, f)
        for c, part in enumerate(np.broadcast_arrays(*(x for side in parts for x in _columns(side, len(k))))):
            found.G[k, c], found.dG[k, c] = part[:, 0].real, part.imag / STEP
        nu = _column(_at_steps(kind, kind.nu, table, k, *few, f), len(k))
        found.nu[k], found.dnu[k] = nu[:, 0].real, nu.imag / STEP
        gamma = _column(_at_steps(kind, kind.gamma, table, k, r, A, v, w, f), len(k), r.shape[-1])
        found.gamma[k] = gamma[:, 0].real
        found.dgamma[k, : r.shape[-1]] = gamma.imag / STEP
    return found


def _at_steps(kind: RowKind, function: Callable[..., Any], rows: Rows, k: NDArray[np.int64], *state: Any) -> Any:
    """A kernel on rows k at all steps: at once, or one by one for kinds that ask for that."""
    if not kind.one_by_one:
        return function(rows, k, *state)
    *moved, f = state
    each = [
        stacked([function(rows, int(one), *(x[..., c] for x in moved), f[..., 0]) for c in range(moved[0].shape[-1])])
        for one in k
    ]
    return stacked(each)


def _column(value: Any, n: int, width: int = PLACES) -> Any:
    return np.broadcast_to(np.asarray(value, dtype=complex), (n, width))


def _columns(part: Any, n: int) -> list[Any]:
    return [_column(x, n) for x in part]


def _two_bodies_each(rows: Rows, n: int) -> Rows:
    """The rows with two bodies of their own, and columns that go with arrays of steps."""
    wide = {
        name: value[..., None]
        for name, value in rows._asdict().items()
        if name in ("a_i", "b_i", "a_j", "s_i", "s_j", "n", "scalar")
    }
    return rows._replace(body_i=np.arange(n), body_j=n + np.arange(n), **wide)


def _steps(at: CompiledMechanism, width: int) -> tuple[Any, Any, Any, Any]:
    """r, A, v, w of the 2 n bodies, the last index being the direction of the step."""
    rows, n = at.system.rows, at.nc
    body = np.concatenate([rows.body_i, rows.body_j])
    r, A, v, w = (np.repeat(x[body][..., None].astype(complex), width, axis=-1) for x in (at.r, at.A, at.v, at.w))
    turned = np.einsum("bij,cjk->bcik", at.A[body].reshape(-1, 3, 3), GENERATORS).reshape(-1, 3, 9)
    for side in range(2):
        of = slice(side * n, side * n + n)
        for c in range(3):
            r[of, c, 6 * side + c] += 1j * STEP
            A[of, :, 6 * side + 3 + c] += 1j * STEP * turned[of, c]
            if width == MOTIONS:
                v[of, c, PLACES + 6 * side + c] += 1j * STEP
                w[of, c, PLACES + 6 * side + 3 + c] += 1j * STEP
    return r, A, v, w
