"""Numbers of a description by name, and the mechanism with another value of one of them.

rod.mass   rod.inertia[1][1]   rod.position[2]   pivot.point[0]   strut.stiffness   gravity[2]   k (a parameter)
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.document import KINDS
from linkwork.mechanism.elements import did_you_mean

INDEX = re.compile(r"\[(\d+)\]")
NAME = re.compile(r"(?P<path>[^\[\]]+)(?P<indices>(\[\d+\])*)\Z")
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Described:
    """One number of a mechanism's document. path : where it stands there."""

    mechanism: Mechanism
    name: str
    path: Path
    value: float

    def moved(self, by: float) -> Mechanism:
        """The mechanism with this number larger by so much."""
        if by == 0.0:
            return self.mechanism
        data = copy.deepcopy(self.mechanism.to_dict())
        *way, last = self.path
        inner: Any = data
        for step in way:
            inner = inner[step]
        inner[last] = self.value + by
        return Mechanism.from_dict(data, file=self.mechanism.file)


def numbers_of(mechanism: Mechanism, names: str | Sequence[str]) -> list[Described]:
    """The numbers of these names; a name of several numbers, such as a point, stands for all of them.

    Raises UsageError for names that do not exist, are no numbers, or follow a parameter.
    """
    document = mechanism.to_dict()
    if isinstance(names, str):
        names = [names]
    found = [one for name in names for one in _found(mechanism, document, name)]
    if not found:
        raise UsageError("no number to differentiate with respect to is named.", remedy="Give to=['BODY.mass', ...].")
    return found


def _found(mechanism: Mechanism, document: dict[str, Any], name: str) -> Iterator[Described]:
    matched = NAME.match(str(name))
    if not matched:
        raise _unknown(mechanism, document, str(name))
    way = _way(mechanism, document, matched["path"], name)
    way += tuple(int(k) for k in INDEX.findall(matched["indices"]))
    value: Any = document
    for step in way:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise _unknown(mechanism, document, name) from None
    leaves = list(_leaves(name, way, value))
    if not leaves:
        raise _unknown(mechanism, document, name)
    for leaf, path, found in leaves:
        if isinstance(found, str):
            raise UsageError(
                f"{leaf!r} is the formula {found!r}, no number.",
                element=f"mechanism {mechanism.name!r}",
                remedy="Differentiate with respect to a parameter that stands in it.",
            )
        yield Described(mechanism, leaf, path, float(found))


def _way(mechanism: Mechanism, document: dict[str, Any], said: str, name: str) -> Path:
    if said == "gravity":
        return ("gravity",)
    if said in mechanism.parameters:
        return ("parameters", said, "value")
    owner, _, field = said.rpartition(".")
    if owner == "input" and field in mechanism.inputs:
        return ("inputs", field, "default")
    for kind in KINDS:
        for k, element in enumerate(document.get(kind, ())):
            if said.startswith(f"{element['name']}."):
                return (kind, k, *said[len(element["name"]) + 1 :].split("."))
    raise _unknown(mechanism, document, name)


def _leaves(name: str, path: Path, value: Any) -> Iterator[tuple[str, Path, Any]]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, list | tuple):
        for k, each in enumerate(value):
            yield from _leaves(f"{name}[{k}]", (*path, k), each)
    elif isinstance(value, int | float | str):
        yield name, path, value


def known(document: dict[str, Any]) -> Iterable[str]:
    """Names of all numbers that a document gives."""
    for name in document.get("parameters", {}):
        yield name
    for name in document.get("inputs", {}):
        yield f"input.{name}"
    yield "gravity"
    for kind in KINDS:
        for element in document.get(kind, ()):
            for field, value in element.items():
                if isinstance(value, int | float | list) and not isinstance(value, bool):
                    yield f"{element['name']}.{field}"


def _unknown(mechanism: Mechanism, document: dict[str, Any], name: str) -> UsageError:
    names = list(known(document))
    few = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return UsageError(
        f"the description gives no number {name!r}{did_you_mean(name, names)}.",
        element=f"mechanism {mechanism.name!r}",
        remedy=f"It gives {few}. What is left out of a description is no number of it.",
    )
