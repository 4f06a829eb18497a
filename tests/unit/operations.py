"""Operations of recorded numbers, and their derivatives."""

from __future__ import annotations

import math
from typing import Any

from linkwork.lanes.traced.numbers import Traced
from linkwork.lanes.traced.selections import largest, smallest


def chosen(x: Traced, y: Traced) -> Any:
    return x.graph.select(x > y, x * x, y * x)


# f, its derivatives by x and y
OPERATIONS: list[tuple[Any, Any]] = [
    (lambda x, y: x + 2.0 * y, lambda x, y: (1.0, 2.0)),
    (lambda x, y: 3.0 - x * y, lambda x, y: (-y, -x)),
    (lambda x, y: x / y, lambda x, y: (1.0 / y, -x / y**2)),
    (lambda x, y: x * x - y, lambda x, y: (2.0 * x, -1.0)),
    (lambda x, y: (x * y).sqrt(), lambda x, y: (0.5 * (y / x) ** 0.5, 0.5 * (x / y) ** 0.5)),
    (lambda x, y: (x * y).exp(), lambda x, y: (y * math.exp(x * y), x * math.exp(x * y))),
    (lambda x, y: x.tan() * y, lambda x, y: (y / math.cos(x) ** 2, math.tan(x))),
    (lambda x, y: y.arctan2(x), lambda x, y: (-y / (x * x + y * y), x / (x * x + y * y))),
    (lambda x, y: abs(x - y) * y, lambda x, y: (-y, y - (x - y))),
    (lambda x, y: x.sin() * y, lambda x, y: (math.cos(x) * y, math.sin(x))),
    (lambda x, y: (9.0 * x).cos() * y, lambda x, y: (-9.0 * math.sin(9.0 * x) * y, math.cos(9.0 * x))),
    (lambda x, y: largest(x, y) * x, lambda x, y: (y, x)),
    (lambda x, y: smallest(x, y) * y, lambda x, y: (y, x)),
    (chosen, lambda x, y: (y, x)),
]
