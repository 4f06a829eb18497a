"""Which solver an explicit problem gets: the range space where every inertia has an inverse, else the whole system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.solvers.admission import ADMISSION, invertible

if TYPE_CHECKING:  # who only asks what is refused loads no kernels
    from linkwork.kernels.tables import Bodies, Floats, Ints
    from linkwork.problems.entry import Entry
    from linkwork.system import CompiledMechanism

ALL, TRANSLATIONS = 0, 3  # along a tree: first component (angular before linear) that rows of joints are solved for

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


Renew = Callable[["CompiledMechanism", "Bodies"], None]


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
    detect: Entry | None = None  # which rows are kept, where the solver prefers some of those that depend on each other
    renew: Renew | None = None  # what the records hold of masses, inertias and lengths, from other ones

    @property
    def report(self) -> Floats:
        """(2,) smallest pivot over its diagonal entry at the last factorisation; its row, -1 if unknown."""
        report: Floats = next(record.report for record in self.records if "report" in record._fields)
        return report


def inverse_masses(bodies: Bodies) -> Floats:
    """(nb + 1, 10): inverse inertia [1 / (kg m^2)] by rows, inverse mass [1 / kg]; zero for ground."""
    nb = len(bodies.mass) - 1
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
        detect=getattr(module, "DETECT_REDUNDANT_ROWS", None),
        renew=partial(module.renew, records) if hasattr(module, "renew") else None,
    )


def admit(mechanism: CompiledMechanism, name: str, **options: object) -> None:
    """Raise what a solver has against a mechanism or its options: UnsupportedElementError, UsageError."""
    if name in ADMISSION:
        ADMISSION[name](mechanism, **options)
