"""How one plain Python source becomes compiled code, and stays plain Python when called from Python.

`kernel` marks a helper. Nothing imports Numba until `activate` is called, so that checking a model or
asking for help never pays for it; from then on compiled code may call every marked helper.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from linkwork.source import source_hash

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"fastmath": {"contract"}, "error_model": "numpy", "boundscheck": False, "_nrt": False}

_pending: list[Callable[..., Any]] = []
_active = False


def kernel(function: F) -> F:
    """Mark a plain function as callable from compiled code; it stays plain when called from Python."""
    if _active:
        _register(function)
    else:
        _pending.append(function)
    return function


def _register(function: Callable[..., Any]) -> None:
    from numba.extending import register_jitable

    register_jitable(forceinline=True, **OPTIONS)(function)


def cache_directory() -> Path:
    """Where compiled code is kept: one folder per state of the sources."""
    override = os.environ.get("LINKWORK_CACHE_DIR")
    if override:
        root = Path(override)
    else:
        from platformdirs import user_cache_path

        root = user_cache_path("linkwork")
    return root / source_hash()


def activate() -> None:
    """Import Numba, point its disk cache at `cache_directory`, and register every marked helper."""
    global _active
    if _active:
        return
    import numba

    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        numba.config.CACHE_DIR = str(directory)
    except OSError:  # a read-only home: Numba falls back to its own choice of place
        pass
    _active = True
    for function in _pending:
        _register(function)
    _pending.clear()


def compiled(function: F) -> F:
    """Compile a kernel for direct calls from Python, on first call, kept on disk."""
    activate()
    import numba

    result: F = numba.njit(cache=True, **OPTIONS)(function)
    return result


def entry(signature: Any) -> Callable[[F], Any]:
    """Compile a kernel with one explicit signature, as a first-class function (see problems.py)."""
    activate()
    import numba

    decorate: Callable[[F], Any] = numba.cfunc(signature, cache=True, **OPTIONS)
    return decorate
