"""The slowest modes of a large mechanism at rest, by inverse iteration on the sparse equations with multipliers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.linearisation.equations import Equations
from linkwork.system.couplings import refuse_couplings
from linkwork.system.independence import independent_rows

ComplexArray = NDArray[np.complex128]
SYMMETRIC = 1e-12
SHIFT = 1e-3  # 1/s: between zero and the slowest mode, so that freedoms without stiffness do not stand in the way


def slow_modes(e: Equations, count: int) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
    """Eigenvalues (n,), small displacements and velocities (6 nb, n) of the modes nearest to zero.

    With x = (q, u, lambda): qdot = u, M udot = -C u - K q - G^T lambda, 0 = G q, solved for (x - shift) repeatedly.
    """
    from scipy.sparse import block_array, csc_array, eye_array
    from scipy.sparse.linalg import LinearOperator, eigs, splu

    refuse_couplings(e.at, "modes of more than a hundred bodies")
    if np.any(e.velocity_level):
        raise UsageError(
            "modes of large mechanisms with velocity-level rows are not implemented.",
            element=f"row '{e.at.row_names[int(np.argmax(e.velocity_level))]}'",
            remedy="Use linearise, whose A has them all.",
        )
    n = e.size
    G = e.sparse_rows()
    scaled = G * e.unit[None, :]
    size = np.sqrt(np.asarray((scaled * scaled).sum(axis=1)).ravel())
    keep = independent_rows((scaled / np.where(size > 0.0, size, 1.0)[:, None]).tocsr())
    G = G if keep is None else G[np.flatnonzero(keep)]
    M, C = e.sparse_mass(), e.sparse_damping()
    lam = _multipliers(e, G, M)
    full = np.zeros(e.at.nc)
    full[slice(None) if keep is None else np.flatnonzero(keep)] = lam
    K = e.sparse_stiffness(full)
    m = G.shape[0]
    if C.nnz == 0 and abs(K - K.T).max() <= SYMMETRIC * abs(K).max():
        return _undamped(M, K, G, count)
    eye, none = eye_array(n, format="csc"), csc_array((n, n))
    P = block_array([[none, eye, None], [-K, -C, -G.T], [G, None, csc_array((m, m))]], format="csc")
    E = block_array([[eye, none, None], [none, M, None], [None, None, csc_array((m, m))]], format="csc")
    solve = splu((P - SHIFT * E).tocsc()).solve
    inertia = E[: 2 * n, : 2 * n]

    def step(x: Any) -> Any:
        return solve(np.concatenate([inertia @ x, np.zeros(m)]))[: 2 * n]

    operator = LinearOperator((2 * n, 2 * n), matvec=step, dtype=float)
    start = operator.matvec(np.random.default_rng(2021).normal(size=2 * n))
    found, vectors = eigs(operator, k=min(2 * count + 2, 2 * n - 2), which="LM", v0=start)
    values = SHIFT + 1.0 / found
    order: Any = [k for k in np.lexsort((values.imag, np.round(np.abs(values), 7))) if values[k].imag >= 0.0][:count]
    return values[order], vectors[:n, order], vectors[n:, order]


def _undamped(M: Any, K: Any, G: Any, count: int) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
    """Of K q = w^2 M q with G q = 0, symmetric: the smallest w^2, by Lanczos' method."""
    from scipy.sparse import block_array
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    n, m = K.shape[0], G.shape[0]
    shift = -(SHIFT**2)
    solve = splu(block_array([[K - shift * M, G.T], [G, None]], format="csc")).solve
    back = LinearOperator((n, n), matvec=lambda x: solve(np.concatenate([x, np.zeros(m)]))[:n], dtype=float)
    start = back.matvec(M @ np.random.default_rng(2021).normal(size=n))
    squared, shapes = eigsh(K, k=min(count, n - m), M=M, sigma=shift, OPinv=back, v0=start)
    order = np.argsort(squared)
    values = np.sqrt(np.maximum(-squared[order], 0.0)) + 1j * np.sqrt(np.maximum(squared[order], 0.0))
    shapes = shapes[:, order].astype(np.complex128)
    return values, shapes, shapes * values


def _multipliers(e: Equations, G: Any, M: Any) -> Any:
    """lambda of the independent rows at rest, with accelerations: zero at an equilibrium."""
    from scipy.sparse import block_array
    from scipy.sparse.linalg import splu

    m = G.shape[0]
    K = block_array([[M, G.T], [G, None]], format="csc")
    x = splu(K).solve(np.concatenate([e.force, np.zeros(m)]))
    largest = float(np.max(np.abs(x[: e.size]), initial=0.0))
    if float(np.max(np.abs(x[: e.size] / e.unit), initial=0.0)) > 1e-6 * e.fall:
        raise UsageError(
            f"the state is no equilibrium: accelerations of {largest:.3g} are left.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Find one with equilibrium(mech), or use linearise.",
        )
    return x[e.size :]
