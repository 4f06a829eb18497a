"""Tangents through what was recorded, without code of their own: for what a run does once.

Each operation's derivatives are those of `traced.forward`, at the values of the recorded instance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.derivatives import moving_nodes, pairs_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording

Array = NDArray[np.float64]


def tangents_left(recording: Recording, given: Mapping[int, Array]) -> dict[int, Array | None]:
    """Of each cell that holds something else than before, the tangents (numbers,) there; None where it does not move.

    given : those of the cells that move before. Raises NotTracedError for operations without derivatives.
    """
    graph, pairs = recording.graph, pairs_of(recording)
    found: list[Array | None] = []
    for k, (operation, *operands) in enumerate(graph.nodes):
        if operation == "in":
            found.append(given.get(operands[0]))
        elif k in pairs:
            angle, other, which = pairs[k]
            d = found[angle]
            found.append(None if d is None else (-1.0 if which == "cosine" else 1.0) * graph.values[other] * d)
        else:
            found.append(_followed(graph.values, k, operation, operands, found))
    return {cell: found[key] if isinstance(key, int) else None for cell, key in recording.found.items()}


def _followed(values: list[Any], k: int, operation: str, operands: list[Any], found: list[Array | None]) -> Any:
    """The tangents of a node, None where it does not move."""
    if operation == "floor":
        return None
    if operation == "select":
        x = operands[1 if values[operands[0]] else 2]
        return found[x] if isinstance(x, int) else None
    total: Array | None = None
    several = [(j, found[x]) for j, x in enumerate(operands) if isinstance(x, int)]
    for j, d in several:
        if d is not None and not isinstance(values[k], bool):
            of = [values[x] if isinstance(x, int) else x for x in operands]
            part = _times(derivative_by_operand(operation, j, of, values[k]), d)
            total = part if total is None else total + part
    return total


def _times(slope: float, d: Array) -> Array:
    """A slope times tangents; what does not move does not, however steep: the root of a sum that is 0."""
    return slope * d if math.isfinite(slope) else np.array([slope * one if one else 0.0 for one in d])


def adjoints_before(recording: Recording, left: Mapping[int, Array], wanted: Set[int]) -> dict[int, Array]:
    """Of each cell, the adjoints (functions,) of what it holds before, from those of what cells hold behind.

    wanted : cells whose adjoints are asked for. Raises NotTracedError for operations without derivatives.
    """
    graph, pairs = recording.graph, pairs_of(recording)
    moving, values = moving_nodes(recording, wanted), graph.values
    bars: dict[int, Array] = {}
    found = {cell: bar for cell, bar in left.items() if cell not in recording.found}

    def give(x: Any, bar: Array) -> None:
        if isinstance(x, int) and x in moving:
            bars[x] = bars[x] + bar if x in bars else bar

    for cell, key in recording.found.items():
        if cell in left:
            give(key, left[cell])
    for k in reversed(range(len(graph.nodes))):
        if k not in bars:
            continue
        operation, *operands = graph.nodes[k]
        if operation == "in":
            found[operands[0]] = found.get(operands[0], 0.0) + bars[k]
        elif k in pairs:
            angle, other, which = pairs[k]
            give(angle, (-1.0 if which == "cosine" else 1.0) * values[other] * bars[k])
        elif operation == "select":
            give(operands[1 if values[operands[0]] else 2], bars[k])
        elif not isinstance(values[k], bool):
            of = [values[x] if isinstance(x, int) else x for x in operands]
            for j, x in enumerate(operands):
                if isinstance(x, int) and x in moving:
                    give(x, derivative_by_operand(operation, j, of, values[k]) * bars[k])
    return found


def derivative_by_operand(operation: str, j: int, of: list[float], y: float) -> float:
    """The derivative of an operation's result y by its operand j."""
    a, b = of[0], of[-1]
    match operation:
        case "+":
            return 1.0
        case "-":
            return 1.0 if j == 0 else -1.0
        case "*":
            return b if j == 0 else a
        case "/":
            return _over(1.0, b) if j == 0 else -_over(y, b)
        case "neg":
            return -1.0
        case "sqrt":
            return _over(0.5, y)
        case "exp":
            return y
        case "log":
            return _over(1.0, a)
        case "tan":
            return 1.0 + y * y
        case "asin" | "acos":
            return _over(1.0 if operation == "asin" else -1.0, math.sqrt(max(1.0 - a * a, 0.0)))
        case "atan":
            return 1.0 / (1.0 + a * a)
        case "sinh":
            return math.cosh(a)
        case "cosh":
            return math.sinh(a)
        case "tanh":
            return 1.0 - y * y
        case "abs":
            return -1.0 if a < 0.0 else 1.0
        case "max":
            return float((b > a) == (j == 1))
        case "min":
            return float((b < a) == (j == 1))
        case "pow":
            return b * a ** (b - 1.0) if j == 0 else y * math.log(a)
        case "atan2":
            whole = a * a + b * b
            return _over(b, whole) if j == 0 else -_over(a, whole)
    raise NotTracedError(f"the derivative of {operation}")


def _over(a: float, b: float) -> float:
    return a / b if b != 0.0 else math.inf
