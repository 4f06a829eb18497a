"""Numbers that record what is done with them: kernels run on them as plain Python and leave a graph of operations.

Each node is an operation and its operands: nodes by number, constants as floats. The same operation on the same
operands is one node. What does not change a result is left out: adding 0, multiplying by 0, 1 and -1, signs that meet.
Every node has the value that it has for the instance that is recorded, which decides the branches; a branch that is
taken leaves a guard.
"""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

from linkwork.errors import UsageError
from linkwork.kernels import sincos
from linkwork.lanes.traced.operations import COMPARED, UNARY, VALUES, Constant

Key = int | float  # a node by its number, or a constant, `Constant` where both stand


class NotTracedError(UsageError):
    """A kernel does what cannot be recorded. reason : that, in words."""

    def __init__(self, what: str) -> None:
        self.reason = what
        super().__init__(f"{what} of a number that is recorded.", remedy="Run the instances one by one, or in lanes.")


class Graph:
    """What has been recorded.

    nodes : (operation, operands...). values : of each for the recorded instance. guards : conditions, and how they
    came out. angles : node -> cosine and sine that were taken of it. chosen : whether something else was recorded for
    the values of the instance, without a guard.
    """

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self.values: list[Any] = []
        self.guards: dict[int, bool] = {}
        self._places: dict[tuple[Any, ...], int] = {}
        self.angles: dict[int, tuple[Any, Any]] = {}
        self.chosen = False

    def close(self) -> None:
        """Nothing more is recorded: what finds the same operation is not needed."""
        self._places.clear()

    def input(self, cell: int | str, value: float) -> Any:
        """The number that stands in a cell before the step, or a time ('t', 'end')."""
        return Traced(self, self._node(("in", cell), value))

    def _node(self, key: tuple[Any, ...], value: Any) -> int:
        told = key
        for x in key:
            if type(x) is Constant and x == 0.0:  # 0.0 == -0.0, but they are not one constant
                told = (*told, math.copysign(1.0, x))
        place = self._places.setdefault(told, len(self.nodes))
        if place == len(self.nodes):
            self.nodes.append(key)
            self.values.append(value)
        return place

    def one(self, operation: str, a: Traced) -> Any:
        """An operation on one number."""
        if operation == "neg" and self.nodes[a.node][0] == "neg":
            return Traced(self, self.nodes[a.node][1])
        return Traced(self, self._node((operation, a.node), UNARY[operation](a.value)))

    def two(self, operation: str, a: Any, b: Any) -> Any:
        """An operation on two numbers, of which one at least is recorded."""
        simple = self._simplified(operation, a, b)
        if simple is not None:
            return simple
        value = VALUES[operation](value_of(a), value_of(b))
        x, y = key_of(a), key_of(b)
        if operation in ("+", "*") and (isinstance(x, float), x) > (isinstance(y, float), y):
            x, y = y, x
        return Traced(self, self._node((operation, x, y), value))

    def _negated(self, a: Any) -> Any:
        """What a is the negative of, None if it is none."""
        if isinstance(a, Traced) and self.nodes[a.node][0] == "neg":
            return Traced(self, self.nodes[a.node][1])
        return None

    def _simplified(self, operation: str, a: Any, b: Any) -> Any:
        """What needs no operation of its own, None if it does."""
        minus_a, minus_b = self._negated(a), self._negated(b)
        if operation == "+":
            if is_constant(a, 0.0):
                return b
            if is_constant(b, 0.0):
                return a
            if minus_b is not None:
                return a - minus_b
            if minus_a is not None:
                return b - minus_a
        elif operation == "-":
            if is_constant(b, 0.0):
                return a
            if is_constant(a, 0.0):
                return -b
            if minus_b is not None:
                return a + minus_b
        elif operation == "*":
            for x, y in ((a, b), (b, a)):
                if is_constant(x, 0.0):
                    return 0.0
                if is_constant(x, 1.0):
                    return y
                if is_constant(x, -1.0):
                    return -y
            if minus_a is not None:
                return -(minus_a * b)
            if minus_b is not None:
                return -(a * minus_b)
        elif operation == "/":
            if is_constant(a, 0.0):
                return 0.0
            if is_constant(b, 1.0):
                return a
        return None

    def compare(self, operation: str, a: Any, b: Any) -> Condition:
        """A comparison."""
        value = COMPARED[operation](value_of(a), value_of(b))
        return Condition(self, self._node((operation, key_of(a), key_of(b)), value), value)

    def both(self, operation: str, a: Condition, b: Any) -> Any:
        """One of two conditions, or both."""
        if not isinstance(b, Condition):
            return a if bool(b) == (operation == "and") else bool(b)
        value = a.value | b.value if operation == "or" else a.value & b.value
        return Condition(self, self._node((operation, a.node, b.node), value), value)

    def select(self, first: Any, a: Any, b: Any) -> Any:
        """a where the condition is true, else b; no guard."""
        if not isinstance(first, Condition):
            return a if first else b
        if key_of(a) == key_of(b):
            return a
        value = value_of(a) if first.value else value_of(b)
        return Traced(self, self._node(("select", first.node, key_of(a), key_of(b)), value))

    def cosine_and_sine(self, a: Traced) -> tuple[Any, Any]:
        """As compiled code takes them, where the angle is not too far away."""
        if a.node not in self.angles:
            if not abs(a) <= sincos.FAR:
                raise NotTracedError("the cosine of an angle beyond all turns")
            self.angles[a.node] = _POLYNOMIALS(a)
        return self.angles[a.node]


class Traced:
    """A number that is recorded."""

    __array_priority__ = 1000.0  # NumPy's scalars leave mixed operations to it
    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph, self.node = graph, node

    @property
    def value(self) -> float:
        """Of the instance that is recorded."""
        found: float = self.graph.values[self.node]
        return found

    def __add__(self, other: Any) -> Any:
        return self.graph.two("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.graph.two("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.graph.two("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.graph.two("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.graph.two("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.graph.two("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.graph.two("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.graph.two("/", other, self)

    def __pow__(self, power: Any) -> Any:
        if power == 0.5:
            return self.sqrt()
        if isinstance(power, int) and 1 <= power <= 4:
            square = self * self
            return (self, square, square * self, square * square)[power - 1]
        if isinstance(power, int):
            raise NotTracedError(f"the power {power}")
        return self.graph.two("pow", self, power)

    def __rpow__(self, base: Any) -> Any:
        return self.graph.two("pow", base, self)

    def __neg__(self) -> Any:
        return self.graph.one("neg", self)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Any:
        return self.graph.one("abs", self)

    def __gt__(self, other: Any) -> Any:
        return self.graph.compare(">", self, other)

    def __lt__(self, other: Any) -> Any:
        return self.graph.compare("<", self, other)

    def __ge__(self, other: Any) -> Any:
        return self.graph.compare(">=", self, other)

    def __le__(self, other: Any) -> Any:
        return self.graph.compare("<=", self, other)

    def __eq__(self, other: object) -> Any:
        return self.graph.compare("==", self, other)

    def __ne__(self, other: object) -> Any:
        return self.graph.compare("!=", self, other)

    def __bool__(self) -> bool:
        return bool(self != 0.0)

    def __float__(self) -> float:
        raise NotTracedError("the plain value")

    def __int__(self) -> int:
        raise NotTracedError("the whole part")

    def __repr__(self) -> str:
        return f"Traced({self.value!r})"

    @property
    def real(self) -> Traced:
        """Itself."""
        return self

    def sqrt(self) -> Any:
        """A root."""
        return self.graph.one("sqrt", self)

    def exp(self) -> Any:
        """Exponential function."""
        return self.graph.one("exp", self)

    def log(self) -> Any:
        """Natural logarithm."""
        return self.graph.one("log", self)

    def tan(self) -> Any:
        """Tangent."""
        return self.graph.one("tan", self)

    def arcsin(self) -> Any:
        """Arc sine."""
        return self.graph.one("asin", self)

    def arccos(self) -> Any:
        """Arc cosine."""
        return self.graph.one("acos", self)

    def arctan(self) -> Any:
        """Arc tangent."""
        return self.graph.one("atan", self)

    def sinh(self) -> Any:
        """Hyperbolic sine."""
        return self.graph.one("sinh", self)

    def cosh(self) -> Any:
        """Hyperbolic cosine."""
        return self.graph.one("cosh", self)

    def tanh(self) -> Any:
        """Hyperbolic tangent."""
        return self.graph.one("tanh", self)

    def __floor__(self) -> Any:
        return self.graph.one("floor", self)

    def arctan2(self, other: Any) -> Any:
        """The angle whose sine and cosine have this ratio."""
        return self.graph.two("atan2", self, other)

    def cos(self) -> Any:
        """Cosine."""
        return self.graph.cosine_and_sine(self)[0]

    def sin(self) -> Any:
        """Sine."""
        return self.graph.cosine_and_sine(self)[1]


class Condition:
    """What a comparison came to. Where a branch asks for it, it becomes a guard."""

    __slots__ = ("graph", "node", "value")

    def __init__(self, graph: Graph, node: int, value: bool) -> None:
        self.graph, self.node, self.value = graph, node, value

    def __bool__(self) -> bool:
        self.graph.guards[self.node] = self.value
        return self.value

    def __or__(self, other: Any) -> Any:
        return self.graph.both("or", self, other)

    def __and__(self, other: Any) -> Any:
        return self.graph.both("and", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.graph.select(self, other, 0.0)

    __ror__, __rand__, __mul__ = __or__, __and__, __rmul__


def value_of(x: Any) -> float:
    """The recorded instance's value."""
    return x.value if isinstance(x, Traced) else float(x)


def key_of(x: Any) -> Key:
    """A node's number, or a constant."""
    return x.node if isinstance(x, Traced) else Constant(x)


def is_constant(x: Any, value: float) -> bool:
    """Whether it is this number, and nothing recorded."""
    return not isinstance(x, Traced) and float(x) == value


def selected(first: Any, a: Any, b: Any) -> Any:
    """`sincos.chosen`, of recorded numbers."""
    return first.graph.select(first, a, b) if isinstance(first, Condition) else a if first else b


def sign(x: Any, plus: Any) -> Any:
    """`sincos.signed`, of recorded numbers."""
    return selected(plus, x, -x)


# the kernel itself, with selections that leave no guard
_POLYNOMIALS = FunctionType(
    sincos.cosine_and_sine.__code__, {**vars(sincos), "chosen": selected, "signed": sign}, "cosine_and_sine"
)
