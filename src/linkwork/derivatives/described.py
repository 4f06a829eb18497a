"""Numbers of a description by name, and the mechanism with another value of one of them.

rod.mass   rod.inertia[1][1]   rod.position[2]   pivot.point[0]   strut.stiffness   gravity[2]   k (a parameter)
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkwork.arguments import names_of
from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.document import KINDS
from linkwork.mechanism.elements import did_you_mean, sentence

INDEX = re.compile(r"\[(\d+)\]")
NAME = re.compile(r"(?P<path>[^\[\]]+)(?P<indices>(\[\d+\])*)\Z")
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Described:
    """One number of a mechanism's document. path : where it stands there."""

    mechanism: Mechanism
    document: dict[str, Any] = field(repr=False)
    name: str
    path: Path
    value: float

    @property
    def section(self) -> str:
        """The document's part that it stands in: a kind of elements, parameters, gravity."""
        section, *_ = self.path
        return str(section)

    @property
    def depth(self) -> int:
        """How many steps of its path lead to what is checked as a whole: an element, or a section without elements."""
        return 2 if self.section in KINDS else 1

    @property
    def member(self) -> str:
        """Which number of that it is; the first word of vectors and tables of numbers."""
        return str(self.path[self.depth]) if len(self.path) > self.depth else self.section

    @property
    def family(self) -> tuple[str, ...]:
        """What numbers of other elements have in common with it: the same field of the same kind."""
        return (self.section, *map(str, self.path[self.depth :]))

    def moved(self, by: float) -> Mechanism:
        """The mechanism with this number larger by so much."""
        return moved([self], [by])


def moved(numbers: Sequence[Described], by: Iterable[float]) -> Mechanism:
    """The mechanism with these numbers larger by so much each."""
    (mechanism, document), *_ = {id(one.mechanism): (one.mechanism, one.document) for one in numbers}.values()
    data, changed = dict(document), dict[Path, Any]()
    for one, more in zip(numbers, by, strict=True):
        if more == 0.0:
            continue
        first, (*on, last) = one.path[: one.depth], one.path[one.depth :]
        whole = changed.setdefault(first, None)
        if whole is None:
            whole = changed[first] = copy.deepcopy(_at(document, first))
        inner = _at(whole, tuple(on))
        inner[last] = float(inner[last]) + more  # a number may be named twice
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


def _at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def numbers_of(mechanism: Mechanism, names: str | Sequence[str]) -> list[Described]:
    """The numbers of these names; a name of several numbers, such as a point, stands for all of them.

    Raises UsageError for names that do not exist, are no numbers, or follow a parameter.
    """
    document = mechanism.to_dict()
    names = names_of("to", names)
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
        yield Described(mechanism, document, leaf, path, float(found))


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
            for key, value in element.items():
                if isinstance(value, int | float | list) and not isinstance(value, bool):
                    yield f"{element['name']}.{key}"


def _unknown(mechanism: Mechanism, document: dict[str, Any], name: str) -> UsageError:
    names = list(known(document))
    few = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return UsageError(
        sentence(f"the description gives no number {name!r}{did_you_mean(name, names)}"),
        element=f"mechanism {mechanism.name!r}",
        remedy=f"It gives {few}. What is left out of a description is no number of it.",
    )
