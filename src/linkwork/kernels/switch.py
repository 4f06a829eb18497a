"""One of several kernels, chosen by a number: what a registry of kernels becomes in compiled code.

A table of functions is no value in compiled code. A switch is: a jump to the chosen kernel, which is inlined there as
if a chain of branches on the number had been written down. Nothing imports Numba before a switch is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

Functions = Sequence[Callable[..., Any]]
HOW = sha256(Path(__file__).read_bytes()).hexdigest()  # part of the cache's key, with the functions (`kernels.closure`)


class Switch:
    """switch(number, *arguments): functions[number](*arguments). All take the same arguments and give the same type.

    In compiled code a number that is not one of theirs is taken for the last.
    """

    def __init__(self, functions: Functions) -> None:
        of, how = tuple(functions), HOW

        def call_numbered(number: Any, *arguments: Any) -> Any:
            assert how
            return of[number](*arguments)

        self.functions, self.__wrapped__ = of, call_numbered

    def __call__(self, number: Any, *arguments: Any) -> Any:
        return self.functions[number](*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        """What Numba takes it for, asked when a function that calls it is compiled."""
        from numba import types
        from numba.core import typing
        from numba.core.typing.templates import AbstractTemplate
        from numba.extending import lower_builtin

        def generic(template: Any, arguments: Any, named: Any) -> Any:
            found = signatures(self.functions, template.context, arguments[1:])
            return typing.signature(template.context.unify_types(*(each.return_type for each in found)), *arguments)

        def generate(*about: Any) -> Any:
            return jump(self.functions, *about)

        lower_builtin(self, types.VarArg(types.Any))(generate)
        return types.Function(type("Switch", (AbstractTemplate,), {"key": self, "generic": generic}))


def signatures(functions: Functions, context: Any, arguments: Any) -> list[Any]:
    """What the functions take and give, for arguments of these types."""
    return [context.resolve_value_type(each).get_call_type(context, arguments, {}) for each in functions]


def jump(functions: Functions, context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Write the jump, one block for each function."""
    from llvmlite import ir
    from numba.core import cgutils

    result = cgutils.alloca_once(builder, context.get_value_type(signature.return_type))
    after, blocks = builder.append_basic_block("chosen"), [builder.append_basic_block("case") for _ in functions]
    chosen = builder.switch(values[0], blocks[-1])
    _, *arguments = signature.args
    found = signatures(functions, context.typing_context, tuple(arguments))
    for k, (each, one, block) in enumerate(zip(functions, found, blocks, strict=True)):
        if k < len(functions) - 1:
            chosen.add_case(ir.Constant(values[0].type, k), block)
        builder.position_at_end(block)
        value = context.get_function(context.typing_context.resolve_value_type(each), one)(builder, values[1:])
        builder.store(context.cast(builder, value, one.return_type, signature.return_type), result)
        builder.branch(after)
    builder.position_at_end(after)
    return builder.load(result)
