"""Entries: kernels that compiled code calls through an address, declared where the kernel stands.

    SET_STATE = entry(set_state, TABLES, WORK)

An entry takes one argument, the table of addresses, and calls the kernel with the records in these slots
(`problems.layout`). Numbers may stand among the slots: a kernel that does two things makes two entries. An entry's
machine code is that which came with the package (`shipped`). Where none did, it is compiled: not before its address is
asked for, until which Numba is not imported. The compiled code is kept on disk under a key of all that it is made of
(`kernels.closure`), and other processes find an entry under its module and name.

    ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, RUN, STEPS, SAMPLES, returns=2)

is called from Python instead, with several arguments: tables, and those that `Argument` says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from threading import RLock
from typing import Any

from linkwork.errors import CompilerMissingError
from linkwork.kernels.direct_calls import DirectCalls
from linkwork.kernels.jit import OPTIONS, activate
from linkwork.problems.layout import Argument, Slot
from linkwork.shipped.library import Code, find

_MAKING = RLock()  # threads wait for whoever compiles


class Entry:
    """An entry. Called from Python it is the plain function. address : of its machine code."""

    def __init__(self, kernel: Callable[..., Any], parts: tuple[Any, ...], module: str, returns: int = 1) -> None:
        self.kernel, self.parts, self.module, self.returns = kernel, parts, module, returns
        self.reader = reader_of(parts)
        self.__wrapped__ = called_with(kernel, self.reader, self.arity)
        self.__wrapped__.__module__, self.__wrapped__.__name__ = module, kernel.__name__
        self.__wrapped__.__qualname__ = f"{kernel.__module__}.{kernel.__qualname__}"
        self.__name__, self.__doc__ = kernel.__name__, kernel.__doc__

    def __call__(self, *arguments: Any) -> Any:
        return self.__wrapped__(*arguments)

    @property
    def arity(self) -> int:
        """How many arguments it takes."""
        tables = (part.table for part in self.parts if isinstance(part, Slot))
        return 1 + max((*tables, *(part.number for part in self.parts if isinstance(part, Argument))), default=0)

    @cached_property
    def name(self) -> str:
        """Its name in its module, nothing if it has none there."""
        return next((name for name, value in vars(sys.modules[self.module]).items() if value is self), "")

    @property
    def kinds(self) -> list[str]:
        """What its arguments are: "table", "count", "floats"."""
        found = ["table"] * self.arity
        for part in self.parts:
            if isinstance(part, Argument):
                found[part.number] = part.kind
        return found

    @cached_property
    def signature(self) -> Any:
        """Its types, as Numba has them; from now on it can be compiled."""
        with _MAKING:
            activate()
            from linkwork.problems import addresses
            from linkwork.problems.blocks import compile_reader

            compile_reader(self.reader, self.parts, self.arity)
        return addresses.signature_of(self.kinds, self.returns)

    @cached_property
    def compiled(self) -> Any:
        """Its code as it is compiled here (`kernels.entries`). Raises CompilerMissingError without Numba."""
        with _MAKING:
            if "compiled" in vars(self):  # by another thread
                return vars(self)["compiled"]
            if find_spec("numba") is None:
                raise CompilerMissingError(self.__wrapped__.__qualname__)
            from linkwork.kernels import entries

            made = vars(self)["compiled"] = self.make_with(entries, f"{self.kinds}, {self.returns}")
            return made

    def make_with(self, entries: Any, said: str) -> Any:
        """What is compiled of it. said : its types in words."""
        return entries.Entry(self.__wrapped__, lambda: self.signature, said, OPTIONS)

    @cached_property
    def shipped(self) -> Code | None:
        """Its machine code as it came with the package, None if it did not, or was made of something else."""
        return find(self.module, self.name) if self.name else None

    @property
    def made(self) -> bool:
        """Whether its machine code is here."""
        return self.shipped is not None or ("compiled" in self.__dict__ and bool(self.compiled.made))

    @property
    def kept(self) -> bool:
        """Whether it is on disk."""
        return self.shipped is not None or bool(self.compiled.kept)

    def make(self) -> None:
        """Compile it, or read it from disk."""
        if self.shipped is None:
            with _MAKING:
                self.compiled.make()

    @property
    def address(self) -> int:
        """Of the machine code."""
        if self.shipped is not None:
            return self.shipped.address
        with _MAKING:
            return int(self.compiled.address)


class DirectEntry(Entry):
    """An entry that is called from Python and runs compiled. Other threads run meanwhile."""

    def make_with(self, entries: Any, said: str) -> Any:
        """The same."""
        return entries.DirectEntry(self.__wrapped__, lambda: self.signature, said, OPTIONS, self.returns)

    @cached_property
    def code(self) -> DirectCalls:
        """What is called."""
        if self.shipped is not None:
            return self.shipped
        with _MAKING:
            code: DirectCalls = self.compiled.code
            return code

    def __call__(self, *arguments: Any) -> Any:
        return self.code(*arguments)


def entry(kernel: Callable[..., Any], *parts: Slot | float) -> Entry:
    """An entry that calls `kernel` with the records in these slots; numbers stand for themselves."""
    return Entry(kernel, parts, sys._getframe(1).f_globals["__name__"])


def direct_entry(kernel: Callable[..., Any], *parts: Slot | Argument | float, returns: int = 1) -> DirectEntry:
    """One that Python calls. returns : how many whole numbers."""
    return DirectEntry(kernel, parts, sys._getframe(1).f_globals["__name__"], returns)


def reader_of(parts: tuple[Any, ...]) -> Callable[..., Any]:
    """A function of an entry's arguments that gives all parts. Compiled code has its own (`blocks.compile_reader`)."""

    def read(*arguments: Any) -> Any:
        found = []
        for part in parts:
            if isinstance(part, Slot):
                found.append(part(arguments[part.table]))
            else:
                found.append(arguments[part.number] if isinstance(part, Argument) else part)
        return tuple(found)

    return read


def called_with(kernel: Callable[..., Any], read: Callable[..., Any], arity: int) -> Callable[..., Any]:
    """The function that is compiled: `kernel` with what `read` gives of so many arguments."""

    def of_one(table: Any) -> Any:
        return kernel(*read(table))

    def of_two(table: Any, second: Any) -> Any:
        return kernel(*read(table, second))

    def of_three(table: Any, second: Any, third: Any) -> Any:
        return kernel(*read(table, second, third))

    def of_four(table: Any, second: Any, third: Any, fourth: Any) -> Any:
        return kernel(*read(table, second, third, fourth))

    return (of_one, of_two, of_three, of_four)[arity - 1]
