"""What a run's plots show beside poses, at the frames shown: energies, violations, speeds, reactions, loads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.header import Array
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Lowered, LoweredLoad
from linkwork.result import Result
from linkwork.scene.frames import taken

MOST_REACTIONS = 600_000  # joints times frames


class Series(NamedTuple):
    """One curve: values (n,); log: it spans decades, and is told and drawn so."""

    name: str
    unit: str
    values: Array
    log: bool = False


def curves(result: Result, index: NDArray[np.int64]) -> list[Series]:
    """Energies, violations, iterations, and the speed of each body, as far as the result has them."""
    has = set(result.variables)
    found: list[Series] = []

    def at(name: str) -> Array:
        return np.asarray(taken(result, name, index), dtype=float)

    if {"kinetic_energy", "potential_energy"} <= has:
        kinetic, potential = at("kinetic_energy"), at("potential_energy")
        found += [Series("kinetic energy", "J", kinetic), Series("potential energy", "J", potential)]
        found.append(Series("total energy", "J", kinetic + potential))
    elif "kinetic_energy" in has:
        found.append(Series("kinetic energy", "J", at("kinetic_energy")))
    for name, unit in (("position_violation", "m, 1"), ("velocity_violation", "m/s, 1/s")):
        if name in has:
            found.append(Series(name.replace("_", " "), unit, at(name), log=True))
    if "iterations" in has:
        found.append(Series("Newton iterations", "", at("iterations")))
    return found


def speeds(result: Result, index: NDArray[np.int64]) -> tuple[Array, Array] | None:
    """(n, nb) m/s and rad/s of the bodies, None where the run did not record them."""
    if not {"velocity", "angular_velocity"} <= set(result.variables):
        return None
    speed, spin = (np.linalg.norm(taken(result, name, index), axis=-1) for name in ("velocity", "angular_velocity"))
    return speed, spin


def reactions(result: Result, index: NDArray[np.int64]) -> tuple[Array, Array] | str:
    """(n, nj, 3) N and N m, global; or why there are none to show."""
    if "reaction_force" not in result or "reaction_torque" not in result:
        return "the run holds no reactions"
    if len(result.joints) * index.size > MOST_REACTIONS:
        return f"reactions of {len(result.joints)} joints at {index.size} frames are too many for a page: left out"
    force, torque = taken(result, "reaction_force", index), taken(result, "reaction_torque", index)
    return np.nan_to_num(force), np.nan_to_num(torque)


def load_values(load: LoweredLoad, time: Array, rotation: Array) -> Array | None:
    """(n, 3) N or N m, a load in global components, None where its formulas need more than the time."""
    try:
        parts = [_of_time(f, time) for f in load.components]
    except Exception:  # a formula of the state: its values are not known here
        return None
    values = np.stack(parts, axis=1)
    if load.body_axes and load.body >= 0:
        values = np.einsum("tij,tj->ti", rotation[:, load.body], values)
    return np.asarray(np.nan_to_num(values))


def _of_time(f: Expression | float, time: Array) -> Array:
    if isinstance(f, Expression):
        return np.broadcast_to(np.asarray(f.jet(time)[0], dtype=float), time.shape)
    return np.full(time.shape, float(f))


def loads(lowered: Lowered, time: Array, rotation: Array) -> list[tuple[LoweredLoad, Array]]:
    """The loads whose values are known, with them."""
    known = ((load, load_values(load, time, rotation)) for load in lowered.loads)
    return [(load, values) for load, values in known if values is not None]
