"""Records whose floating-point arrays hold lanes. Whole numbers are those of all lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, register_model, type_callable
from numba.np.arrayobj import make_array

from linkwork.kernels.records import Columns, Field, is_record
from linkwork.lanes.compiler.number import Lanes
from linkwork.problems.addresses import WORD, read_array, read_columns
from linkwork.problems.blocks import BlockModel, BlockType, part_type, part_value, type_of
from linkwork.problems.layout import WORDS, Slot

# as Numba comes without types, mypy takes what is inherited from it for Any: hence `misc`


class LaneRecord(BlockType):
    """A record in compiled code, W instances of it."""

    def __init__(self, record: type, width: int) -> None:
        super().__init__(record)
        self.width = width
        self.name: str = f"{width} {self.name}"

    def field_type(self, name: str) -> Any:
        """Type of a field, None if there is no such field."""
        return widened(super().field_type(name), self.by_name.get(name), self.width)

    def read_field(self, context: Any, builder: Any, words: Any, name: str) -> Any:
        """Its value. words : the record's address."""
        one, kind = self.by_name[name], self.field_type(name)
        if isinstance(kind, types.Array) and isinstance(kind.dtype, Lanes):
            if isinstance(one.kind, Columns):
                whole, first = self.by_name[one.kind.of], self.places[name]
                words = builder.gep(words, [ir.Constant(WORD, WORDS * self.places[one.kind.of])])
                return read_columns(context, builder, words, kind, whole.kind[-1], first, one.kind.many)
            return read_lanes(context, builder, builder.gep(words, [offset(self.places[name])]), kind, one)
        return super().read_field(context, builder, words, name)


register_model(LaneRecord)(BlockModel)


def offset(array: int) -> Any:
    """Of an array in a table."""
    return ir.Constant(WORD, WORDS * array)


def widened(kind: Any, one: Field | None, width: int) -> Any:
    """The type of one instance's field as that of W instances'."""
    if isinstance(kind, types.Array) and kind.dtype == types.float64:
        return types.Array(Lanes(width), kind.ndim, kind.layout)
    if one is not None and is_record(one.kind):
        return LaneRecord(one.kind, width)
    return kind


def read_lanes(context: Any, builder: Any, words: Any, kind: Any, one: Field) -> Any:
    """The array of lanes whose first word is at `words`."""
    last = one.kind[-1] if len(one.kind) > 1 and isinstance(one.kind[-1], int) else None
    return read_array(context, builder, words, kind, last)


def compile_lane_reader(reader: Callable[..., Any], parts: tuple[Any, ...], arity: int, width: int) -> None:
    """`problems.blocks.compile_reader` for lanes."""

    def typed(*arguments: Any) -> Any:
        return types.Tuple([lane_part_type(part, arguments, width) for part in parts])(*arguments)

    def typing(context: Any) -> Any:  # Numba takes the number of arguments from the function that it is given
        by_arity = (lambda a: typed(a), lambda a, b: typed(a, b), lambda a, b, c: typed(a, b, c))
        return (*by_arity, lambda a, b, c, d: typed(a, b, c, d))[arity - 1]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = [lane_part_value(context, builder, part, signature.args, arguments, width) for part in parts]
        return context.make_tuple(builder, signature.return_type, found)

    type_callable(reader)(typing)
    lower_builtin(reader, types.VarArg(types.Any))(generate)


def lane_part_type(part: Any, arguments: Any, width: int) -> Any:
    """What compiled code sees of one part."""
    if isinstance(part, Slot):
        return widened(type_of(part.field), part.field, width)
    return part_type(part, arguments)


def lane_part_value(context: Any, builder: Any, part: Any, kinds: Any, arguments: Any, width: int) -> Any:
    """Its value."""
    kind = lane_part_type(part, arguments, width)
    if isinstance(part, Slot) and isinstance(kind, types.Array) and isinstance(kind.dtype, Lanes):
        table = make_array(kinds[part.table])(context, builder, arguments[part.table])
        number = offset(part.first)
        if part.first < 0:
            number = builder.add(builder.extract_value(table.shape, 0), number)
        return read_lanes(context, builder, builder.gep(table.data, [number]), kind, part.field)
    return part_value(context, builder, part, kinds, arguments)
