"""How an entry receives its arrays: as one table of addresses and shapes instead of hundreds of words per call.

A compiled entry is called several times per step. Passing it every array of a problem by value costs more than
many entries do themselves; reading the few addresses it needs from a table costs next to nothing. Only compiled
code uses this file; the kernels behind the entries see the same named tuples either way.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from linkwork.kernels.dependence import Dependence
from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.dependent import Dependent
from linkwork.problems.implicit import Matrix, Work
from linkwork.problems.linear import Linear
from linkwork.system.packed import Tables

WORDS = 4  # per array: address and three extents
FIRST_WORK = len(Tables._fields)
FIRST_MATRIX = FIRST_WORK + len(Work._fields)
FIRST_PATTERN = FIRST_MATRIX + len(Matrix._fields)
FIRST_FACTORS = FIRST_PATTERN + 4
FIRST_FOUND = FIRST_FACTORS + len(Factors._fields)
FIRST_DEPENDENT = FIRST_FOUND + len(Dependence._fields)
FIRST_LINEAR = FIRST_DEPENDENT + len(Dependent._fields) - 1
ALL = FIRST_LINEAR + len(Linear._fields)


def make_context(
    tables: Tables,
    work: Work,
    matrix: Matrix,
    pattern: Pattern,
    factors: Factors,
    dependent: Dependent,
    linear: Linear,
) -> np.ndarray:
    """The table for these arrays, which must outlive it."""
    context = np.zeros(WORDS * ALL, dtype=np.int64)
    places = (pattern.indptr, pattern.indices, pattern.order, pattern.prefer)
    arrays: tuple[Any, ...] = (*tables, *work, *matrix, *places, *factors, *dependent.found, *dependent[1:], *linear)
    for k, array in enumerate(arrays):
        if not array.flags.c_contiguous:
            raise ValueError("arrays of a problem must be contiguous")
        context[WORDS * k] = array.ctypes.data
        context[WORDS * k + 1 : WORDS * k + 1 + array.ndim] = array.shape
    return context


def _view(dtype: Any, ndim: int) -> Any:
    """An intrinsic f(context, k): array number k of the table, C-contiguous, as compiled code sees arrays."""
    array = types.Array(dtype, ndim, "C")

    def view(typing_context: Any, c: Any, k: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            table = make_array(signature.args[0])(context, builder, arguments[0])
            first = builder.mul(arguments[1], context.get_constant(types.int64, WORDS))
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

        return array(c, types.int64), generate

    return intrinsic(view)


_f1, _f2 = _view(types.float64, 1), _view(types.float64, 2)
_u1 = _view(types.uint32, 1)
_i1, _i2, _i3 = _view(types.int64, 1), _view(types.int64, 2), _view(types.int64, 3)


@kernel
def tables_of(c: Any) -> Any:
    """The mechanism's tables."""
    return Tables(
        _f2(c, 0), _f1(c, 1), _i2(c, 2), _f2(c, 3), _i1(c, 4), _i1(c, 5), _f1(c, 6), _i1(c, 7), _i2(c, 8), _f2(c, 9),
        _i2(c, 10), _f2(c, 11), _i2(c, 12), _f2(c, 13),
    )  # fmt: skip


@kernel
def work_of(c: Any) -> Any:
    """The work space."""
    k = FIRST_WORK
    return Work(
        _f2(c, k), _f2(c, k + 1), _f2(c, k + 2), _f2(c, k + 3), _f2(c, k + 4), _f1(c, k + 5), _f1(c, k + 6),
        _f1(c, k + 7), _f2(c, k + 8), _f1(c, k + 9), _f1(c, k + 10), _f1(c, k + 11), _f2(c, k + 12),
    )  # fmt: skip


@kernel
def matrix_of(c: Any) -> Any:
    """The iteration matrix."""
    k = FIRST_MATRIX
    return Matrix(
        _f1(c, k), _i1(c, k + 1), _i2(c, k + 2), _i3(c, k + 3), _i3(c, k + 4), _i3(c, k + 5), _i3(c, k + 6),
        _i1(c, k + 7), _i2(c, k + 8), _i2(c, k + 9), _i2(c, k + 10), _f2(c, k + 11), _f2(c, k + 12), _f2(c, k + 13),
        _f1(c, k + 14),
    )  # fmt: skip


@kernel
def pattern_of(c: Any) -> Any:
    """The matrix's sparsity."""
    k = FIRST_PATTERN
    fill = 0  # a trial's count, which only the Python side reads
    return Pattern(c[WORDS * (k + 2) + 1], _u1(c, k), _u1(c, k + 1), _u1(c, k + 2), _u1(c, k + 3), fill)


@kernel
def factors_of(c: Any) -> Any:
    """The matrix's factors."""
    k = FIRST_FACTORS
    return Factors(
        _u1(c, k), _u1(c, k + 1), _i1(c, k + 2), _u1(c, k + 3), _u1(c, k + 4), _f1(c, k + 5), _u1(c, k + 6),
        _u1(c, k + 7), _f1(c, k + 8), _f1(c, k + 9), _f1(c, k + 10), _f1(c, k + 11), _u1(c, k + 12), _u1(c, k + 13),
        _f1(c, k + 14), _f1(c, k + 15), _f1(c, k + 16), _f1(c, k + 17), _i1(c, k + 18), _i1(c, k + 19),
        _u1(c, k + 20), _u1(c, k + 21), _f1(c, k + 22), _i1(c, k + 23),
    )  # fmt: skip


@kernel
def dependent_of(c: Any) -> Any:
    """What is known of dependent rows."""
    k, d = FIRST_FOUND, FIRST_DEPENDENT
    found = Dependence(
        _i1(c, k), _i1(c, k + 1), _i1(c, k + 2), _i1(c, k + 3), _f2(c, k + 4), _f2(c, k + 5), _f2(c, k + 6),
        _f2(c, k + 7), _f1(c, k + 8), _i1(c, k + 9), _i1(c, k + 10), _i1(c, k + 11), _f1(c, k + 12),
    )  # fmt: skip
    return Dependent(found, _f2(c, d), _f1(c, d + 1), _i1(c, d + 2), _f1(c, d + 3))


@kernel
def linear_of(c: Any) -> Any:
    """The linear entries' own arrays."""
    k = FIRST_LINEAR
    return Linear(_f1(c, k), _f1(c, k + 1), _i1(c, k + 2))


ENTRY = numba.int64(types.Array(types.int64, 1, "C"))
