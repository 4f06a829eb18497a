"""Which solver an explicit problem gets: the range space where every inertia has an inverse, else the whole system."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

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


def invertible(mechanism: CompiledMechanism) -> bool:
    """Whether every body has mass and inertia about every axis."""
    bodies = mechanism.system.bodies
    if np.any(bodies.mass[:-1] <= 0.0):
        return False
    moments = np.linalg.eigvalsh(bodies.inertia[:-1].reshape(-1, 3, 3))
    return bool(np.all(moments[:, 0] > FLAT * moments[:, 2]))


def new_solver(mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, name: str | None = None) -> Solver:
    """A solver for this mechanism with its bodies on the groups given.

    name : 'range_space', 'range_space_dense' or 'augmented'; the faster one that can do it if left out.
    """
    if name is None:
        name = "range_space" if invertible(mechanism) else "augmented"
    here = "linkwork.formulations.saddle_point"
    module = name.removesuffix("_dense")
    arrays = import_module(f"{here}.{module}").new_arrays(mechanism, group, droppable, room, **DENSE.get(name, {}))
    entries = import_module(f"{here}.compiled_{name}")
    return Solver(name, tuple(arrays), entries.factorise, entries.solve, arrays[entries.REPORT])
