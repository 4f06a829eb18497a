"""What a formula comes to at many times at once, by NumPy: what it measures is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions.tree import TIME, Node

Array = NDArray[np.float64]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "neg": np.negative,
    "**": np.power,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "min": np.minimum,
    "max": np.maximum,
    "hypot": np.hypot,
    "atan2": np.arctan2,
    "if": lambda which, u, v: np.where(which > 0.0, u, v),
    "step": lambda u, start, end: smooth(np.clip((u - start) / (end - start), 0.0, 1.0)),
}


def smooth(x: Array) -> Array:
    """The quintic ramp from 0 at 0 to 1 at 1."""
    return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


def on_arrays(node: Node, times: Array, operands: Mapping[Any, Array], tables: Mapping[str, Array]) -> Array:
    """(n,) at these times [s], or one number; nan and inf where it has no value. operands : (n,) by what each is about.
    tables : pieces by name."""
    if node.constant is not None:
        return np.asarray(node.constant)
    if node == TIME:
        return times
    args = [on_arrays(arg, times, operands, tables) for arg in node.args]
    if node.name == "table":
        return of_table(tables[node.about], args[0])
    if node.about is not None:
        return operands[node.about]
    with np.errstate(all="ignore"):
        return np.asarray(FUNCTIONS[node.name](*args), dtype=float)


def of_table(pieces: Array, x: Array) -> Array:
    """The value of a table's cubic pieces."""
    x0, value, slope, bend, third = np.moveaxis(pieces[np.searchsorted(pieces[1:, 0], x, side="right")], -1, 0)
    d = x - x0
    return np.asarray(value + d * (slope + d * (bend + d * third)))
