"""How an entry receives its arrays: as one table of addresses and shapes instead of hundreds of words per call.

A compiled entry is called several times per step. Passing it every array of a problem by value costs more than
many entries do themselves; reading the few addresses it needs from a table costs next to nothing. The kernels
behind the entries hand parts of the table on (`problems.blocks`); called from Python they get named tuples. Each shape
of problem has a file that says which array stands where in its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array

WORD = ir.IntType(64)
WORDS = 4  # per array: address and three extents
DTYPES = {"f": types.float64, "i": types.int64, "u": types.uint32}


def address_table(arrays: Sequence[Any]) -> np.ndarray:
    """The table for these arrays, which must outlive it."""
    table = np.zeros(WORDS * len(arrays), dtype=np.int64)
    for k, array in enumerate(arrays):
        if not array.flags.c_contiguous:
            raise ValueError("arrays of a problem must be contiguous")
        table[WORDS * k] = array.ctypes.data
        table[WORDS * k + 1 : WORDS * k + 1 + array.ndim] = array.shape
    return table


def read_word(builder: Any, words: Any, number: Any) -> Any:
    """A word of the table, which stays as it is while an entry runs, whatever is stored elsewhere."""
    word = builder.load(builder.gep(words, [number]))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def read_array(context: Any, builder: Any, words: Any, array: Any, columns: int | None = None) -> Any:
    """The array whose first word is at `words`, as an instance of the type `array`, C-contiguous. columns : its last
    extent where that is known beforehand, so that places are found without asking for it."""
    constant = partial(ir.Constant, WORD)
    first, *extents = (read_word(builder, words, constant(w)) for w in range(1 + array.ndim))
    if columns is not None:
        extents[-1] = constant(columns)
    size = constant(array.dtype.bitwidth // 8)
    strides = [size]
    for extent in reversed(extents[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    count = extents[0]
    for extent in extents[1:]:
        count = builder.mul(count, extent)
    model = context.data_model_manager[array]
    kind = model.get_value_type()
    known = {"nitems": count, "itemsize": size}
    known["data"] = builder.inttoptr(first, kind.elements[model.get_field_position("data")])
    value = ir.Constant(kind, None)  # nobody owns these arrays: no `meminfo`, no `parent`
    for name, found in known.items():
        value = builder.insert_value(value, found, model.get_field_position(name))
    for name, found in (("shape", extents), ("strides", strides)):
        for k, x in enumerate(found):
            value = builder.insert_value(value, x, [model.get_field_position(name), k])
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

ENTRY = numba.int64(types.Array(types.int64, 1, "C"))
