"""The workspace of the rotation-matrix formulation: that of explicit problems, and arrays of the nine elements."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_1.work import new_work as _new_work
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Columns, Shape, new_record
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.problems.layout import slots
from linkwork.system import CompiledMechanism

PARAMETERS = 12  # r, then A row by row


class ElementWork(NamedTuple):
    """Arrays besides `Work`; 3 x 3 matrices row by row. Body index nb is ground."""

    K: Annotated[Floats, Shape("nb + 1", 18), "kg m^2, 1/(kg m^2)", "Poinsot inertia in the body, and its inverse"]
    start: Annotated[Floats, Shape("nb + 1", 24), "m, 1, m/s, 1/s", "r, A, rdot, Adot that increments start from"]
    dual: Annotated[Floats, Shape("nb + 1", 9), "1", "inverse of A^T; A itself where A^T A = I is put in as printed"]
    Adot: Annotated[Floats, Shape("nb + 1", 9), "1/s", "of the state that is set"]
    Addot: Annotated[Floats, Shape("nb + 1", 9), "1/s^2"]
    Q: Annotated[Floats, Shape("nb + 1", 9), "1/s^2", "minus the symmetric part that A^T Addot must have"]
    Y: Annotated[Floats, Shape("nb + 1", 9), "N m", "effort of the applied torques"]
    GR: Annotated[Floats, Shape("nc", 18), "derivatives of the rows by A_i and A_j"]
    Lambda: Annotated[Floats, Shape("nb + 1", 9), "N m", "multipliers of A^T A = I"]
    held: Annotated[Floats, Shape("nc"), "multipliers of the rows where they are held over a step"]
    setup: Annotated[Ints, Shape(1, 4), "all of these:"]
    holds_multipliers: Annotated[Ints, Columns("setup"), "1: Lambda and lambda are those of a step's first stage"]
    orthonormalise_every: Annotated[Ints, Columns("setup"), "put A back on SO(3) every so many steps; 0: never"]
    as_printed: Annotated[Ints, Columns("setup"), "1: A^T A = I is put into the equations as in eq. 25"]
    accepted: Annotated[Ints, Columns("setup"), "steps so far, where these decide anything"]


(ELEMENTS,) = slots(ElementWork, last=True)


def new_work(
    mechanism: CompiledMechanism, *, held: bool, orthonormalise_every: int, printed: bool = False
) -> tuple[Work, ElementWork]:
    """Workspace at the mechanism's start. printed : with A^T A = I put in, as in eq. 25; needed where `held`."""
    nb = mechanism.nb
    work = _new_work(mechanism, np.zeros(nb, dtype=np.int64))._replace(
        psi=np.zeros(2 * PARAMETERS * nb), psi_rate=np.zeros(2 * PARAMETERS * nb), size=np.ones(2 * PARAMETERS * nb)
    )
    elements = new_record(ElementWork, nb=nb, nc=mechanism.nc)
    renew(elements, mechanism.system.bodies)
    elements.dual[:] = np.eye(3).ravel()
    elements.setup[0] = held, orthonormalise_every, held or printed, 0
    initialise_state(work, elements)
    return work, elements


def renew(elements: ElementWork, bodies: Bodies) -> None:
    """Poinsot inertias and their inverses, where there are any, of these bodies."""
    nb = len(bodies.mass) - 1
    K = poinsot(bodies.inertia[:nb].reshape(-1, 3, 3))
    good = full_rank(K)
    elements.K[:nb, :9], elements.K[:nb, 9:] = K.reshape(-1, 9), 0.0
    elements.K[:nb][good, 9:] = np.linalg.inv(K[good]).reshape(-1, 9)


def initialise_state(work: Work, elements: ElementWork) -> None:
    """Start where `work.motion` stands: Adot = A omega~."""
    m = work.motion
    rotation = m[:, A : A + 9].reshape(-1, 3, 3)
    rate = rotation @ tilde(m[:, W : W + 3])
    elements.start[:, 0:3], elements.start[:, 3:12] = m[:, R : R + 3], m[:, A : A + 9]
    elements.start[:, 12:15], elements.start[:, 15:24] = m[:, V : V + 3], rate.reshape(-1, 9)
    elements.Adot[:] = rate.reshape(-1, 9)
    work.size[work.size.size // 2 :] = largest_rate(work, elements)


@kernel
def largest_rate(work: Work, elements: ElementWork) -> Any:
    """The largest rate among the parameters, positions in lengths of the mechanism [1/s]."""
    largest, over = 0.0, 1.0 / work.length[0]
    for b in range(elements.start.shape[0] - 1):
        for c in range(12):
            largest = max(largest, abs(elements.start[b, 12 + c]) * (over if c < 3 else 1.0))
    return largest


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


def full_rank(K: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which bodies have extent in all three directions, so that K (..., 3, 3) has an inverse worth having."""
    moments = np.linalg.eigvalsh(K)
    found: NDArray[np.bool_] = moments[..., 0] > 1e-10 * moments[..., 2]
    return found


def weights(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(24 nb,) what an increment's component counts: elements of A one, positions one per length of the mechanism."""
    one = np.r_[np.full(3, 1.0 / mechanism.length), np.ones(9)]
    return np.tile(one, 2 * mechanism.nb)
