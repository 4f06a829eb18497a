"""Lines of packed tables, of parts of a flat mechanism that were lowered anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.lowered import LoweredElement, LoweredLoad, Row
from linkwork.system.packed import ELEMENT_COLUMNS, LOAD_COLUMNS, ROW_COLUMNS

Array = NDArray[np.float64]
GEOMETRY = "a_i", "b_i", "a_j", "s_i", "s_j", "n"
SPRINGS = (*GEOMETRY, "stiffness", "damping", "rest", "actuator", "numbers")
TABLES = (  # parts of a flat mechanism, the packed table of these, fields in its columns, and columns of the system
    ("rows", "row", (*GEOMETRY, "scalar", "f"), ROW_COLUMNS),
    ("loads", "load", ("point", "components"), LOAD_COLUMNS),
    ("elements", "element", SPRINGS, ELEMENT_COLUMNS),
)
LOCATED = {  # fields that must be the same
    Row: ("kind", "name", "owner", "body_i", "body_j", "driver", "profiles"),
    LoweredLoad: ("name", "body", "body_axes", "torque"),
    LoweredElement: ("law", "name", "body_i", "body_j"),
}
ONLY_FLOATS = {float}


def line_of(before: Any, after: Any, fields: Sequence[str], line: Array) -> Array | None:
    """A line of a table, of a part with other numbers; a formula's place stays as it is in `line`. None where the part
    is of another kind, or has other formulas."""
    if any(getattr(before, name) != getattr(after, name) for name in LOCATED[type(after)]):
        return None
    if getattr(after, "profiles", ()):  # whose number stands in the table
        return None
    old, new = _flattened(before, fields), _flattened(after, fields)
    if set(map(type, (*old, *new))) == ONLY_FLOATS:
        return np.array(new)
    made = line.copy()
    for at, (one, other) in enumerate(zip(old, new, strict=True)):
        if type(one) is float and type(other) is float:
            made[at] = other
        elif type(one) is not type(other) or one != other:
            return None
    return made


def _flattened(part: Any, fields: Sequence[str]) -> list[Any]:
    """What these fields hold, components one by one."""
    found: list[Any] = []
    for name in fields:
        value = getattr(part, name)
        if type(value) is tuple:
            found += value
        else:
            found.append(value)
    return found
