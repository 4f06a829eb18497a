"""An entry compiled by Numba: an object file with a function that is called without Numba.

Numba's own wrappers are left out: they want Python, and more of Numba's than an object file has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import dispatcher, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from linkwork.kernels.code_cache import MachineCode
from linkwork.kernels.numba_passes import EntryCompiler

Around = Callable[[str, str, Sequence[bool]], str]


class Unwrapped(dispatcher._FunctionCompiler):  # type: ignore[name-defined,misc]  # Numba comes without types
    """Numba's compiler of a function, without wrappers that Python or C would call. Nothing is optimised yet."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        flags.enable_pyobject = False
        return flags


def lower(function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> tuple[Any, str]:
    """The library of a function and all behind it, and the function's name there."""
    arguments, result = sigutils.normalize_signature(signature)
    made = Unwrapped(function, cpu_target, dict(options), {}, pipeline_class=EntryCompiler).compile(arguments, result)
    return made.library, made.fndesc.llvm_func_name


def are_numbers(signature: Any) -> list[bool]:
    """Which arguments are whole numbers, and not arrays."""
    arguments, _ = sigutils.normalize_signature(signature)
    return [kind == types.int64 for kind in arguments]


@global_compiler_lock  # type: ignore[untyped-decorator]
def compile_entry(
    function: Callable[..., Any], signature: Any, options: dict[str, Any], symbol: str, around: Around
) -> MachineCode:
    """Machine code of a function. around : gives the text of the function `symbol` around Numba's, of which it is told
    the name, and which arguments are numbers."""
    library, native = lower(function, signature, options)
    module = llvm.parse_assembly(around(symbol, native, are_numbers(signature)))
    module.triple, module.data_layout = library._final_module.triple, library._final_module.data_layout
    library.add_llvm_module(module)
    library._ensure_finalized()
    library._codegen._engine.finalize_object()
    whole = library._final_module
    called = [each.name for each in (*whole.functions, *whole.global_variables) if each.is_declaration]
    return MachineCode(
        symbol, sorted(name for name in called if not name.startswith("llvm.")), library._get_compiled_object()
    )
