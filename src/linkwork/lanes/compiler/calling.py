"""How kernels reach the word that says which lanes are strays: bit k for lane k.

Numba hands every compiled function, besides its arguments, a place for exceptions. Kernels raise none. While entries of
lanes are compiled, that place is the strays' word instead: an entry finds its address in front of the table that it
receives (`lanes.compiler.entries`), and every kernel hands it on to those that it calls. So no kernel knows of it, and
instances in threads keep apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core.callconv import CPUCallConv, excinfo_t
from numba.core.cgutils import alloca_once
from numba.core.cpu import CPUContext

WORD = ir.IntType(64)
NAME = "excinfo"  # of the argument


class LaneCalls(CPUCallConv):  # type: ignore[misc]  # Numba comes without types
    """Numba's way to call, with the strays' word handed on."""

    def decorate_function(self, function: Any, args: Any, fe_argtypes: Any, noalias: bool = False) -> Any:
        """Names and attributes of arguments. Entries that are called in between write the word, too."""
        super().decorate_function(function, args, fe_argtypes, noalias)
        self._get_excinfo_argument(function).attributes.discard("noalias")

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None
    ) -> tuple[Any, Any]:
        """A call, and what it returns."""
        strays = strays_of(builder)
        if strays is None:  # a wrapper that nobody calls
            return super().call_function(builder, callee, resty, argtys, args, attrs)  # type: ignore[no-any-return]  # Numba has no types
        kind = callee.function_type.args[0].pointee
        result = alloca_once(builder, kind)
        builder.store(ir.Constant(kind, None), result)
        values = [result, builder.bitcast(strays, ir.PointerType(ir.PointerType(excinfo_t)))]
        values += list(self._get_arg_packer(argtys).as_arguments(builder, args))
        code = builder.call(callee, values, attrs=tuple(attrs or ()))
        status = self._get_return_status(builder, code, ir.Constant(ir.PointerType(excinfo_t), None))
        return status, self.context.get_returned_value(builder, resty, builder.load(result))


def strays_of(builder: Any) -> Any:
    """The address of the strays' word in a function that is being written; None in wrappers."""
    arguments = builder.function.args
    if len(arguments) > 1 and arguments[1].name == NAME:
        return builder.bitcast(arguments[1], WORD.as_pointer())
    return None


@contextmanager
def strays_handed_on() -> Iterator[None]:
    """While entries of lanes are compiled."""
    usual = CPUContext.call_conv
    CPUContext.call_conv = property(LaneCalls)
    try:
        yield
    finally:
        CPUContext.call_conv = usual
