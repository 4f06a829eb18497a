"""Places in arrays, checked in compiled code, for tests: LINKWORK_BOUNDSCHECK=1.

Numba's own check raises IndexError, which entries cannot pass on: they count no references and have no exceptions. So
whoever reads or writes beyond an array ends the process, saying where.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

WORDS = "linkwork: index %ld is out of bounds for size %ld in {}\n"
BYTE, NUMBER, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def activate() -> None:
    """Let Numba write this check in place of its own, from now on, in kernels that ask for one."""
    cgutils.do_boundscheck = end_outside


def end_outside(context: Any, builder: Any, place: Any, size: Any, axis: Any = None) -> None:
    """End the process unless 0 <= place < size."""
    below = builder.icmp_signed("<", place, place.type(0))
    outside = builder.or_(below, builder.icmp_signed(">=", place, size))
    with cgutils.if_unlikely(builder, outside):
        module = builder.module
        text = cgutils.make_bytearray((WORDS.format(builder.function.name[:200]) + "\0").encode())
        words = cgutils.global_constant(module, "out_of_bounds", text)
        say = ir.FunctionType(NUMBER, [NUMBER, BYTE.as_pointer()], var_arg=True)
        told = [builder.sext(x, WORD) if x.type.width < WORD.width else x for x in (place, size)]
        start = builder.bitcast(words, BYTE.as_pointer())
        builder.call(cgutils.get_or_insert_function(module, say, "dprintf"), [NUMBER(2), start, *told])
        builder.call(cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), []), "abort"), [])
        # control never comes here, but what follows needs a place to stand
