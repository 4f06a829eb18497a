"""Names of numbers of a description, one way everywhere: in sweeps, `model.run`, sensitivities.

    k (a parameter)   wind, input.wind (an input)   gravity.z   rod.mass   rod.position.z   tube.shape.density

Components of vectors are `.x`, `.y`, `.z`; those of any list also `.0` or `[0]`. Of an inertia matrix
`rod.inertia[0][1]` is both numbers, on either side of the diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from linkwork.errors import UsageError, nearest
from linkwork.mechanism.document import KINDS

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

AXES = {"x": 0, "y": 1, "z": 2}
PLACES = "on_first", "on_second"
MOST_SHOWN = 24  # names in a message
STEP = re.compile(r"\.(?P<word>[^.\[\]]+)|\[(?P<index>\d+)\]")

Keys = tuple[str | int, ...]
Owners = dict[str, list[tuple[int, str, int]]]


def keys_of(mech: Mechanism, name: str, owners: Owners | None = None) -> Keys | None:
    """Where a number, or a field of numbers, of this name stands in the mechanism's document: keys from its root on.
    owners : `owners_of` the mechanism, where many names are asked for.

    None where the description can have no such field; whether it gives one is another question."""
    if name in mech.parameters:
        return ("parameters", name, "value")
    if (asked := name.removeprefix("input.")) in mech.inputs:
        return ("inputs", asked, "default")
    if (inner := _steps(name, "gravity")) is not None:
        return ("gravity", *inner)
    owners = owners_of(mech) if owners is None else owners
    ends = [k for k, sign in enumerate(name) if sign in ".["]  # of names that may be its owner's
    for _, kind, k in sorted(place for end in ends for place in owners.get(name[:end], ())):
        element = getattr(mech, kind)[k]
        inner = _steps(name, element.name)
        if inner and inner[0] in type(element).model_fields and inner[0] != "name":
            return (kind, k, *inner)
    return None


def owners_of(mech: Mechanism) -> Owners:
    """Places of elements by name: in turn of their kinds, kind and number."""
    found: Owners = {}
    for turn, kind in enumerate(KINDS):
        for k, element in enumerate(getattr(mech, kind)):
            found.setdefault(element.name, []).append((turn, kind, k))
    return found


def _steps(name: str, owner: str) -> Keys | None:
    """Keys behind the owner's name; None where the name is none of its."""
    if not name.startswith(owner):
        return None
    rest, at, found = name[len(owner) :], 0, list[str | int]()
    while at < len(rest):
        step = STEP.match(rest, at)
        if step is None:
            return None
        word = step["word"] or step["index"]
        inside = owner == "gravity" or (found and found[-1] not in PLACES)  # a place has an x of its own
        found.append(int(word) if word.isdigit() and word.isascii() else AXES.get(word, word) if inside else word)
        at = step.end()
    return tuple(found)


def written_at(keys: Keys) -> tuple[Keys, ...]:
    """Where a number of this place is written: of an inertia matrix on either side of the diagonal."""
    if len(keys) < 3 or keys[-3] != "inertia" or keys[-2] == keys[-1]:
        return (keys,)
    return keys, (*keys[:-2], keys[-1], keys[-2])


def standing(document: Any, keys: Keys) -> Any:
    """What stands at this place of a document; None where nothing does."""
    for key in keys:
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def leaves(name: str, keys: Keys, value: Any) -> Iterator[tuple[str, Keys, Any]]:
    """Single numbers and formulas of what stands at a place, by name: rod.position[0]; of an inertia matrix those
    on and beyond the diagonal."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, list | tuple):
        for k, each in enumerate(value):
            if (inner := (*keys, k)) == min(written_at(inner)):
                yield from leaves(f"{name}[{k}]", inner, each)
    elif isinstance(value, int | float | str):
        yield name, keys, value


def given_fields(mech: Mechanism, owner: str = "") -> Iterator[list[str]]:
    """Names of numbers that a description gives, or leaves at a usual value, field by field; of one element, if one is
    named."""
    document = mech.to_dict()
    if not owner:
        yield from ([name] for name in mech.parameters)
        yield from ([f"input.{name}"] for name in mech.inputs)
        yield _named("gravity", list(mech.gravity))
    for kind in KINDS:
        for said, element in zip(document.get(kind, ()), getattr(mech, kind), strict=True):
            if not owner or element.name == owner:
                for field in type(element).model_fields:
                    usual = getattr(element, field)
                    value = said.get(field, usual if isinstance(usual, float) else None)
                    if isinstance(value, dict):
                        yield from (_named(f"{element.name}.{field}.{key}", inner) for key, inner in value.items())
                    else:
                        yield _named(f"{element.name}.{field}", value)


def _named(name: str, value: Any) -> list[str]:
    """Names of the single numbers of a field: .x, .y, .z of a vector, [i][j] of what has more."""
    if isinstance(value, list | tuple) and len(value) == 3 and all(map(_is_number, value)):
        return [f"{name}.{axis}" for axis in "xyz"]
    return [leaf for leaf, _, one in leaves(name, (name.rpartition(".")[2],), value) if _is_number(one)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def unknown_number(mech: Mechanism, name: str) -> UsageError:
    """The error for a name of no number, with the nearest one, or those of the element that is meant."""
    if why := _by_shape(mech, name):
        return UsageError(f"{name!r} is no number of the description.", element=_who(mech), remedy=why)
    keys = keys_of(mech, name)
    if keys is not None and len(keys) > 2 and standing(mech.to_dict(), keys[:3]) is None:
        return UsageError(
            f"{name!r} is left out of the description.", element=_who(mech), remedy="Give it there first."
        )
    fields = list(given_fields(mech))
    near = nearest(name, [one for field in fields for one in field])
    said = f"the description gives no number {name!r}" + (f"; did you mean {near!r}?" if near else ".")
    owners = [one.name for kind in KINDS for one in getattr(mech, kind) if name.startswith(f"{one.name}.")]
    told = f"It gives {_few(fields)}."
    if owners:
        owner = max(owners, key=len)
        told = f"Of {owner!r} it gives {_few(list(given_fields(mech, owner)))}."
    return UsageError(said, element=_who(mech), remedy=told)


def need_single(mech: Mechanism, name: str, value: Any) -> None:
    """Raises UsageError where several numbers stand at the place of a name."""
    if isinstance(value, list | tuple | dict):
        inside = [_named(f"{name}.{key}", one) for key, one in value.items()] if isinstance(value, dict) else []
        told = _few(inside or [_named(name, value)])
        raise UsageError(f"{name!r} is no single number.", element=_who(mech), remedy=f"Say which: {told}.")


def _by_shape(mech: Mechanism, name: str) -> str:
    """What to name instead of a mass or inertia that follows from a body's shape."""
    for body in mech.bodies:
        inner = _steps(name, body.name)
        if inner and body.shape is not None and (inner[0] == "inertia" or (inner[0] == "mass" and body.mass is None)):
            cause = "mass" if body.shape.density is None else "shape.density"
            return f"It follows from the body's shape: name '{body.name}.{cause}', or give mass and inertia instead."
    return ""


def _few(fields: list[list[str]]) -> str:
    """Fields by the first and the last of their numbers: rod.mass, rod.position.x to .z."""
    short = [first + "".join(f" to {_ending(last)}" for last in rest[-1:]) for first, *rest in filter(None, fields)]
    return ", ".join(short[:MOST_SHOWN]) + (", ..." if len(short) > MOST_SHOWN else "")


def _ending(name: str) -> str:
    return name[name.index("[", name.rindex(".")) :] if name.endswith("]") else name[name.rindex(".") :]


def _who(mech: Mechanism) -> str:
    return f"mechanism {mech.name!r}"
