"""Entries: kernels with one explicit signature. Each is compiled, or read from the disk cache, when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import sigutils
from numba.core.ccallback import CFunc

from linkwork.kernels.code_cache import CodeCache
from linkwork.kernels.compiling import compiled_in_one
from linkwork.kernels.numba_passes import EntryCompiler


class Entry(CFunc):
    """An entry that compiled code calls through its address; called from Python, the plain function."""

    _cache: CodeCache
    _sig: Any  # Numba comes without types
    _targetdescr: Any
    _wrapper_address: Any

    def __init__(self, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> None:
        normal = sigutils.normalize_signature(signature)
        super().__init__(function, normal, {}, dict(options), pipeline_class=EntryCompiler)
        self.made = False
        self._cache = CodeCache(function, options)

    def make(self) -> None:
        """Compile it, or read it from disk."""
        if not self.made:
            with compiled_in_one(not self.kept, self.__name__):
                self.compile()
            self.made = True

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        return self._cache.kept(self._sig, self._targetdescr.target_context)

    @property
    def address(self) -> int:
        """Of the machine code."""
        self.make()
        return int(self._wrapper_address)


class DirectEntry:
    """An entry to be called from Python."""

    def __init__(self, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> None:
        self.__wrapped__, self.signature, self.made = function, signature, False
        self.dispatcher = dispatcher(function, options)

    def make(self) -> None:
        """Compile it, or read it from disk."""
        if not self.made:
            with compiled_in_one(not self.kept, self.__wrapped__.__name__):
                self.dispatcher.compile(self.signature)
            self.dispatcher.disable_compile()
            self.made = True

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        return bool(self.dispatcher._cache.kept(self.signature, self.dispatcher.targetctx))

    def __call__(self, *arguments: Any) -> Any:
        self.make()
        return self.dispatcher(*arguments)


class Called:
    """A function for direct calls from Python, compiled for the arguments that it is first called with.

    what : for what it is, in words, for whoever waits for it. kept : on disk.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], what: str, *, kept: bool) -> None:
        self.__wrapped__, self.purpose, self.dispatcher = function, what, dispatcher(function, options, kept=kept)

    def __call__(self, *arguments: Any) -> Any:
        made = self.dispatcher
        if made.overloads:
            return made(*arguments)
        signature = tuple(map(made.typeof_pyval, arguments))
        kept = isinstance(made._cache, CodeCache) and made._cache.kept(signature, made.targetctx)
        with compiled_in_one(not kept, self.purpose):
            return made(*arguments)


def dispatcher(function: Callable[..., Any], options: dict[str, Any], *, kept: bool = True) -> Any:
    """Numba's compiler of a function for the arguments that it is called with. kept : what it makes, on disk."""
    made = numba.njit(pipeline_class=EntryCompiler, **options)(function)
    if kept:
        made._cache = CodeCache(function, options)
    return made
