"""An entry as LLVM's bitcode for one kind of processor, with a function around it that does without Numba
(`kernels.c_functions`)."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

from linkwork.kernels.c_functions import direct, indirect
from linkwork.problems.entry import DirectEntry, Entry
from linkwork.shipping.found import symbol
from linkwork.shipping.lowered import lower
from linkwork.shipping.optimised import LevelCodegen

MATHS = frozenset(
    (
        *("acos", "asin", "atan", "atan2", "cos", "sin", "tan", "cosh", "sinh", "tanh", "exp", "expm1", "log", "log1p"),
        *("sqrt", "cbrt", "pow", "hypot", "fabs", "floor", "ceil", "trunc", "round", "copysign", "fmod", "fma"),
        *("ldexp", "frexp", "memset", "memcpy", "memmove"),
    )
)  # of the C library


class ForeignCodeError(Exception):
    """An entry calls what a library that stands alone does not have."""


def bitcode_of(entry: Entry, codegens: list[LevelCodegen]) -> list[bytes]:
    """The entry for each processor."""
    lowered, native = lower(entry)
    return [alone(entry, codegen, codegen.library(lowered)._final_module.clone(), native) for codegen in codegens]


def alone(entry: Entry, codegen: LevelCodegen, module: Any, native: str) -> bytes:
    """Bitcode of a module in which nothing but the function around the entry can be seen."""
    name, numbers = symbol(entry), [kind == "count" for kind in entry.kinds]
    called = (
        direct(name, native, numbers, entry.returns)
        if isinstance(entry, DirectEntry)
        else indirect(name, native, numbers)
    )
    around = llvm.parse_assembly(called)
    around.triple, around.data_layout = module.triple, module.data_layout
    module.link_in(around)
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name != name:
            each.linkage = "internal"
    module.get_function(native).add_function_attribute("alwaysinline")
    shrink(codegen, module, "always_inliner", "global_dead_code_eliminate")
    module.verify()
    needed = {each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")}
    if needed - MATHS:
        raise ForeignCodeError(f"{symbol(entry)} calls {', '.join(sorted(needed - MATHS))}")
    return bytes(module.as_bitcode())


def shrink(codegen: LevelCodegen, module: Any, *passes: str) -> None:
    """Run these passes over a module."""
    manager = llvm.create_new_module_pass_manager()
    for each in passes:
        getattr(manager, f"add_{each}_pass")()
    manager.run(module, llvm.create_pass_builder(codegen._tm, llvm.create_pipeline_tuning_options(0)))
