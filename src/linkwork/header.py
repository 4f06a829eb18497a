"""What the variables of a run are, what computes the derived ones, and what is known of a run before it begins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError, nearest

Array = NDArray[Any]
BLOCK = 20_000  # samples handed to `derive` at a time, so that memory stays flat


class Variable(NamedTuple):
    """What one array over time is: its dimensions (the first is always ``time``), unit and meaning."""

    dims: tuple[str, ...]
    units: str
    long_name: str


_T, _B, _J = ("time",), ("time", "body", "xyz"), ("time", "joint", "xyz")
STORED: dict[str, Variable] = {
    "time": Variable(_T, "s", "time"),
    "position": Variable(_B, "m", "position of the body frame's origin, global components"),
    "rotation": Variable(("time", "body", "xyz", "xyz_body"), "1", "rotation matrix, body to global components"),
    "velocity": Variable(_B, "m s-1", "velocity of the body frame's origin, global components"),
    "angular_velocity": Variable(_B, "rad s-1", "angular velocity, body components"),
    "acceleration": Variable(_B, "m s-2", "acceleration of the body frame's origin, global components"),
    "angular_acceleration": Variable(_B, "rad s-2", "angular acceleration, body components"),
    "multiplier": Variable(("time", "row"), "1", "Lagrange multiplier, M udot + G^T lambda = forces; unit by row"),
    "iterations": Variable(_T, "1", "Newton iterations of the step that ends at this time"),
}
DERIVED: dict[str, Variable] = {
    "reaction_force": Variable(_J, "N", "force of the joint on its second body, at the joint's point, global"),
    "reaction_torque": Variable(_J, "N m", "torque of the joint on its second body, about the joint's point, global"),
    "kinetic_energy": Variable(_T, "J", "kinetic energy of all bodies"),
    "potential_energy": Variable(_T, "J", "potential energy of gravity and springs"),
    "power": Variable(_T, "W", "power of drivers, loads, actuators and dampers"),
    "position_violation": Variable(_T, "1", "largest absolute residual of the position-level constraint rows"),
    "velocity_violation": Variable(_T, "1", "largest absolute residual of the velocity-level constraint equations"),
}
VARIABLES: dict[str, Variable] = STORED | DERIVED
AXES = {"xyz": tuple("xyz"), "xyz_body": tuple("xyz")}
BY_NAME = {"body": "bodies", "joint": "joints", "row": "rows"}  # dimension -> field of `Header`


class Deriver(Protocol):
    """What computes the derived variables from the raw ones; the compiled mechanism provides it."""

    def derive(
        self,
        names: Sequence[str],
        time: Array,
        position: Array,
        rotation: Array,
        velocity: Array | None,
        angular_velocity: Array | None,
        acceleration: Array | None,
        angular_acceleration: Array | None,
        multiplier: Array | None,
        inputs: Array | None = None,
    ) -> dict[str, Array]:
        """The variables `names` (keys of DERIVED, and sensors) for a block of n samples, each (n, ...) as DERIVED says.

        Arguments are the block's slices of the stored arrays, None where the run did not record one. What cannot
        be had (energies of bodies without mass, reactions of a kinematic run) is left out of the answer; every
        block of a run must leave out the same names. inputs : given from outside, as recorded.
        """


@dataclass(frozen=True)
class Header:
    """What is known of a run before it begins: names, provenance, the mechanism.

    Parameters
    ----------
    bodies, joints, rows : names in the order of the arrays' axes; ground is not among the bodies.
    joint_bodies : the name of the body that each joint's reaction is reported on: the second, or a driver's driven one.
    joint_points : (njoint, 3) m, the point of that body where the reaction acts, in body components.
    info : provenance, plain data: ``linkwork_version``, ``source_hash``, ``compiled_code``, ``model``,
        ``model_hash``, ``formulation``, ``integrator``, ``step``, ``t_end``, ``newton``, ``tolerance``, ...
    mechanism_document : JSON text of the mechanism, from which the run can be repeated.
    extras : what this formulation records besides, and what sensors read, name -> Variable.
    sensors : which of the extras are derived, as sensors' readings are.
    coordinates : labels of dimensions that only the extras have, dimension -> names.
    """

    bodies: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    joint_bodies: tuple[str, ...] = ()
    joint_points: tuple[tuple[float, float, float], ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict)
    mechanism_document: str = ""
    extras: Mapping[str, Variable] = field(default_factory=dict)
    sensors: tuple[str, ...] = ()
    coordinates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def elements(self) -> dict[str, int]:
        """How many there are of "body", "joint", "driver" and "constraint".

        What carries a reaction is told apart by the mechanism's document, and is a joint where there is none.
        """
        document = json.loads(self.mechanism_document or "{}")
        named = {kind: {one["name"] for one in document.get(f"{kind}s", ())} for kind in ("driver", "constraint")}
        others = {kind: sum(name in names for name in self.joints) for kind, names in named.items()}
        return {"body": len(self.bodies), "joint": len(self.joints) - sum(others.values()), **others}

    @property
    def derived(self) -> tuple[str, ...]:
        """Names of what is derived where a run was not recorded with it."""
        return (*DERIVED, *self.sensors)

    def labels(self, dim: str) -> tuple[str, ...]:
        """The names along a dimension other than time."""
        if dim in AXES:
            return AXES[dim]
        return tuple(getattr(self, BY_NAME[dim])) if dim in BY_NAME else tuple(self.coordinates[dim])

    def variable(self, name: str) -> Variable | None:
        """What the variable `name` is, or None if this run can have no such variable."""
        return VARIABLES.get(name) or self.extras.get(name)

    def dims(self, name: str) -> tuple[str, ...]:
        """The dimensions of a variable, time first. Raises UsageError for one that this run cannot have."""
        variable = self.variable(name)
        if variable is None:
            raise UsageError(
                f"there is no result variable {name!r}.", remedy=near_names(name, (*VARIABLES, *self.extras))
            )
        return variable.dims

    def shape(self, name: str, nt: int) -> tuple[int, ...]:
        """The shape of a variable of this run over `nt` samples."""
        return (nt, *(len(self.labels(dim)) for dim in self.dims(name)[1:]))


def derive_blockwise(derive: Deriver, header: Header, arrays: Mapping[str, Any], time: Array) -> dict[str, Array]:
    """The derived variables that `arrays` does not hold, over all samples, in blocks of `BLOCK` samples.

    Raises UsageError when a block comes back in another shape than DERIVED says.
    """
    raw = [name for name in STORED if name not in ("time", "iterations")]
    given = {"inputs": arrays["input"]} if "input" in arrays else {}
    wanted = tuple(name for name in header.derived if name not in arrays)
    out: dict[str, Array] = {}
    for start in range(0, max(time.size, 1), BLOCK):
        part = slice(start, min(start + BLOCK, time.size))
        n = part.stop - start
        rest = [np.asarray(arrays[name][part]) if name in arrays else None for name in raw[2:]]
        inputs = {name: np.asarray(values[part]) for name, values in given.items()}
        position, rotation = (np.asarray(arrays[name][part]) for name in raw[:2])  # every result has these two
        for name, values in derive.derive(wanted, time[part], position, rotation, *rest, **inputs).items():
            if values.shape != header.shape(name, n):
                raise UsageError(f"derived {name!r} has shape {values.shape}, expected {header.shape(name, n)}.")
            if start == 0:
                out[name] = np.empty(header.shape(name, time.size))
            out[name][part] = values
    return {name: frozen(values) for name, values in out.items()}


def near_names(name: str, known: Sequence[str]) -> str:
    """A hint at the known name nearest to `name`, or a list of some."""
    near = nearest(name, known)
    if near:
        return f"Did you mean {near!r}?"
    return f"Known: {', '.join(known)}." if known else "There are none."


def stored_name(name: str) -> str:
    """A name as a file can hold it, and a data set that becomes one: a slash would make a group."""
    return name.replace("/", " over ")


def frozen(values: Any) -> Array:
    """A read-only view."""
    view: Array = np.asarray(values).view()
    view.flags.writeable = False
    return view
