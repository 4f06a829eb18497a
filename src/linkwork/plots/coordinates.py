"""Coordinates of joints that can be drawn: which there are, and of one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkwork.quantities.joints import joint_names
from linkwork.shown import counted

if TYPE_CHECKING:
    from linkwork.header import Array
    from linkwork.quantities.joints import JointMotion
    from linkwork.result import Result


TURNS = ("turn_x", "turn_y", "turn_z")  # of a ball: the vector of its rotation, at most half a revolution long


class Coordinate(NamedTuple):
    """A joint coordinate over the samples, its rate, and its unit, rad or m."""

    label: str
    unit: str
    values: Array
    rate: Array


def coordinates(result: Result, joints: Sequence[str] | None) -> tuple[list[Coordinate], str]:
    """Coordinates of these joints, of all if None; angles, unless there are none: then displacements.

    Beside them a line of a title that says how many displacements are left out, empty if none is. Turns of a ball about
    its axes jump where it has turned by half a revolution; the sample after a jump is nan, so that no line joins them.
    """
    known = joint_names(result) if result.mechanism_document and "acceleration" in result else ()
    motions = [result.joint(name) for name in (known if joints is None else joints)]
    found = [
        Coordinate(f"{one.name}.{name}", one.variables[name].units, _unjoined(one, name), one[f"{name}_rate"])
        for one in motions
        for name in one.coordinates
    ]
    unit = "rad" if any(one.unit == "rad" for one in found) else "m"
    drawn = [one for one in found if one.unit == unit]
    left = len(found) - len(drawn)
    return drawn, f"\n(angles; {counted(left, 'displacement')} left out)" if left else ""


def _unjoined(motion: JointMotion, name: str) -> Array:
    """A coordinate over the samples; of a ball with nan after a jump of any of its turns."""
    if name not in TURNS:
        return motion[name]
    jumps = np.zeros(motion.time.size, dtype=bool)
    for each in TURNS:
        jumps[1:] |= np.abs(np.diff(motion[each])) > np.pi
    return np.where(jumps, np.nan, motion[name])
