"""What formulas of time do within steps of one size, which see them at their ends, and at most at a few stages between.

A load that is switched on and off within a step, or a short pulse, acts on nothing, or for all of the step. Looked at
are the times at which a formula changes (`system.kinks`): between two of them that lie within one step it should not be
far from what it is at the step's ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.kinks import kinks_of
from linkwork.mechanism.expressions.of_time import at_one_state, fast_changes
from linkwork.mechanism.expressions.on_arrays import on_arrays
from linkwork.system import CompiledMechanism
from linkwork.system.kinks import named_formulas

Array = NDArray[np.float64]
MOST = 2_000  # times of a part that are looked at
BESIDE = 1e-9  # of a step: two times that are one


class Missed(NamedTuple):
    """A formula that is another within a step than at both ends. owner : of the formula. time : s. difference : how far
    off, of its range. lasts : s, about."""

    owner: str
    time: float
    difference: float
    lasts: float


def missed(mechanism: CompiledMechanism, begin: float, end: float, step: float) -> Missed | None:
    """The largest of what steps of one size do not see; None where there is nothing."""
    tables = {table.name: np.array(table.pieces) for table in mechanism.lowered.tables}
    every = (_of(*one, tables, begin, end, step) for one in dict.fromkeys(named_formulas(mechanism.lowered)))
    return max((one for one in every if one is not None), key=lambda one: one.difference, default=None)


def _of(
    owner: str, formula: Expression, tables: dict[str, Array], begin: float, end: float, step: float
) -> Missed | None:
    """The same of one formula, at one state."""
    root = formula.root
    kinks = kinks_of(root, lambda name: tables[name][1:, 0].tolist(), begin, end)
    inside = {*kinks, *fast_changes(root, begin, end)} - {begin, end}
    if len(inside) < 2:
        return None
    changes = np.array(sorted({begin, *inside, end}))[:MOST]  # np.unique would import masked arrays
    between = 0.5 * (changes[1:] + changes[:-1])
    looked = np.sort(np.concatenate([changes[1:-1], between]))
    lasts = np.diff(changes)[np.clip(np.searchsorted(changes, looked, side="right") - 1, 0, len(changes) - 2)]
    number = np.floor((looked - begin) / step)
    first, last = begin + number * step, np.minimum(begin + (number + 1.0) * step, end)
    short = (lasts < (1.0 - BESIDE) * step) & (looked > first + BESIDE * step) & (looked < last - BESIDE * step)
    told = at_one_state(root) if short.any() else None
    if told is None:
        return None
    values, at_first, at_last = (on_arrays(told, one, {}, tables) for one in (looked, first, last))
    every = np.concatenate([values, at_first, at_last])
    if not np.isfinite(every).all() or not np.ptp(every) > 0.0:
        return None
    beyond = np.maximum(values - np.maximum(at_first, at_last), np.minimum(at_first, at_last) - values)
    shares = np.where(short, beyond, 0.0) / np.ptp(every)
    k = int(np.argmax(shares))
    return Missed(owner, float(looked[k]), float(shares[k]), float(lasts[k]))
