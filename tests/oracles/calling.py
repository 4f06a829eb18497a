"""Compiled entries called from Python, in any process: Numba learns only with a compilation that they are functions."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def caller() -> Any:
    """Calls an entry with its context."""
    import numba
    import numba.experimental.function_type  # else unknown where everything comes from the disk cache

    call = numba.njit(lambda entry, context: entry(context))
    return lambda entry, context: call(getattr(entry, "compiled", entry), context)
