"""Compiled code on disk: one file for each entry as it is now, checked when it is read.

Numba asks a cache for a function's code by signature and keeps what it compiles there (`numba.core.caching`). Its own
caches know a function by file, line and path, and notice no change in other files; this one knows it by what it is made
of (`kernels.closure`).
"""

from __future__ import annotations

import pickle
import platform
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from linkwork.kernels import kept_files
from linkwork.kernels.closure import digest, key_of
from linkwork.kernels.jit import MARKS, cache_directory

VERSIONS = 12  # of one entry that are kept on disk; those not used for longest go


class CodeCache:
    """What Numba asks of a cache, for one function."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.name = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")

    @cached_property
    def key(self) -> str:
        """Says from what the code was made: a digest that changes with it."""
        return self.made_from()

    def made_from(self) -> str:
        """Of the function's code and all behind it."""
        return key_of(self.function, MARKS)

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_directory())

    def file(self, signature: Any, codegen: Any) -> Path:
        """Where the code for these arguments and this processor is kept."""
        about = (self.key, self.options, str(signature), codegen.magic_tuple(), numba.__version__)
        said = digest(repr((*about, platform.python_implementation(), platform.python_version_tuple()[:2])))
        return cache_directory() / f"{self.name}-{said[:32]}.code"

    def kept(self, signature: Any, target: Any) -> bool:
        """Whether it is on disk, whole."""
        target.refresh()
        return self.read(self.file(signature, target.codegen())) is not None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function, None if it is not on disk."""
        target.refresh()
        file = self.file(signature, target.codegen())
        data = self.read(file)
        if data is None:
            return None
        kept_files.used(file)
        return CompileResult._rebuild(target, *pickle.loads(data))

    def save_overload(self, signature: Any, made: Any) -> None:
        """Keep a compiled function. Where nothing can be written, nothing is kept, and whoever waits is told."""
        kept_files.save(self.file(signature, made.codegen), dumps(made._reduce()), self.name, VERSIONS)

    def read(self, file: Path) -> bytes | None:
        """The content of a file if it is as it was written."""
        return kept_files.read(file)

    def tidy(self, newest: Path) -> None:
        """Remove versions of this function that were not used for longest."""
        kept_files.tidy(newest, self.name, VERSIONS)

    def enable(self) -> None:
        """It is on always."""

    def disable(self) -> None:
        """The same."""

    def flush(self) -> None:
        """Nothing is held back."""
