"""Answers to questions about the same numbers again: what is worked out once for a mechanism's sparsity, say.

A remembered function is a pure one. It is asked again only with the very same arguments, compared bit by bit, so that
nothing can be out of date; and every answer is made of arrays of its own, so that whoever writes into one changes
nobody else's. Large questions are worked out each time: there the comparison is not what costs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from itertools import pairwise
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")
MOST = 64  # answers that a function remembers
LARGEST = 400_000  # bytes of a question and its answer, beyond which they are not kept


def remembered(function: Callable[P, T], largest: int = LARGEST) -> Callable[P, T]:
    """The function with its last answers kept. Arguments are arrays, numbers, words, and tuples or frozen dataclasses
    of these; so are answers. largest : bytes of a question and its answer that are kept; of larger ones than `LARGEST`
    so many fewer. Raises TypeError for others, and for answers with arrays that share memory."""
    kept: OrderedDict[Hashable, tuple[Any]] = OrderedDict()
    lock, most = Lock(), max(1, MOST * LARGEST // max(largest, LARGEST))

    @wraps(function)
    def asked(*args: P.args, **named: P.kwargs) -> T:
        key = (said(args), tuple((name, said(named[name])) for name in sorted(named)))
        with lock:
            found = kept.get(key)
            if found is not None:
                kept.move_to_end(key)
        if found is None:
            answer = function(*args, **named)
            arrays = list(arrays_of(answer))
            if sum(array.nbytes for array in (*arrays, *arrays_of(args), *arrays_of(tuple(named.values())))) > largest:
                return answer
            if overlapping(arrays):
                raise TypeError(f"arrays of an answer of {function.__name__} share memory: it cannot be remembered")
            with lock:
                kept[key] = (answer,)
                while len(kept) > most:
                    kept.popitem(last=False)
        else:
            answer = found[0]
        return fresh(answer)

    return asked


def said(value: Any) -> Hashable:
    """A value as a key: equal keys, equal values in all bits. Raises TypeError for what may change unnoticed."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype.str, value.shape, value.tobytes()
    if kind in (int, bool, str, float, complex, type(None)):
        return kind, repr(value) if kind in (float, complex) else value
    if isinstance(value, (tuple, list)):
        return kind, tuple([(p.dtype.str, p.shape, p.tobytes()) if type(p) is np.ndarray else said(p) for p in value])
    if is_dataclass(value) and getattr(value, "__dataclass_params__").frozen:  # noqa: B009  # untyped
        return kind, tuple(said(getattr(value, one.name)) for one in fields(value))
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    raise TypeError(f"{kind.__name__} cannot be compared bit by bit")


def fresh(value: T) -> T:
    """The same value with arrays of its own."""
    made: Any = value
    if isinstance(value, np.ndarray):
        made = value.copy()
    elif isinstance(value, tuple):
        parts = [part.copy() if type(part) is np.ndarray else fresh(part) for part in value]
        made = type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    elif isinstance(value, list):
        made = [fresh(part) for part in value]
    elif is_dataclass(value) and not isinstance(value, type):
        made = object.__new__(type(value))
        for one in fields(value):
            object.__setattr__(made, one.name, fresh(getattr(value, one.name)))
    return cast(T, made)


def with_fields(value: T, **changes: Any) -> T:
    """A frozen dataclass with other fields, all else shared, without its `__init__`: in a quarter of the time of
    `dataclasses.replace`. What was worked out of the fields is left out."""
    kind: Any = type(value)
    made, mine, names = object.__new__(kind), vars(value), _names(kind)
    vars(made).update(mine if len(mine) == len(names) else {name: mine[name] for name in names}, **changes)
    return cast(T, made)


def set_fields(value: Any, **changes: Any) -> None:
    """Give a frozen dataclass that nobody else has yet other fields. What was worked out of the fields is left out."""
    kind: Any = type(value)
    mine, names = vars(value), _names(kind)
    for name in [name for name in mine if name not in names] if len(mine) > len(names) else ():
        del mine[name]
    mine.update(changes)


def filled(kind: type[T], **values: Any) -> T:
    """A frozen dataclass with all its fields, without its `__init__`: in a quarter of the time."""
    made = object.__new__(kind)
    vars(made).update(values)
    return made


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def freeze(value: Any) -> None:
    """Make arrays in tuples of tuples read-only."""
    for part in value:
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
        else:
            freeze(part)


def arrays_of(value: Any) -> Iterator[np.ndarray]:
    """Every array in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from arrays_of(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from arrays_of(getattr(value, one.name))


def overlapping(arrays: list[np.ndarray]) -> bool:
    """Whether two of these arrays overlap."""
    spans = sorted(np.lib.array_utils.byte_bounds(array) for array in arrays if array.size)
    return any(second[0] < first[1] for first, second in pairwise(spans))
