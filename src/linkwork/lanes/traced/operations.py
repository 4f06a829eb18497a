"""What the operations of recorded numbers come to, and the constants among their operands."""

from __future__ import annotations

import math
from collections.abc import Callable


class Constant(float):
    """A number that is the same for all instances. It equals no node's number: 3.0 is not node 3."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and float(self) == float(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("constant", float(self)))


def _divided(a: float, b: float) -> float:
    return a / b if b != 0.0 else math.nan if a == 0.0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _beyond(function: Callable[[float], float]) -> Callable[[float], float]:
    """A function that is infinite, as in the C library, where Python's has no value."""

    def of(a: float) -> float:
        try:
            return function(a)
        except OverflowError:
            return math.inf if a > 0.0 or function is math.cosh else -math.inf

    return of


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf
    except ValueError:  # of a negative number, or of zero by less than nothing
        return math.nan if a < 0.0 else math.inf


VALUES: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "max": lambda a, b: b if b > a else a,
    "min": lambda a, b: b if b < a else a,
    "atan2": math.atan2,
    "pow": _power,
}
COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
UNARY: dict[str, Callable[[float], float]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sqrt": lambda a: math.sqrt(a) if a >= 0.0 else math.nan,
    "exp": _beyond(math.exp),
    "log": lambda a: math.log(a) if a > 0.0 else -math.inf if a == 0.0 else math.nan,
    "tan": math.tan,
    "asin": lambda a: math.asin(a) if abs(a) <= 1.0 else math.nan,
    "acos": lambda a: math.acos(a) if abs(a) <= 1.0 else math.nan,
    "atan": math.atan,
    "sinh": _beyond(math.sinh),
    "cosh": _beyond(math.cosh),
    "tanh": math.tanh,
    "floor": lambda a: float(math.floor(a)) if math.isfinite(a) else a,
}
