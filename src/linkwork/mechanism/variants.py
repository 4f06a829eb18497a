"""A mechanism with other numbers: parameters, inputs, and any number of an element, by name.

`k` is a parameter, `brake` an input (its value where a run is given none), `rod.mass` or `rod.position.z` a number of
an element, `gravity.z` one of gravity. Nothing but numbers changes: elements, joints and names stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import UsageError
from linkwork.mechanism.naming import did_you_mean

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

KINDS = ("bodies", "joints", "constraints", "drivers", "forces", "couplings")
AXES = {"x": 0, "y": 1, "z": 2}
GRAVITY = {f"gravity.{axis}": k for axis, k in AXES.items()}


class Place(NamedTuple):
    """Where a number stands in a mechanism's document: keys from its root on."""

    keys: tuple[str | int, ...]


def place_of(mech: Mechanism, name: str) -> Place | None:
    """Where the number of this name stands; None if there is none."""
    if name in mech.parameters:
        return Place(("parameters", name, "value"))
    if name in mech.inputs:
        return Place(("inputs", name, "default"))
    if name in GRAVITY:
        return Place(("gravity", GRAVITY[name]))
    for kind in KINDS:
        for k, element in enumerate(getattr(mech, kind)):
            field, _, rest = name.removeprefix(f"{element.name}.").partition(".")
            if name.startswith(f"{element.name}.") and field in type(element).model_fields and field != "name":
                inner: list[str | int] = [AXES.get(key, int(key) if key.isdigit() else key) for key in rest.split(".")]
                return Place((kind, k, field, *(inner if rest else ())))
    return None


def known_names(mech: Mechanism) -> Iterator[str]:
    """Names of numbers: parameters, inputs, and those of elements that the description gives."""
    yield from mech.parameters
    yield from mech.inputs
    yield from GRAVITY
    for kind in KINDS:
        for element in getattr(mech, kind):
            yield from (
                f"{element.name}.{field}"
                for field in type(element).model_fields
                if isinstance(getattr(element, field), float)
            )


def places_of(mech: Mechanism, names: Iterable[str]) -> dict[str, Place]:
    """Where these numbers stand. Raises UsageError with the nearest name for one that does not exist."""
    found = {name: place_of(mech, name) for name in names}
    for name, place in found.items():
        if place is None:
            raise UsageError(
                f"there is no parameter, input or number of an element {name!r}"
                f"{did_you_mean(name, known_names(mech))}.",
                element=f"mechanism {mech.name!r}",
            )
    return {name: place for name, place in found.items() if place is not None}


def checked(values: Mapping[str, Any]) -> dict[str, float]:
    """The values as numbers. Raises UsageError for anything else."""
    found = {}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise UsageError(f"{name!r} must be a finite number, not {value!r}.")
        found[name] = float(value)
    return found


def variant(mech: Mechanism, values: Mapping[str, float]) -> Mechanism:
    """The mechanism with these numbers, checked as any description. Raises ModelError, and UsageError for names."""
    if not values:
        return mech
    data = mech.to_dict()
    for name, place in places_of(mech, values).items():
        at: Any = data
        last: Any = place.keys[-1]
        try:
            key: Any
            for key in place.keys[:-1]:
                at = at[key]
            if isinstance(at, list) and isinstance(at[last], list):
                raise TypeError
            at[last] = values[name]
        except (KeyError, IndexError, TypeError):
            raise UsageError(
                f"{name!r} is no number of the description.",
                element=f"mechanism {mech.name!r}",
                remedy="Say which: rod.position.z, rod.inertia.0.",
            ) from None
    made = type(mech).from_dict(data, file=mech.file)
    made.reading_notes, made.account = mech.reading_notes, mech.account
    return made
