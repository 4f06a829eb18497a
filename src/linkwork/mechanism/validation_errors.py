"""From places in a description to errors a person can act on: element, name, what is wrong, all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from linkwork.errors import LinkworkError, ModelError

Path = tuple[str | int, ...]
Locate = Callable[[Path], int | None]
MOST = 20  # errors shown at once
M = TypeVar("M", bound=BaseModel)


class InvalidValue(NamedTuple):
    """One thing that is wrong: where in the description, and what, as a predicate of that place."""

    path: Path
    text: str


def from_pydantic(error: ValidationError, at: Path = ()) -> list[InvalidValue]:
    """The errors in a validation error, its paths continued from `at`."""
    return [InvalidValue((*at, *one["loc"]), str(one["msg"])) for one in error.errors(include_url=False)]


def invalid_values(cls: type[M], data: Any) -> M | list[InvalidValue]:
    """What the data describe, or all that is wrong with them."""
    try:
        return cls.model_validate(data)
    except ValidationError as error:
        return from_pydantic(error)


def refuse(
    errors: Sequence[InvalidValue],
    data: Any,
    *,
    file: str | None = None,
    locate: Locate | None = None,
    remedy: str | None = None,
    kind: type[LinkworkError] = ModelError,
    whole: str = "the mechanism",
) -> None:
    """Raise one error (ModelError) that holds all of them, if there are any.

    `data` is the description they are about, for the elements' names; `locate` gives a path's line number; `whole` is
    what the description is called.
    """
    if not errors:
        return
    if len(errors) == 1:
        element, message = _worded(errors[0], data, locate, whole)
        raise kind(message, file=file, element=element, remedy=remedy)
    lines = []
    for one in errors[:MOST]:
        element, message = _worded(one, data, locate, whole)
        lines.append(f"  {element}: {message}" if element else f"  {message}")
    if len(errors) > MOST:
        lines.append(f"  and {len(errors) - MOST} more")
    raise kind(f"{len(errors)} errors:\n" + "\n".join(lines) + "\n", file=file, remedy=remedy)


def of_those_read(locate: Locate | None, read: Mapping[str, Sequence[Any]]) -> Locate | None:
    """The same for elements that were read, by kind; what is added to a mechanism later stands in no file."""
    if locate is None:
        return None
    counts = {kind: len(some) for kind, some in read.items()}

    def known(path: Path) -> int | None:
        kind, *place = path
        added = any(isinstance(k, int) and k >= counts.get(str(kind), 0) for k in place[:1])
        return None if added else locate(path)

    return known


def _worded(error: InvalidValue, data: Any, locate: Locate | None, whole: str) -> tuple[str | None, str]:
    """(element, message) of an error."""
    element: str | None
    path, text = error
    line = locate(path) if locate is not None else None
    place = f" (line {line})" if line is not None else ""
    if len(path) >= 2 and isinstance(path[0], str) and isinstance(path[1], int):
        element, rest = f"{path[0]}[{path[1]}]{_name(data, path)}{place}", path[2:]
    else:
        element, rest = place.strip(" ()") or None, path
    where = _dotted(rest)
    if where:
        return element, f"{where} {text}"
    return element, text if element and len(path) >= 2 else f"{whole} {text}"


def _name(data: Any, path: Path) -> str:
    """`` 'crank pivot'``, the name of the element that a path leads into, if it has one."""
    try:
        element = data[path[0]][path[1]]
        name = element["name"] if isinstance(element, dict) else element.name
    except (KeyError, IndexError, TypeError, AttributeError):
        return ""
    return f" {name[:200]!r}" if isinstance(name, str) else ""


def _dotted(path: Iterable[str | int]) -> str:
    """``on_first.axis[1]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
