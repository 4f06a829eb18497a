"""Which solver an explicit problem gets: the range space where every inertia has an inverse, else the whole system."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from linkwork.errors import UnsupportedElementError
from linkwork.system import CompiledMechanism

DENSE = {"range_space_dense": {"dense": True}}
FLAT = 1e-10  # an inertia with principal moments further apart than this has no inverse worth having


@dataclass(frozen=True)
class Solver:
    """A solver's arrays, as `explicit_context.make_context` takes them, and its entries."""

    name: str
    arrays: tuple[Any, ...]
    factorise: Any
    solve: Any
    report: Any  # (2,) smallest pivot as a share of its diagonal entry; its row, -1 if unknown
    shares: str | None = None  # how reactions are shared among dependent rows, where the solver meets them by itself
    notices: Any = None  # of the arrays and a run's relative tolerance: what to say when the run is over
    undetermined: Any = None  # of the arrays: dependent rows, rows whose multipliers are not unique; where it knows


def invertible(mechanism: CompiledMechanism) -> bool:
    """Whether every body has mass and inertia about every axis."""
    bodies = mechanism.system.bodies
    if np.any(bodies.mass[:-1] <= 0.0):
        return False
    moments = np.linalg.eigvalsh(bodies.inertia[:-1].reshape(-1, 3, 3))
    return bool(np.all(moments[:, 0] > FLAT * moments[:, 2]))


def new_solver(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, name: str | None = None, **options: Any
) -> Solver:
    """A solver for this mechanism with its bodies on the groups given.

    name : a module of this package, perhaps with '_dense' added; the faster one of range_space and augmented that can
        do it if left out.
    options : of that solver alone.
    Raises UnsupportedElementError for a mechanism that the solver cannot treat.
    """
    if name is None:
        name = "range_space" if invertible(mechanism) else "augmented"
    here = "linkwork.solvers"
    module = import_module(f"{here}.{name.removesuffix('_dense')}")
    admit(mechanism, name, **options)
    arrays = module.new_arrays(mechanism, group, droppable, room, **DENSE.get(name, {}), **options)
    entries = import_module(f"{here}.compiled_{name}")
    return Solver(
        name,
        tuple(arrays),
        entries.factorise,
        entries.solve,
        arrays[entries.REPORT],
        shares=getattr(module, "SHARES", None),
        notices=getattr(module, "notices", None),
        undetermined=getattr(module, "undetermined", None),
    )


def admit(mechanism: CompiledMechanism, name: str, **options: Any) -> None:
    """Raise what a solver has against a mechanism or its options: UnsupportedElementError, UsageError."""
    module = import_module(f"linkwork.solvers.{name.removesuffix('_dense')}")
    if hasattr(module, "admit"):
        module.admit(mechanism, **options)


def need_inertia(mechanism: CompiledMechanism, what: str) -> None:
    """Raise UnsupportedElementError naming the first body without inertia about some axis. what : who needs it."""
    bodies = mechanism.system.bodies
    moments = np.linalg.eigvalsh(bodies.inertia[:-1].reshape(-1, 3, 3))
    good = (bodies.mass[:-1] > 0.0) & (moments[:, 0] > FLAT * moments[:, 2])
    for body, enough in zip(mechanism.lowered.bodies, good, strict=True):
        if not enough:
            raise UnsupportedElementError(
                f"body {body.name!r} has no mass, or no inertia about an axis, and {what} needs the inverse.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small inertia there, or take augmented, partial, rA, rp, re or lie-mixed.",
            )
