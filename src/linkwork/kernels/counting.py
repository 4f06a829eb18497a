"""Numbers that count what is done with them: kernels run on them as plain Python and tell their operations.

What is counted is what the source says and the compiler cannot leave out. Additions and subtractions are one kind;
powers by a small whole number are multiplications, powers by a half roots. Multiplying by the literal 1 and taking the
literal 0 away are not counted, since the compiler drops them; multiplying by the literals 0 and 0.5, and adding 0, are.
Not counted: changes of sign, comparisons, absolute values, largest of two, rounding, copies, work on indices. The same
expression written twice counts twice although the compiler works it out once.

A product that is added is two operations, which processors do in one instruction: how often that can be is counted
beside them. An addition takes one product along, and a product goes once.
"""

from __future__ import annotations

import math
from typing import Any

ADDITIONS, MULTIPLICATIONS, DIVISIONS, ROOTS, TRIGONOMETRIC, FUSED = range(6)
LARGEST_POWER = 64


class Counted:
    """A number, and where its operations are written down: six counts in the order of the names above.

    product : of a product, whether an addition has taken it along, in a list that it shares with its negative.
    """

    __array_priority__ = 1000.0  # NumPy's scalars leave mixed operations to it
    __slots__ = ("product", "tally", "value")

    def __init__(self, value: float, tally: list[int], product: list[bool] | None = None) -> None:
        self.value, self.tally, self.product = value, tally, product

    def _add(self, other: Any) -> None:
        """Count one addition."""
        self.tally[ADDITIONS] += 1
        for one in (self, other):
            if isinstance(one, Counted) and one.product is not None and not one.product[0]:
                one.product[0] = True
                self.tally[FUSED] += 1
                break

    def __add__(self, other: Any) -> Counted:
        self._add(other)
        return Counted(self.value + _value(other), self.tally)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Counted:
        if isinstance(other, Counted) or other != 0.0:
            self._add(other)
        return Counted(self.value - _value(other), self.tally)

    def __rsub__(self, other: Any) -> Counted:
        self._add(other)
        return Counted(_value(other) - self.value, self.tally)

    def __mul__(self, other: Any) -> Counted:
        if not isinstance(other, Counted) and other == 1.0:
            return Counted(self.value, self.tally, self.product)
        self.tally[MULTIPLICATIONS] += 1
        return Counted(self.value * _value(other), self.tally, [False])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Counted:
        if isinstance(other, Counted) or other != 1.0:
            self.tally[DIVISIONS] += 1
        return Counted(_ratio(self.value, _value(other)), self.tally)

    def __rtruediv__(self, other: Any) -> Counted:
        self.tally[DIVISIONS] += 1
        return Counted(_ratio(_value(other), self.value), self.tally)

    def __pow__(self, power: Any) -> Counted:
        if power == 0.5:
            return self.sqrt()
        if isinstance(power, int) and 0 < power < LARGEST_POWER:
            self.tally[MULTIPLICATIONS] += power.bit_length() - 1 + power.bit_count() - 1
            return Counted(self.value**power, self.tally)
        return self._function(self.value ** _value(power))

    def __neg__(self) -> Counted:
        return Counted(-self.value, self.tally, self.product)

    def __pos__(self) -> Counted:
        return self

    def __abs__(self) -> Counted:
        return Counted(abs(self.value), self.tally)

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < _value(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= _value(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > _value(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= _value(other))

    def __eq__(self, other: object) -> bool:  # and no hash: equal numbers have other tallies
        return bool(self.value == _value(other))

    def __bool__(self) -> bool:
        return self.value != 0.0

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __repr__(self) -> str:
        return f"Counted({self.value!r})"

    @property
    def real(self) -> Counted:
        """Itself."""
        return self

    def sqrt(self) -> Counted:
        """A root."""
        self.tally[ROOTS] += 1
        return Counted(math.sqrt(self.value) if self.value >= 0.0 else math.nan, self.tally)

    def floor(self) -> Counted:
        """Rounded down."""
        return Counted(math.floor(self.value), self.tally)

    def _function(self, value: float) -> Counted:
        self.tally[TRIGONOMETRIC] += 1
        return Counted(value, self.tally)

    def cos(self) -> Counted:
        """Cosine."""
        return self._function(math.cos(self.value))

    def sin(self) -> Counted:
        """Sine."""
        return self._function(math.sin(self.value))

    def tan(self) -> Counted:
        """Tangent."""
        return self._function(math.tan(self.value))

    def arccos(self) -> Counted:
        """Inverse cosine."""
        return self._function(math.acos(self.value))

    def arcsin(self) -> Counted:
        """Inverse sine."""
        return self._function(math.asin(self.value))

    def arctan(self) -> Counted:
        """Inverse tangent."""
        return self._function(math.atan(self.value))

    def arctan2(self, other: Any) -> Counted:
        """Angle of a point (other, self)."""
        return self._function(math.atan2(self.value, _value(other)))

    def exp(self) -> Counted:
        """Exponential."""
        return self._function(math.exp(self.value))

    def log(self) -> Counted:
        """Natural logarithm."""
        return self._function(math.log(self.value))

    def cosh(self) -> Counted:
        """Hyperbolic cosine."""
        return self._function(math.cosh(self.value))

    def sinh(self) -> Counted:
        """Hyperbolic sine."""
        return self._function(math.sinh(self.value))

    def tanh(self) -> Counted:
        """Hyperbolic tangent."""
        return self._function(math.tanh(self.value))


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Counted) else x


def _ratio(a: float, b: float) -> float:
    """As processors divide."""
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a)
