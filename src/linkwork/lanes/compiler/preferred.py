"""Functions that lanes have a way of their own for: it is asked before what is registered for numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numba import types
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate
from numba.extending import lower_builtin


def prefer(function: Any, kinds: Callable[[Any], Any], lower: Callable[..., Any], cases: Iterable[Any]) -> None:
    """Let compiled code take `lower` for a function where `kinds` (types of arguments -> signature or None) gives a
    signature. cases : classes of argument types that this can come to."""

    class Preferred(AbstractTemplate):  # type: ignore[misc]  # Numba comes without types
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            return kinds(args)

    context = cpu_target.typing_context
    context.refresh()
    usual = context.resolve_value_type(function)
    first = types.Function(Preferred)
    context._remove_global(function)
    context._insert_global(function, types.Function((*first.templates, *usual.templates)))
    for case in cases:
        lower_builtin(function, *case)(lower)
