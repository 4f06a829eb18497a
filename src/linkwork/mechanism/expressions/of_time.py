"""What time alone tells of a formula: how it changes at one state, and where that is fast beside a span.

A step that finds its own size sees a formula at its stages alone: a pulse of exp((t - t0)^2) that is short beside the
steps around it is passed over, by two runs in the same way. Where time alone tells it, it is looked for beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions.choices import CHOICES
from linkwork.mechanism.expressions.state import nodes_of, table_node
from linkwork.mechanism.expressions.tree import TIME, Node, NodeError, apply, evaluate, number

Array = NDArray[np.float64]
PLACES = 2**15  # over a span; what is shorter than their distance may be missed
FAST = 50.0 / PLACES  # of a part's range, from place to place: a fiftieth of the span for all of it
APART = 64  # places between two changes that are two
LONG = PLACES // 20  # a change that lasts longer is one that steps see
MOST = 50  # changes of a part; where there are more it goes on and on, and steps see it
STANDS = 0.7  # what is measured, about: no place at which anything is special
EVEN = frozenset(("+", "-", "*", "neg", "sin", "cos", "t"))  # what makes no fast change of slow ones
FEW = 4.0  # a whole power, which makes none either
ROOTS = frozenset(("sqrt", "hypot", "abs"))  # one corner makes no pulse
NO_NUMBER = "step", "table", *CHOICES


def is_of_time(node: Node) -> bool:
    """Whether time alone tells it, and it is no constant."""
    return node.constant is None and all(one.about is None for one in nodes_of(node))


def at_one_state(root: Node) -> Node | None:
    """A formula as one of time, everything that it measures standing at some number; None where it has no value so."""
    numbers: dict[Any, Node] = {}

    def standing(node: Node) -> Node:
        if node.constant is not None or node == TIME:
            return node
        if node.name == "table":
            return table_node(node.about, standing(node.args[0]))
        if node.about is not None:
            return numbers.setdefault(node.about, number(STANDS + len(numbers) / 64.0))
        return apply(node.name, *map(standing, node.args))

    try:
        return standing(root)
    except NodeError:
        return None


def fast_changes(root: Node, begin: float, end: float) -> list[float]:
    """Times at which smooth parts begin and end to change fast, and are furthest from what they were, between."""
    return [t for part in _smooth_parts(root) for t in _changes(part, begin, end)]


def may_change_fast(root: Node) -> bool:
    """Whether it has parts with fast changes, over whatever span."""
    return next(_smooth_parts(root), None) is not None


def may_change_fast_with_state(root: Node) -> bool:
    """Whether it can rise and fall, or the other way round, while the state moves on a little."""
    return any(
        node.args and node.name not in ROOTS and _may_be_fast(node) and not is_of_time(node) for node in nodes_of(root)
    )


def values_at(node: Node, times: Array) -> Array | None:
    """Of what time alone tells, smoothly; None where it has no such values."""
    try:
        with np.errstate(all="ignore"):
            found = evaluate(node, (times, 1.0, 0.0))[0]
    except NodeError:
        return None
    return np.broadcast_to(np.asarray(found, dtype=float), times.shape)


def _smooth_parts(root: Node) -> Iterator[Node]:
    """The largest that time alone tells, without choices, and that can change faster than t does."""
    if root.constant is not None:
        return
    names = {one.name for one in nodes_of(root)}
    if is_of_time(root) and not names & set(NO_NUMBER):
        if any(map(_may_be_fast, nodes_of(root))):
            yield root
        return
    yield from (part for arg in root.args for part in _smooth_parts(arg))


def _may_be_fast(node: Node) -> bool:
    """Whether it can change faster than what it is made of."""
    if node.constant is not None or node.name in EVEN:
        return False
    other = node.args[-1].constant
    return not (other is not None and (node.name == "/" or (node.name == "**" and 0.0 <= other <= FEW)))


@lru_cache(maxsize=256)
def _changes(part: Node, begin: float, end: float) -> tuple[float, ...]:
    times = np.linspace(begin, end, PLACES)
    values = values_at(part, times)
    return () if values is None else tuple(t for change in changes_of(times, values) for t in change)


class Change(NamedTuple):
    """A fast one, s. middle : where the number is furthest from what it was."""

    begin: float
    middle: float
    end: float


def changes_of(times: Array, values: Array) -> list[Change]:
    """Each fast change of a number that is known at evenly spaced times."""
    size = float(np.ptp(values)) if np.isfinite(values).all() else 0.0
    fast = np.flatnonzero(np.abs(np.diff(values)) > FAST * size) if size > 0.0 else np.zeros(0, dtype=int)
    groups = np.split(fast, np.flatnonzero(np.diff(fast) > APART) + 1)
    if not len(fast) or len(groups) > MOST:
        return []
    found = []
    for group in groups:
        first, last = int(group[0]), int(group[-1]) + 1
        if last - first > LONG:
            continue
        inside = values[first : last + 1]
        middle = first + int(np.argmax(np.abs(inside - values[first]) + np.abs(inside - values[last])))
        found.append(Change(float(times[first]), float(times[middle]), float(times[last])))
    return found
