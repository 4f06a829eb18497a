"""Which solver an explicit problem gets: the range space where every inertia has an inverse, else the whole system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from linkwork.errors import UnsupportedElementError
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import Entry
from linkwork.system import CompiledMechanism

ALL, TRANSLATIONS = 0, 3  # along a tree: first component (angular before linear) that rows of joints are solved for
FLAT = 1e-10  # smallest over largest principal moment of an inertia that can be inverted

# name -> module, what distinguishes solvers of one module, as options
SOLVERS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "augmented": ("linkwork.solvers.augmented", {}),
    "range_space": ("linkwork.solvers.range_space", {}),
    "range_space_dense": ("linkwork.solvers.range_space", {"dense": True}),
    "partial": ("linkwork.solvers.partial", {}),
    "penalty": ("linkwork.solvers.penalty", {}),
    "null_space": ("linkwork.solvers.null_space", {}),
    "null_space_graph": ("linkwork.solvers.null_space_graph", {}),
    "joint_rates": ("linkwork.solvers.tree.reduced", {"taken": ALL}),
    "barycentric": ("linkwork.solvers.tree.reduced", {"taken": TRANSLATIONS}),
    "augmented_bodies": ("linkwork.solvers.augmented_bodies", {}),
    "cut_joint": ("linkwork.solvers.tree.eliminate", {}),
}


@dataclass(frozen=True)
class Solver:
    """A solver's arrays and entries."""

    name: str
    records: tuple[Any, ...]  # the named tuples that its entries read, in the order of the table of addresses
    factorise: Entry
    solve: Entry
    shares: str | None = None  # how reactions of dependent rows are divided, where the solver needs no full rank
    notices: Callable[..., list[str]] | None = None  # of records, a run's relative tolerance: messages for its end
    undetermined: Callable[..., Any] | None = None  # of records: dependent rows; rows whose multipliers are not unique

    @property
    def report(self) -> Floats:
        """(2,) smallest pivot over its diagonal entry at the last factorisation; its row, -1 if unknown."""
        report: Floats = next(record.report for record in self.records if "report" in record._fields)
        return report


def invertible(mechanism: CompiledMechanism) -> bool:
    """Whether every body has mass and inertia about every axis."""
    return bool(np.all(with_inertia(mechanism)))


def with_inertia(mechanism: CompiledMechanism) -> np.ndarray:
    """Of each body (nb,): whether it has mass, and inertia about every axis."""
    bodies = mechanism.system.bodies
    moments = np.linalg.eigvalsh(bodies.inertia[:-1].reshape(-1, 3, 3))
    good: np.ndarray = (bodies.mass[:-1] > 0.0) & (moments[:, 0] > FLAT * moments[:, 2])
    return good


def inverse_masses(mechanism: CompiledMechanism) -> Floats:
    """(nb + 1, 10): inverse inertia [1 / (kg m^2)] by rows, inverse mass [1 / kg]; zero for ground."""
    nb, bodies = mechanism.nb, mechanism.system.bodies
    inverse = np.zeros((nb + 1, 10))
    inverse[:nb, :9] = np.linalg.inv(bodies.inertia[:nb].reshape(-1, 3, 3)).reshape(-1, 9)
    inverse[:nb, 9] = 1.0 / bodies.mass[:nb]
    return inverse


def new_solver(
    mechanism: CompiledMechanism,
    group: Ints,
    droppable: bool,
    room: int,
    name: str | None = None,
    **options: object,
) -> Solver:
    """A solver for this mechanism with its bodies on the groups given.

    name : of `SOLVERS`; the faster one of range_space and augmented that can do it if left out.
    options : of that solver alone.
    Raises UnsupportedElementError for a mechanism that the solver cannot treat.
    """
    if name is None:
        name = "range_space" if invertible(mechanism) else "augmented"
    admit(mechanism, name, **options)
    place, fixed = SOLVERS[name]
    module = import_module(place)
    records = tuple(module.new_arrays(mechanism, group, droppable, room, **fixed, **options))
    return Solver(
        name,
        records,
        module.FACTORISE,
        module.SOLVE,
        shares=getattr(module, "SHARES", None),
        notices=getattr(module, "notices", None),
        undetermined=getattr(module, "undetermined", None),
    )


def admit(mechanism: CompiledMechanism, name: str, **options: object) -> None:
    """Raise what a solver has against a mechanism or its options: UnsupportedElementError, UsageError."""
    module = import_module(SOLVERS[name][0])
    if hasattr(module, "admit"):
        module.admit(mechanism, **options)


def need_inertia(mechanism: CompiledMechanism, what: str) -> None:
    """Raise UnsupportedElementError naming the first body without inertia about some axis. what : who needs it."""
    for body, enough in zip(mechanism.lowered.bodies, with_inertia(mechanism), strict=True):
        if not enough:
            raise UnsupportedElementError(
                f"body {body.name!r} has no mass, or no inertia about an axis, and {what} needs the inverse.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small inertia there, or take augmented, partial, rA, rp, re or lie-mixed.",
            )
