"""What kernels ask of dual numbers besides arithmetic: values with others' tangents, and picking from tuples."""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic

from linkwork.derivatives.dual_numbers import CELL, DUAL, INDEX, REAL, DualType, times

# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`, and untyped decorators


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def chained(typing: Any, value: Any, slope: Any, x: Any) -> Any:
    """A function's value, and its slope times the tangents of x."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        return x.joined(b, args[0], times(b, args[1], x.lanes(b, args[2])))

    return x(types.float64, types.float64, x), low


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def with_value(typing: Any, value: Any, x: Any) -> Any:
    """Another value with the tangents of x."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        return x.joined(b, args[0], x.lanes(b, args[1]))

    return x(types.float64, x), low


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def largest_tangent(typing: Any, x: Any) -> Any:
    """The size of the largest tangent."""

    def low(context: Any, b: Any, sig: Any, args: Any) -> Any:
        lanes = b.extract_value(args[0], 1)
        found = REAL(0.0)
        for k in range(1, CELL):
            lane = b.call(b.module.declare_intrinsic("llvm.fabs", [REAL]), [b.extract_element(lanes, INDEX(k))])
            found = b.select(b.fcmp_ordered(">", lane, found), lane, found)
        return found

    return types.float64(DUAL), low


@infer_global(operator.getitem)
class PickedFromTuple(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """Picking, by a number known when it runs, from a tuple in which constants stand beside dual numbers."""

    def generic(self, arguments: Any, named: Any) -> Any:
        """What all that stand in it can be taken for."""
        of, place = arguments
        if not isinstance(of, types.Tuple) or not isinstance(place, types.Integer) or not len(of):
            return None
        found = self.context.unify_types(*of.types)
        number = found.dtype if isinstance(found, types.UniTuple) else found
        return signature(found, of, types.intp) if isinstance(number, DualType) else None


@lower_builtin(operator.getitem, types.Tuple, types.Integer)  # type: ignore[untyped-decorator]  # Numba has no types
def picked(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """All as the same type, beside each other."""
    of, found = sig.args[0], sig.return_type
    room = cgutils.alloca_once(builder, context.get_value_type(found), size=len(of))
    for k, kind in enumerate(of.types):
        value = context.cast(builder, builder.extract_value(args[0], k), kind, found)
        builder.store(value, builder.gep(room, [INDEX(k)]))
    return builder.load(builder.gep(room, [args[1]]))
