"""Which named tuple stands where in an entry's table of addresses.

A block tells the fields of a named tuple by short words: ``f2`` an array of floats with two dimensions
(`addresses.DTYPES`), ``f2x6`` one with six columns, which places in it are found faster by, ``+6`` the next six columns
of the array with columns that comes before, ``+`` its next column alone, ``#2`` the extent of the third array, ``0`` a
number that compiled code has no use for, ``call`` a compiled entry; a block in its place is a named tuple within.
Columns, ``#2`` and ``0`` take no room in the table.

Called from Python, kernels get the named tuple. In compiled code a block is the address of its first word: handing it
on costs one word, and a field is read from there, once in a function that receives the block (`kernels.numba_passes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_builtin, models, register_model, type_callable
from numba.np.arrayobj import make_array

from linkwork.problems.addresses import DTYPES, ENTRY, WORD, WORDS, read_array, read_columns, read_word


@dataclass(frozen=True)
class Array:
    """Of a letter of `DTYPES`. columns : the last extent, if it is known."""

    letter: str
    dimensions: int
    columns: int | None = None
    room = 1

    @property
    def type(self) -> Any:
        """What compiled code sees."""
        return types.Array(DTYPES[self.letter], self.dimensions, "C")

    def read(self, context: Any, builder: Any, words: Any) -> Any:
        """From its first word."""
        return read_array(context, builder, words, self.type, self.columns)

    def ask(self, context: Any, first: int) -> Any:
        """The same from Python: array number `first`."""
        array = context.array(first, DTYPES[self.letter].name, self.dimensions)
        if self.columns not in (None, array.shape[-1]):
            raise ValueError(f"an array has {array.shape[-1]} columns where its block says {self.columns}")
        return array


@dataclass(frozen=True)
class Columns:
    """Of the array before it: from column `first` on so many, or one. Compiled code finds all columns of a row from one
    address."""

    whole: Array
    first: int
    many: int | None
    room = 0

    @property
    def type(self) -> Any:
        """What compiled code sees."""
        return types.Array(DTYPES[self.whole.letter], 1 if self.many is None else 2, "A")

    def read(self, context: Any, builder: Any, words: Any) -> Any:
        """From the word after its array's last."""
        words = builder.gep(words, [ir.Constant(WORD, -WORDS)])
        return read_columns(context, builder, words, self.type, self.whole.columns or 0, self.first, self.many)

    def ask(self, context: Any, first: int) -> Any:
        """The same from Python, `first` being the array after its own."""
        array = self.whole.ask(context, first - 1)
        return array[:, self.first] if self.many is None else array[:, self.first : self.first + self.many]


@dataclass(frozen=True)
class Extent:
    """The first extent of an array that comes `ahead` arrays later in the block; or zero."""

    ahead: int | None
    room = 0
    type = types.int64

    def read(self, context: Any, builder: Any, words: Any) -> Any:
        """From where it stands."""
        if self.ahead is None:
            return ir.Constant(WORD, 0)
        return read_word(builder, words, ir.Constant(WORD, WORDS * self.ahead + 1))

    def ask(self, context: Any, first: int) -> Any:
        """The same from Python."""
        return 0 if self.ahead is None else int(context[WORDS * (first + self.ahead) + 1])


@dataclass(frozen=True)
class Call:
    """A compiled entry, to be called."""

    room = 1
    type = types.FunctionType(ENTRY)

    def read(self, context: Any, builder: Any, words: Any) -> Any:
        """What compiled code calls: the address alone, as Numba's further ways to call are not taken."""
        model = context.data_model_manager[self.type]
        kind, place = model.get_value_type(), model.get_field_position("c_addr")
        address = builder.inttoptr(read_word(builder, words, ir.Constant(WORD, 0)), kind.elements[place])
        return builder.insert_value(ir.Constant(kind, None), address, place)

    def ask(self, context: Any, first: int) -> Any:
        """From Python: its address."""
        return int(context[WORDS * first])


class Block:
    """A named tuple. room : how many arrays it takes in the table."""

    def __init__(self, of: Any, fields: list[Any]) -> None:
        if len(fields) != len(of._fields):
            raise ValueError(f"{of.__name__} has {len(of._fields)} fields, its block {len(fields)}")
        self.of, self.fields, self.room = of, fields, sum(field.room for field in fields)

    @property
    def type(self) -> Any:
        """What compiled code sees."""
        return BlockType(self)

    def read(self, context: Any, builder: Any, words: Any) -> Any:
        """The block itself, its first word."""
        return words

    def read_field(self, context: Any, builder: Any, words: Any, name: str) -> Any:
        """One of its fields, from the block's first word."""
        k = self.of._fields.index(name)
        words = builder.gep(words, [ir.Constant(WORD, WORDS * sum(field.room for field in self.fields[:k]))])
        return self.fields[k].read(context, builder, words)

    def __repr__(self) -> str:
        """All that tells it from others."""
        return f"{self.of.__name__}{self.fields}"

    def arrays(self, values: Any) -> list[Any]:
        """Those of a named tuple's values that have room in the table of addresses; blocks within as they are."""
        return [value for value, field in zip(values, self.fields, strict=True) if field.room > 0]

    def ask(self, context: Any, first: int) -> Any:
        """The same from Python, from array number `first` on."""
        found = []
        for field in self.fields:
            found.append(field.ask(context, first))
            first += field.room
        return self.of(*found)


# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`, and untyped decorators


class BlockType(types.Type):  # type: ignore[misc]
    """A block in compiled code: the address of its first word. Fields are read from there."""

    def __init__(self, block: Block) -> None:
        self.block = block
        said = f"{block.of.__module__}.{block.of.__qualname__} {block}"
        super().__init__(f"{block.of.__name__} {sha256(said.encode()).hexdigest()[:12]}")  # short, as symbols have it

    def field_type(self, name: str) -> Any:
        """Type of a field, None if there is no such field."""
        fields = self.block.of._fields
        return self.block.fields[fields.index(name)].type if name in fields else None

    def read_field(self, context: Any, builder: Any, words: Any, name: str) -> Any:
        """Its value."""
        return self.block.read_field(context, builder, words, name)


@register_model(BlockType)
class BlockModel(models.PrimitiveModel):  # type: ignore[misc]
    """An address."""

    def __init__(self, manager: Any, block: BlockType) -> None:
        super().__init__(manager, block, WORD.as_pointer())


@infer_getattr
class BlockFields(AttributeTemplate):  # type: ignore[misc]
    """Types of fields."""

    key = BlockType

    def generic_resolve(self, of: BlockType, name: str) -> Any:
        """Of one field."""
        return of.field_type(name)


@lower_getattr_generic(BlockType)  # type: ignore[untyped-decorator]
def read_in_place(context: Any, builder: Any, of: BlockType, words: Any, name: str) -> Any:
    """A field, where it is asked for."""
    return of.read_field(context, builder, words, name)


def block_of(of: Any, *kinds: Any) -> Block:
    """The block of a named tuple. kinds : of its fields, several in a string, or a block."""
    fields: list[Any] = []
    for kind in kinds:
        for word in [kind] if isinstance(kind, Block) else kind.split():
            fields.append(word if isinstance(word, Block) else field_of(word, fields))
    return Block(of, fields)


def field_of(word: str, before: list[Any]) -> Any:
    """What a word says after the fields before it."""
    if word == "0":
        return Extent(None)
    if word == "call":
        return Call()
    if word[0] == "#":
        return Extent(int(word[1:]))
    if word[0] == "+":
        return next_columns(before, int(word[1:]) if len(word) > 1 else None)
    shape, _, columns = word.partition("x")
    return Array(shape[0], int(shape[1]), int(columns) if columns else None)


def next_columns(before: list[Any], many: int | None) -> Columns:
    """Those after the last field's."""
    last = before[-1]
    whole, first = (last.whole, last.first + (last.many or 1)) if isinstance(last, Columns) else (last, 0)
    if first + (many or 1) > (whole.columns or 0):
        raise ValueError(f"an array of {whole.columns} columns has no {first + (many or 1)}")
    return Columns(whole, first, many)


def readers(first: int, *blocks: Block) -> list[Any]:
    """A function f(context) for each of the blocks, which follow each other from array number `first` of the table on;
    below zero, counted from its end."""
    out = []
    for block in blocks:
        out.append(reader(block, first))
        first += block.room
    return out


def room_of(*blocks: Block) -> int:
    """How many arrays they take."""
    return sum(block.room for block in blocks)


def reader(block: Block, first: int) -> Any:
    """One such function. Called from Python, it asks the context, which may be an object of another kind
    (`analysis.counts`)."""

    def read(context: Any) -> Any:
        return block.ask(context, first if first >= 0 else context.shape[0] // WORDS + first)

    def typing(context: Any) -> Any:
        def typed(c: Any) -> Any:
            return block.type

        return typed

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = make_array(signature.args[0])(context, builder, arguments[0])
        number = ir.Constant(WORD, WORDS * first)
        if first < 0:
            number = builder.add(builder.extract_value(table.shape, 0), number)
        return block.read(context, builder, builder.gep(table.data, [number]))

    type_callable(read)(typing)
    lower_builtin(read, types.Array)(generate)
    read.block = block  # type: ignore[attr-defined]  # for those who check it against the arrays that there are
    return read
