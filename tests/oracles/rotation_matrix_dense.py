"""The rotation-matrix formulation of any mechanism, slowly: three ways to solve its equations at one instant.

Unknowns: T*dd (3) and Rdd (3 x 3) per body, the symmetric Lambda (6 numbers) per body, lam per constraint row. With
Z = Y - X (x) g (all efforts about the centre) eqs. 9 read [Dumitriu 2015, eq. 12]

    T*dd = X / m - Rdd g,    Rdd K = Z + R Lambda,    Rdd^T R + R^T Rdd = -2 Rdot^T Rdot    (eq. 23), and rows (eq. 24)

`whole`      all of them at once: 18 nb + nc unknowns, K_O as it stands, so flat plates pass
`one_shot`   T*dd and Rdd out by eq. 12: 6 nb + nc unknowns (18 for the double pendulum); needs K^-1
`two_step`   Lambda out body by body, then the nc multipliers of joints (6 for the double pendulum)

With D = Rdot^T Rdot (= -W^2 at orthonormal R) there are three forms of the equations of one body, the same at
orthonormal R, and a first step in closed form for each:

"exact"      as they stand: R^T Rdd = -D + beta~ =: N at any R. With P = (R^T R)^-1, Lambda = P (N K - R^T Z) must be
             symmetric, and P beta~ K + K beta~ P = (J_P beta)~ with
             J_P = P K + K P - tr(P) K - tr(K) P + (tr P tr K - tr(P K)) I   (J at P = I), so
             J_P beta = 2 vee skew(R^-1 Z) + 2 vee skew(P D K),
             Lambda = sym(P N K - R^-1 Z),  Rdd = R^-T N
"eq. 25"     R^T R = I put into eq. 23, eq. 12 kept:  Lambda K^-1 + K^-1 Lambda = E = -2 D - R^T Z K^-1 - K^-1 Z^T R,
             in K's eigenbasis (moments k_i) Lambda_ij = k_i k_j E_ij / (k_i + k_j),  Rdd = (Z + R Lambda) K^-1
"inertia"    R^T R = I put into eq. 12 as well, Rdd = R S, S = (R^T Z + Lambda) K^-1: K^-1 is not needed, since S has
             the symmetric part -D, S = -D + beta~, and beta~ K + K beta~ = (J beta)~, so
             J beta = 2 vee skew(R^T Z) + 2 vee skew(D K)   [the last is -w x J w at orthonormal R],
             Lambda = sym(S K - R^T Z),  Rdd = R S

Away from orthonormal R, eps = R^T R - I obeys eps_dd = 0 in "exact": it grows without bound. In "inertia"
eps_dd = -(eps D + D eps) + (eps beta~ - beta~ eps): turning pulls it back, which is the regulation that the paper
suspects. "eq. 25" adds to Rdd of "inertia" (I - R R^T) Z K^-1.

The second step needs no Lambda. With Psi = Phi_R - Phi_T (x) g (the derivative along R while the centre stays),
    Psi : Rdd = -(R^T Psi) : D + h . beta,   h = 2 vee skew(R^T Psi)     (R^-1 for R^T in "exact"),
and h is the row's G_theta of Newton and Euler; the matrix is theirs too,
    sum_b Phi_T Phi_T^T / m + h J^-1 h^T   (J_P in "exact"; with a minus, since multipliers act by -Phi).
The oracle builds that matrix column by column; `joint_matrix` is there to compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from oracles.rotation_matrix_parts import Equations, vee
from oracles.turning_body import tilde

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # the six numbers of a symmetric matrix
SMALLEST = 1e-10  # of a principal moment of J, relative


class Solution(NamedTuple):
    """T*dd (nb, 3), Rdd (nb, 3, 3), Lambda (nb, 3, 3) N m, lam (nc,)."""

    Tdd: np.ndarray
    Rdd: np.ndarray
    Lambda: np.ndarray
    multipliers: np.ndarray


def body_accelerations(equations: Equations, solution: Solution) -> np.ndarray:
    """(rddot global, omegadot body) (nb, 6), at orthonormal R: r = T* + R g, omegadot = vee skew(A^T Add)."""
    B, g = equations.frames.B, equations.frames.g
    both = zip(solution.Tdd, solution.Rdd, equations.place.R, B, g, strict=False)
    return np.array([np.r_[T + R @ c, vee(b.T @ turn.T @ R @ b)] for T, R, turn, b, c in both])


def violated(equations: Equations, solution: Solution) -> tuple[float, float]:
    """How far eqs. 23 and 24 are from being met: orthogonality (1/s^2), joints."""
    R, Rdot = equations.place.R[:-1], equations.place.Rdot[:-1]
    half = R.transpose(0, 2, 1) @ solution.Rdd + Rdot.transpose(0, 2, 1) @ Rdot
    joints = _along(equations, solution.Tdd, solution.Rdd) - equations.gamma
    return float(np.abs(half + half.transpose(0, 2, 1)).max()), float(np.abs(joints).max(initial=0.0))


# all at once -------------------------------------------------------------------------------------------------


def whole(equations: Equations) -> Solution:
    """Eqs. 9, 23, 24 as one linear system, by least squares (rows may be redundant)."""
    e = equations
    nb, nc = len(e.mass), len(e.gamma)
    n, s = 12 * nb, 6 * nb
    M, right = np.zeros((n + s + nc, n + s + nc)), np.zeros(n + s + nc)
    for b in range(nb):
        m, g, R, D = e.mass[b], e.frames.g[b], e.place.R[b], e.place.Rdot[b].T @ e.place.Rdot[b]
        K_O = e.K[b] + m * np.outer(g, g)
        k = 12 * b
        M[k : k + 3, k : k + 3] = m * np.eye(3)
        for row in range(3):  # of R
            part = slice(k + 3 + 3 * row, k + 6 + 3 * row)
            M[k + row, part] = M[part, k + row] = m * g
            M[part, part] = K_O
        for c, L in enumerate(_symmetric_units()):
            M[k + 3 : k + 12, n + 6 * b + c] = -(R @ L).ravel()
            i, j = PAIRS[c]
            for row in range(3):
                M[n + 6 * b + c, k + 3 + 3 * row + j] += R[row, i]
                M[n + 6 * b + c, k + 3 + 3 * row + i] += R[row, j]
            right[n + 6 * b + c] = -2 * D[i, j]
        M[k : k + 3, n + s :] = e.Phi_T[:, b].T
        M[k + 3 : k + 12, n + s :] = e.Phi_R[:, b].reshape(nc, 9).T
        M[n + s :, k : k + 12] = M[k : k + 12, n + s :].T
        right[k : k + 12] = np.r_[e.X[b], e.Y[b].ravel()]
    right[n + s :] = e.gamma
    x = np.linalg.lstsq(M, right, rcond=1e-13)[0]
    q = x[:n].reshape(nb, 12)
    Lambda = np.array([_symmetric(v) for v in x[n : n + s].reshape(nb, 6)])
    return Solution(q[:, :3], q[:, 3:].reshape(nb, 3, 3), Lambda, x[n + s :])


# accelerations out -------------------------------------------------------------------------------------------


def one_shot(equations: Equations, form: str = "exact") -> Solution:
    """All multipliers at once, in one of the three forms."""
    e = equations
    nb, nc = len(e.mass), len(e.gamma)
    R, inverse = e.place.R[:-1], np.linalg.inv(e.K)
    turned = R.transpose(0, 2, 1)

    def left(x: np.ndarray) -> tuple[np.ndarray, Solution]:
        """The left sides of eqs. 23 and 24 for the multipliers x, and the accelerations."""
        Lambda = np.array([_symmetric(v) for v in x[: 6 * nb].reshape(nb, 6)])
        X, Z = _efforts(e, x[6 * nb :])
        S = (turned @ Z + Lambda) @ inverse
        Rdd = R @ S if form == "inertia" else (Z + R @ Lambda) @ inverse
        half = turned @ Rdd if form == "exact" else S
        Tdd = X / e.mass[:, None] - np.einsum("bij,bj->bi", Rdd, e.frames.g[:-1])
        both = half + half.transpose(0, 2, 1)
        return np.r_[_six(both).ravel(), _along(e, Tdd, Rdd)], Solution(Tdd, Rdd, Lambda, x[6 * nb :])

    Rdot = e.place.Rdot[:-1]
    right = np.r_[_six(-2 * Rdot.transpose(0, 2, 1) @ Rdot).ravel(), e.gamma]
    start = left(np.zeros(6 * nb + nc))[0]
    matrix = np.column_stack([left(unit)[0] - start for unit in np.eye(6 * nb + nc)])
    return left(np.linalg.lstsq(matrix, right - start, rcond=1e-13)[0])[1]


# body by body, then the joints -------------------------------------------------------------------------------


def by_eq_25(K: np.ndarray, R: np.ndarray, Rdot: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(Lambda, Rdd) by eq. 25 in closed form."""
    k, V = np.linalg.eigh(K)
    inverse = np.linalg.inv(K)
    half = Rdot.T @ Rdot + R.T @ Z @ inverse
    E = V.T @ -(half + half.T) @ V
    Lambda = V @ (np.outer(k, k) / (k[:, None] + k) * E) @ V.T
    return Lambda, (Z + R @ Lambda) @ inverse


def by_inertia(K: np.ndarray, R: np.ndarray, Rdot: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(Lambda, Rdd) through S = R^T Rdd."""
    D, J = Rdot.T @ Rdot, np.trace(K) * np.eye(3) - K
    S = -D + tilde(np.linalg.solve(J, 2 * vee(R.T @ Z + D @ K)))
    return _sym(S @ K - R.T @ Z), R @ S


def by_exact(K: np.ndarray, R: np.ndarray, Rdot: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(Lambda, Rdd) for R as it is."""
    D, Q = Rdot.T @ Rdot, np.linalg.inv(R)
    P = Q @ Q.T
    N = -D + tilde(np.linalg.solve(mixed_inertia(P, K), 2 * vee(Q @ Z + P @ D @ K)))
    return _sym(P @ N @ K - Q @ Z), Q.T @ N


FIRST = {"exact": by_exact, "eq. 25": by_eq_25, "inertia": by_inertia}
First = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def mixed_inertia(P: np.ndarray, K: np.ndarray) -> np.ndarray:
    """J_P with P x~ K + K x~ P = (J_P x)~ for symmetric P and K; J_I = (tr K) I - K = J."""
    p, k = np.trace(P), np.trace(K)
    return P @ K + K @ P - p * K - k * P + (p * k - np.trace(P @ K)) * np.eye(3)


def two_step(equations: Equations, form: str = "exact") -> Solution:
    """Lambda body by body, then lam; raises ValueError naming bodies that have no inertia about an axis."""
    thin = [b for b, K in enumerate(equations.K) if not _turns_all_ways(K)]
    if thin:
        raise ValueError(f"no inertia about an axis: bodies {thin}")
    matrix, right = joint_system(equations, form)
    lam = np.linalg.lstsq(matrix, right, rcond=1e-12)[0] if len(right) else right
    return _first_step(equations, form, lam)


def joint_system(equations: Equations, form: str) -> tuple[np.ndarray, np.ndarray]:
    """Matrix (nc, nc) and right side of the second step, one column for each unit multiplier."""

    def left(lam: np.ndarray) -> np.ndarray:
        found = _first_step(equations, form, lam)
        return _along(equations, found.Tdd, found.Rdd)

    nc = len(equations.gamma)
    start = left(np.zeros(nc))
    return np.array([left(unit) - start for unit in np.eye(nc)]).T.reshape(nc, nc), equations.gamma - start


def _first_step(e: Equations, form: str, lam: np.ndarray) -> Solution:
    """Everything else for given multipliers of the joints."""
    eliminate: First = FIRST[form]
    X, Z = _efforts(e, lam)
    both = [eliminate(K, R, Rdot, z) for K, R, Rdot, z in zip(e.K, e.place.R, e.place.Rdot, Z, strict=False)]
    Lambda, Rdd = (np.array(some) for some in zip(*both, strict=True))
    Tdd = X / e.mass[:, None] - np.einsum("bij,bj->bi", Rdd, e.frames.g[:-1])
    return Solution(Tdd, Rdd, Lambda, lam)


def joint_matrix(equations: Equations, form: str) -> np.ndarray:
    """-(sum_b Phi_T Phi_T^T / m + h J^-1 h^T) (nc, nc): the matrix of the second step, forms "exact" and "inertia"."""
    e = equations
    out = np.zeros((len(e.gamma), len(e.gamma)))
    for b, (m, K, R, g) in enumerate(zip(e.mass, e.K, e.place.R, e.frames.g, strict=False)):
        Q = np.linalg.inv(R) if form == "exact" else R.T
        J = mixed_inertia(Q @ Q.T if form == "exact" else np.eye(3), K)
        Psi = e.Phi_R[:, b] - e.Phi_T[:, b, :, None] * g
        h = np.array([2 * vee(Q @ psi) for psi in Psi]).reshape(-1, 3)
        out -= e.Phi_T[:, b] @ e.Phi_T[:, b].T / m + h @ np.linalg.solve(J, h.T)
    return out


# helpers -----------------------------------------------------------------------------------------------------


def _efforts(e: Equations, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X (nb, 3) and Z = Y - X (x) g (nb, 3, 3) with the joints' part."""
    X = e.X - np.einsum("k,kbi->bi", lam, e.Phi_T)
    Y = e.Y - np.einsum("k,kbij->bij", lam, e.Phi_R)
    return X, Y - X[:, :, None] * e.frames.g[:-1, None, :]


def _along(e: Equations, Tdd: np.ndarray, Rdd: np.ndarray) -> np.ndarray:
    """The left side of eq. 24 (nc,)."""
    return np.einsum("kbi,bi->k", e.Phi_T, Tdd) + np.einsum("kbij,bij->k", e.Phi_R, Rdd)


def _symmetric(v: np.ndarray) -> np.ndarray:
    return np.array([[v[0], v[3], v[4]], [v[3], v[1], v[5]], [v[4], v[5], v[2]]])


def _symmetric_units() -> list[np.ndarray]:
    return [_symmetric(unit) for unit in np.eye(6)]


def _six(M: np.ndarray) -> np.ndarray:
    """The six numbers of each symmetric matrix, (nb, 6)."""
    return np.array([[some[i, j] for i, j in PAIRS] for some in M])


def _sym(M: np.ndarray) -> np.ndarray:
    return (M + M.T) / 2


def _turns_all_ways(K: np.ndarray) -> bool:
    moments = np.linalg.eigvalsh(np.trace(K) * np.eye(3) - K)
    return bool(moments[0] > SMALLEST * moments[-1])
