"""A mechanism with other numbers, by their names (`number_names`): parameters, inputs (the value where a run is given
none), gravity, any number of an element. Nothing but numbers changes: elements, joints and names stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import LinkworkError, UsageError
from linkwork.mechanism.number_names import Keys, keys_of, need_single, standing, unknown_number, written_at
from linkwork.mechanism.parameters import Parameter, named, values_of

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism


class Place(NamedTuple):
    """Where a number stands in a mechanism's document: keys from its root on."""

    keys: Keys

    @property
    def root(self) -> str | int:
        """The document's part that it stands in."""
        root, *_ = self.keys
        return root


def place_of(mech: Mechanism, name: str) -> Place | None:
    """Where the number of this name stands; None if there is none."""
    keys = keys_of(mech, name)
    return None if keys is None else Place(keys)


def places_of(mech: Mechanism, names: Iterable[str]) -> dict[str, Place]:
    """Where these numbers stand. Raises UsageError with the nearest name for one that does not exist."""
    found = dict[str, Place]()
    for name in names:
        place = place_of(mech, name)
        if place is None:
            raise unknown_number(mech, name)
        found[name] = place
    return found


def need_numbers(mech: Mechanism, names: Iterable[str]) -> None:
    """Raises UsageError for names of which a description can take no number, whichever it is: names of nothing, of
    several numbers, of what follows from a shape, twice the same."""
    document, told, asked = mech.to_dict(), dict[Keys, str](), dict[str, float]()
    for name, place in places_of(mech, names).items():
        if (other := told.setdefault(min(written_at(place.keys)), name)) != name:
            raise UsageError(f"{other!r} and {name!r} are one number.", remedy="Name one of them.")
        value = standing(document, place.keys)
        need_single(mech, name, value)
        if not isinstance(value, int | float):  # a formula, a word, or left out
            asked[name] = 1.0
    if _refused(mech, asked):
        error = next((error for name, value in asked.items() if (error := _refused(mech, {name: value}))), None)
        raise error or unknown_number(mech, next(iter(asked)))


def _refused(mech: Mechanism, asked: Mapping[str, float]) -> UsageError | None:
    """What speaks against numbers of these names, the first of which may be to blame."""
    try:
        variant(mech, asked)
    except UsageError as error:
        return error
    except LinkworkError as error:
        found = unknown_number(mech, next(iter(asked)))
        found.__cause__ = error
        return found
    return None


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
        data = document_with(mech, values)
        made = type(mech).from_dict(data, file=mech.file, locate=mech._kept.locate)
    made.reading_notes, made.account = mech.reading_notes, mech.account
    return made


def document_with(mech: Mechanism, values: Mapping[str, float]) -> dict[str, Any]:
    """Its document with these numbers, nothing of which is checked. Raises UsageError for names."""
    data = mech.to_dict()
    for name, place in places_of(mech, values).items():
        if not all(_put(data, keys, values[name]) for keys in written_at(place.keys)):
            need_single(mech, name, standing(data, place.keys))
            raise unknown_number(mech, name)
    return data


def _put(data: Any, keys: Sequence[Any], value: float) -> bool:
    """Write a number into a document; False where none stands there."""
    at: Any = data
    try:
        for key in keys[:-1]:
            at = at[key]
        if isinstance(at[keys[-1]] if isinstance(at, list) else at.get(keys[-1]), list | dict):
            return False
        at[keys[-1]] = value
    except (KeyError, IndexError, TypeError, AttributeError):
        return False
    return True


def _by_elements(mech: Mechanism, values: Mapping[str, float], places: Mapping[str, Place]) -> Mechanism | None:
    """`variant` with the elements alone checked that change: those of these numbers, and those with formulas of
    parameters that do. None where more has to be looked at, or something is wrong, which the whole then says."""
    roots = {place.root for place in places.values()}
    data: dict[tuple[str, int], Any] = {}
    if "parameters" in roots:
        data |= {place: mech.described(*place) for place in mech._with_formulas()}
    parameters, numbers = dict(mech.parameters), mech.parameter_values
    besides: dict[str, Any] = {kind: mech._described_besides(kind) for kind in ("gravity", "inputs") if kind in roots}
    for name, (root, *keys) in ((name, place.keys) for name, place in places.items()):
        if root in ("gravity", "inputs"):
            if not _put(besides[str(root)], keys, values[name]):
                return None
        elif root == "parameters":
            one = {**parameters[name].model_dump(mode="json", exclude_unset=True), "value": values[name]}
            parameters |= named("parameters", Parameter, {name: one})[0]
        else:
            element = (str(root), int(keys[0]))
            if element not in data:
                data[element] = mech.described(*element)
            if not all(_put(data[element], at[2:], values[name]) for at in written_at((root, *keys))):
                return None
    if "parameters" in roots:
        numbers, errors = values_of(parameters)
        if errors:
            return None
    return mech._with_elements(data, parameters, numbers, besides)
