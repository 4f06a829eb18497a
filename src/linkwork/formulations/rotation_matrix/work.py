"""The workspace of the rotation-matrix formulation: that of explicit problems, and arrays of the nine elements."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_1.work import new_work as _new_work
from linkwork.formulations.rotation_matrix.accept_step import largest_rate
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.system import CompiledMechanism

PARAMETERS = 12  # r, then A row by row


class ElementWork(NamedTuple):
    """Arrays besides `Work`; 3 x 3 matrices row by row. Body index nb is ground."""

    K: Floats  # (nb + 1, 18) Poinsot inertia about the centre of mass in body components, and its inverse
    start: Floats  # (nb + 1, 24) r, A, rdot, Adot that increments start from
    dual: Floats  # (nb + 1, 9) inverse of A^T at the placed state; A itself where A^T A = I is put in as printed
    Adot: Floats  # (nb + 1, 9)
    Addot: Floats  # (nb + 1, 9)
    Q: Floats  # (nb + 1, 9) minus the symmetric part that A^T Addot must have
    Y: Floats  # (nb + 1, 9) effort of the applied torques
    GR: Floats  # (nc, 18) derivatives of the rows by A_i and A_j
    Lambda: Floats  # (nb + 1, 9) multipliers of A^T A = I
    held: Floats  # (nc,) multipliers of the rows where they are held over a step
    options: Ints  # (3,) whether they are; put A back on SO(3) every so many steps (0: never); whether A^T A = I is put
    # into the equations as in eq. 25
    accepted: Ints  # (1,) steps so far


def new_work(
    mechanism: CompiledMechanism, *, held: bool, orthonormalise_every: int, printed: bool = False
) -> tuple[Work, ElementWork]:
    """Workspace at the mechanism's start. printed : with A^T A = I put in, as in eq. 25; needed where `held`."""
    nb, nc = mechanism.nb, mechanism.nc
    work = _new_work(mechanism, np.zeros(nb, dtype=np.int64))._replace(
        psi=np.zeros(2 * PARAMETERS * nb), slope=np.zeros(2 * PARAMETERS * nb), size=np.ones(2 * PARAMETERS * nb)
    )
    K = np.zeros((nb + 1, 18))
    inertia = mechanism.system.bodies.inertia[:nb].reshape(-1, 3, 3)
    K[:nb, :9] = poinsot(inertia).reshape(-1, 9)
    for b in range(nb):
        if full_rank(K[b, :9].reshape(3, 3)):
            K[b, 9:] = np.linalg.inv(K[b, :9].reshape(3, 3)).ravel()
    elements = ElementWork(
        K=K,
        start=np.zeros((nb + 1, 24)),
        dual=np.tile(np.eye(3).ravel(), (nb + 1, 1)),
        Adot=np.zeros((nb + 1, 9)),
        Addot=np.zeros((nb + 1, 9)),
        Q=np.zeros((nb + 1, 9)),
        Y=np.zeros((nb + 1, 9)),
        GR=np.zeros((nc, 18)),
        Lambda=np.zeros((nb + 1, 9)),
        held=np.zeros(nc),
        options=np.array([int(held), orthonormalise_every, int(held or printed)], dtype=np.int64),
        accepted=np.zeros(1, dtype=np.int64),
    )
    initialise_state(work, elements)
    return work, elements


def initialise_state(work: Work, elements: ElementWork) -> None:
    """Start where `work.motion` stands: Adot = A omega~."""
    m = work.motion
    rotation = m[:, A : A + 9].reshape(-1, 3, 3)
    rate = rotation @ tilde(m[:, W : W + 3])
    elements.start[:, 0:3], elements.start[:, 3:12] = m[:, R : R + 3], m[:, A : A + 9]
    elements.start[:, 12:15], elements.start[:, 15:24] = m[:, V : V + 3], rate.reshape(-1, 9)
    elements.Adot[:] = rate.reshape(-1, 9)
    work.size[work.size.size // 2 :] = largest_rate(work, elements)


def tilde(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrices of x cross, (n, 3, 3) for x (n, 3)."""
    out = np.zeros((len(x), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -x[:, 2], x[:, 1], -x[:, 0]
    full: NDArray[np.float64] = out - np.swapaxes(out, 1, 2)
    return full


def poinsot(inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """K = tr(J) / 2 I - J, the second moments of mass [Dumitriu 2015, eq. 11]; (..., 3, 3)."""
    K: NDArray[np.float64] = 0.5 * np.trace(inertia, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - inertia
    return K


def full_rank(K: NDArray[np.float64]) -> bool:
    """Whether a body has extent in all three directions, so that K has an inverse worth having."""
    moments = np.linalg.eigvalsh(K)
    return bool(moments[0] > 1e-10 * moments[2])


def weights(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(24 nb,) what an increment's component counts: elements of A one, positions one per length of the mechanism."""
    one = np.r_[np.full(3, 1.0 / mechanism.length), np.ones(9)]
    return np.tile(one, 2 * mechanism.nb)
