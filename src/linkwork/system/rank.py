"""Which constraint rows depend on which: the careful answer for reports, by singular values.

Rows are scaled as in `system.least_change`. The left null vectors y of the rows (y^T G = 0) tell everything: how
many rows are redundant, which (the last of each combination: rows that come first stay), and what implies them.
With many bodies only the smallest singular values and their vectors are computed, by inverse iteration with a
sparse factorisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.pose_error import OFF_LARGEST, OFF_MARGIN
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Parts, Pose, drives, row_parts
from linkwork.system.independence import combinations, independent_rows
from linkwork.system.least_change import Jacobian, Mask, damped_solver, unit_columns

Array = NDArray[np.float64]
RANK_TOLERANCE = 1e-9  # on singular values of rows scaled to unit length
SHARE = 1e-6  # entries of a null vector below this are rounding
DENSE_COLUMNS = 600  # up to here all singular values are computed
SHIFT = 1e-10  # of the inverse iteration
PASSES = 3
FIRST_BLOCK = 16


@dataclass(frozen=True)
class Rank:
    """The rank of the constraints at one pose.

    rank : number of independent rows.
    redundant : rows that earlier rows imply, in order.
    depends_on : for each redundant row, the earlier rows that imply it.
    nearly : the smallest singular value counted as nonzero, relative to the largest.
    combinations : (d, nc) per redundant row the combination of rows that vanishes, 1 at the redundant row itself, on
        rows as they are (not scaled).
    estimated : found by inverse iteration, not from all singular values.
    """

    rank: int
    redundant: tuple[int, ...]
    depends_on: tuple[tuple[int, ...], ...]
    nearly: float
    combinations: Array
    estimated: bool = False


def rank_of(mechanism: CompiledMechanism, G: Array) -> Rank:
    """Rank and redundant rows of G (nc, 6 nb), whatever its size, from all its singular values."""
    scaled = G * unit_columns(mechanism)
    size = np.linalg.norm(scaled, axis=1)
    size = np.where(size > 0, size, 1.0)
    return _from_dense(scaled / size[:, None], size, np.arange(len(G)), len(G), RANK_TOLERANCE)


def rank_at(mechanism: CompiledMechanism, pose: Pose, t: float = 0.0, *, rows: Mask | None = None) -> Rank:
    """Rank and redundant rows at a pose, of all rows or of those in the mask `rows`."""
    return rank_of_parts(mechanism, row_parts(mechanism, pose, drives(mechanism, t)), rows)


def tolerance_at(mechanism: CompiledMechanism, phi: Array) -> float:
    """The tolerance on singular values at a pose that misses the position rows by phi (nc,), m or rad.

    Rows that are redundant depend on each other only at poses that meet them all.
    """
    off = float(np.max(np.abs(phi), initial=0.0, where=mechanism.system.rows.nonholonomic == 0))
    return max(RANK_TOLERANCE, min(OFF_MARGIN * off / mechanism.length, OFF_LARGEST))


def rank_of_parts(
    mechanism: CompiledMechanism, parts: Parts, rows: Mask | None = None, tolerance: float = RANK_TOLERANCE
) -> Rank:
    """`rank_at` from Jacobian parts. Mechanisms that only share ground are treated one by one.

    tolerance : on singular values of rows scaled to unit length; see `tolerance_at`.
    """
    if rows is None:
        rows = np.ones(mechanism.nc, dtype=bool)
    J = Jacobian(mechanism, parts, rows, unit_columns(mechanism))
    every = np.flatnonzero(rows)
    total, whole = 0, []
    for bodies, of_them in components(J):
        size, numbers = J.size[of_them], every[of_them]
        if 6 * len(bodies) <= DENSE_COLUMNS:
            found = _from_dense(block(J, bodies, of_them), size, numbers, mechanism.nc, tolerance)
        else:
            columns = (6 * bodies[:, None] + np.arange(6)).ravel()
            found = _from_sparse(J.sparse()[of_them][:, columns], size, numbers, mechanism.nc, tolerance)
        total += found.rank
        whole.append(found)
    order = sorted((k, c, n) for c, one in enumerate(whole) for n, k in enumerate(one.redundant))
    return Rank(
        total,
        tuple(k for k, _, _ in order),
        tuple(whole[c].depends_on[n] for _, c, n in order),
        min((one.nearly for one in whole if one.rank), default=1.0),
        np.array([whole[c].combinations[n] for _, c, n in order]).reshape(len(order), mechanism.nc),
        any(one.estimated for one in whole),
    )


def components(J: Jacobian) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Bodies and rows of each part of the mechanism that is joined to others through ground only."""
    part = np.arange(J.nb + 1)

    def root(b: int) -> int:
        while part[b] != b:
            part[b] = part[part[b]]
            b = int(part[b])
        return b

    for i, j in J.body:
        if i < J.nb and j < J.nb:
            part[max(root(i), root(j))] = min(root(i), root(j))
    touched = [np.flatnonzero(np.any(one.reshape(J.nb, 6) != 0.0, axis=1)) for one in J.coupled]
    for bodies in touched:
        for b in bodies[1:]:
            part[max(root(int(bodies[0])), root(int(b)))] = min(root(int(bodies[0])), root(int(b)))
    of_body = np.array([root(b) for b in range(J.nb + 1)])
    of_row = np.minimum(of_body[J.body[:, 0]], of_body[J.body[:, 1]])
    for k, bodies in enumerate(touched, J.n - len(touched)):
        of_row[k] = of_body[bodies[0]] if len(bodies) else of_body[J.nb]
    found = []
    for c in sorted(set(of_row.tolist())):  # np.unique would import masked arrays
        bodies = np.flatnonzero(of_body[: J.nb] == c)
        found.append((bodies, np.flatnonzero(of_row == c)))
    return found


def block(J: Jacobian, bodies: NDArray[np.int64], of_them: NDArray[np.int64]) -> Array:
    """The scaled rows `of_them` with the columns of some bodies only."""
    place = np.full(J.nb + 1, len(bodies))
    place[bodies] = np.arange(len(bodies))
    G = np.zeros((len(of_them), len(bodies) + 1, 6))
    for side in range(2):
        G[np.arange(len(of_them)), place[J.body[of_them, side]]] += J.parts[of_them, side]
    flat = G[:, :-1].reshape(len(of_them), 6 * len(bodies))
    if len(J.coupled):
        last = np.flatnonzero(of_them >= J.n - len(J.coupled))
        these = J.coupled[of_them[last] - (J.n - len(J.coupled))].reshape(len(last), J.nb, 6)
        flat[last] = these[:, bodies].reshape(len(last), 6 * len(bodies))
    return flat


def _from_dense(G: Array, size: Array, every: NDArray[np.int64], nc: int, tolerance: float) -> Rank:
    """From scaled rows G (n, m) whose sizes were `size`; `every` numbers them among nc."""
    n, m = G.shape
    if not n:
        return Rank(0, (), (), 1.0, np.zeros((0, nc)))
    if not m:
        return _described(np.eye(n), size, every, nc, 0, 1.0, False)
    sigma = np.linalg.svd(G, compute_uv=False)
    rank = int(np.sum(sigma > tolerance * max(1.0, sigma[0])))
    nearly = float(sigma[rank - 1] / sigma[0]) if rank else 0.0
    null = np.zeros((n, 0))
    if rank < n:
        null = np.linalg.svd(G, full_matrices=True)[0][:, rank:]
    return _described(null, size, every, nc, rank, nearly, False)


def _from_sparse(G: Any, size: Array, every: NDArray[np.int64], nc: int, tolerance: float) -> Rank:
    """`_from_dense` by inverse iteration on G G^T, with a block that grows until not all of it is null.

    Where that takes a larger block, rows are first chosen by elimination; what is kept must then prove independent, and
    what is dropped a combination of it.
    """
    n, m = G.shape
    few = _few_null(G, size, every, nc, tolerance) if n <= m else None
    if few is not None:
        return few
    many = _from_elimination(G, size, every, nc, tolerance)
    if many is None:
        many = _from_blocks(G, size, every, nc, tolerance)
    assert many is not None  # without a limit it always finds something
    return many


def _few_null(G: Any, size: Array, every: NDArray[np.int64], nc: int, tolerance: float) -> Rank | None:
    """From one block, None where all of it is null."""
    return _from_blocks(G, size, every, nc, tolerance, FIRST_BLOCK)


def _from_elimination(G: Any, size: Array, every: NDArray[np.int64], nc: int, tolerance: float) -> Rank | None:
    """From rows chosen by elimination, None where that fills, or where singular values do not bear it out."""
    keep = independent_rows(G)
    if keep is None or keep.all() or not keep.any():
        return None
    first = np.flatnonzero(keep)
    proof = _few_null(G[first], size[first], every[first], nc, tolerance)
    if proof is None or proof.redundant:
        return None
    C, missed = combinations(G, keep)
    if missed > tolerance:
        return None
    found = []
    for y, k in zip(C, np.flatnonzero(~keep), strict=True):
        others = first[np.abs(y) > SHARE]
        combination = np.zeros(nc)
        combination[every[others]] = -y[np.abs(y) > SHARE] / size[others] * size[k]
        combination[every[k]] = 1.0
        found.append((int(every[k]), tuple(int(every[c]) for c in others), combination))
    return Rank(
        len(first),
        tuple(k for k, _, _ in found),
        tuple(others for _, others, _ in found),
        proof.nearly,
        np.array([y for _, _, y in found]).reshape(len(found), nc),
        True,
    )


def _from_blocks(
    G: Any, size: Array, every: NDArray[np.int64], nc: int, tolerance: float, only: int | None = None
) -> Rank | None:
    """By inverse iteration. only : give up, with None, where a block of this size is all null."""
    n, m = G.shape
    solve = damped_solver(G, SHIFT)
    rng = np.random.default_rng(2021)
    block = min(n, max(FIRST_BLOCK, n - m + FIRST_BLOCK))
    while True:
        Y = np.linalg.qr(rng.normal(size=(n, block)))[0]
        for _ in range(PASSES):
            Y = np.linalg.qr(solve(Y))[0]
        # singular values of the rows, combined as in Y: exact to rounding, unlike those of the shifted product
        _, sigma, Vt = np.linalg.svd(G.T @ Y, full_matrices=block > m)
        sigma = np.concatenate([sigma, np.zeros(block - len(sigma))])
        small = int(np.sum(sigma <= tolerance))
        if small < block or block == n:
            break
        if only is not None:
            return None
        block = min(n, 4 * block)
    null = Y @ Vt[block - small :].T
    largest = float(np.sqrt(_largest_eigenvalue(G, rng)))
    nearly = float(sigma[block - small - 1]) / largest if small < block else 0.0
    return _described(null, size, every, nc, n - small, nearly, True)


def _largest_eigenvalue(G: Any, rng: np.random.Generator) -> float:
    """Of G G^T, by power iteration: two digits are plenty for a scale."""
    y = rng.normal(size=G.shape[0])
    value = 1.0
    for _ in range(30):
        y = G @ (G.T @ (y / np.linalg.norm(y)))
        value = float(np.linalg.norm(y))
    return value


def _described(
    null: Array, size: Array, every: NDArray[np.int64], nc: int, rank: int, nearly: float, estimated: bool
) -> Rank:
    """From orthonormal left null vectors (n, d) to redundant rows, last ones first, and what implies them."""
    last, vectors = _staircase(null)
    found = []
    for k, y in sorted(zip(last, vectors.T, strict=True), key=lambda pair: pair[0]):
        others = np.flatnonzero(np.abs(y) > SHARE)
        combination = np.zeros(nc)
        combination[every] = y / size
        combination *= size[k]
        found.append((int(every[k]), tuple(int(every[c]) for c in others if c != k), combination))
    return Rank(
        rank,
        tuple(k for k, _, _ in found),
        tuple(others for _, others, _ in found),
        nearly,
        np.array([y for _, _, y in found]).reshape(len(found), nc),
        estimated,
    )


def _staircase(null: Array) -> tuple[list[int], Array]:
    """Null vectors recombined so that each ends in a row of its own, where it is 1 and the others are 0.

    The rows come from the last one up, so that rows which come first are kept. Reflections keep the vectors that
    are left orthonormal, and with them the meaning of a small number.
    """
    N, d = null.copy(), null.shape[1]
    last: list[int] = []
    k = len(N) - 1
    while len(last) < d and k >= 0:
        c = len(last)
        row = N[k, c:]
        size = float(np.linalg.norm(row))
        if size > SHARE:
            u = row.copy()
            u[0] += np.copysign(size, u[0])
            u /= np.linalg.norm(u)
            N[:, c:] -= 2.0 * np.outer(N[:, c:] @ u, u)
            last.append(k)
        k -= 1
    N = N[:, : len(last)]
    if last:
        N = N @ np.linalg.inv(N[last])  # triangular up to rounding: 1 at the own row, 0 at the others' rows
        N[np.abs(N) < SHARE] = 0.0
    return last, N
