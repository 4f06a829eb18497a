"""Entries: kernels with one explicit signature. Each is compiled, or read from the disk cache, when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import sigutils
from numba.core.ccallback import CFunc

from linkwork.kernels.lowering import EntryCompiler


class Entry(CFunc):
    """An entry that compiled code calls through its address; called from Python, the plain function."""

    _cache: Any  # Numba comes without types
    _sig: Any
    _targetdescr: Any
    _wrapper_address: Any

    def __init__(self, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> None:
        normal = sigutils.normalize_signature(signature)
        super().__init__(function, normal, {}, dict(options), pipeline_class=EntryCompiler)
        self.made = False
        self.enable_caching()

    def make(self) -> None:
        """Compile it, or read it from disk."""
        if not self.made:
            self.compile()
            self.made = True

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        return is_kept(self._cache, self._sig, self._targetdescr.target_context)

    @property
    def address(self) -> int:
        """Of the machine code."""
        self.make()
        return int(self._wrapper_address)


class DirectEntry:
    """An entry to be called from Python."""

    def __init__(self, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> None:
        self.__wrapped__, self.signature, self.made = function, signature, False
        self.dispatcher = numba.njit(cache=True, pipeline_class=EntryCompiler, **options)(function)

    def make(self) -> None:
        """Compile it, or read it from disk."""
        if not self.made:
            self.dispatcher.compile(self.signature)
            self.dispatcher.disable_compile()
            self.made = True

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        return is_kept(self.dispatcher._cache, self.signature, self.dispatcher.targetctx)

    def __call__(self, *arguments: Any) -> Any:
        self.make()
        return self.dispatcher(*arguments)


def is_kept(cache: Any, signature: Any, target: Any) -> bool:
    """Whether Numba's index of a function's compiled code names this signature."""
    target.refresh()
    return cache._index_key(signature, target.codegen()) in cache._cache_file._load_index()
