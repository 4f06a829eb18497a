"""Coordinates of joints that can be drawn: which there are, and of one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from linkwork.quantities.joints import joint_names

if TYPE_CHECKING:
    from linkwork.header import Array
    from linkwork.result import Result


class Coordinate(NamedTuple):
    """A joint coordinate over the samples, its rate, and its unit, rad or m."""

    label: str
    unit: str
    values: Array
    rate: Array


def coordinates(result: Result, joints: Sequence[str] | None) -> list[Coordinate]:
    """Coordinates of these joints, of all if None; angles, unless there are none: then displacements."""
    known = joint_names(result) if result.mechanism_document and "acceleration" in result else ()
    motions = [result.joint(name) for name in (known if joints is None else joints)]
    found = [
        Coordinate(f"{one.name}.{name}", one.variables[name].units, one[name], one[f"{name}_rate"])
        for one in motions
        for name in one.coordinates
    ]
    unit = "rad" if any(one.unit == "rad" for one in found) else "m"
    return [one for one in found if one.unit == unit]
