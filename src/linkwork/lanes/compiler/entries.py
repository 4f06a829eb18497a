"""Entries of lanes: those of one instance, compiled once more for W."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from linkwork.kernels import c_functions, entries
from linkwork.kernels.closure import digest, digest_of_files
from linkwork.kernels.code_cache import CodeCache
from linkwork.kernels.jit import OPTIONS, activate
from linkwork.problems.entry import Entry, called_with, reader_of


class LaneCache(CodeCache):
    """Its place on disk: the entry's own, and how lanes become compiled code."""

    def __init__(self, function: Any, options: dict[str, Any], said: str, width: int) -> None:
        super().__init__(function, options, said)
        self.width = width
        self.name += f"-lanes{width}"

    def made_from(self) -> str:
        """Of the function's code and all behind it, and of how lanes are compiled."""
        return digest(f"{super().made_from()} {how()} {self.width}")[:24]


@cache
def how() -> str:
    """Of the files that say what lanes are in compiled code."""
    return digest_of_files(*sorted(Path(__file__).parent.glob("*.py")))


class LaneCode(entries.Entry):
    """An entry of lanes as it is compiled."""

    def __init__(self, function: Any, signature: Callable[[], Any], said: str, width: int) -> None:
        super().__init__(function, signature, said, OPTIONS)
        self.cache = LaneCache(function, dict(OPTIONS), said, width)

    def _compiled(self) -> Any:
        from numba.core.compiler_lock import global_compiler_lock

        from linkwork.lanes.compiler.calling import strays_handed_on

        with global_compiler_lock, strays_handed_on():  # so that nothing else is compiled in that way meanwhile
            return super()._compiled()

    def around(self, symbol: str, native: str, numbers: Sequence[bool]) -> str:
        """In the place of an exception, the strays' word, whose address stands in front of the table."""
        text = c_functions.indirect(symbol, native, numbers, "load ptr, ptr %strays")
        return text.replace("  %result = ", "  %strays = getelementptr i64, ptr %a4, i64 -1\n  %result = ")


class LaneEntry(Entry):
    """An entry for tables of lanes (`lanes.memory`)."""

    def __init__(self, one: Entry, width: int) -> None:
        super().__init__(one.kernel, one.parts, one.module, one.returns)
        self.width = width
        self.reader = reader_of(self.parts)
        self.__wrapped__ = called_with(self.kernel, self.reader, self.arity)
        self.__wrapped__.__module__, self.__wrapped__.__name__ = one.module, one.__name__
        self.__wrapped__.__qualname__ = one.__wrapped__.__qualname__

    name = ""
    shipped = None

    @cached_property
    def signature(self) -> Any:
        """Its types, as Numba has them."""
        activate()
        register()
        from linkwork.lanes.compiler.records import compile_lane_reader
        from linkwork.problems import addresses

        compile_lane_reader(self.reader, self.parts, self.arity, self.width)
        return addresses.signature_of(self.kinds, 1)

    def make_with(self, entries: Any, said: str) -> Any:
        """What is compiled of it."""
        return LaneCode(self.__wrapped__, lambda: self.signature, said, self.width)

    @cached_property
    def function(self) -> Any:
        """Called from Python, without the interpreter's lock: words of tables, and numbers."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * self.words)(self.address)

    @cached_property
    def words(self) -> int:
        """How many its arguments come to: seven of a table."""
        return sum(1 if kind == "count" else len(c_functions.ARRAY) for kind in self.kinds)

    def __call__(self, *arguments: Any) -> Any:
        words: list[int] = []
        for each in arguments:
            if hasattr(each, "ctypes"):
                words += (0, 0, each.size, 8, each.ctypes.data, each.size, 8)
            else:
                words.append(int(each))
        return self.function(*words)


@cache
def register() -> None:
    """Lanes become known to the compiler."""
    from linkwork.lanes.compiler import arithmetic, comparisons, functions, number, records  # noqa: F401


_made: dict[tuple[Entry, int], LaneEntry] = {}


def lane_entry(one: Entry, width: int) -> LaneEntry:
    """The entry of so many lanes that does what an entry does."""
    if (one, width) not in _made:
        _made[one, width] = LaneEntry(one, width)
    return _made[one, width]
