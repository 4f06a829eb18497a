"""Compiled code that is called from Python with the interpreter's lock released, so that threads compute side by side.

Numba's own way of calling holds the lock. Called through its address, compiled code needs none: it touches no object.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

WORDS = 7  # of an array: owner, parent, items, size of one, address, extent, stride


def address_of(dispatcher: Any) -> int:
    """Of the one function that a dispatcher has compiled: (results, error, words of each argument)."""
    (made,) = dispatcher.overloads.values()
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def released(dispatcher: Any, returns: int) -> Callable[..., Any]:
    """A call of the one function that a dispatcher has compiled, of tables and numbers; returns : whole numbers."""
    (made,) = dispatcher.overloads.values()
    address = address_of(dispatcher)
    kinds = [ctypes.c_int64] * sum(WORDS if hasattr(kind, "ndim") else 1 for kind in made.signature.args)
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)(address)

    def call(*arguments: Any) -> Any:
        words: list[int] = []
        for each in arguments:
            if isinstance(each, np.ndarray):
                size = each.itemsize
                words += (0, 0, each.size, size, each.__array_interface__["data"][0], each.size, size)
            else:
                words.append(int(each))
        found, error = (ctypes.c_int64 * returns)(), (ctypes.c_void_p * 1)()
        if function(found, error, *words):
            raise RuntimeError("compiled code has raised")
        return found[0] if returns == 1 else tuple(found)

    return call
