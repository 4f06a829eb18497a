"""Tables that tables of addresses lead to: of a problem with couplings, that of the problem without them.

A record of the outer table says where the inner one stands, and which entries receive it (`kernels.records.EntryCall`).
Compiled code follows these addresses. Whoever has other numbers in the place of a run's follows them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.kernels.records import Call
from linkwork.problems.layout import WORDS, Slot, standing_in


@dataclass(frozen=True)
class Level:
    """A table of addresses. entries : what receives it. calls : place in it -> the entry that stands there, and
    receives the table of the level `inside`, whose address stands at `index`."""

    words: Any
    entries: tuple[Any, ...]
    calls: Mapping[int, Any]
    index: int = -1
    inside: Level | None = None

    def __iter__(self) -> Iterator[Level]:
        """It and all inside, the outermost first."""
        yield self
        if self.inside is not None:
            yield from self.inside


def level_of(problem: Any, entries: Iterable[Any]) -> Level:
    """Of a problem some of whose entries are called."""
    entries, words = tuple(entries), problem.context
    if problem.inside is None:
        return Level(words, entries, {})
    inner, *records = problem.inside
    there = {value.address: value for record in records for value in _entries_in(record)}
    slots = dict.fromkeys(part for one in entries for part in one.parts if isinstance(part, Slot))
    standing = dict(pair for slot in slots for pair in standing_in(slot, len(words) // WORDS))
    calls = {at: there[int(words[WORDS * at])] for at, one in sorted(standing.items()) if isinstance(one.kind, Call)}
    address = inner.context.__array_interface__["data"][0]
    index = next(at for at in standing if int(words[WORDS * at]) == address)
    return Level(words, entries, calls, index, level_of(inner, calls.values()))


def _entries_in(record: Any) -> Iterator[Any]:
    for value in record:
        if hasattr(value, "address"):
            yield value
        elif isinstance(value, tuple):
            yield from _entries_in(value)
