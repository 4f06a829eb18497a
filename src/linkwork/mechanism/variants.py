"""A mechanism with other numbers: parameters, inputs, and any number of an element, by name.

`k` is a parameter, `brake` an input (its value where a run is given none), `rod.mass` or `rod.position.z` a number of
an element, `gravity.z` one of gravity. Nothing but numbers changes: elements, joints and names stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import UsageError
from linkwork.mechanism.naming import did_you_mean, sentence
from linkwork.mechanism.parameters import Parameter, named, values_of

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

KINDS = ("bodies", "joints", "constraints", "drivers", "forces", "couplings")
AXES = {"x": 0, "y": 1, "z": 2}
GRAVITY = {f"gravity.{axis}": k for axis, k in AXES.items()}


class Place(NamedTuple):
    """Where a number stands in a mechanism's document: keys from its root on."""

    keys: tuple[str | int, ...]

    @property
    def root(self) -> str | int:
        """The document's part that it stands in."""
        root, *_ = self.keys
        return root


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
                sentence(
                    f"there is no parameter, input or number of an element {name!r}"
                    f"{did_you_mean(name, known_names(mech))}"
                ),
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
    places = places_of(mech, values)
    made = _by_elements(mech, values, places)
    if made is None:
        data = mech.to_dict()
        for name, place in places.items():
            if not _put(data, place.keys, values[name]):
                raise UsageError(
                    f"{name!r} is no number of the description.",
                    element=f"mechanism {mech.name!r}",
                    remedy="Say which: rod.position.z, rod.inertia.0.",
                )
        made = type(mech).from_dict(data, file=mech.file, locate=mech._kept.locate)
    made.reading_notes, made.account = mech.reading_notes, mech.account
    return made


def _put(data: Any, keys: Sequence[Any], value: float) -> bool:
    """Write a number into a document; False where none stands there."""
    at: Any = data
    try:
        for key in keys[:-1]:
            at = at[key]
        if isinstance(at, list) and isinstance(at[keys[-1]], list):
            return False
        at[keys[-1]] = value
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _by_elements(mech: Mechanism, values: Mapping[str, float], places: Mapping[str, Place]) -> Mechanism | None:
    """`variant` with the elements alone checked that change: those of these numbers, and those with formulas of
    parameters that do. None where more has to be looked at, or something is wrong, which the whole then says."""
    roots = {place.root for place in places.values()}
    if not roots <= {*KINDS, "parameters", "gravity"}:
        return None
    data: dict[tuple[str, int], Any] = {}
    if "parameters" in roots:
        if mech._has_formulas_besides():
            return None
        data |= {place: mech.described(*place) for place in mech._with_formulas()}
    parameters, numbers = dict(mech.parameters), mech.parameter_values
    gravity = list(mech.gravity)
    if "gravity" in roots and mech._has_formulas_besides():
        return None
    for name, (root, *keys) in ((name, place.keys) for name, place in places.items()):
        if root == "gravity":
            gravity[int(keys[0])] = values[name]
        elif root == "parameters":
            one = {**parameters[name].model_dump(mode="json", exclude_unset=True), "value": values[name]}
            parameters |= named("parameters", Parameter, {name: one})[0]
        else:
            element = (str(root), int(keys[0]))
            if element not in data:
                data[element] = mech.described(*element)
            if not _put(data[element], keys[1:], values[name]):
                return None
    if "parameters" in roots:
        numbers, errors = values_of(parameters)
        if errors:
            return None
    return mech._with_elements(data, parameters, numbers, gravity)
