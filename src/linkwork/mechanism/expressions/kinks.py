"""Times at which a formula or one of its first two derivatives is not smooth, where that is told by time alone.

`abs`, `sign`, `min`, `max`, `if`, `step` and tables have kinks where a number passes zero; where that number depends on
time and nothing else, its zeros are known before a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions.choices import CHOICES
from linkwork.mechanism.expressions.of_time import PLACES, is_of_time, values_at
from linkwork.mechanism.expressions.state import nodes_of
from linkwork.mechanism.expressions.tree import TIME, Node, NodeError, apply, evaluate, number

LOOKED_AT = 4000  # places over a span, where a number is no multiple of time, and makes choices itself
SAME = 1e-9  # relative: slopes that are equal
HALVINGS = 60

KINKED = frozenset(("abs", "sign", "if", "min", "max", "step", "table"))

Knots = Callable[[str], Sequence[float]]


def kinks_of(root: Node, knots: Knots, begin: float, end: float) -> list[float]:
    """The times within (begin, end), in no order. knots : where the pieces of the table of this name meet."""
    found: list[float] = []
    for node in nodes_of(root):
        if node.name == "table" and node.args[0] == TIME:
            found += knots(node.about)
            continue
        for passing in passing_zero(node, knots):
            if is_of_time(passing):
                found += zeros(passing, begin, end)
    return [t for t in found if begin < t < end]


def passings_of(root: Node, knots: Knots) -> Iterator[Node]:
    """The numbers at whose zeros a formula has kinks, those that time alone tells, in an order that is the same of all
    formulas that differ by constants."""
    return (one for node in nodes_of(root) for one in passing_zero(node, knots) if is_of_time(one))


def has_kinks(root: Node) -> bool:
    """Whether a formula may have kinks, at whatever time."""
    return any(node.constant is None and node.name in KINKED for node in nodes_of(root))


def passing_zero(node: Node, knots: Knots) -> Iterator[Node]:
    """The numbers at whose zeros this node has a kink."""
    if node.constant is not None:
        return
    if node.name in ("abs", "sign", "if"):
        yield node.args[0]
    elif node.name in ("min", "max"):
        yield apply("-", *node.args)
    elif node.name == "step":
        yield from (apply("-", node.args[0], bound) for bound in node.args[1:])
    elif node.name == "table":
        yield from (apply("-", node.args[0], number(float(x))) for x in knots(node.about))


def zeros(node: Node, begin: float, end: float) -> list[float]:
    """Where a number that time alone tells is zero: exactly where it grows evenly, else where it changes its sign
    between places that are looked at."""

    def value(t: float) -> float:
        with np.errstate(all="ignore"):
            return float(evaluate(node, (np.float64(t), 1.0, 0.0))[0])

    try:
        with np.errstate(all="ignore"):
            jets = [evaluate(node, (np.float64(t), 1.0, 0.0)) for t in np.linspace(begin, end, 5)]
    except NodeError:  # of a table: its value is known in a run alone
        return []
    slope = float(jets[0][1])
    if all(jet[2] == 0.0 and abs(jet[1] - slope) <= SAME * abs(slope) for jet in jets):
        return [begin - value(begin) / slope] if slope != 0.0 else []
    chooses = any(one.name in KINKED or one.name in CHOICES for one in nodes_of(node))
    places: NDArray[np.float64] = np.linspace(begin, end, LOOKED_AT if chooses else PLACES)
    at_once = None if chooses else values_at(node, places)
    values = np.array([value(t) for t in places]) if at_once is None else at_once
    changes = np.nonzero(np.diff(np.sign(values)) != 0)[0]
    return [bisected(value, places[k], places[k + 1]) for k in changes if np.all(np.isfinite(values[k : k + 2]))]


def bisected(value: Callable[[float], float], low: float, high: float) -> float:
    """A zero between two places of different sign."""
    below = np.sign(value(low))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.sign(value(middle)) == below else (low, middle)
    return float(high)
