"""Bodies with other poses, velocities, shapes and points, written into tables and a start that are there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.lowered import LoweredBody
from linkwork.run.written import Path
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
START = {"r": "position", "A": "rotation", "v": "velocity", "w": "angular_velocity"}


def write_bodies(
    known: CompiledMechanism, bodies: Sequence[LoweredBody], arrays: dict[Path, Array]
) -> dict[str, Array] | None:
    """Masses and inertias into `arrays`, by place; returns what differs of the start, fields of a compiled one.
    None where a mass or an inertia is given that was not, or the other way round."""
    before = known.lowered.bodies
    changed = [k for k, one in enumerate(bodies) if one is not before[k]]
    start: dict[str, Array] = {}
    table = known.tables.body.copy()
    for k in changed:
        one, old = bodies[k], before[k]
        if (one.mass is None, one.inertia is None) != (old.mass is None, old.inertia is None):
            return None
        for name, field in START.items():
            here, line = getattr(known, name), getattr(one, field).ravel()
            if line.tobytes() != here[k].tobytes():
                start.setdefault(name, here.copy())[k] = line
        table[k, 0] = one.mass or 0.0
        table[k, 1:] = 0.0 if one.inertia is None else one.inertia.ravel()
    if table.tobytes() != known.tables.body.tobytes():
        arrays["tables", "body"] = table
        arrays["system", "bodies", "mass"] = np.ascontiguousarray(table[:, 0])
        arrays["system", "bodies", "inertia"] = np.ascontiguousarray(table[:, 1:])
    return start
