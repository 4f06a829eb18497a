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


VALUES: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "max": lambda a, b: b if b > a else a,
    "min": lambda a, b: b if b < a else a,
    "atan2": math.atan2,
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
    "exp": math.exp,
    "tan": math.tan,
    "floor": lambda a: float(math.floor(a)) if math.isfinite(a) else a,
}
