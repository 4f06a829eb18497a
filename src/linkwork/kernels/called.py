"""Functions for calls from Python with any arguments, through Numba: kernels by themselves, as tests call them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from linkwork.kernels import kept_files
from linkwork.kernels.code_cache import VERSIONS, CodeCache
from linkwork.kernels.compiling import compiled_in_one
from linkwork.kernels.numba_passes import EntryCompiler


class Called:
    """A function compiled for the arguments that it is first called with.

    what : for what it is, in words, for whoever waits for it. kept : on disk.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], what: str, *, kept: bool) -> None:
        self.__wrapped__, self.purpose = function, what
        self.dispatcher = numba.njit(pipeline_class=EntryCompiler, **options)(function)
        self.cache = NumbaCache(function, options)
        if kept:
            self.dispatcher._cache = self.cache

    def __call__(self, *arguments: Any) -> Any:
        made = self.dispatcher
        if made.overloads:
            return made(*arguments)
        if made._cache is self.cache and self.cache.kept(tuple(map(made.typeof_pyval, arguments))):
            return made(*arguments)
        with compiled_in_one(self.purpose):
            return made(*arguments)


class NumbaCache:
    """What Numba asks of a cache, for one function: its code by the types of its arguments (`numba.core.caching`)."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function, self.options = function, options

    def _place(self, signature: Any) -> CodeCache:
        return CodeCache(self.function, self.options, f"called with {signature}")

    def _file(self, signature: Any) -> Path:
        return self._place(signature).file

    def kept(self, signature: Any) -> bool:
        """Whether it is on disk, whole."""
        return kept_files.read(self._file(signature)) is not None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function, None if it is not on disk."""
        target.refresh()
        file = self._file(signature)
        data = kept_files.read(file)
        if data is None:
            return None
        kept_files.used(file)
        return CompileResult._rebuild(target, *pickle.loads(data))

    def save_overload(self, signature: Any, made: Any) -> None:
        """Keep a compiled function."""
        place = self._place(signature)
        kept_files.save(place.file, dumps(made._reduce()), place.name, VERSIONS)

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._file(()).parent)

    def enable(self) -> None:
        """It is on always."""

    def disable(self) -> None:
        """The same."""

    def flush(self) -> None:
        """Nothing is held back."""
