"""A run forwards with a tape and backwards, as machine code: the loops around the functions of `reverse`.

The tape holds, for each part of each step, all cells as they are before it, and at its end those after the last step.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from linkwork.lanes.traced.machine_code import Text, declarations, engine_of
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.step import Part, Recorded

FORWARD = """
define i64 @NAME(ptr noalias %cells, ptr noalias %tape, i64 %steps, i64 %first, double %begin, double %h) {
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
  CALLS
  %s1 = add i64 %s, 1
  br label %next
done:
  LAST
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
  %whole = mul i64 %s, PARTS
  %where = mul i64 %whole, SIZE
  %last = getelementptr double, ptr %tape, i64 %where
  call void @back_sample(ptr %last, ptr %bars, ptr %from, double %tend, double %tend)
  br label %back
back:
  CALLS
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
    """All functions: parts and start as they are, and backwards; of a run with a tape, without one, backwards."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    several = [("start", recorded.start, set(recorded.start.found) & set(recorded.carried))]
    several += [(f"part{k}", one, set(recorded.left[k])) for k, one in enumerate(recorded.functions)]
    out: list[str] = []
    for name, one, left in several:
        stored = {places[k]: one.found[k] for k in left}
        out.append(Text(one, 1, places).function(name, stored, (), one.live(stored.values())))
        out.append(ReverseText(one, places, lanes).backward(f"back_{name}", stored, ()))
    sample = recorded.sample
    out.append(ReverseText(sample, places, lanes).backward("back_sample", {}, sample.samples))
    size, parts = len(recorded.carried), len(recorded.step)
    for name, kept in (("walk", False), ("forward", True)):
        calls, last = _forward_calls(recorded.step, size, kept)
        out.append(FORWARD.replace("NAME", name).replace("TIMES", TIMES).replace("CALLS", calls).replace("LAST", last))
    backward = BACKWARD.replace("TIMES", TIMES).replace("CALLS", _backward_calls(recorded.step, size))
    backward = backward.replace("SAMPLE", str(lanes * len(sample.samples)))
    out.append(backward.replace("PARTS", str(parts)).replace("SIZE", str(size)))
    out.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    out += declarations(1)
    if lanes > 1:
        kind = f"<{lanes} x double>"
        out.append(f"declare {kind} @llvm.fmuladd.v{lanes}f64({kind}, {kind}, {kind})")
    return "\n".join(out)


def _time(k: int, part: Part) -> tuple[list[str], str]:
    """When a part is."""
    if part.time is None:
        return [], "%tend"
    share = struct.pack(">d", part.time).hex().upper()
    return [f"  %h{k} = fmul double 0x{share}, %h", f"  %t{k} = fadd double %t, %h{k}"], f"%t{k}"


def _at(k: int | str, size: int, parts: int, step: str) -> list[str]:
    """The address %at{k} of the record of part k of a step."""
    return [
        f"  %a{k} = mul i64 {step}, {parts}",
        f"  %b{k} = add i64 %a{k}, {k if isinstance(k, int) else 0}",
        f"  %c{k} = mul i64 %b{k}, {size}",
        f"  %at{k} = getelementptr double, ptr %tape, i64 %c{k}",
    ]


def _copy(k: int | str, size: int) -> str:
    return f"  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %at{k}, ptr align 8 %cells, i64 {8 * size}, i1 false)"


def _forward_calls(step: tuple[Part, ...], size: int, kept: bool) -> tuple[str, str]:
    """A step's parts in turn; what comes after the last step."""
    lines, so_far = [], "%bad"
    for k, part in enumerate(step):
        if kept:
            lines += [*_at(k, size, len(step), "%s"), _copy(k, size)]
        before, time = _time(k, part)
        lines += before
        found = "%with" if k == len(step) - 1 else f"%bad{k}"
        lines.append(f"  %off{k} = call i64 @part{part.function}(ptr %cells, ptr null, double {time}, double %tend)")
        lines.append(f"  {found} = or i64 {so_far}, %off{k}")
        so_far = found
    last = "\n".join([*_at("last", size, len(step), "%steps"), _copy("last", size)]) if kept else ""
    return "\n".join(lines), last


def _backward_calls(step: tuple[Part, ...], size: int) -> str:
    lines = []
    for k in reversed(range(len(step))):
        before, time = _time(k, step[k])
        lines += [*_at(k, size, len(step), "%s0"), *before]
        name = f"back_part{step[k].function}"
        lines.append(f"  call void @{name}(ptr %at{k}, ptr %bars, ptr null, double {time}, double %tend)")
    return "\n".join(lines)


class ReverseCode:
    """Compiled functions: `start`, `walk` and `forward` (with a tape) as they are, `backward`, and their ends."""

    def __init__(self, recorded: Recorded, lanes: int) -> None:
        self._engine: Any = engine_of(text_of(recorded, lanes))
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, result: Any, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

        self.start = function("start", count, pointer, pointer, double, double)
        self.walk, self.forward = (
            function(name, count, pointer, pointer, count, count, double, double) for name in ("walk", "forward")
        )
        self.backward = function("backward", count, pointer, pointer, pointer, count, count, count, double, double)
        self.back_start, self.back_sample = (
            function(name, None, pointer, pointer, pointer, double, double) for name in ("back_start", "back_sample")
        )
