"""Dependent rows of large mechanisms, by sparse factors of G G^T instead of a dense search.

Two matrices of one pattern, in the rows' own order of elimination:

- with rows of unit length, factored as a semidefinite matrix: rows whose pivot is below a limit depend on those before
  (`kernels.sparse.semidefinite_ldl`), and may be exchanged for one that takes part in full
  (`problems.pivot_exchange`). What is left is measured as a square, so that shares below 1e-6 cannot be told from
  rounding;
- S = G G^T + soft I, factored when multipliers are wanted. With R = soft S^-1, v - R R v is v without its part along
  combinations of rows that vanish: from multipliers, those of least norm.

Corrections are solved for with the right sides of the kept rows, where the dense search takes least squares: where the
kept rows are met, so are those that depend on them.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.dependence import Dependence
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse.pattern import Indices
from linkwork.kernels.sparse.semidefinite_ldl import factor_semidefinite, semidefinite_factors
from linkwork.kernels.sparse_ldl import (
    LdlFactors,
    LdlPattern,
    clear_ldl,
    factor_ldl,
    ldl_factors,
    ldl_pattern,
    solve_ldl,
)
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.pivot_exchange import Exchange, exchange_pivots, new_exchange
from linkwork.remembered import remembered
from linkwork.system import CompiledMechanism
from linkwork.system.shared_bodies import sharing

SOFT = 1e-12  # of the mean diagonal entry; what is far above it, squared, stays
LEAST_SQUARE = 1e-12  # of a row left, squared: less is rounding
ROUNDS = 6  # at most; each takes away what should go, but for a hundredth: rounding, of which SOFT is a small multiple
DONE = 1e-13  # a round that takes away less than this share is the last


class SparseRedundancy(NamedTuple):
    """Arrays; all empty where the search is dense."""

    pair: Annotated[
        Indices,
        Shape("n", 5),
        "rows k and l, where their parts of a shared body begin in G, place in the factors' values",
    ]
    diagonal: Annotated[Indices, Shape("nc"), "place of (k, k)"]
    inverse_size: Annotated[Floats, Shape("nc"), "1 / size of each row"]
    soft: Annotated[
        Floats,
        Shape(2),
        "what was added to the diagonal; 1: `near` is factored, 0: not yet, -1: cannot be",
    ]
    v: Annotated[Floats, Shape("nc"), "work space: what is left of given multipliers"]
    u: Annotated[Floats, Shape("nc"), "work space: what one round takes away"]
    exchange: Exchange
    pattern: LdlPattern
    semidefinite: LdlFactors
    near: LdlFactors


def new_sparse_redundancy(mechanism: CompiledMechanism | None) -> SparseRedundancy:
    """Arrays for a mechanism's rows; None: empty ones."""
    if mechanism is None:
        return _sparse_search(np.zeros((0, 4), dtype=np.int64), 0)
    nb, nc = mechanism.nb, mechanism.nc
    return _sparse_search(sharing(mechanism.system.rows, nb, np.ones((nc, 2), dtype=bool)), nc)


@remembered
def _sparse_search(pairs: Ints, nc: int) -> SparseRedundancy:
    """Arrays for so many rows, of which these pairs share a body."""
    every = np.arange(nc)
    made, where = ldl_pattern(np.r_[every, pairs[:, 0]], np.r_[every, pairs[:, 1]], nc)
    return SparseRedundancy(
        pair=np.column_stack([pairs, where[nc:]]).astype(np.uint32).reshape(-1, 5),
        diagonal=np.asarray(where[:nc], dtype=np.uint32),
        inverse_size=np.zeros(nc),
        soft=np.zeros(2),
        v=np.zeros(nc),
        u=np.zeros(nc),
        exchange=new_exchange(made),
        pattern=made,
        semidefinite=semidefinite_factors(made),
        near=ldl_factors(made),
    )


@kernel
def is_sparse(sparse: SparseRedundancy) -> bool:
    """Whether dependent rows are searched here, by sparse factors."""
    return bool(sparse.diagonal.shape[0] > 0)


@kernel
def detect_sparsely(
    G: Floats, length: float, row_scale: Floats, share: float, found: Dependence, sparse: SparseRedundancy
) -> int:
    """Fill both matrices, and factor the semidefinite one; writes keep, kept, dropped and sizes of `found`.

    share : of a row that must be its own. Returns -1 if the rows are not finite.
    """
    near, semidefinite, pair, inverse_size = (
        sparse.near.values,
        sparse.semidefinite.values,
        sparse.pair,
        sparse.inverse_size,
    )
    nc = inverse_size.shape[0]
    clear_ldl(sparse.near)
    clear_ldl(sparse.semidefinite)
    for p in range(pair.shape[0]):
        near[pair[p, 4]] += shared(G, length, pair, p)
    mean = 0.0
    for k in range(nc):
        square = near[sparse.diagonal[k]]
        if not square < 1e300:
            return -1
        mean += square / nc
        size = max(np.sqrt(square), row_scale[k])
        inverse_size[k] = 1.0 / size if size > 0.0 else 0.0
    for p in range(pair.shape[0]):
        semidefinite[pair[p, 4]] += shared(G, length, pair, p) * inverse_size[pair[p, 0]] * inverse_size[pair[p, 1]]
    semidefinite[semidefinite.shape[0] - 1] = max(share * share, LEAST_SQUARE)
    factor_semidefinite(sparse.pattern, sparse.semidefinite)
    sparse.soft[0], sparse.soft[1] = SOFT * mean, 0.0
    for k in range(nc):
        near[sparse.diagonal[k]] += sparse.soft[0]
    order = sparse.pattern.order
    for k in range(nc):
        found.keep[order[k]] = 1 if semidefinite[k] > 0.0 else 0
    exchange_pivots(sparse.pattern, semidefinite, sparse.exchange, found.keep)
    r, d = 0, 0
    for k in range(nc):
        if found.keep[k] == 1:
            found.kept[r] = k
            r += 1
        else:
            found.dropped[d] = k
            d += 1
    found.sizes[0], found.sizes[1] = r, d
    return 0


@kernel
def shared(G: Floats, length: float, pair: Indices, p: int) -> Any:
    """What a shared body adds to the entry of G G^T for two rows, translations in units of the mechanism's length."""
    k, l, a, b = pair[p, 0], pair[p, 1], pair[p, 2], pair[p, 3]
    linear = G[k, a] * G[l, b] + G[k, a + 1] * G[l, b + 1] + G[k, a + 2] * G[l, b + 2]
    angular = G[k, a + 3] * G[l, b + 3] + G[k, a + 4] * G[l, b + 4] + G[k, a + 5] * G[l, b + 5]
    return length * length * linear + angular


@kernel
def without_null(sparse: SparseRedundancy, given: Floats, out: Floats) -> None:
    """Out = given (nc,) without its part along combinations of rows that vanish; out may be given."""
    v, u, soft = sparse.v, sparse.u, sparse.soft
    if soft[1] == 0.0:
        soft[1] = 1.0 if factor_ldl(sparse.pattern, sparse.near, 0.0) == 0 else -1.0
    for k in range(v.shape[0]):
        v[k] = given[k]
    rounds = ROUNDS if soft[1] == 1.0 else 0
    for _ in range(rounds):
        for k in range(v.shape[0]):
            u[k] = v[k]
        for _ in range(2):
            solve_ldl(sparse.pattern, sparse.near, u, u)
            for k in range(v.shape[0]):
                u[k] *= soft[0]
        most, change = 0.0, 0.0
        for k in range(v.shape[0]):
            v[k] -= u[k]
            most, change = max(most, abs(v[k])), max(change, abs(u[k]))
        if change <= DONE * most:
            break
    for k in range(v.shape[0]):
        out[k] = v[k]
