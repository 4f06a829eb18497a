"""Entries on dual numbers: of any entry, the same kernel with records whose real numbers all have tangents.

Nothing of a kernel is written again: its records are read as arrays of dual numbers, and Numba makes of the same source
another function. Its machine code is kept on disk like that of any entry.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, register_model, type_callable
from numba.np.arrayobj import make_array

from linkwork.derivatives import dual_functions, dual_numbers, dual_tape, dual_values
from linkwork.derivatives.dual_numbers import DUAL, DualType
from linkwork.kernels import entries
from linkwork.kernels.closure import digest_of_files
from linkwork.kernels.jit import OPTIONS
from linkwork.kernels.records import Call, Columns, Field, Length, is_record
from linkwork.problems import addresses, blocks
from linkwork.problems.addresses import WORD
from linkwork.problems.entry import DirectEntry, Entry, called_with
from linkwork.problems.layout import WORDS, Argument, Slot


class DualBlockType(blocks.BlockType):
    """A record all of whose real numbers are dual, or record what is done to them. of : which of both."""

    of_duals = True

    def __init__(self, record: type, of: DualType) -> None:
        super().__init__(record)
        self.of = of
        self.name: str = f"{self.name} of {'duals' if of is DUAL else of.name}"

    def field_type(self, name: str) -> Any:
        """Type of a field, None if there is no such field."""
        one = self.by_name.get(name)
        if one is None:
            return None
        if isinstance(one.kind, Columns):
            whole = self.by_name[one.kind.of]
            return types.Array(number(whole.letter, self.of), 1 if one.kind.many is None else 2, "A")
        return type_of(one, self.of)

    def read_field(self, context: Any, builder: Any, words: Any, name: str) -> Any:
        """Its value. words : the record's address."""
        one = self.by_name[name]
        kind = one.kind
        if isinstance(kind, (Columns, Length, Call)) or is_record(kind):
            return super().read_field(context, builder, words, name)
        place = ir.Constant(WORD, WORDS * self.places[name])
        return read_array(context, builder, builder.gep(words, [place]), one, self.of)


register_model(DualBlockType)(blocks.BlockModel)


def number(letter: str, of: DualType) -> Any:
    """The numbers of an array."""
    return of if letter == "f" else addresses.DTYPES[letter]


def type_of(one: Field, of: DualType) -> Any:
    """What compiled code sees of a field that stands in the table, or of a length."""
    if is_record(one.kind):
        return DualBlockType(one.kind, of)
    if isinstance(one.kind, tuple):
        return types.Array(number(one.letter, of), len(one.kind), "C")
    return blocks.type_of(one)


def read_array(context: Any, builder: Any, words: Any, one: Field, of: DualType) -> Any:
    """The array whose first word is at `words`."""
    last = one.kind[-1] if len(one.kind) > 1 and isinstance(one.kind[-1], int) else None
    return addresses.read_array(context, builder, words, type_of(one, of), last)


@cache
def how() -> str:
    """Of the sources that say what dual numbers do: part of every key of the cache."""
    modules = (dual_numbers, dual_values, dual_functions, dual_tape, sys.modules[__name__])
    return digest_of_files(*(Path(module.__file__ or "") for module in modules))


def reader_of(parts: tuple[Any, ...], arity: int, of: DualType) -> Callable[..., Any]:
    """A function of an entry's arguments that gives all parts, in compiled code."""
    said = f"{of.name}, {how()}"

    def read(*arguments: Any) -> Any:
        raise NotImplementedError(f"{parts}: records of dual numbers, in compiled code only ({said})")

    def kind_of(part: Any, arguments: Any) -> Any:
        return type_of(part.field, of) if isinstance(part, Slot) else blocks.part_type(part, arguments)

    def typed(*arguments: Any) -> Any:
        return types.Tuple([kind_of(part, arguments) for part in parts])(*arguments)

    def typing(context: Any) -> Any:  # Numba takes the number of arguments from the function that it is given
        by_arity = (lambda a: typed(a), lambda a, b: typed(a, b), lambda a, b, c: typed(a, b, c))
        return (*by_arity, lambda a, b, c, d: typed(a, b, c, d))[arity - 1]

    def value(context: Any, builder: Any, part: Any, kinds: Any, arguments: Any) -> Any:
        if isinstance(part, Argument) or not isinstance(part, Slot) or not isinstance(part.field.kind, tuple):
            return blocks.part_value(context, builder, part, kinds, arguments)
        table = make_array(kinds[part.table])(context, builder, arguments[part.table])
        place = ir.Constant(WORD, WORDS * part.first)
        if part.first < 0:
            place = builder.add(builder.extract_value(table.shape, 0), place)
        return read_array(context, builder, builder.gep(table.data, [place]), part.field, of)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = [value(context, builder, part, signature.args, arguments) for part in parts]
        return context.make_tuple(builder, signature.return_type, found)

    type_callable(read)(typing)
    lower_builtin(read, types.VarArg(types.Any))(generate)
    return read


@cache
def with_duals(entry: Entry, of: DualType = DUAL) -> Any:
    """The same entry on dual numbers, or on others that move: an object with `.address`, and to be called if `entry`
    is called from Python."""
    if not any(isinstance(part, Slot) for part in entry.parts):
        return entry
    made = called_with(entry.kernel, reader_of(entry.parts, entry.arity, of), entry.arity)
    made.__module__ = __name__
    made.__name__ = entry.kernel.__name__
    made.__qualname__ = f"{entry.kernel.__module__}.{entry.kernel.__qualname__}"
    said = f"{entry.kinds}, {entry.returns}, {of.name}"
    if isinstance(entry, DirectEntry):
        return entries.DirectEntry(made, lambda: entry.signature, said, OPTIONS, entry.returns)
    return entries.Entry(made, lambda: entry.signature, said, OPTIONS)
