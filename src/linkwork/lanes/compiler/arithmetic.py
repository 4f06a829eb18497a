"""Sums, products, quotients and the like of lanes, and of lanes and numbers."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

from numba import types
from numba.core.imputils import lower_getattr
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import lower_builtin

from linkwork.kernels.fused import fused
from linkwork.kernels.sincos import chosen, signed
from linkwork.lanes.compiler.comparisons import mask_of
from linkwork.lanes.compiler.number import Lanes, Mask, are_factors, are_lanes, call_vector, widen, width_of
from linkwork.lanes.compiler.preferred import prefer

# flags such as "contract" come from the kernel that an operation stands in, as those of one number do
BINARY = {
    (operator.add, operator.iadd): "fadd",
    (operator.sub, operator.isub): "fsub",
    (operator.mul, operator.imul): "fmul",
    (operator.truediv, operator.itruediv): "fdiv",
}


def _register_binary(ops: Any, name: str) -> None:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        width = sig.return_type.width
        a, b = (widen(context, builder, x, kind, width) for x, kind in zip(args, sig.args, strict=True))
        return getattr(builder, name)(a, b)

    for op in ops:
        infer_global(op)(type(f"Lanes_{name}", (OfTwo,), {"key": op}))
        for kinds in product((Lanes, Mask, types.Float), repeat=2):
            if kinds != (types.Float, types.Float):
                lower_builtin(op, *kinds)(lower)


class OfTwo(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """Lanes of lanes and lanes, or of lanes and a number."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The type."""
        if len(args) == 2 and are_factors(args):
            kinds = [kind if isinstance(kind, (Lanes, Mask)) else types.float64 for kind in args]
            return signature(Lanes(width_of(args)), *kinds)
        return None


for _ops, _name in BINARY.items():
    _register_binary(_ops, _name)


def register_unary(function: Any, lower: Any) -> None:
    """A function of lanes that gives lanes. lower : lower(builder, vector, width)."""

    class OfOne(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(args[0], args[0]) if len(args) == 1 and isinstance(args[0], Lanes) else None

    infer_global(function)(OfOne)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return lower(builder, args[0], sig.return_type.width)

    lower_builtin(function, Lanes)(generate)


def intrinsic(name: str) -> Any:
    """One of LLVM's functions that takes vectors."""

    def lower(builder: Any, x: Any, width: int) -> Any:
        return call_vector(builder, name, [x])

    return lower


register_unary(operator.neg, lambda builder, x, width: builder.fneg(x))
register_unary(operator.pos, lambda builder, x, width: x)
register_unary(abs, intrinsic("llvm.fabs"))
register_unary(float, lambda builder, x, width: x)


def _register_extreme(function: Any, predicate: str) -> None:
    class Extreme(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            lanes = Lanes(width_of(args)) if are_lanes(args) else None
            return signature(lanes, *[lanes] * len(args)) if lanes is not None and len(args) in (2, 3) else None

    infer_global(function)(Extreme)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found, *others = args
        for x in others:  # as of numbers: the later one where it is beyond
            found = builder.select(builder.fcmp_ordered(predicate, x, found), x, found)
        return found

    for many in (2, 3):
        lower_builtin(function, *[Lanes] * many)(lower)


_register_extreme(max, ">")
_register_extreme(min, "<")


@infer_getattr
class Parts(AttributeTemplate):  # type: ignore[misc]  # Numba has no types
    """x.real: all numbers of lanes are real."""

    key = Lanes

    def resolve_real(self, lanes: Lanes) -> Lanes:
        """Themselves."""
        return lanes


@lower_getattr(Lanes, "real")  # type: ignore[untyped-decorator]  # Numba has no types
def real(context: Any, builder: Any, lanes: Any, x: Any) -> Any:
    """The same value."""
    return x


def type_fused(args: Any) -> Any:
    """A product and a sum in one."""
    return signature(Lanes(width_of(args)), *args) if len(args) == 3 and are_lanes(args) else None


def lower_fused(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """One instruction, as of numbers."""
    width = sig.return_type.width
    values = [widen(context, builder, x, each, width) for x, each in zip(args, sig.args, strict=True)]
    return call_vector(builder, "llvm.fmuladd", values)


def type_signed(args: Any) -> Any:
    """x or -x."""
    return signature(args[0], *args) if len(args) == 2 and isinstance(args[0], Lanes) else None


def lower_signed(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """In each lane by its own answer."""
    return builder.select(mask_of(builder, args[1], sig.args[1], sig.args[0].width), args[0], builder.fneg(args[0]))


def type_chosen(args: Any) -> Any:
    """One of two."""
    if len(args) == 3 and isinstance(args[0], Mask):
        return signature(Lanes(args[0].width), *args)
    return None


def lower_chosen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """In each lane by its own answer."""
    width = sig.args[0].width
    a, b = (widen(context, builder, args[k], sig.args[k], width) for k in (1, 2))
    return builder.select(args[0], a, b)


PLAIN = (Lanes, types.Float)
prefer(fused, type_fused, lower_fused, [kinds for kinds in product(PLAIN, repeat=3) if Lanes in kinds])
prefer(signed, type_signed, lower_signed, [(Lanes, Mask), (Lanes, types.Boolean)])
prefer(chosen, type_chosen, lower_chosen, [(Mask, *kinds) for kinds in product(PLAIN, repeat=2)])
