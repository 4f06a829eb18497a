"""Two types for the compiler: W double-precision numbers in one value, and W truth values, with casts.

A number that is not a lane's stands for all lanes. Truth values become one where a branch asks for it
(`lanes.compiler.comparisons`).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.extending import models, register_model

# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`, and untyped decorators

DOUBLE = ir.DoubleType()
PLACE = ir.IntType(32)
NUMBERS = (types.Float, types.Integer, types.Boolean)


class Lanes(types.Type):  # type: ignore[misc]  # Numba has no types
    """W double-precision numbers."""

    def __init__(self, width: int) -> None:
        self.width, self.bitwidth = width, 64 * width
        super().__init__(f"lanes{width}")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """From one number, which then stands in all lanes."""
        return Conversion.safe if isinstance(other, NUMBERS) else None

    def unify(self, context: Any, other: Any) -> Any:
        """With one number: lanes."""
        return self if isinstance(other, NUMBERS) else None


class Mask(types.Type):  # type: ignore[misc]  # Numba has no types
    """W truth values."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"mask{width}")

    def unify(self, context: Any, other: Any) -> Any:
        """With one truth value: one."""
        return other if isinstance(other, types.Boolean) else None


def vector(width: int) -> Any:
    """LLVM's type of so many numbers."""
    return ir.VectorType(DOUBLE, width)


def answers(width: int) -> Any:
    """LLVM's type of so many truth values."""
    return ir.VectorType(ir.IntType(1), width)


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba has no types
    """A vector register, or several."""

    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, vector(lanes.width))


@register_model(Mask)
class MaskModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba has no types
    """A register of bits."""

    def __init__(self, manager: Any, mask: Mask) -> None:
        super().__init__(manager, mask, answers(mask.width))


def constant(width: int, x: float) -> Any:
    """The same number in all lanes."""
    return ir.Constant(vector(width), [float(x)] * width)


def spread(builder: Any, x: Any, width: int) -> Any:
    """A value in all lanes."""
    kind = ir.VectorType(x.type, width)
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, x, ir.Constant(PLACE, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(PLACE, width), [0] * width))


def widen(context: Any, builder: Any, x: Any, kind: Any, width: int) -> Any:
    """A number, truth values or lanes as lanes."""
    if isinstance(kind, Lanes):
        return x
    if isinstance(kind, Mask):
        return builder.uitofp(x, vector(width))
    return spread(builder, context.cast(builder, x, kind, types.float64), width)


def lane(builder: Any, x: Any, k: int) -> Any:
    """The value in lane k."""
    return builder.extract_element(x, ir.Constant(PLACE, k))


def lane_by_lane(builder: Any, width: int, value: Any) -> Any:
    """Lanes of which lane k is value(k)."""
    result = ir.Constant(vector(width), ir.Undefined)
    for k in range(width):
        result = builder.insert_element(result, value(k), ir.Constant(PLACE, k))
    return result


def call_vector(builder: Any, name: str, values: Any) -> Any:
    """One of LLVM's functions that takes vectors of numbers, of these."""
    kind = values[0].type
    of = ir.FunctionType(kind, [kind] * len(values))
    return builder.call(get_or_insert_function(builder.module, of, f"{name}.v{kind.count}f64"), values)


def width_of(kinds: Any) -> int:
    """How many lanes the first of these types that has some has; 0 if none has."""
    return next((kind.width for kind in kinds if isinstance(kind, (Lanes, Mask))), 0)


def are_lanes(kinds: Any) -> bool:
    """Whether all are numbers or lanes, and one is lanes."""
    return any(isinstance(kind, Lanes) for kind in kinds) and all(isinstance(kind, (Lanes, *NUMBERS)) for kind in kinds)


def are_factors(kinds: Any) -> bool:
    """The same, truth values taken for zeros and ones."""
    return width_of(kinds) > 0 and all(isinstance(kind, (Lanes, Mask, *NUMBERS)) for kind in kinds)


@lower_cast(types.Float, Lanes)  # type: ignore[untyped-decorator]  # Numba has no types
@lower_cast(types.Integer, Lanes)  # type: ignore[untyped-decorator]  # Numba has no types
@lower_cast(types.Boolean, Lanes)  # type: ignore[untyped-decorator]  # Numba has no types
def number_to_lanes(context: Any, builder: Any, of: Any, to: Any, x: Any) -> Any:
    """One number in all lanes."""
    return widen(context, builder, x, of, to.width)
