"""Rows linearised at a pose, and the smallest steps that change them as wanted.

Columns are scaled so that one unit is a turn of 1 rad or a move of the mechanism's typical length, rows to unit
length: rank, smallness and 'least' then mean the same in every mechanism. Few rows that are independent by far are
treated by elimination, in an order of sums that compiled code has as well (`equations.described_kernels`); others of
few bodies by singular values, many by a sparse factorisation along the mechanism's graph (SciPy, imported only then).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism

if TYPE_CHECKING:
    from linkwork.system.dense import Parts

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

DENSE = 360  # columns up to which singular values are taken
NEGLIGIBLE = 1e-11  # singular values below this share of the largest are rounding
LEAST_UNIT = 1e-6  # of what a row changes by, in metres or radians: one that is at its extreme has no slope
FEW = 60  # rows up to which elimination is tried
OWN = 1e-8  # squared length that a row of unit length must have left beside those before it, to be independent by far
FLOOR = 1e-13  # damping that the sparse factorisation needs where rows are dependent


def row_units(mechanism: CompiledMechanism, parts: Parts) -> Array:
    """(nc,) what rows change by where bodies move by the typical length, or turn by 1 rad: a residual over it is a
    share of the length or an angle in rad, whatever the row's unit. Rows at an extreme keep a least size."""
    every = np.ones(mechanism.nc, dtype=bool)
    sizes = Jacobian(mechanism, parts, every, unit_columns(mechanism)).size
    return np.maximum(sizes, LEAST_UNIT * min(mechanism.length, 1.0))


class Jacobian:
    """Scaled rows G (n, 6 nb) of some of a mechanism's constraints.

    rows : which constraints (a mask over nc). parts : of all of them (`system.dense.Parts`). column : the size of a
    unit step in each column (6 nb,), zero for what must not move; or per body its unit steps as the columns of
    (nb, 6, 6).
    """

    def __init__(self, mechanism: CompiledMechanism, parts: Parts, rows: Mask, column: Array) -> None:
        table, nb = mechanism.system.rows, mechanism.nb
        every = np.flatnonzero(rows)
        self.nb, self.n, self.column = nb, len(every), column
        self.body = np.stack([table.body_i[every], table.body_j[every]], axis=1)  # (n, 2)
        of_bodies = np.empty((self.n, 2, 6))
        of_bodies[:, 0], of_bodies[:, 1] = parts.G_i[every], parts.G_j[every]
        if column.ndim == 1:
            scale = np.zeros((nb + 1, 6))  # ground does not move
            scale[:nb] = column.reshape(nb, 6)
            self.parts = of_bodies * scale[self.body]
        else:
            steps = np.concatenate([column, np.zeros((1, 6, 6))])
            self.parts = np.einsum("ksc,kscd->ksd", of_bodies, steps[self.body])
        same = (self.body[:, 0] == self.body[:, 1])[:, None]
        if same.any():
            self.parts[:, 0] += np.where(same, self.parts[:, 1], 0.0)
            self.parts[:, 1] = np.where(same, 0.0, self.parts[:, 1])
        self._take_coupled(mechanism, parts, rows)
        size = np.sqrt(summed((self.parts * self.parts).reshape(self.n, 12)))
        if len(self.coupled):
            size[self.n - len(self.coupled) :] = np.sqrt(np.sum(self.coupled**2, axis=1))
        self.size = np.where(size > 0, size, 1.0)
        self.parts /= self.size[:, None, None]
        if len(self.coupled):
            self.coupled /= self.size[self.n - len(self.coupled) :, None]
        self._svd: tuple[Array, Array, Array] | None = None
        self._solver: Callable[[Array], Array] | None = None
        self._known: tuple[Array, Array] | None = None
        self._tried = False

    def _take_coupled(self, mechanism: CompiledMechanism, parts: Parts, rows: Mask) -> None:
        """The last rows, of couplings, over as many bodies as they touch: (., 6 nb)."""
        n, nb = len(parts.coupled), self.nb
        self.coupled = parts.coupled[rows[mechanism.nc - n :]] if n else np.zeros((0, 6 * nb))
        if self.column.ndim == 1:
            self.coupled = self.coupled * self.column
        elif n:
            flat = self.coupled.reshape(-1, nb, 6)
            self.coupled = np.einsum("kbc,bcd->kbd", flat, self.column).reshape(-1, 6 * nb)

    @property
    def is_dense(self) -> bool:
        """Whether singular values are affordable."""
        return 6 * self.nb <= DENSE

    def dense(self) -> Array:
        """The scaled rows as one array (n, 6 nb)."""
        G = np.zeros((self.n, self.nb + 1, 6))
        for side in range(2):
            G[np.arange(self.n), self.body[:, side]] += self.parts[:, side]
        flat = G[:, : self.nb].reshape(self.n, 6 * self.nb)
        if len(self.coupled):
            flat[self.n - len(self.coupled) :] = self.coupled
        return flat

    def sparse(self) -> Any:
        """The scaled rows as a SciPy CSR array."""
        from scipy.sparse import csr_array

        row = np.repeat(np.arange(self.n), 12)
        column = (6 * self.body[:, :, None] + np.arange(6)).ravel()
        value = self.parts.ravel()
        if len(self.coupled):
            k, c = np.nonzero(self.coupled)
            row = np.concatenate([row, k + self.n - len(self.coupled)])
            column, value = np.concatenate([column, c]), np.concatenate([value, self.coupled[k, c]])
        keep = (column < 6 * self.nb) & (value != 0.0)
        return csr_array((value[keep], (row[keep], column[keep])), shape=(self.n, 6 * self.nb))

    def times(self, x: Array) -> Array:
        """G x for a scaled step x (6 nb,)."""
        moves = np.vstack([x.reshape(self.nb, 6), np.zeros((1, 6))])
        out: Array = np.einsum("kec,kec->k", self.parts, moves[self.body])
        if len(self.coupled):
            out[self.n - len(self.coupled) :] = self.coupled @ x
        return out

    def least_change(self, rhs: Array, damping: float = 0.0) -> Array:
        """The smallest step (6 nb,), in metres and radians, that changes the rows by `rhs` (n,).

        Where rows conflict, in the least-squares sense; with `damping` the step is shorter [Levenberg 1944].
        """
        if not self.n:
            return np.zeros(6 * self.nb)
        b = rhs / self.size
        x = self._dense_step(b, damping) if self.is_dense else self._sparse_step(b, damping)
        step: Array
        if self.column.ndim == 1:
            step = x * self.column
            return step
        step = np.einsum("bcd,bd->bc", self.column, x.reshape(self.nb, 6)).ravel()
        return step

    def multipliers(self, rhs: Array) -> Array:
        """(n,) lambda of the least change that changes the rows by `rhs`: it is S S^T G^T lambda, S the unit steps."""
        b = rhs / self.size
        if self.is_dense:
            U, s, _ = self._singular()
            large = s > NEGLIGIBLE * max(1.0, s[0])
            y: Array = U @ (np.where(large, 1.0 / np.where(large, s, 1.0) ** 2, 0.0) * (U.T @ b))
        else:
            G, solve = self.sparse(), self._undamped()
            y = solve(b)
            for _ in range(2):
                y = y + solve(b - G @ (G.T @ y))
        out: Array = y / self.size
        return out

    def reachable(self, rhs: Array, cutoff: float = NEGLIGIBLE) -> float:
        """The share of `rhs` (as a length) that some step can bring about: 0 where none does, 1 where all.

        cutoff : of the largest singular value, below which there is none (of small mechanisms).
        """
        b = rhs / self.size
        size = float(np.linalg.norm(b))
        if size == 0.0 or not self.n:
            return 0.0
        if self.is_dense:
            U, s, _ = self._singular()
            return float(np.linalg.norm(U[:, s > cutoff * max(1.0, s[0])].T @ b)) / size
        return float(np.linalg.norm(self.times(self._sparse_step(b, 0.0)))) / size

    def _singular(self) -> tuple[Array, Array, Array]:
        if self._svd is None:
            self._svd = np.linalg.svd(self.dense(), full_matrices=False)
        return self._svd

    def _dense_step(self, b: Array, damping: float) -> Array:
        if damping == 0.0 and (known := self._eliminated()) is not None:
            G, inverse = known
            return summed(G.T * summed(inverse * b))
        U, s, Vt = self._singular()
        large = s > NEGLIGIBLE * max(1.0, s[0])
        safe = np.where(large, s, 1.0)
        gain = np.where(large, safe / (safe**2 + damping), 0.0)
        x: Array = Vt.T @ (gain * (U.T @ b))
        return x

    def _undamped(self) -> Callable[[Array], Array]:
        """`damped_solver` at the floor, factored once."""
        if self._solver is None:
            self._solver = damped_solver(self.sparse(), FLOOR)
        return self._solver

    def _eliminated(self) -> tuple[Array, Array] | None:
        """The scaled rows and `inverse_products` of them, found once, of few rows; None where they depend on others."""
        if self._tried:
            return self._known
        self._tried = True
        if 1 < self.n <= min(FEW, 6 * self.nb):
            G = self.dense()
            inverse = inverse_products(G)
            self._known = None if inverse is None else (G, inverse)
        return self._known

    def _sparse_step(self, b: Array, damping: float) -> Array:
        G = self.sparse()
        solve = self._undamped() if damping <= FLOOR else damped_solver(G, damping)
        x: Array = G.T @ solve(b)
        if damping <= FLOOR:
            for _ in range(2):  # what the floor and rounding left
                x += G.T @ solve(b - G @ x)
        return x


def summed(terms: Array) -> Array:
    """Sums over the last axis, of which there is something, one term after the other."""
    found: Array = np.add.accumulate(terms, axis=-1)[..., -1]
    return found


def inverse_products(G: Array) -> Array | None:
    """(G G^T)^-1 (n, n) of rows G (n, m) of unit length; None where one has no more than OWN of its own beside those
    before it. Every sum in the order of its terms."""
    columns = np.ascontiguousarray(G.T)
    S: Array = np.add.reduce(columns[:, :, None] * columns[:, None, :], axis=0)  # over the first axis one by one
    for j in range(len(S)):
        left = S[j, j]
        if not left > OWN:
            return None
        row, column = S[j] / left, S[:, j].copy()
        row[j] = 1.0 / left
        S[:, j] = 0.0
        S -= column[:, None] * row
        S[j] = row
    return S


def damped_solver(G: Any, damping: float) -> Callable[[Array], Array]:
    """y -> (G G^T + damping I)^-1 y for a sparse G, without forming the product.

    The quasidefinite matrix [[I, G^T], [G, -damping I]] is factored in a fill-reducing order without pivoting, which
    such a matrix allows and which pivoting would fill.
    """
    from scipy.sparse import block_array, eye_array
    from scipy.sparse.linalg import splu

    n, m = G.shape
    K = block_array([[eye_array(m), G.T], [G, -damping * eye_array(n)]], format="csc")
    factors = splu(K, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def solve(y: Array) -> Array:
        rhs = np.concatenate([np.zeros((m, *y.shape[1:])), y])
        out: Array = -factors.solve(rhs)[m:]
        return out

    return solve


def unit_columns(mechanism: CompiledMechanism, weights: Array | None = None) -> Array:
    """Column sizes (6 nb,): the typical length and 1 rad, smaller for heavier weights (nb,), zero for infinite ones."""
    columns = np.ones((mechanism.nb, 6))
    columns[:, :3] = mechanism.length
    column: Array = columns.ravel()
    if weights is not None:
        column = column / np.sqrt(np.repeat(weights, 6))
    return column
