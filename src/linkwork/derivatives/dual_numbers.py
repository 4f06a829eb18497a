"""A dual number in compiled code: a value and seven tangents, so that unchanged kernels carry exact first derivatives.

In memory a number is one cell of eight doubles, the value first. In registers it is a pair: the value alone, which runs
through the same instructions as without tangents, and the vector, whose first lane nobody reads. Tangents know neither
infinities nor signs of zero (`nnan nsz`), so that products with structural zeros vanish. Order is that of values; equal
are numbers whose tangents are, too, as with complex numbers: kernels leave out what is zero, and a value that happens
to be zero may move.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any, Protocol

from llvmlite import ir
from numba import types
from numba.core.datamodel.models import DataModel
from numba.core.imputils import lower_builtin, lower_cast, lower_getattr
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import register_model

TANGENTS = 7
CELL = 1 + TANGENTS  # doubles
REAL, VECTOR = ir.DoubleType(), ir.VectorType(ir.DoubleType(), CELL)
PAIR, INDEX = ir.LiteralStructType([REAL, VECTOR]), ir.IntType(32)
ZEROS = ir.Constant(VECTOR, [0.0] * CELL)
FAST = ("contract", "nnan", "nsz")  # tangents; values have the flags of the function that they stand in
PLAIN = (types.Float, types.Integer)

# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`, and untyped decorators


class DualType(types.Type):  # type: ignore[misc]  # Numba has no types
    """The type of dual numbers."""

    bitwidth = 64 * CELL

    def __init__(self, name: str = f"dual{CELL}") -> None:
        super().__init__(name)

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """A constant is a dual number without tangents; never the other way round."""
        return Conversion.safe if isinstance(other, PLAIN) else None

    def unify(self, context: Any, other: Any) -> Any:
        """What a variable is that is now this, now a constant."""
        return self if isinstance(other, PLAIN) else None

    def lanes(self, b: Any, x: Any) -> Any:
        """The tangents of a number in registers."""
        return b.extract_value(x, 1)

    def joined(self, b: Any, value: Any, tangents: Any) -> Any:
        """A number in registers. tangents : None where there are none."""
        return pair(b, value, ZEROS if tangents is None else tangents)

    def apart(self, b: Any, dx: Any, dy: Any) -> Any:
        """Whether tangents differ."""
        gap = b.insert_element(minus(b, dx, dy), REAL(0.0), INDEX(0))
        moves = b.bitcast(b.fcmp_unordered("!=", gap, ZEROS), ir.IntType(CELL))
        return b.icmp_unsigned("!=", moves, ir.Constant(ir.IntType(CELL), 0))

    def one_of(self, b: Any, left: Any, dx: Any, dy: Any) -> Any:
        """The tangents dx where `left`, else dy."""
        return b.select(left, ZEROS if dx is None else dx, ZEROS if dy is None else dy)


DUAL = DualType()


class PairModel(DataModel):  # type: ignore[misc]  # Numba has no types
    """A value and something beside it, in two registers."""

    def as_argument(self, builder: Any, value: Any) -> Any:
        """A pair as two."""
        return (builder.extract_value(value, 0), builder.extract_value(value, 1))

    def as_return(self, builder: Any, value: Any) -> Any:
        """The same."""
        return value

    def from_return(self, builder: Any, value: Any) -> Any:
        """The same."""
        return value

    def traverse(self, builder: Any) -> list[Any]:
        """It holds nothing that is counted."""
        return []

    def inner_models(self) -> list[Any]:
        """None."""
        return []


@register_model(DualType)
class DualModel(PairModel):
    """A cell in memory, a pair in registers."""

    def get_value_type(self) -> Any:
        """A pair."""
        return PAIR

    def get_data_type(self) -> Any:
        """A cell."""
        return VECTOR

    def as_data(self, builder: Any, value: Any) -> Any:
        """The cell of a pair."""
        return builder.insert_element(builder.extract_value(value, 1), builder.extract_value(value, 0), INDEX(0))

    def from_data(self, builder: Any, value: Any) -> Any:
        """The pair of a cell."""
        return pair(builder, builder.extract_element(value, INDEX(0)), value)

    def get_argument_type(self) -> Any:
        """Two arguments."""
        return (REAL, VECTOR)

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The pair of two."""
        return pair(builder, *value)

    def get_return_type(self) -> Any:
        """A pair."""
        return PAIR


def pair(b: Any, value: Any, tangents: Any) -> Any:
    """A dual number in registers."""
    return b.insert_value(b.insert_value(ir.Constant(PAIR, ir.Undefined), value, 0), tangents, 1)


def spread(b: Any, x: Any) -> Any:
    """A real number in all lanes."""
    lane = b.insert_element(ir.Constant(VECTOR, ir.Undefined), x, INDEX(0))
    places = ir.Constant(ir.VectorType(INDEX, CELL), [0] * CELL)
    return b.shuffle_vector(lane, ir.Constant(VECTOR, ir.Undefined), places)


def split(context: Any, b: Any, x: Any, kind: Any) -> tuple[Any, Any]:
    """Value, tangents; None where there are none."""
    if isinstance(kind, DualType):
        return b.extract_value(x, 0), kind.lanes(b, x)
    return context.cast(b, x, kind, types.float64), None


class Linear(Protocol):
    """Tangents that are no vector, but know how they are multiplied and added (`dual_tape`)."""

    def times(self, b: Any, value: Any) -> Any: ...
    def plus(self, b: Any, other: Any) -> Any: ...


def times(b: Any, value: Any, tangents: Any) -> Any:
    """A real number times tangents."""
    if tangents is None or hasattr(tangents, "times"):
        return tangents and tangents.times(b, value)
    return b.fmul(spread(b, value), tangents, flags=FAST)


def plus(b: Any, x: Any, y: Any) -> Any:
    """A sum of tangents."""
    if x is None or y is None:
        return y if x is None else x
    if hasattr(x, "plus"):
        return x.plus(b, y)
    return b.fadd(x, y, flags=FAST)


def minus(b: Any, x: Any, y: Any) -> Any:
    """A difference of tangents."""
    if y is None:
        return x
    if hasattr(y, "times"):
        return plus(b, x, y.times(b, REAL(-1.0)))
    return b.fneg(y, flags=FAST) if x is None else b.fsub(x, y, flags=FAST)


def add(b: Any, x: Any, dx: Any, y: Any, dy: Any) -> tuple[Any, Any]:
    """x + y."""
    return b.fadd(x, y), plus(b, dx, dy)


def sub(b: Any, x: Any, dx: Any, y: Any, dy: Any) -> tuple[Any, Any]:
    """x - y."""
    return b.fsub(x, y), minus(b, dx, dy)


def mul(b: Any, x: Any, dx: Any, y: Any, dy: Any) -> tuple[Any, Any]:
    """x y."""
    return b.fmul(x, y), plus(b, times(b, x, dy), times(b, y, dx))


def div(b: Any, x: Any, dx: Any, y: Any, dy: Any) -> tuple[Any, Any]:
    """x / y."""
    quotient, over = b.fdiv(x, y), b.fdiv(REAL(1.0), y, flags=("contract",))
    return quotient, times(b, over, minus(b, dx, times(b, quotient, dy)))


def chosen(sign: str) -> Callable[..., Any]:
    """The larger or smaller of two, with its tangents."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        (x, dx), (y, dy) = (split(context, b, value, kind) for value, kind in zip(args, sig.args, strict=True))
        left, kind = b.fcmp_ordered(sign, x, y), sig.return_type
        return kind.joined(b, b.select(left, x, y), kind.one_of(b, left, dx, dy))

    return low


def cast(context: Any, b: Any, source: Any, target: Any, x: Any) -> Any:
    """A constant."""
    return target.joined(b, context.cast(b, x, source, types.float64), None)


for plain in PLAIN:
    lower_cast(plain, DualType)(cast)


def some_dual(kinds: tuple[Any, ...]) -> bool:
    """Whether numbers are among them that have tangents, and nothing but numbers."""
    duals = [isinstance(kind, DualType) for kind in kinds]
    return any(duals) and all(isinstance(kind, (DualType, *PLAIN)) for kind in kinds)


def register(called: Any, result: Any, low: Callable[..., Any], many: int) -> Any:
    """Let compiled code call something with so many arguments some of which are dual. Returns how it is typed.

    result : DUAL stands for the kind that the arguments are of.
    """

    def generic(self: Any, arguments: Any, named: Any) -> Any:
        if len(arguments) != many or not some_dual(arguments):
            return None
        moving = next(kind for kind in arguments if isinstance(kind, DualType))
        found = moving if result is DUAL else result
        return signature(found, *(moving if isinstance(kind, DualType) else types.float64 for kind in arguments))

    template = type("Typed", (AbstractTemplate,), {"key": called, "generic": generic})
    infer_global(called)(template)
    for kinds in itertools.product((DualType, types.Float), repeat=many):
        if DualType in kinds:
            lower_builtin(called, *kinds)(low)
    return template


def binary(rule: Callable[..., Any], *operators: Any) -> None:
    """An operation on two."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        x, y = (split(context, b, value, kind) for value, kind in zip(args, sig.args, strict=True))
        return sig.return_type.joined(b, *rule(b, *x, *y))

    for each in operators:
        register(each, DUAL, low, 2)


binary(add, operator.add, operator.iadd)
binary(sub, operator.sub, operator.isub)
binary(mul, operator.mul, operator.imul)
binary(div, operator.truediv, operator.itruediv)
register(max, DUAL, chosen(">"), 2)
register(min, DUAL, chosen("<"), 2)


def comparison(called: Any, sign: str) -> None:
    """An order, or equality."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        (x, dx), (y, dy) = (split(context, b, value, kind) for value, kind in zip(args, sig.args, strict=True))
        if sign not in ("==", "!="):
            return b.fcmp_ordered(sign, x, y)
        moving = next(kind for kind in sig.args if isinstance(kind, DualType))
        differ = b.or_(b.fcmp_unordered("!=", x, y), moving.apart(b, dx, dy))
        return differ if sign == "!=" else b.not_(differ)

    register(called, types.boolean, low, 2)


for called, sign in (
    (operator.gt, ">"),
    (operator.lt, "<"),
    (operator.ge, ">="),
    (operator.le, "<="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    comparison(called, sign)


def negative(context: Any, b: Any, sig: Any, args: Any) -> Any:
    """-x."""
    x, dx = split(context, b, args[0], sig.args[0])
    return sig.return_type.joined(b, b.fneg(x), minus(b, None, dx))


def size(context: Any, b: Any, sig: Any, args: Any) -> Any:
    """|x|."""
    x, dx = split(context, b, args[0], sig.args[0])
    value = b.call(b.module.declare_intrinsic("llvm.fabs", [REAL]), [x])
    sign = b.select(b.fcmp_ordered("<", x, REAL(0.0)), REAL(-1.0), REAL(1.0))
    return sig.return_type.joined(b, value, times(b, sign, dx))


register(operator.neg, DUAL, negative, 1)
register(abs, DUAL, size, 1)


@infer_getattr
class DualAttributes(AttributeTemplate):  # type: ignore[misc]  # Numba has no types
    """Parts."""

    key = DualType

    def resolve_real(self, kind: Any) -> Any:
        """The value."""
        return types.float64


lower_getattr(DualType, "real")(lambda context, b, kind, x: b.extract_value(x, 0))
