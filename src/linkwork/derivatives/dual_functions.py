"""Functions of dual numbers: those of NumPy by the chain rule, and kernels that cannot be differentiated as they stand.

A kernel that rounds, or takes small values for zero, has a version here that does so by values and keeps tangents.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import registry
from numba.extending import overload

from linkwork.derivatives.dual_numbers import (
    DUAL,
    REAL,
    DualType,
    plus,
    register,
    split,
    times,
)
from linkwork.derivatives.dual_values import chained, largest_tangent, with_value
from linkwork.integrators import newton
from linkwork.kernels.fused import fused
from linkwork.kernels.jit import OPTIONS, activate, kernel
from linkwork.kernels.numba_passes import KernelCompiler
from linkwork.kernels.sincos import FAR, cosine_and_sine, cosines_and_sines
from linkwork.lanes.traced.tangent_text import CREEPING, LATE, NEARLY, NOISE, SMALL, STALLED
from linkwork.problems.step_state import NOTHING, flush

activate()
AS_KERNEL = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": KernelCompiler,
    "forceinline": True,
    **OPTIONS,
}


def first(called: Any) -> None:
    """What was registered last for `called` is asked first."""
    context = registry.cpu_target.typing_context
    context.refresh()
    known = context._lookup_global(called)
    templates = (known.templates[-1], *known.templates[:-1])
    context._remove_global(called)
    context._insert_global(called, types.Function(templates))


def holds_duals(kind: Any) -> bool:
    """Whether a type is of dual numbers, an array of them, or a record of such arrays."""
    return isinstance(kind, DualType) or isinstance(getattr(kind, "dtype", None), DualType) or hasattr(kind, "of_duals")


def instead(called: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark what compiled code runs for `called` where dual numbers are among its arguments."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        def chosen(*kinds: Any) -> Any:
            return function if any(holds_duals(kind) for kind in kinds) else None

        overload(called, jit_options=AS_KERNEL, strict=False)(chosen)
        first(called)
        return function

    return mark


def low_fused(context: Any, b: Any, sig: Any, args: Any) -> Any:
    """x y + z in one instruction."""
    (x, dx), (y, dy), (z, dz) = (split(context, b, value, kind) for value, kind in zip(args, sig.args, strict=True))
    of_three = ir.FunctionType(REAL, [REAL] * 3)
    value = b.call(b.module.declare_intrinsic("llvm.fmuladd", [REAL], of_three), [x, y, z])
    return sig.return_type.joined(b, value, plus(b, times(b, x, dy), plus(b, times(b, y, dx), dz)))


register(fused, DUAL, low_fused, 3)
first(fused)


def low_whole(context: Any, b: Any, sig: Any, args: Any) -> Any:
    """The whole part of a value, a number that does not move."""
    return b.fptosi(b.extract_value(args[0], 0), ir.IntType(64))


register(int, types.int64, low_whole, 1)


def of_one(called: Any, slope: Callable[..., Any]) -> None:
    """A function of one number. slope : its derivative, of the value x and the function's value y."""

    def function(x: Any) -> Any:
        y = called(x.real)
        return chained(y, slope(x.real, y), x)

    from numba.extending import register_jitable

    slope = register_jitable(**{**OPTIONS, "forceinline": True})(slope)
    overload(called, jit_options=AS_KERNEL, strict=False)(
        partial(lambda made, x: made if isinstance(x, DualType) else None, function)
    )


of_one(np.sqrt, lambda x, y: 0.5 / y)
of_one(np.sin, lambda x, y: np.cos(x))
of_one(np.cos, lambda x, y: -np.sin(x))
of_one(np.tan, lambda x, y: 1.0 + y * y)
of_one(np.arcsin, lambda x, y: 1.0 / np.sqrt(1.0 - x * x))
of_one(np.arccos, lambda x, y: -1.0 / np.sqrt(1.0 - x * x))
of_one(np.arctan, lambda x, y: 1.0 / (1.0 + x * x))
of_one(np.exp, lambda x, y: y)
of_one(np.log, lambda x, y: 1.0 / x)
of_one(np.sinh, lambda x, y: np.cosh(x))
of_one(np.cosh, lambda x, y: np.sinh(x))
of_one(np.tanh, lambda x, y: 1.0 - y * y)
of_one(np.cbrt, lambda x, y: 1.0 / (3.0 * y * y))
of_one(np.abs, lambda x, y: -1.0 if x < 0.0 else 1.0)
of_one(np.floor, lambda x, y: 0.0)


@overload(np.isfinite, jit_options=AS_KERNEL, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _isfinite(x: Any) -> Any:
    return (lambda x: np.isfinite(x.real)) if isinstance(x, DualType) else None


@overload(np.isnan, jit_options=AS_KERNEL, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _isnan(x: Any) -> Any:
    return (lambda x: np.isnan(x.real)) if isinstance(x, DualType) else None


def _of_two(y: Any, x: Any) -> bool:
    return isinstance(x, DualType) or isinstance(y, DualType)


@overload(np.arctan2, jit_options=AS_KERNEL, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _arctan2(y: Any, x: Any) -> Any:
    def function(y: Any, x: Any) -> Any:
        a, b = x.real, y.real
        square = a * a + b * b
        return with_value(np.arctan2(b, a), (a / square) * y - (b / square) * x)

    return function if _of_two(y, x) else None


@overload(np.hypot, jit_options=AS_KERNEL, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _hypot(y: Any, x: Any) -> Any:
    def function(y: Any, x: Any) -> Any:
        a, b = x.real, y.real
        size = np.hypot(b, a)
        over = 1.0 / size if size > 0.0 else 0.0
        return with_value(size, (over * b) * y + (over * a) * x)

    return function if _of_two(y, x) else None


def _power(x: Any, c: Any) -> Any:
    def whole_power(x: Any, c: Any) -> Any:
        return chained(x.real**c, c * x.real ** (c - 1), x) if c != 0 else chained(1.0, 0.0, x)

    def of_constant(x: Any, c: Any) -> Any:
        return chained(x.real**c, c * x.real ** (c - 1.0) if c != 0.0 else 0.0, x)

    def of_dual(x: Any, c: Any) -> Any:
        y = x.real**c.real
        along = chained(y, c.real * x.real ** (c.real - 1.0) if c.real != 0.0 else 0.0, x)
        if c == c.real:  # nothing moves the exponent
            return along
        return with_value(y, along + chained(y, y * np.log(x.real), c))

    def of_exponent(x: Any, c: Any) -> Any:
        y = x**c.real
        return chained(y, y * np.log(x), c)

    if isinstance(x, DualType):
        if isinstance(c, types.Integer):
            return whole_power
        return of_dual if isinstance(c, DualType) else of_constant if isinstance(c, types.Float) else None
    return of_exponent if isinstance(c, DualType) and isinstance(x, types.Float) else None


overload(operator.pow, jit_options=AS_KERNEL, strict=False)(_power)


@instead(flush)
def flush_value(x: Any) -> Any:
    """A value that is nothing but rounding goes; its tangents stay."""
    return with_value(0.0, x) if -NOTHING < x.real < NOTHING else x


@instead(cosines_and_sines)
def cosines_and_sines_of_duals(n: int, angle: Any, cos: Any, sin: Any) -> None:
    """Rounding to quarters of a turn has no derivative: of values alone, then by the chain rule."""
    far = 0
    for k in range(angle.shape[0]):
        x = angle[k]
        c, s = cosine_and_sine(x.real)
        cos[k], sin[k] = chained(c, -s, x), chained(s, c, x)
        far += not abs(x.real) <= FAR
    if far > 0:
        for k in range(n):
            x = angle[k]
            c, s = np.cos(x.real), np.sin(x.real)
            cos[k], sin[k] = chained(c, -s, x), chained(s, c, x)


MOST = 200  # corrections: a matrix kept over steps may bring three quarters of one from one to the next
iterate_itself = kernel(FunctionType(newton.iterate.__code__, newton.__dict__, "iterate_itself"))


@instead(newton.iterate)
def iterate_with_tangents(entries: Any, context: Any, run: Any, renew: bool) -> int:
    """Newton's method as it is; then corrections of the tangents alone, with the matrix that it ended with, until they
    change no more: a matrix kept over steps brings tangents no nearer in an iteration than it does values."""
    status: int = iterate_itself(entries, context, run, renew)
    if status == newton.OK and not correct_tangents(entries, context, run):
        status = newton.NEWTON_DIVERGED
    return status


iterate_damped_itself = kernel(FunctionType(newton.iterate_damped.__code__, newton.__dict__, "iterate_damped_itself"))


@instead(newton.iterate_damped)
def iterate_damped_with_tangents(entries: Any, context: Any, run: Any) -> int:
    """As `iterate_with_tangents`."""
    status: int = iterate_damped_itself(entries, context, run)
    if status == newton.OK and not correct_tangents(entries, context, run):
        status = newton.NEWTON_DIVERGED
    return status


@kernel
def correct_tangents(entries: Any, context: Any, run: Any) -> bool:
    """Corrections of the tangents of z, its values held. Returns whether they settle: what is left is rounding."""
    z, delta, w = run.z, run.delta, run.weight
    before, settled = np.inf, False
    for k in range(MOST):
        newton.evaluate(entries, context, run)
        entries.solve(context)
        change, whole = 0.0, 0.0
        for c in range(z.shape[0]):
            z[c] = with_value(z[c].real, z[c] - delta[c])
            change += (w[c].real * largest_tangent(delta[c])) ** 2
            whole += (w[c].real * largest_tangent(z[c])) ** 2
        change, whole = np.sqrt(change), np.sqrt(whole)
        noise = k >= LATE and change >= CREEPING * before and change < NOISE * whole
        if noise or not change > SMALL * whole or (change > STALLED * before and change < NEARLY * whole):
            settled = True
            break
        before = change
    return settled
