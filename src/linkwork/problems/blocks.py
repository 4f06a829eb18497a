"""Records in compiled code: where an entry's table of addresses has their arrays. Imported when an entry is compiled.

In compiled code a record is the address of its first word in the table: handing it on costs one word, and a field is
read from there, once in a function that receives the record (`kernels.numba_passes`). Called from Python, kernels get
the named tuple (`problems.layout`).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_builtin, models, register_model, type_callable
from numba.np.arrayobj import make_array

from linkwork.kernels.records import Call, Columns, Field, Length, fields_of, is_record, places_of, said
from linkwork.problems.addresses import DTYPES, ENTRY, WORD, read_array, read_columns, read_word
from linkwork.problems.layout import WORDS, Argument, Slot

# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`, and untyped decorators


class BlockType(types.Type):  # type: ignore[misc]
    """A record in compiled code: the address of its first word. Fields are read from there."""

    def __init__(self, record: type) -> None:
        self.fields, self.places = fields_of(record), places_of(record)
        self.by_name = {one.name: one for one in self.fields}
        digest = sha256(said(record).encode()).hexdigest()
        super().__init__(f"{record.__name__} {digest[:12]}")  # short, as symbols have it

    def field_type(self, name: str) -> Any:
        """Type of a field, None if there is no such field."""
        one = self.by_name.get(name)
        if one is None:
            return None
        if isinstance(one.kind, Columns):
            whole = self.by_name[one.kind.of]
            return types.Array(DTYPES[whole.letter], 1 if one.kind.many is None else 2, "A")
        return type_of(one)

    def read_field(self, context: Any, builder: Any, words: Any, name: str) -> Any:
        """Its value. words : the record's address."""
        one = self.by_name[name]
        kind, origin = one.kind, words
        words = builder.gep(origin, [ir.Constant(WORD, WORDS * self.places[name])])
        if isinstance(kind, Columns):
            whole, first = self.by_name[kind.of], self.places[name]
            words = builder.gep(origin, [ir.Constant(WORD, WORDS * self.places[kind.of])])
            array = self.field_type(name)
            return read_columns(context, builder, words, array, whole.kind[-1], first, kind.many)
        if isinstance(kind, Length):
            if not kind.of:
                return ir.Constant(WORD, 0)
            return read_word(builder, origin, ir.Constant(WORD, WORDS * self.places[kind.of] + 1))
        return read_value(context, builder, words, one)


def type_of(one: Field) -> Any:
    """What compiled code sees of a field that stands in the table, or of a length."""
    if isinstance(one.kind, Length):
        return types.int64
    if isinstance(one.kind, Call):
        return types.FunctionType(ENTRY)
    if is_record(one.kind):
        return BlockType(one.kind)
    return types.Array(DTYPES[one.letter], len(one.kind), "C")


def read_value(context: Any, builder: Any, words: Any, one: Field) -> Any:
    """A record, an array or an entry whose first word is at `words`."""
    if isinstance(one.kind, Call):
        # what compiled code calls: the address alone, as Numba's further ways to call are not taken
        model = context.data_model_manager[type_of(one)]
        kind, place = model.get_value_type(), model.get_field_position("c_addr")
        address = builder.inttoptr(read_word(builder, words, ir.Constant(WORD, 0)), kind.elements[place])
        return builder.insert_value(ir.Constant(kind, None), address, place)
    if is_record(one.kind):
        return words
    last = one.kind[-1] if len(one.kind) > 1 and isinstance(one.kind[-1], int) else None
    return read_array(context, builder, words, type_of(one), last)


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


def compile_reader(reader: Callable[..., Any], parts: tuple[Any, ...], arity: int) -> None:
    """Let compiled code call a function of an entry's arguments, so many, that gives a tuple of all parts: records
    where slots say, the entry's own arguments, numbers."""

    def typed(*arguments: Any) -> Any:
        return types.Tuple([part_type(part, arguments) for part in parts])(*arguments)

    def typing(context: Any) -> Any:  # Numba takes the number of arguments from the function that it is given
        by_arity = (lambda a: typed(a), lambda a, b: typed(a, b), lambda a, b, c: typed(a, b, c))
        return (*by_arity, lambda a, b, c, d: typed(a, b, c, d))[arity - 1]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = [part_value(context, builder, part, signature.args, arguments) for part in parts]
        return context.make_tuple(builder, signature.return_type, found)

    type_callable(reader)(typing)
    lower_builtin(reader, types.VarArg(types.Any))(generate)


def part_type(part: Any, arguments: Any) -> Any:
    """What compiled code sees of one part."""
    if isinstance(part, Slot):
        return type_of(part.field)
    if isinstance(part, Argument):
        return arguments[part.number]
    return types.float64 if isinstance(part, float) else types.int64


def part_value(context: Any, builder: Any, part: Any, kinds: Any, arguments: Any) -> Any:
    """Its value."""
    if isinstance(part, Slot):
        table = make_array(kinds[part.table])(context, builder, arguments[part.table])
        number = ir.Constant(WORD, WORDS * part.first)
        if part.first < 0:
            number = builder.add(builder.extract_value(table.shape, 0), number)
        return read_value(context, builder, builder.gep(table.data, [number]), part.field)
    if isinstance(part, Argument):
        return arguments[part.number]
    kind = part_type(part, arguments)
    return context.get_constant(kind, part)
