"""How machine code of an entry is called without Numba: a function around Numba's, as text that LLVM reads.

Numba's function takes an address for its result, one for an exception, and an array as seven words, of which five are
used. An entry that compiled code calls gets a function that takes its table in the same seven words and returns a
number; one that Python calls takes an address for its results, and of each array its address and its length.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

ARRAY = ("ptr", "ptr", "i64", "i64", "ptr", "i64", "i64")  # owner, parent, items, size of one, address, extent, stride
RESULTS = {1: "i64", 2: "{i64, i64}"}
NOWHERE = "alloca ptr"  # a place for exceptions, which no entry has


def indirect(symbol: str, native: str, numbers: Sequence[bool], exception: str = NOWHERE) -> str:
    """Of an entry that compiled code calls: text of the function `symbol` around Numba's, `native`.

    numbers : of its arguments, which are whole numbers, and not arrays. exception : what stands for the place of an
    exception, where the address in the first array is %a4."""
    kinds = [kind for number in numbers for kind in (("i64",) if number else ARRAY)]
    words = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds))
    head = f"define i64 @{symbol}({words})"
    return _around(native, head, kinds, words, "i64", "ret i64 %value", exception)


def direct(symbol: str, native: str, numbers: Sequence[bool], returns: int) -> str:
    """Of an entry that Python calls. returns : how many whole numbers."""
    taken, handed = ["ptr %results"], list[str]()
    for k, number in enumerate(numbers):
        if number:
            taken.append(f"i64 %n{k}")
            handed.append(f"i64 %n{k}")
            continue
        taken += [f"ptr %a{k}", f"i64 %n{k}"]
        handed += ["ptr null", "ptr null", f"i64 %n{k}", "i64 8", f"ptr %a{k}", f"i64 %n{k}", "i64 8"]
    result = RESULTS[returns]
    head = f"define void @{symbol}({', '.join(taken)})"
    after = f"store {result} %value, ptr %results\n  ret void"
    return _around(native, head, [word.split(" ")[0] for word in handed], ", ".join(handed), result, after, NOWHERE)


def _around(native: str, head: str, kinds: Sequence[str], handed: str, result: str, after: str, exception: str) -> str:
    return f"""declare i32 @"{native}"(ptr, ptr, {", ".join(kinds)})
{head} {{
  %result = alloca {result}
  %exception = {exception}
  store {result} zeroinitializer, ptr %result
  %status = call i32 @"{native}"(ptr %result, ptr %exception, {handed})
  %value = load {result}, ptr %result
  {after}
}}
"""


class DirectCode:
    """Machine code with the function that `direct` writes, called with tables, other arrays and whole numbers. Other
    threads run meanwhile.

    address : of the function. returns : how many whole numbers."""

    def __init__(self, address: int, returns: int) -> None:
        self.address, self._results = address, ctypes.c_int64 * returns
        self._function: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return self._called(self._words(arguments))

    def bound(self, *arguments: Any) -> Callable[[], Any]:
        """It with these arguments, to be called often: where arrays are is asked once."""
        words = self._words(arguments)
        return lambda: self._called(words, arguments)  # which keeps the arrays

    def _called(self, words: Sequence[int], _: Any = None) -> Any:
        results = self._results()
        self._function(results, *words)
        return results[0] if len(results) == 1 else tuple(results)

    def _words(self, arguments: Sequence[Any]) -> list[int]:
        words: list[int] = []
        for each in arguments:
            if isinstance(each, np.ndarray):
                words += (each.__array_interface__["data"][0], each.size)
            else:
                words.append(int(each))
        if self._function is None:
            kinds = [ctypes.c_void_p, *[ctypes.c_int64] * len(words)]
            self._function = ctypes.CFUNCTYPE(None, *kinds)(self.address)
        return words
