"""NumPy's own functions of numbers as machine code calls them: the loops that stand in a ufunc, and so its bits.

The last bit of a sine or an arc tangent is not that of the C library on every processor. A ufunc is an object of
which NumPy documents where its loops stand (C API, `PyUFuncObject`); what is read there is compared with what the
ufunc says of itself, and with what it comes to.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache

import numpy as np

from linkwork.kernels.direct_calls import address_of
from linkwork.lanes.traced.several import MachineCall

ONE, STEPS = np.ones(1, dtype=np.int64), np.full(3, 8, dtype=np.int64)  # numbers at a time, and bytes between them
TRIED = np.array([-np.pi, -2.5, -1.0, -0.3, -1e-9, -0.0, 0.0, 1e-300, 0.7, 1.0, 2.1, 7.5, 1e3])


class _Ufunc(ctypes.Structure):
    """`PyUFuncObject` from its first field on, as far as it is read."""

    _fields_ = (
        ("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int), ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)), ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int), ("reserved", ctypes.c_int), ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_char)),
    )  # fmt: skip


class Loop:
    """A function of one or two numbers. Raises ValueError where it is not found, or has other bits than `function`."""

    def __init__(self, function: np.ufunc) -> None:
        seen = _Ufunc.from_address(id(function) + object.__basicsize__)
        said = function.nin, function.nout, function.nargs, function.ntypes
        counts = seen.nin, seen.nout, seen.nargs, seen.ntypes
        # what a pointer leads to is read last, where the numbers about it are right
        if sys.implementation.name != "cpython" or counts != said or seen.name != function.__name__.encode():
            raise ValueError(f"the loops of {function.__name__} are not where NumPy says")
        kinds = bytes([np.dtype(float).num] * seen.nargs)
        places = [k for k in range(seen.ntypes) if seen.types[k * seen.nargs : (k + 1) * seen.nargs] == kinds]
        if not places:
            raise ValueError(f"{function.__name__} has no loop of numbers")
        self.address, self.data = int(seen.functions[places[0]] or 0), int(seen.data[places[0]] or 0)
        self._need_its_bits(function)

    def call(self, words: np.ndarray) -> MachineCall:
        """One of numbers whose addresses stand in `words`, the result's last. Whoever asks keeps these."""
        return self.address, (address_of(words), address_of(ONE), address_of(STEPS), self.data)

    def _need_its_bits(self, function: np.ufunc) -> None:
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(self.address)
        given, found = np.zeros(function.nin), np.zeros(1)
        words = addresses([given[k : k + 1] for k in range(function.nin)], found)
        for x in TRIED:
            for y in TRIED[:: len(TRIED) if function.nin == 1 else 3]:
                given[:] = (x, y)[: function.nin]
                call(*self.call(words)[1])
                if found.tobytes() != np.array([function(*given.tolist())]).tobytes():
                    raise ValueError(f"the loop of {function.__name__} has other bits")


def addresses(given: Sequence[np.ndarray], found: np.ndarray) -> np.ndarray:
    """Of numbers, and of what comes of them."""
    return np.array([address_of(one) for one in (*given, found)], dtype=np.int64)


@cache
def loop_of(function: np.ufunc) -> Loop | None:
    """The loop, None where it is not to be had."""
    try:
        return Loop(function)
    except ValueError:
        return None
