"""How an entry receives its arrays: as one table of addresses and shapes instead of hundreds of words per call.

A compiled entry is called several times per step. Passing it every array of a problem by value costs more than
many entries do themselves; reading the few addresses it needs from a table costs next to nothing. The kernels
behind the entries see the same named tuples either way. Each shape of problem has a file that says which array stands
where in its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

WORDS = 4  # per array: address and three extents


def address_table(arrays: Sequence[Any]) -> np.ndarray:
    """The table for these arrays, which must outlive it."""
    table = np.zeros(WORDS * len(arrays), dtype=np.int64)
    for k, array in enumerate(arrays):
        if not array.flags.c_contiguous:
            raise ValueError("arrays of a problem must be contiguous")
        table[WORDS * k] = array.ctypes.data
        table[WORDS * k + 1 : WORDS * k + 1 + array.ndim] = array.shape
    return table


def view_of(dtype: Any, ndim: int) -> Any:
    """A function f(context, k): array number k of the table, C-contiguous, as compiled code sees arrays.

    Called from Python, it asks the context, which may then be an object of another kind (`analysis.counts`).
    """
    array = types.Array(dtype, ndim, "C")

    def view(context: Any, k: Any) -> Any:
        return context.array(k, dtype.name, ndim)

    def typing(context: Any) -> Any:
        def typed(c: Any, k: Any) -> Any:
            return array

        return typed

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = make_array(signature.args[0])(context, builder, arguments[0])
        number = context.cast(builder, arguments[1], signature.args[1], types.int64)
        first = builder.mul(number, context.get_constant(types.int64, WORDS))
        words = [
            builder.load(builder.gep(table.data, [builder.add(first, context.get_constant(types.int64, w))]))
            for w in range(1 + ndim)
        ]
        out = make_array(array)(context, builder)
        size = context.get_constant(types.intp, dtype.bitwidth // 8)
        strides = [size]
        for extent in reversed(words[2:]):
            strides.insert(0, builder.mul(strides[0], extent))
        populate_array(
            out,
            data=builder.inttoptr(words[0], out.data.type),
            shape=words[1:],
            strides=strides,
            itemsize=size,
            meminfo=None,
        )
        return out._getvalue()

    type_callable(view)(typing)
    lower_builtin(view, types.Array, types.Integer)(generate)
    return view


f1, f2 = view_of(types.float64, 1), view_of(types.float64, 2)
u1, u2 = view_of(types.uint32, 1), view_of(types.uint32, 2)
i1, i2, i3 = view_of(types.int64, 1), view_of(types.int64, 2), view_of(types.int64, 3)

ENTRY = numba.int64(types.Array(types.int64, 1, "C"))
