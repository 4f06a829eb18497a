"""What a kind of quantity is: its value, how it changes with the motion, and how that turns with the pose, as kernels.

q are the columns of all quantities (`kernels.tables.Quantities`), k is the quantity's number; r (nb + 1, 3) m and
A (nb + 1, 9) are positions and rotations of all bodies. Translations are in global components, rotations theta fixed in
the body, A -> A exp(skew(theta)). `parts` are four vectors, along r_i, theta_i, r_j and theta_j: the rate is their
product with the velocities (rdot_i, omega_i, rdot_j, omega_j), and an effort along the quantity exerts effort times
parts on the two bodies. The kernels run compiled and, in tests, on complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.kind import any_numbers
from linkwork.kernels.vec3 import Vec


@kernel
def no_value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """Of quantities that are rates alone."""
    return 0.0 * r[0, 0]


@kernel
def part(p: tuple[Vec, Vec, Vec, Vec], n: int) -> Any:
    """Number n of the twelve in four vectors."""
    c = n % 3
    x = p[0] if n < 3 else p[1] if n < 6 else p[2] if n < 9 else p[3]
    return x[0] if c == 0 else x[1] if c == 1 else x[2]


class QuantityKind(NamedTuple):
    """One kind of quantity. `tests/unit/test_quantities_of_state.py` holds its kernels against one another."""

    name: str
    meaning: str  # the value, or of rates alone the rate
    columns: Mapping[str, str]  # column of `Quantities` that it reads -> what stands there
    parts: Callable[..., Any]  # (q, k, r, A) -> derivatives of the rate by (rdot_i, omega_i, rdot_j, omega_j)
    add_variation: Callable[..., None]  # (out (12, 12), effort, q, k, r, A): adds the derivative of effort times parts
    value: Callable[..., Any] = no_value  # (q, k, r, A, previous) -> the value; previous: that of the last step
    gradient: Callable[..., Any] | None = None  # (q, k, r, A) -> parts of the value, where they differ from `parts`
    example: Callable[[np.random.Generator], dict[str, Any]] = any_numbers  # columns that make sense, for tests

    @property
    def has_value(self) -> bool:
        """Whether it is more than a rate."""
        return self.value is not no_value
