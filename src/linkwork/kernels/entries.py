"""Entries: kernels with one explicit signature as machine code.

Each is read from disk, or compiled, when first needed; Numba is not imported before something has to be compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from linkwork.kernels import c_functions
from linkwork.kernels.code_cache import CodeCache, Loaded, MachineCode
from linkwork.kernels.compiling import compiled_in_one
from linkwork.kernels.direct_calls import DirectCalls


class Entry:
    """An entry that compiled code calls through its address; called from Python, the plain function.

    signature : gives its types as Numba has them; from then on it can be compiled. said : the same in words."""

    def __init__(
        self, function: Callable[..., Any], signature: Callable[[], Any], said: str, options: dict[str, Any]
    ) -> None:
        self.__wrapped__, self.__name__ = function, function.__name__
        self.signature, self.options, self.cache = signature, dict(options), CodeCache(function, options, said)
        self._kept: MachineCode | None = None
        self._code: Loaded | None = None

    def __call__(self, *arguments: Any) -> Any:
        return self.__wrapped__(*arguments)

    @property
    def made(self) -> bool:
        """Whether it is ready."""
        return self._code is not None

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        self._kept = self._kept or self.cache.read()
        return self._kept is not None

    def make(self) -> None:
        """Read it from disk, or compile it."""
        if self._code is None and self.kept and self._kept is not None:
            self._code = self._kept.load()
        if self._code is None:
            with compiled_in_one(self.__name__):
                self._code = self._compiled()
        self._kept = None

    def _compiled(self) -> Loaded:
        from linkwork.kernels.object_file import compile_entry

        made: MachineCode = compile_entry(
            self.__wrapped__, self.signature(), self.options, self.cache.symbol, self.around
        )
        self.cache.save(made)
        return made.need_loaded()

    def around(self, symbol: str, native: str, numbers: Sequence[bool]) -> str:
        """Text of the function that is called, around Numba's (`kernels.c_functions`)."""
        return c_functions.indirect(symbol, native, numbers)

    @property
    def address(self) -> int:
        """Of the machine code."""
        self.make()
        assert self._code is not None
        return self._code.address


class DirectEntry(Entry):
    """An entry to be called from Python. returns : how many whole numbers."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Callable[[], Any],
        said: str,
        options: dict[str, Any],
        returns: int = 1,
    ) -> None:
        super().__init__(function, signature, said, options)
        self.returns = returns

    def around(self, symbol: str, native: str, numbers: Sequence[bool]) -> str:
        """The same."""
        return c_functions.direct(symbol, native, numbers, self.returns)

    @cached_property
    def code(self) -> DirectCalls:
        """What is called."""
        return DirectCalls(self.address, self.returns)

    def __call__(self, *arguments: Any) -> Any:
        return self.code(*arguments)
