"""An entry as LLVM's bitcode for one kind of processor, with a function around it that does without Numba.

Numba's function takes an address for its result, one for an exception, and an array as seven words, of which five are
used. An entry that compiled code calls gets a function that takes its table in the same seven words and returns a
number; one that Python calls takes an address for its results, and of each array its address and its length.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

from linkwork.problems.entry import DirectEntry, Entry
from linkwork.shipping.found import symbol
from linkwork.shipping.lowered import lower
from linkwork.shipping.optimised import LevelCodegen

ARRAY = ("ptr", "ptr", "i64", "i64", "ptr", "i64", "i64")  # owner, parent, items, size of one, address, extent, stride
RESULTS = {1: "i64", 2: "{i64, i64}"}
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
    around = llvm.parse_assembly(direct(entry, native) if isinstance(entry, DirectEntry) else indirect(entry, native))
    around.triple, around.data_layout = module.triple, module.data_layout
    module.link_in(around)
    name = symbol(entry)
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name != name:
            each.linkage = "internal"
    module.get_function(native).add_function_attribute("alwaysinline")
    shrink(codegen, module, "always_inliner", "global_dead_code_eliminate")
    module.verify()
    called = {each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")}
    if called - MATHS:
        raise ForeignCodeError(f"{symbol(entry)} calls {', '.join(sorted(called - MATHS))}")
    return bytes(module.as_bitcode())


def shrink(codegen: LevelCodegen, module: Any, *passes: str) -> None:
    """Run these passes over a module."""
    manager = llvm.create_new_module_pass_manager()
    for each in passes:
        getattr(manager, f"add_{each}_pass")()
    manager.run(module, llvm.create_pass_builder(codegen._tm, llvm.create_pipeline_tuning_options(0)))


def indirect(entry: Entry, native: str) -> str:
    """Of an entry that compiled code calls: text of its function."""
    words = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(ARRAY))
    return around(entry, native, f"define i64 @{symbol(entry)}({words})", ARRAY, words, "%value")


def direct(entry: Entry, native: str) -> str:
    """Of an entry that Python calls."""
    taken, handed = ["ptr %results"], []
    for k, kind in enumerate(entry.signature.args):
        if str(kind) == "int64":
            taken.append(f"i64 %n{k}")
            handed.append(f"i64 %n{k}")
            continue
        taken += [f"ptr %a{k}", f"i64 %n{k}"]
        handed += ["ptr null", "ptr null", f"i64 %n{k}", "i64 8", f"ptr %a{k}", f"i64 %n{k}", "i64 8"]
    head = f"define void @{symbol(entry)}({', '.join(taken)})"
    kinds = tuple(word.split(" ")[0] for word in handed)
    return around(entry, native, head, kinds, ", ".join(handed), "")


def around(entry: Entry, native: str, head: str, kinds: tuple[str, ...], handed: str, returned: str) -> str:
    """Text of a function that calls Numba's. returned : name of the number that it returns; else it stores them."""
    result = RESULTS[entry.returns]
    after = "ret i64 %value" if returned else f"store {result} %value, ptr %results\n  ret void"
    return f"""declare i32 @"{native}"(ptr, ptr, {", ".join(kinds)})
{head} {{
  %result = alloca {result}
  %exception = alloca ptr
  store {result} zeroinitializer, ptr %result
  %status = call i32 @"{native}"(ptr %result, ptr %exception, {handed})
  %value = load {result}, ptr %result
  {after}
}}
"""
