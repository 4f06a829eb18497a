"""How kernels and entries go through Numba: what is needed of a kernel is its own code, and nothing more.

Numba optimises every compiled function by itself, together with copies of all that it calls, and makes machine code of
it. Of kernels nobody asks for that: they end up inside entries. So a kernel is kept as it was lowered, an entry gathers
all kernels that are behind it, and what is optimised and emitted is entries alone.

An entry that is called through its address (`problems.blocks`) is called just so: Numba would ask first whether the
address is there and look for a Python object otherwise, in more code than most kernels have.

A type may also say how its fields are read (`read_field`). Of what a function receives, a field is then read once, at
the function's start, and nothing that happens later can make it another.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba import _dynfunc, types
from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import lower_builtin, type_callable

from linkwork.kernels.fused import fused

# Numba comes without types, so that to mypy its classes are Any: hence `misc` where one is inherited from


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A kernel's own code, each function simplified, without the code of what it calls."""

    def finalize(self) -> None:
        """Nothing is linked, optimised, or made machine code of."""
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """An entry with all the kernels behind it."""

    def add_linking_library(self, library: Any) -> None:
        """What is to be linked in, and what that needs."""
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            if isinstance(library, KernelLibrary):
                for behind in library._linking_libraries:
                    self.add_linking_library(behind)


class FieldsFirst(Lower):  # type: ignore[misc]
    """Lowering that reads fields of arguments at a function's start."""

    def pre_lower(self) -> None:
        """Before anything is lowered."""
        super().pre_lower()
        self.fields: dict[tuple[int, str], Any] = {}
        self.head = self.builder.basic_block  # goes before all others, and is closed last

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Value of an expression."""
        if expr.op == "getattr" and hasattr(of := self.typeof(expr.value.name), "read_field"):
            definition = guard(get_definition, self.func_ir, expr.value)
            if isinstance(definition, ir.Arg):
                key = definition.index, expr.attr
                if key not in self.fields:
                    with self.builder.goto_block(self.head):
                        words = self.fnargs[definition.index]
                        self.fields[key] = of.read_field(self.context, self.builder, words, expr.attr)
                return self.fields[key]
        return super().lower_expr(resty, expr)

    def _lower_call_FunctionType(self, fnty: Any, expr: Any, signature: Any) -> Any:
        arguments = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        address = self.builder.extract_value(self.loadvar(expr.func.name), 0)
        called = self.builder.bitcast(address, self.context.get_value_type(fnty.ftype))
        return self.builder.call(called, arguments)


class Separate(FieldsFirst):
    """Lowering of what stays a function of its own."""

    def setup_function(self, fndesc: Any) -> None:
        """The function, empty."""
        super().setup_function(fndesc)
        self.function.attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):  # type: ignore[misc]
    """Numba's last pass, for kernels."""

    _name = "kernel_lowering"
    lowering_class = FieldsFirst

    def run_pass(self, state: Any) -> bool:
        """Lower a kernel, and make it known to who calls it."""
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, described = state["cr"], state["cr"].fndesc
        name, about = described.qualname.split(".")[-1], f"kernel {described.qualname!r}"
        never_called = _dynfunc.make_function(described.lookup_module(), name, about, 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(never_called, described, [state.library])
        state["cr"] = lowered._replace(cfunc=never_called)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class SeparateLowering(KernelLowering):
    """The same, for kernels that stay functions of their own."""

    _name = "separate_lowering"
    lowering_class = Separate


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):  # type: ignore[misc]
    """Numba's last pass, for entries."""

    _name = "entry_lowering"
    lowering_class = FieldsFirst

    def run_pass(self, state: Any) -> bool:
        """Lower an entry."""
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


HASH = hash(Flags())


class QuickFlags(Flags):  # type: ignore[misc]
    """Numba's flags of a compilation; it looks typed functions up by them a hundred thousand times, told apart fast."""

    def __hash__(self) -> int:
        return HASH  # that of any: Numba's counts the options' names alone

    def __eq__(self, other: Any) -> bool:
        """Whether all are the same."""
        if isinstance(other, QuickFlags) and self._values == other._values:
            return True
        return bool(super().__eq__(other))


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """The usual passes with `KernelLowering`, save those for what no kernel has: closures, expressions of arrays."""

    lowering: Any = KernelLowering

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.state.flags = QuickFlags(self.state.flags)

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        left = [(each, why) for each, why in usual.passes if each not in (InlineClosureLikes, NopythonRewrites)]
        usual.passes = [(self.lowering if each is NativeLowering else each, why) for each, why in left]
        usual.finalize()
        return [usual]


class SeparateCompiler(KernelCompiler):
    """The same with `SeparateLowering`."""

    lowering = SeparateLowering


class EntryCompiler(KernelCompiler):
    """The same with `EntryLowering`."""

    lowering = EntryLowering


@type_callable(fused)  # type: ignore[untyped-decorator]
def type_fused(context: Any) -> Any:
    """Of real numbers."""

    def typed(x: Any, y: Any, z: Any) -> Any:
        return types.float64

    return typed


@lower_builtin(fused, types.float64, types.float64, types.float64)  # type: ignore[untyped-decorator]
def lower_fused(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One instruction, or a product and a sum where the processor has none for both."""
    double = llvm.DoubleType()
    of_three = llvm.FunctionType(double, [double] * 3)
    return builder.call(builder.module.declare_intrinsic("llvm.fmuladd", [double], of_three), arguments)
