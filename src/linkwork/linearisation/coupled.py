"""Rigid couplings and rotors with their exact first derivatives, by complex steps through their own kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.couplings import GAMMA, INERTIA, coupling_gammas
from linkwork.linearisation.rows import GENERATORS, STEP
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import placed, spread

Array = NDArray[np.float64]


class CoupledDerivatives(NamedTuple):
    """All couplings, rigid ones first, then rotors: W (n, 6 nb) of W u = nu, gamma (n,) of W udot = gamma, and their
    derivatives along displacements, those of gamma also along velocities. inertia (n,) kg m^2 or kg: of rotors, else 0.
    """

    W: Array
    gamma: Array
    dW: Array  # (n, 6 nb, 6 nb): the last index is the displacement
    dgamma: Array  # (n, 6 nb)
    dgamma_du: Array  # (n, 6 nb)
    inertia: Array


def coupled_derivatives(at: CompiledMechanism, drive: Array) -> CoupledDerivatives:
    """At the start state of `at`. drive (nc, 3) : f, f', f'' of all rows."""
    n, nb = len(at.couplings.about), at.nb
    size = 6 * nb
    found = CoupledDerivatives(
        np.zeros((n, size)), np.zeros(n), np.zeros((n, size, size)), np.zeros((n, size)), np.zeros((n, size)),
        at.couplings.number[:, INERTIA].copy(),
    )  # fmt: skip
    W, gamma = _at(at, drive, at.r, at.A, at.v, at.w)
    found.W[:], found.gamma[:] = W, gamma
    turned = np.einsum("bij,cjk->bcik", at.A.reshape(-1, 3, 3), GENERATORS).reshape(-1, 3, 9)
    for b in np.flatnonzero(np.any(W.reshape(n, nb, 6) != 0.0, axis=(0, 2))):
        for c in range(6):
            r, A, v, w = (x.astype(complex) for x in (at.r, at.A, at.v, at.w))
            if c < 3:
                r[b, c] += 1j * STEP
            else:
                A[b] += 1j * STEP * turned[b, c - 3]
            W, gamma = _at(at, drive, r, A, v, w)
            found.dW[:, :, 6 * b + c], found.dgamma[:, 6 * b + c] = W.imag / STEP, gamma.imag / STEP
            r, A = at.r.astype(complex), at.A.astype(complex)
            v, w = at.v.astype(complex), at.w.astype(complex)
            (v if c < 3 else w)[b, c % 3] += 1j * STEP
            _, gamma = _at(at, drive, r, A, v, w)
            found.dgamma_du[:, 6 * b + c] = gamma.imag / STEP
    return found


def _at(at: CompiledMechanism, drive: Array, r: Array, A: Array, v: Array, w: Array) -> tuple[Array, Array]:
    """W (n, 6 nb) and gamma (n,) at a state, which may be complex."""
    rows = placed(at, r, A, drive)
    coupling_gammas(at.system, at.couplings, r, A, v, w, rows)
    n = len(at.couplings.about)
    return spread(at, rows, rotors=True)[:, :-1].reshape(n, -1), rows.row[:, GAMMA].copy()
