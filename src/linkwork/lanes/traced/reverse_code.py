"""A run forwards with a tape and backwards, as machine code: the loops around the functions of `reverse`.

For steps that are one function. The tape holds all cells as they are before each step, and at its end those after the
last one.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import Text, declarations
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.step import Recorded

Array = NDArray[np.float64]

FORWARD = """
define i64 @forward(ptr noalias %cells, ptr noalias %tape, i64 %steps, i64 %first, double %begin, double %h) {
entry:
  br label %next
next:
  %s = phi i64 [ 0, %entry ], [ %s1, %step ]
  %bad = phi i64 [ 0, %entry ], [ %with, %step ]
  %more = icmp slt i64 %s, %steps
  br i1 %more, label %step, label %done
step:
  %n = add i64 %first, %s
  TIMES
  %at = mul i64 %s, SIZE
  %to = getelementptr double, ptr %tape, i64 %at
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %cells, i64 BYTES, i1 false)
  %off = call i64 @step(ptr %cells, ptr null, double %t, double %tend)
  %with = or i64 %bad, %off
  %s1 = add i64 %s, 1
  br label %next
done:
  %end = mul i64 %steps, SIZE
  %last = getelementptr double, ptr %tape, i64 %end
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %last, ptr align 8 %cells, i64 BYTES, i1 false)
  ret i64 %bad
}
"""
BACKWARD = """
define i64 @backward(ptr noalias %tape, ptr noalias %bars, ptr noalias %seeds, i64 %steps, i64 %every, i64 %first,
                     double %begin, double %h) {
entry:
  %before = sdiv i64 %first, %every
  br label %next
next:
  %s = phi i64 [ %steps, %entry ], [ %s0, %back ]
  %more = icmp sgt i64 %s, 0
  br i1 %more, label %step, label %done
step:
  %s0 = sub i64 %s, 1
  %n = add i64 %first, %s0
  TIMES
  %over = srem i64 %n1, %every
  %due = icmp eq i64 %over, 0
  br i1 %due, label %show, label %back
show:
  %count = sdiv i64 %n1, %every
  %since = sub i64 %count, %before
  %row = sub i64 %since, 1
  %seed = mul i64 %row, SAMPLE
  %from = getelementptr double, ptr %seeds, i64 %seed
  %where = mul i64 %s, SIZE
  %last = getelementptr double, ptr %tape, i64 %where
  call void @back_sample(ptr %last, ptr %bars, ptr %from, double %tend, double %tend)
  br label %back
back:
  %begins = mul i64 %s0, SIZE
  %before_it = getelementptr double, ptr %tape, i64 %begins
  call void @back_step(ptr %before_it, ptr %bars, ptr null, double %t, double %tend)
  br label %next
done:
  ret i64 0
}
"""
TIMES = """%n1 = add i64 %n, 1
  %nd = sitofp i64 %n to double
  %n1d = sitofp i64 %n1 to double
  %nh = fmul double %nd, %h
  %n1h = fmul double %n1d, %h
  %t = fadd double %begin, %nh
  %tend = fadd double %begin, %n1h"""


def text_of(recorded: Recorded, lanes: int) -> str:
    """All functions: step and start as they are, and backwards; of a run with a tape, backwards."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    (part,), (left,) = recorded.functions, recorded.left
    several = [("start", recorded.start, set(recorded.start.found) & set(recorded.carried)), ("step", part, set(left))]
    out: list[str] = []
    for name, one, cells in several:
        stored = {places[k]: one.found[k] for k in cells}
        out.append(Text(one, 1, places).function(name, stored, (), one.live(stored.values())))
        out.append(ReverseText(one, places, lanes).backward(f"back_{name}", stored, ()))
    sample, size = recorded.sample, str(len(recorded.carried))
    out.append(ReverseText(sample, places, lanes).backward("back_sample", {}, sample.samples))
    for text in (FORWARD, BACKWARD):
        sized = text.replace("TIMES", TIMES).replace("SAMPLE", str(lanes * len(sample.samples)))
        out.append(sized.replace("BYTES", str(8 * len(recorded.carried))).replace("SIZE", size))
    out.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    out += declarations(1)
    if lanes > 1:
        kind = f"<{lanes} x double>"
        out.append(f"declare {kind} @llvm.fmuladd.v{lanes}f64({kind}, {kind}, {kind})")
    return "\n".join(out)


class ReverseCode:
    """A recorded run whose steps are one function, forwards and backwards.

    kept : numbers that a tape holds of each step, and once more at its end. cells : as they are now."""

    def __init__(self, recorded: Recorded, lanes: int) -> None:
        self._engine: Any = engine_of(text_of(recorded, lanes))
        self.lanes, self.kept = lanes, len(recorded.carried)
        self.cells, self._first, self._begun = (aligned(self.kept) for _ in range(3))
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, result: Any, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

        self._start = function("start", count, pointer, pointer, double, double)
        self._forward = function("forward", count, pointer, pointer, count, count, double, double)
        self._backward = function("backward", count, pointer, pointer, pointer, count, count, count, double, double)
        self._back_start, self._back_sample = (
            function(name, None, pointer, pointer, pointer, double, double) for name in ("back_start", "back_sample")
        )

    def bars(self, many: int) -> Array:
        """(many, cells, lanes) adjoints, zero."""
        return aligned(many * self.kept * self.lanes).reshape(many, self.kept, self.lanes)

    def start(self, first: Array, begin: float) -> int:
        """The start of the run from these cells. Returns not 0 where the course is left, as `advance` does."""
        self._first[:] = self.cells[:] = first
        left = int(self._start(self.cells.ctypes.data, 0, begin, begin))
        self._begun[:] = self.cells
        return left

    def advance(self, tape: Array, steps: int, first: int, begin: float, h: float) -> int:
        """So many steps, the first of which is number `first` of the run."""
        return int(self._forward(self.cells.ctypes.data, tape.ctypes.data, steps, first, begin, h))

    def backward(
        self, tape: Array, bar: Array, seeds: Array, steps: int, every: int, first: int, begin: float, h: float
    ) -> int:
        """Back through these steps. seeds : (samples, numbers, lanes) of those within. Returns 0: `advance` has seen
        whether the course was left."""
        where = (tape.ctypes.data, bar.ctypes.data, seeds.ctypes.data)
        return int(self._backward(*where, steps, every, first, begin, h))

    def back_start(self, bar: Array, seeds: Array, begin: float) -> None:
        """Back through the sample at the start, and the start."""
        self._back_sample(self._begun.ctypes.data, bar.ctypes.data, seeds.ctypes.data, begin, begin)
        self._back_start(self._first.ctypes.data, bar.ctypes.data, 0, begin, begin)
