"""How one plain Python source becomes compiled code, and stays plain Python when called from Python.

`kernel` marks a helper. Nothing imports Numba until `activate` is called, so that checking a model or
asking for help never pays for it; from then on compiled code may call every marked helper.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

# _nrt: no reference counting, as nothing allocates in a kernel; counting costs more than most kernels do. Kernels say
# besides whether they are inlined by force: what does not say it has it from whichever calls it first.
# BOUNDS: places in arrays are checked in compiled code, for tests (`kernels.bounds`).
BOUNDS = os.environ.get("LINKWORK_BOUNDSCHECK", "") not in ("", "0")
OPTIONS: dict[str, Any] = {"fastmath": {"contract"}, "error_model": "numpy", "boundscheck": BOUNDS, "_nrt": False}

EXACT = {**OPTIONS, "fastmath": False}

# what is called in Python -> what compiled code runs for it, and how that is compiled
MARKS: dict[Callable[..., Any], tuple[Callable[..., Any], dict[str, Any]]] = {}
_pending: list[tuple[Callable[..., Any], Callable[..., Any], dict[str, Any]]] = []  # what is called, what runs for it
_active = False


def kernel(function: F) -> F:
    """Mark a plain function as callable from compiled code, inlined there; it stays plain when called from Python."""
    return _mark(function, function, {"forceinline": True, **OPTIONS})


def separate_kernel(function: F) -> F:
    """`kernel` that stays a function of its own, whoever calls it: seldom called, or long against a call."""
    return _mark(function, function, {"separate": True, **OPTIONS})


def exact_kernel(function: F) -> F:
    """`kernel`, every operation rounded by itself: no product is fused with a sum."""
    return _mark(function, function, {"forceinline": True, **EXACT})


def large_exact_kernel(function: F) -> F:
    """`exact_kernel` that is inlined only where that is short."""
    return _mark(function, function, {"forceinline": False, **EXACT})


@cache
def exactly(function: F) -> F:
    """The same function as an `exact_kernel`, and so all kernels that it calls."""
    world, code = function.__globals__, function.__code__
    called = {name: exactly(world[name]) for name in code.co_names if isinstance(world.get(name), FunctionType)}
    made = FunctionType(code, {**world, **called}, function.__name__, function.__defaults__, function.__closure__)
    made.__module__ = function.__module__
    return exact_kernel(cast(F, made))


def compiled_for(called: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a plain function as what compiled code runs where it calls `called`, which is for Python alone."""
    return lambda function: _mark(called, function, {"forceinline": True, **OPTIONS})


def _mark(called: Callable[..., Any], function: F, options: dict[str, Any]) -> F:
    MARKS[called] = function, options
    if _active:
        _register(called, function, options)
    else:
        _pending.append((called, function, options))
    return function


def _register(called: Callable[..., Any], function: Callable[..., Any], options: dict[str, Any]) -> None:
    from numba.extending import overload

    from linkwork.kernels.numba_passes import KernelCompiler, SeparateCompiler

    options = dict(options)
    if options.pop("separate", False):
        options |= {"forceinline": False, "pipeline_class": SeparateCompiler}
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": KernelCompiler}
    overload(called, jit_options={**wrappers, **options}, strict=False)(lambda *_: function)


def cache_directory() -> Path:
    """Where compiled code is kept."""
    return code_in(os.environ.get("LINKWORK_CACHE_DIR", ""))


@lru_cache(maxsize=8)
def code_in(root: str) -> Path:
    """Where it is kept in a directory; without one in the user's, as the system has it when that is first asked for."""
    if not root:
        from platformdirs import user_cache_path

        root = str(user_cache_path("linkwork"))
    return Path(root, "code")


def compiler_version() -> str:
    """Of Numba, without importing it."""
    loaded = sys.modules.get("numba")
    if loaded is not None:
        return f"numba {loaded.__version__}"
    return _installed_version()


@cache
def _installed_version() -> str:
    place = find_spec("numba")
    if place is None or place.origin is None:
        return "no compiler"
    # what Python has for this takes 20 ms to import
    found = [each.stem.partition("-")[2] for each in Path(place.origin).parents[1].glob("numba-*.dist-info")]
    if len(found) != 1:
        from importlib.metadata import version

        found = [version("numba")]
    return f"numba {found[0]}"


def activate() -> None:
    """Register every marked helper with Numba."""
    global _active
    if _active:
        return
    _active = True
    if BOUNDS:
        from linkwork.kernels import bounds

        bounds.activate()
    for marked in _pending:
        _register(*marked)
    _pending.clear()


def compiled(function: F, *, what: str = "", kept: bool = True) -> F:
    """Compile a function that calls kernels for direct calls from Python, on first call.

    what : for what it is, in words, for whoever waits. kept : on disk. Numba's own decorators cannot do it: see
    `kernels.numba_passes`.
    """
    activate()
    from linkwork.kernels.called import Called

    return cast(F, Called(function, OPTIONS, what or function.__name__, kept=kept))  # called in the same way
