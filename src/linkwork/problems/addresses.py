"""How an entry receives its arrays: as one table of addresses and shapes instead of hundreds of words per call.

A compiled entry is called several times per step. Passing it every array of a problem by value costs more than
many entries do themselves; reading the few addresses it needs from a table costs next to nothing. The kernels
behind the entries hand parts of the table on (`problems.blocks`); called from Python they get named tuples. Each shape
of problem has a file that says which array stands where in its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array

from linkwork.problems.layout import WORDS

WORD = ir.IntType(64)
DTYPES = {"f": types.float64, "i": types.int64, "h": types.int32, "u": types.uint32}


def read_word(builder: Any, words: Any, number: Any) -> Any:
    """A word of the table, which stays as it is while an entry runs, whatever is stored elsewhere."""
    word = builder.load(builder.gep(words, [number]))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def read_array(context: Any, builder: Any, words: Any, array: Any, columns: int | None = None) -> Any:
    """The array whose first word is at `words`, as an instance of the type `array`, C-contiguous. columns : its last
    extent where that is known beforehand, so that places are found without asking for it."""
    first, *extents = (read_word(builder, words, ir.Constant(WORD, w)) for w in range(1 + array.ndim))
    if columns is not None:
        extents[-1] = ir.Constant(WORD, columns)
    strides = [ir.Constant(WORD, array.dtype.bitwidth // 8)]
    for extent in reversed(extents[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    return make(context, builder, array, first, extents, strides)


def read_columns(context: Any, builder: Any, words: Any, array: Any, columns: int, first: int, many: int | None) -> Any:
    """Columns of the array of so many whose first word is at `words`, from `first` on: an instance of the type `array`.
    many : how many; one-dimensional if None."""
    size = array.dtype.bitwidth // 8
    address, rows = (read_word(builder, words, ir.Constant(WORD, w)) for w in range(2))
    address = builder.add(address, ir.Constant(WORD, size * first))
    extents = [rows] if many is None else [rows, ir.Constant(WORD, many)]
    strides = [ir.Constant(WORD, size * width) for width in ([columns] if many is None else [columns, 1])]
    return make(context, builder, array, address, extents, strides)


def make(context: Any, builder: Any, array: Any, address: Any, extents: Any, strides: Any) -> Any:
    """An instance of the type `array`. Nobody owns it: no `meminfo`, no `parent`."""
    model = context.data_model_manager[array]
    kind, place = model.get_value_type(), model.get_field_position
    count = extents[0]
    for extent in extents[1:]:
        count = builder.mul(count, extent)
    data = builder.inttoptr(address, kind.elements[place("data")])
    size = ir.Constant(WORD, array.dtype.bitwidth // 8)
    value = ir.Constant(kind, None)
    for name, x in (("nitems", count), ("itemsize", size), ("data", data)):
        value = builder.insert_value(value, x, place(name))
    for name, several in (("shape", extents), ("strides", strides)):
        for k, x in enumerate(several):
            value = builder.insert_value(value, x, [place(name), k])
    return value


def view_of(kind: str) -> Any:
    """A function f(context, k): array number k of the table, of the kind 'f1': letter of `DTYPES`, dimensions.

    Called from Python, it asks the context, which may then be an object of another kind (`analysis.counts`).
    """
    array = types.Array(DTYPES[kind[0]], int(kind[1]), "C")

    def view(context: Any, k: Any) -> Any:
        return context.array(k, array.dtype.name, array.ndim)

    def typing(context: Any) -> Any:
        def typed(c: Any, k: Any) -> Any:
            return array

        return typed

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = make_array(signature.args[0])(context, builder, arguments[0])
        number = context.cast(builder, arguments[1], signature.args[1], types.int64)
        first = builder.mul(number, ir.Constant(number.type, WORDS))
        return read_array(context, builder, builder.gep(table.data, [first]), array)

    type_callable(view)(typing)
    lower_builtin(view, types.Array, types.Integer)(generate)
    return view


i1 = view_of("i1")

# signatures are made of these: a table, samples' times, a number (often a Status), two numbers
TABLE, FLOATS, COUNT = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C"), types.int64
PAIR = types.UniTuple(COUNT, 2)

ENTRY = COUNT(TABLE)


def signature_of(kinds: Sequence[str], returns: int) -> Any:
    """Of a function of such arguments, as an entry says them, and so many whole numbers."""
    types_of = {"table": TABLE, "floats": FLOATS, "count": COUNT}
    return (COUNT if returns == 1 else PAIR)(*(types_of[kind] for kind in kinds))
