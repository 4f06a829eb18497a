"""Compiled entries called from Python through their address, as compiled code calls them."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def caller() -> Any:
    """Calls an entry with its context, a table."""
    of_table = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 7)

    def call(entry: Any, context: Any) -> Any:
        return of_table(entry.address)(0, 0, context.size, 8, context.ctypes.data, context.size, 8)

    return call
