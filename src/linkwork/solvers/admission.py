"""What solvers have against a mechanism or their options, asked before anything is built, and without their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import positive_number, whole_number
from linkwork.errors import UnsupportedElementError, UsageError

if TYPE_CHECKING:
    from linkwork.kernels.tables import Bodies
    from linkwork.system import CompiledMechanism

FLAT = 1e-10  # smallest over largest principal moment of an inertia that can be inverted
LARGEST_SPREAD = 1e8  # mass times reach squared over the least inertia of a body: 4e-9 m off at 1e7, 7e-2 at 1e10
NAMES = ("qr", "svd", "partition")  # bases of motions from all rows


def invertible(mechanism: CompiledMechanism) -> bool:
    """Whether every body has mass and inertia about every axis."""
    return bool(np.all(with_inertia(mechanism.system.bodies)))


def with_inertia(bodies: Bodies) -> np.ndarray:
    """Of each body (nb,): whether it has mass, and inertia about every axis."""
    moments = np.linalg.eigvalsh(bodies.inertia[:-1].reshape(-1, 3, 3))
    good: np.ndarray = (bodies.mass[:-1] > 0.0) & (moments[:, 0] > FLAT * moments[:, 2])
    return good


def need_inertia(mechanism: CompiledMechanism, what: str) -> None:
    """Raise UnsupportedElementError naming the first body without inertia about some axis. what : who needs it."""
    for body, enough in zip(mechanism.lowered.bodies, with_inertia(mechanism.system.bodies), strict=True):
        if not enough:
            raise UnsupportedElementError(
                f"body {body.name!r} has no mass, or no inertia about an axis, and {what} needs the inverse.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small inertia there, or take augmented, partial, rA, rp, re or lie-mixed.",
            )


def range_space(mechanism: CompiledMechanism) -> None:
    """Raise UnsupportedElementError for a body without mass, or without inertia about some axis."""
    need_inertia(mechanism, "the range space")


def partial(mechanism: CompiledMechanism) -> None:
    """Raise UnsupportedElementError for a body without mass."""
    for body in mechanism.lowered.bodies:
        if not (body.mass and body.mass > 0.0):
            raise UnsupportedElementError(
                f"body {body.name!r} has no mass; partial elimination divides by it.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small mass, or take augmented.",
            )


def penalty(mechanism: CompiledMechanism, *, penalty_factor: float = 1e6, penalty_passes: int = 100) -> None:
    """Raise UsageError for odd numbers, UnsupportedElementError for a body without mass or inertia about an axis."""
    positive_number("penalty_factor", penalty_factor)
    whole_number("penalty_passes", penalty_passes)
    need_inertia(mechanism, "the penalty method, for its scaling,")
    need_even_inertia(mechanism)


def need_even_inertia(mechanism: CompiledMechanism) -> None:
    """Raise UnsupportedElementError for a body whose mass times reach squared is so large against its inertia that the
    penalties of its rows leave no digits of the inertia in the matrix."""
    from linkwork.kernels.rows.kinds import CONSTANT

    nb, bodies, rows = mechanism.nb, mechanism.system.bodies, mechanism.system.rows
    reach = np.zeros(nb + 1)  # m, from a body's centre of mass to the farthest point that a row holds it at
    points = ~np.isin(rows.kind, CONSTANT)
    for body, s in ((rows.body_i, rows.s_i), (rows.body_j, rows.s_j)):
        np.maximum.at(reach, body[points], np.linalg.norm(s[points], axis=1))
    least = np.linalg.eigvalsh(bodies.inertia[:nb].reshape(-1, 3, 3))[:, 0]
    spread = bodies.mass[:nb] * reach[:nb] ** 2 / least
    for k in np.flatnonzero(spread > LARGEST_SPREAD):
        raise UnsupportedElementError(
            f"the penalty method loses its digits: mass times the square of {reach[k]:.3g} m, where it is held, is "
            f"{spread[k]:.1g} times its inertia.",
            element=f"body {mechanism.body_names[k]!r}",
            remedy="Check mass and inertia, or take another formulation, such as augmented or lie-mixed.",
        )


def null_space(mechanism: CompiledMechanism, *, basis: str = "qr", **idle: Any) -> None:
    """Raise UsageError for an unknown basis, or for an option (root, rebuild) that only a tree has a use for."""
    if idle:
        raise UsageError(
            f"option {next(iter(idle))!r} belongs to a tree, and basis {basis!r} has none.",
            remedy="Take basis='graph', or leave it out.",
        )
    if basis not in NAMES:
        raise UsageError(f"basis is {basis!r}.", remedy=f"Take one of {', '.join(NAMES)}, graph.")


ADMISSION: dict[str, Callable[..., None]] = {
    "range_space": range_space,
    "range_space_dense": range_space,
    "partial": partial,
    "penalty": penalty,
    "null_space": null_space,
}
