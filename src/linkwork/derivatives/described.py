"""Numbers of a description by name (`mechanism.number_names`), and the mechanism with another value of some of them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from linkwork.arguments import names_of
from linkwork.errors import ModelError, UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.document import KINDS
from linkwork.mechanism.number_names import (
    Keys,
    Owners,
    keys_of,
    leaves,
    owners_of,
    standing,
    unknown_number,
    written_at,
)


@dataclass(frozen=True)
class Described:
    """One number of a mechanism's document. path : where it stands there."""

    mechanism: Mechanism
    document: dict[str, Any] = field(repr=False)
    name: str
    path: Keys
    value: float

    @cached_property
    def section(self) -> str:
        """The document's part that it stands in: a kind of elements, parameters, gravity."""
        section, *_ = self.path
        return str(section)

    @cached_property
    def depth(self) -> int:
        """How many steps of its path lead to what is checked as a whole: an element, or a section without elements."""
        return 2 if self.section in KINDS else 1

    @cached_property
    def member(self) -> str:
        """Which number of that it is; the first word of vectors and tables of numbers."""
        return str(self.path[self.depth]) if len(self.path) > self.depth else self.section

    @cached_property
    def family(self) -> tuple[str, ...]:
        """What numbers of other elements have in common with it: the same field of the same kind."""
        return (self.section, *map(str, self.path[self.depth :]))

    def moved(self, by: float) -> Mechanism:
        """The mechanism with this number larger by so much."""
        return moved([self], [by])


OWN_AXES = (
    "Give the joint's places by on_first and on_second, each with an axis of its own, and differentiate by these."
)


def moved(numbers: Sequence[Described], by: Iterable[float]) -> Mechanism:
    """The mechanism with these numbers larger by so much each. Raises UsageError where there is none."""
    try:
        return _moved(numbers, by)
    except ModelError as error:
        why, *_ = error.message.split(":")
        names = " and ".join(repr(one.name) for one in numbers)
        of_axes = any(one.member in ("axis", "axis2") for one in numbers)
        raise UsageError(
            f"there is no derivative with respect to {names}: beside the value described, {error.element} {why}.",
            element=f"mechanism {numbers[0].mechanism.name!r}",
            remedy=OWN_AXES if of_axes else "Take another value, or another number.",
        ) from error


def _moved(numbers: Sequence[Described], by: Iterable[float]) -> Mechanism:
    (mechanism, document), *_ = {id(one.mechanism): (one.mechanism, one.document) for one in numbers}.values()
    data, changed = dict(document), dict[Keys, Any]()
    for one, more in zip(numbers, by, strict=True):
        if more == 0.0:
            continue
        first = one.path[: one.depth]
        for keys in (place[one.depth :] for place in written_at(one.path)):
            changed[first] = _written(changed.get(first, standing(document, first)), keys, one.value, more)
    if not changed:
        return mechanism
    if all(len(path) == 2 for path in changed):  # elements alone
        return mechanism.with_data({(str(path[0]), int(path[1])): whole for path, whole in changed.items()})
    for path, whole in changed.items():
        if len(path) == 2:
            data[str(path[0])] = [whole if k == path[1] else one for k, one in enumerate(data[str(path[0])])]
        else:
            data[str(path[0])] = whole
    return Mechanism.from_dict(data, file=mechanism.file)


def _written(whole: Any, keys: Keys, value: float, more: float) -> Any:
    """A copy of what stands in a document, with one number larger by so much; other parts are the very same. value : of
    a number that is left out."""
    here, *on = keys
    inner = copy.copy(whole)
    if on:
        inner[here] = _written(inner[here], tuple(on), value, more)
    else:
        was = value if isinstance(inner, dict) and here not in inner else inner[here]
        inner[here] = float(was) + more  # a number may be named twice
    return inner


def numbers_of(mechanism: Mechanism, names: str | Sequence[str]) -> list[Described]:
    """The numbers of these names; a name of several numbers, such as a point, stands for all of them.

    Raises UsageError for names that do not exist, are no numbers, or follow a parameter.
    """
    document = mechanism.to_dict()
    names = names_of("to", names)
    owners = owners_of(mechanism)
    found = [one for name in names for one in _found(mechanism, document, name, owners)]
    if not found:
        raise UsageError("no number to differentiate with respect to is named.", remedy="Give to=['BODY.mass', ...].")
    return found


def _found(mechanism: Mechanism, document: dict[str, Any], name: str, owners: Owners) -> Iterator[Described]:
    keys = keys_of(mechanism, str(name), owners)
    if keys is None:
        raise unknown_number(mechanism, str(name))
    value = standing(document, keys)
    if value is None and keys[0] in KINDS and len(keys) == 3:  # left at its usual value
        usual = getattr(getattr(mechanism, str(keys[0]))[int(keys[1])], str(keys[2]))
        value = usual if isinstance(usual, float) else None
    found = list(leaves(name, keys, value))
    if not found:
        raise unknown_number(mechanism, name)
    for leaf, path, number in found:
        if isinstance(number, str):
            raise UsageError(
                f"{leaf!r} is the formula {number!r}, no number.",
                element=f"mechanism {mechanism.name!r}",
                remedy="Differentiate with respect to a parameter that stands in it.",
            )
        yield Described(mechanism, document, leaf, path, float(number))
