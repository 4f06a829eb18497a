"""Entries of lanes: those of one instance, compiled once more for W."""

from __future__ import annotations

import ctypes
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

from linkwork.kernels import entries
from linkwork.kernels.closure import digest, without_words
from linkwork.kernels.code_cache import CodeCache
from linkwork.kernels.jit import OPTIONS, activate
from linkwork.lanes.compiler.calling import strays_handed_on
from linkwork.problems.entry import Entry, called_with, reader_of


class LaneCache(CodeCache):
    """Its place on disk: the entry's own, and how lanes become compiled code."""

    def __init__(self, function: Any, options: dict[str, Any], width: int) -> None:
        super().__init__(function, options)
        self.width = width
        self.name += f"-lanes{width}"

    def made_from(self) -> str:
        """Of the function's code and all behind it, and of how lanes are compiled."""
        return digest(f"{super().made_from()} {how()} {self.width}")[:24]


@cache
def how() -> str:
    """Of the files that say what lanes are in compiled code."""
    import ast

    files = sorted(Path(__file__).parent.glob("*.py"))
    return digest("".join(ast.dump(without_words(ast.parse(file.read_text(encoding="utf-8")))) for file in files))


class MachineCode(entries.Entry):
    """What the compiler knows of an entry of lanes."""

    def __init__(self, function: Any, signature: Any, width: int) -> None:
        super().__init__(function, signature, dict(OPTIONS))
        self._cache = LaneCache(function, dict(OPTIONS), width)

    def make(self) -> None:
        """Compile it, or read it from disk."""
        with global_compiler_lock, strays_handed_on():  # so that nothing else is compiled in that way meanwhile
            super().make()


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
        from linkwork.problems.layout import Argument

        compile_lane_reader(self.reader, self.parts, self.arity, self.width)
        kinds = [addresses.TABLE] * self.arity
        for part in self.parts:
            if isinstance(part, Argument):
                kinds[part.number] = addresses.COUNT
        return addresses.COUNT(*kinds)

    def make_with(self, entries: Any, signature: Any) -> Any:
        """What Numba is to make of it."""
        return MachineCode(self.__wrapped__, signature, self.width)

    @cached_property
    def function(self) -> Any:
        """Called from Python, without the interpreter's lock: words of tables, and numbers."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * self.words)(self.address)

    @cached_property
    def words(self) -> int:
        """How many its arguments come to: seven of a table."""
        from linkwork.problems.layout import Argument

        numbers = {part.number for part in self.parts if isinstance(part, Argument)}
        return sum(1 if k in numbers else 7 for k in range(self.arity))

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
