"""The one schema of a result: what a NetCDF file and an xarray data set say beside the arrays.

Dimensions ``time`` (grows), ``body``, ``joint``, ``row``, ``xyz`` and ``xyz_body`` (columns of the rotation),
plus those of a formulation's own variables. A dimension without entries (no joints) is left out together with the
variables that would run along it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.header import VARIABLES, Array, Header

FORMAT = "linkwork result"
FORMAT_VERSION = 1
STANDARD_DIMS = ("body", "joint", "row", "xyz", "xyz_body")
CONVENTIONS = (
    "SI units, angles in radians. position, velocity and acceleration belong to the body frame's origin (the centre "
    "of mass) and are in global components; rotation turns body components into global ones; angular_velocity and "
    "angular_acceleration are in body components; quaternions (Euler parameters) are scalar first; Euler angles are "
    "intrinsic z-x-z. reaction_force and reaction_torque are what the joint exerts on its second body (joint_body) "
    "at the joint's point on that body (joint_point, in that body's components), in global components. Multipliers "
    "act as M udot + G^T lambda = forces. Ground is not among the bodies."
)
# Known only to the clock: kept in memory, left out of files so that the same input gives the same bytes.
TIMINGS = ("wall_time", "run_seconds", "processor_seconds", "compile_time", "created")


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    success: bool = True
    status: int = 0
    message: str = ""
    messages: Sequence[str] = ()


def plain_text(text: str) -> str:
    """Text that HDF5 can hold: no NUL, no lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def attributes(header: Header, outcome: Outcome, *, timings: bool = False) -> dict[str, Any]:
    """The global attributes: outcome, conventions and the provenance as far as it is plain numbers and text."""
    written = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "success": int(outcome.success),
        "status": int(outcome.status),
        "message": plain_text(outcome.message),
        "frame_conventions": CONVENTIONS,
    }
    # bool is an int to Python but no type to NetCDF; a long text would not fit an attribute
    plain = {
        key: plain_text(value) if isinstance(value, str) else int(value) if isinstance(value, bool) else value
        for key, value in kept_info(header, timings=timings).items()
        if key not in written and isinstance(value, (str, int, float)) and len(str(value)) < 4000
    }
    return written | plain


def kept_info(header: Header, *, timings: bool = False) -> dict[str, Any]:
    """The provenance without what only the clock knows, unless asked for."""
    return {key: value for key, value in header.info.items() if timings or key not in TIMINGS}


def documents(header: Header, outcome: Outcome, variables: Sequence[str], *, timings: bool = False) -> dict[str, str]:
    """Texts too long for attributes, each a variable without dimensions."""
    run = {
        "info": kept_info(header, timings=timings),
        "messages": list(outcome.messages),
        "variables": list(variables),
        "extras": {name: [list(v.dims), v.units, v.long_name] for name, v in header.extras.items()},
        "coordinates": {dim: list(names) for dim, names in header.coordinates.items()},
    }
    text = json.dumps(run, ensure_ascii=True, default=_plain)  # NaN and infinity pass: Python reads them back
    return {"run_document": text, "mechanism_document": plain_text(header.mechanism_document)}


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


DOCUMENT_NAMES = {
    "run_document": "how the run was made and what it reported, as JSON",
    "mechanism_document": "the mechanism, as JSON",
}


def dims(header: Header) -> dict[str, tuple[str, ...]]:
    """Every dimension but time that has entries, with its labels."""
    used = (*STANDARD_DIMS, *header.coordinates)
    return {dim: header.labels(dim) for dim in used if header.labels(dim)}


def fixed(header: Header) -> Iterator[tuple[str, tuple[str, ...], Array, dict[str, str]]]:
    """What does not change in time: (name, dims, values, attributes)."""
    if header.joints and header.joint_bodies:
        names = np.array([plain_text(name) for name in header.joint_bodies], dtype=object)
        yield "joint_body", ("joint",), names, {"long_name": "the body that the joint's reaction is reported on"}
    if header.joints and header.joint_points:
        points = np.array(header.joint_points, dtype=float)
        meaning = "point of joint_body where the reaction acts, components of that body"
        yield "joint_point", ("joint", "xyz"), points, {"units": "m", "long_name": meaning}


def has_entries(header: Header, name: str) -> bool:
    """Whether a variable has any entries in this run."""
    return 0 not in header.shape(name, 1)


def variable_attributes(header: Header, name: str) -> dict[str, str]:
    """Unit and meaning of a variable over time."""
    variable = VARIABLES.get(name) or header.extras[name]
    return {"units": variable.units, "long_name": variable.long_name}
