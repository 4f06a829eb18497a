"""Comparisons of lanes, and what a branch makes of W answers.

Where all lanes answer alike, the branch goes there. Where they differ it goes where most do of those that are no strays
yet, and the others become strays. So whatever a lane that is no stray holds has been computed as that instance alone
would have been.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from linkwork.lanes.compiler.calling import WORD, strays_of
from linkwork.lanes.compiler.number import Lanes, Mask, are_lanes, lane, spread, widen, width_of

COMPARISONS = {
    operator.gt: ">",
    operator.lt: "<",
    operator.ge: ">=",
    operator.le: "<=",
    operator.eq: "==",
    operator.ne: "!=",
}
BIT = ir.IntType(1)


def _register_comparison(op: Any, predicate: str) -> None:
    class Compare(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        key = op

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and are_lanes(args):
                kinds = [kind if isinstance(kind, Lanes) else types.float64 for kind in args]
                return signature(Mask(width_of(args)), *kinds)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        width = width_of(sig.args)
        a, b = (widen(context, builder, x, kind, width) for x, kind in zip(args, sig.args, strict=True))
        compare = builder.fcmp_unordered if predicate == "!=" else builder.fcmp_ordered
        return compare(predicate, a, b)

    infer_global(op)(Compare)
    for kinds in ((Lanes, Lanes), (Lanes, types.Float), (types.Float, Lanes)):
        lower_builtin(op, *kinds)(lower)


for _op, _predicate in COMPARISONS.items():
    _register_comparison(_op, _predicate)


def _register_logic(op: Any, name: str) -> None:
    class Combine(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        key = op

        def generic(self, args: Any, kws: Any) -> Any:
            known = all(isinstance(kind, (Mask, types.Boolean)) for kind in args)
            return signature(Mask(width_of(args)), *args) if len(args) == 2 and known and width_of(args) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        width = width_of(sig.args)
        a, b = (mask_of(builder, x, kind, width) for x, kind in zip(args, sig.args, strict=True))
        return getattr(builder, name)(a, b)

    infer_global(op)(Combine)
    for kinds in ((Mask, Mask), (Mask, types.Boolean), (types.Boolean, Mask)):
        lower_builtin(op, *kinds)(lower)


for _op, _name in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    _register_logic(_op, _name)


def mask_of(builder: Any, x: Any, kind: Any, width: int) -> Any:
    """A truth value or a mask as a mask."""
    if isinstance(kind, Mask):
        return x
    return spread(builder, builder.trunc(x, BIT) if x.type != BIT else x, width)


@infer_global(bool)
@infer_global(operator.truth)
class Truth(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """What a branch asks for."""

    def generic(self, args: Any, kws: Any) -> Any:
        """One answer."""
        return signature(types.boolean, *args) if len(args) == 1 and isinstance(args[0], Mask) else None


@infer_global(operator.not_)
class Not(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """The contrary of that."""

    def generic(self, args: Any, kws: Any) -> Any:
        """One answer."""
        return signature(types.boolean, *args) if len(args) == 1 and isinstance(args[0], Mask) else None


@lower_builtin(operator.not_, Mask)  # type: ignore[untyped-decorator]  # Numba has no types
def contrary(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Of the answer that a branch asks for."""
    return builder.not_(agreed(builder, args[0], sig.args[0].width))


@lower_builtin(bool, Mask)  # type: ignore[untyped-decorator]  # Numba has no types
@lower_builtin(operator.truth, Mask)  # type: ignore[untyped-decorator]  # Numba has no types
def one_answer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """As a branch asks for it."""
    return agreed(builder, args[0], sig.args[0].width)


@lower_cast(Mask, types.Boolean)  # type: ignore[untyped-decorator]  # Numba has no types
def mask_to_boolean(context: Any, builder: Any, of: Any, to: Any, x: Any) -> Any:
    """The same."""
    return agreed(builder, x, of.width)


def agreed(builder: Any, mask: Any, width: int) -> Any:
    """The answer of all lanes, or of most; those of another become strays."""
    bits = builder.bitcast(mask, ir.IntType(width))
    none = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 0))
    every = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 2**width - 1))
    here, apart, after = (
        builder.block,
        builder.append_basic_block("apart"),
        builder.append_basic_block("agreed"),
    )
    branch = builder.cbranch(builder.or_(none, every), after, apart)
    branch.set_weights([1000, 1])
    builder.position_at_end(apart)
    most = builder.call(decide(builder.module, width), [strays_of(builder), builder.zext(bits, WORD)])
    builder.branch(after)
    builder.position_at_end(after)
    answer = builder.phi(BIT)
    answer.add_incoming(every, here)
    answer.add_incoming(most, apart)
    return answer


def decide(module: Any, width: int) -> Any:
    """A function (address of the strays' word, answers) -> what most say of those that are no strays; it notes those
    that say otherwise."""
    name = f"linkwork_lanes_decide_{width}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(BIT, [WORD.as_pointer(), WORD]), name)
    function.linkage = "linkonce_odr"
    for attribute in ("noinline", "cold"):
        function.attributes.add(attribute)
    word, bits = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    every = ir.Constant(WORD, 2**width - 1)
    strays = builder.load(word)
    active = builder.and_(builder.not_(strays), every)
    yes, no = builder.and_(bits, active), builder.and_(builder.not_(bits), active)
    count = module.declare_intrinsic("llvm.ctpop", [WORD])
    answer = builder.icmp_unsigned(">=", builder.call(count, [yes]), builder.call(count, [no]))
    builder.store(builder.or_(strays, builder.select(answer, no, yes)), word)
    builder.ret(answer)
    return function


def first_active(builder: Any, x: Any, width: int) -> Any:
    """The value in the first lane that is no stray; lanes with another become strays. x : a vector of whole numbers."""
    strays = builder.load(strays_of(builder))
    value = lane(builder, x, width - 1)
    for k in reversed(range(width - 1)):
        stray = builder.trunc(builder.lshr(strays, ir.Constant(WORD, k)), BIT)
        value = builder.select(stray, value, lane(builder, x, k))
    differ = builder.icmp_signed("!=", x, spread(builder, value, width))
    bits = builder.zext(builder.bitcast(differ, ir.IntType(width)), WORD)
    builder.store(builder.or_(strays, bits), strays_of(builder))
    return value


@infer_global(int)
class WholeNumber(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """int(lanes): one number, as a place or a count is asked for."""

    def generic(self, args: Any, kws: Any) -> Any:
        """One whole number."""
        return signature(types.int64, *args) if len(args) == 1 and isinstance(args[0], Lanes) else None


@lower_builtin(int, Lanes)  # type: ignore[untyped-decorator]  # Numba has no types
def whole_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """That of the first lane; lanes with another become strays."""
    width = sig.args[0].width
    return first_active(builder, builder.fptosi(args[0], ir.VectorType(WORD, width)), width)
