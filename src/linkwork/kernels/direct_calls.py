"""Calls of direct entries: where arrays are is asked in a quarter of the time, and machine code may call them, too."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from linkwork.kernels.c_functions import DirectCode


class DirectCalls(DirectCode):
    """The code of an entry that Python calls."""

    def call_of(self, results: np.ndarray, *arguments: Any) -> tuple[int, list[int]]:
        """Address and arguments of a call that machine code makes, which leaves its whole numbers in `results`."""
        return self.address, [address_of(results), *self._words(arguments)]

    def bound(self, *arguments: Any) -> Callable[[], Any]:
        """It with these arguments, to be called often by one thread at a time: where arrays are is asked once, and what
        is handed over is made once."""
        words, results = self._words(arguments), self._results()
        call = partial(self._function, results, *map(ctypes.c_int64, words))
        if len(results) == 1:

            def one(_: Any = arguments) -> int:  # which keeps the arrays
                call()
                return results[0]

            return one

        def several(_: Any = arguments) -> tuple[int, ...]:
            call()
            return tuple(results)

        return several

    def _words(self, arguments: Sequence[Any]) -> list[int]:
        if self._function is None:
            return super()._words(arguments)
        words: list[int] = []
        for each in arguments:
            if isinstance(each, np.ndarray):
                words += (address_of(each), each.size)
            else:
                words.append(int(each))
        return words


def address_of(array: np.ndarray) -> int:
    """Where the numbers of a contiguous array are."""
    try:  # of what can be written and has elements
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return int(array.__array_interface__["data"][0])
