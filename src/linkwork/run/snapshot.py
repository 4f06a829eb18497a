"""Where a run stands: every array that it changes, and its plain numbers, so that another process can go on from there
to the same bits.

Compiled code keeps nothing of its own: what it does next is told by the arrays that it was given, which hang on the
run and on its problem. They are found by walking through the fields of these objects; nothing is listed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ResultFileError
from linkwork.io.results.snapshot import Arrays
from linkwork.system import CompiledMechanism

ADDRESSES = ("context", "_table")  # fields with tables of addresses, which hold in one process only
PLAIN = (bool, int, float)
HOLDS_NONE = (*PLAIN, str, bytes, type, ModuleType, CompiledMechanism)  # where no array is looked for


def arrays_in(thing: Any) -> Arrays:
    """Every array that can change within an object, by place: ``problem.work.motion``. Not copied.

    A mechanism's own tables do not change and are left out; so are tables of addresses.
    """
    found: Arrays = {}
    _walk(thing, "", found, set())
    return found


def _walk(thing: Any, place: str, found: Arrays, seen: set[int]) -> None:
    if thing is None or isinstance(thing, HOLDS_NONE) or id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        if thing.dtype.kind in "fiub" and thing.flags.writeable:
            found[place] = thing
        return
    for name, part in _parts(thing):
        if name not in ADDRESSES:
            _walk(part, f"{place}.{name}" if place else name, found, seen)


def _parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """The fields of an object of ours, of a tuple, list or dictionary."""
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        yield from zip(thing._fields, thing, strict=True)
    elif isinstance(thing, (tuple, list)):
        yield from ((str(k), part) for k, part in enumerate(thing))
    elif isinstance(thing, Mapping):
        yield from ((str(key), part) for key, part in thing.items())
    elif is_dataclass(thing):
        yield from ((one.name, getattr(thing, one.name)) for one in fields(thing))
    elif not (callable(thing) or hasattr(thing, "address")):  # compiled code has an address
        yield from getattr(thing, "__dict__", {}).items()


def copies(arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The same, as they are now."""
    return {name: array.copy() for name, array in arrays.items()}


def restore(arrays: Mapping[str, NDArray[Any]], kept: Mapping[str, NDArray[Any]], file: str) -> None:
    """Write what was kept into the arrays. Raises ResultFileError, with nothing written, where they do not match."""
    same = arrays.keys() == kept.keys() and all(
        array.shape == kept[name].shape and array.dtype == kept[name].dtype for name, array in arrays.items()
    )
    if not same:
        raise ResultFileError(
            "the state that was kept does not fit the run that it belongs to.",
            file=file,
            remedy="Go on with the version of linkwork that began it, or run it again.",
        )
    for name, array in arrays.items():
        array[...] = kept[name]


def numbers_of(thing: Any) -> dict[str, Any]:
    """The plain numbers among an object's attributes, by name; named tuples have none that change."""
    return {name: value for name, value in getattr(thing, "__dict__", {}).items() if isinstance(value, PLAIN)}


def call_of(arguments: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    """What a function was asked for, from its `locals()` at the start: arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None and name not in left_out}
