"""Machine code of steps that find their own size, made of recorded parts (`adaptive_steps`), with their tangents.

The loop over steps is that of `integrators.dense_output_kernels.advance_to`, with sizes that are known: it decides by
values, the same in all lanes. Whatever else a run may meet on the way, as a stage that cannot be evaluated, leaves the
course.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.adaptive_steps import (
    ARRIVED,
    FIRST,
    FIRST_PLACED,
    FURTHER,
    PLACED,
    SAMPLE,
    SHOWN,
    STAGES,
    START,
    AdaptiveRecord,
)
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.forward import ForwardText
from linkwork.lanes.traced.machine_code import LastFew, Text

NAMES = {
    START: "start", SHOWN: "shown", STAGES: "stages", FURTHER: "further", SAMPLE: "sample", ARRIVED: "arrived",
    PLACED: "placed", FIRST: "first", FIRST_PLACED: "first_placed",
}  # fmt: skip
CODES = {operation: k for k, operation in enumerate(NAMES)}  # of operations, where they are kept
WITHIN = 1.0 + 1e-12  # of a step: samples up to there are its own
WORDS, STOP = 16, 12  # of what is handed to `advance`, and which of them are the steps to stop at
STUCK = 2**62  # what is returned where there are more steps than sizes
OPERATION = """define i64 @{name}(ptr noalias %cells, ptr noalias %out, double %t, ptr noalias %words) {{
entry:
{first}{calls}
  ret i64 {last}
}}"""
# {x} of a cell is where its value stands; words : [whether a step waits, whether its further stages are there, steps],
# and steps at which it stops
ADVANCE = """
define i64 @advance(ptr noalias %cells, ptr noalias %out, ptr noalias %targets, i64 %count, ptr noalias %words,
                    ptr noalias %sizes, i64 %known) {{
entry:
  %waits = getelementptr i64, ptr %words, i64 0
  %extended = getelementptr i64, ptr %words, i64 1
  %at_steps = getelementptr i64, ptr %words, i64 2
  %at_now = getelementptr double, ptr %cells, i64 {now}
  %at_step = getelementptr double, ptr %cells, i64 {step}
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %n3, %gone_on ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %look, label %done
look:
  %pending = load i64, ptr %waits
  %is_pending = icmp ne i64 %pending, 0
  br i1 %is_pending, label %within, label %choose
choose:
  %at_stop = getelementptr i64, ptr %words, i64 {STOP}
  %stop = load i64, ptr %at_stop
  %step = load i64, ptr %at_steps
  %goes_on = icmp slt i64 %step, %stop
  br i1 %goes_on, label %next_size, label %done
next_size:
  %is_known = icmp slt i64 %step, %known
  br i1 %is_known, label %known_size, label %stuck
known_size:
  %at_size = getelementptr double, ptr %sizes, i64 %step
  %size = load double, ptr %at_size
  %lane = insertelement <{W} x double> undef, double %size, i32 0
  %lanes = shufflevector <{W} x double> %lane, <{W} x double> undef, <{W} x i32> zeroinitializer
  store <{W} x double> %lanes, ptr %at_step
  %r5 = call i64 @stages(ptr %cells, ptr null, double 0.0, ptr %words)
  %on_course = icmp eq i64 %r5, 0
  br i1 %on_course, label %settled, label %left_stages
settled:
  %step1 = add i64 %step, 1
  store i64 %step1, ptr %at_steps
  store i64 1, ptr %waits
  store i64 0, ptr %extended
  br label %within
within:
  %t0 = load double, ptr %at_now
  %h = load double, ptr %at_step
  %most = fmul double %h, {WITHIN}
  %reached = fadd double %t0, %most
  br label %samples
samples:
  %n1 = phi i64 [ %n, %within ], [ %n2, %shown ]
  %any = icmp slt i64 %n1, %count
  br i1 %any, label %one, label %done
one:
  %place = getelementptr double, ptr %targets, i64 %n1
  %at = load double, ptr %place
  %inside = fcmp ole double %at, %reached
  br i1 %inside, label %sample, label %arrive
sample:
  %had = load i64, ptr %extended
  %has = icmp ne i64 %had, 0
  br i1 %has, label %show, label %extend
extend:
  %r10 = call i64 @further(ptr %cells, ptr null, double 0.0, ptr %words)
  store i64 1, ptr %extended
  %well = icmp eq i64 %r10, 0
  br i1 %well, label %show, label %left_further
show:
  %row = mul i64 %n1, {SAMPLE}
  %to = getelementptr double, ptr %out, i64 %row
  %r11 = call i64 @sample(ptr %cells, ptr %to, double %at, ptr %words)
  %fine = icmp eq i64 %r11, 0
  br i1 %fine, label %shown, label %left_sample
shown:
  %n2 = add i64 %n1, 1
  br label %samples
arrive:
  store i64 0, ptr %waits
  %moved = load i64, ptr %extended
  %plain = icmp ne i64 %moved, 0
  br i1 %plain, label %arrive_plain, label %arrive_short
arrive_plain:
  %r12 = call i64 @arrived(ptr %cells, ptr null, double 0.0, ptr %words)
  %r13 = call i64 @first(ptr %cells, ptr null, double 0.0, ptr %words)
  br label %arrived
arrive_short:
  %r14 = call i64 @{placed}(ptr %cells, ptr null, double 0.0, ptr %words)
  %r15 = call i64 @{first_placed}(ptr %cells, ptr null, double 0.0, ptr %words)
  br label %arrived
arrived:
  %ra = phi i64 [ %r12, %arrive_plain ], [ %r14, %arrive_short ]
  %rb = phi i64 [ %r13, %arrive_plain ], [ %r15, %arrive_short ]
  %rc = or i64 %ra, %rb
  %kept = icmp eq i64 %rc, 0
  br i1 %kept, label %gone_on, label %left_behind
gone_on:
  %n3 = phi i64 [ %n1, %arrived ]
  br label %next
done:
  ret i64 0
stuck:
  ret i64 {STUCK}
left_stages:
  ret i64 %r5
left_further:
  ret i64 %r10
left_sample:
  ret i64 %r11
left_behind:
  ret i64 %rc
}}
"""


def text_of(recorded: AdaptiveRecord, width: int, moving: Sequence[frozenset[int]]) -> str:
    """All functions of a run with tangents. moving : of each vector of tangents, the cells that have some."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    texts = [ForwardText(one, width, places, moving) for one in recorded.functions]
    return "\n".join(forwards(recorded, texts, width, width * (1 + len(moving))))


def forwards(recorded: AdaptiveRecord, texts: Sequence[Text], width: int, size: int, log: bool = False) -> list[str]:
    """All functions of a run forwards. texts : of the parts. size : doubles that a number takes. log : whether
    operations call `@noted(cells, words, operation)` first, which somebody else brings."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    out = []
    for k, (text, left) in enumerate(zip(texts, recorded.left, strict=True)):
        one = text.recording
        stored = {places[cell]: one.found[cell] for cell in left}
        live = one.live([*stored.values(), *one.samples])
        out.append(text.function(f"part{k}", stored, one.samples, live))
    for operation, name in NAMES.items():
        first = f"  call void @noted(ptr %cells, ptr %words, i64 {CODES[operation]})\n" if log else ""
        out.append(_in_turn(name, recorded.operations.get(operation, ()), first))
    short = (PLACED, FIRST_PLACED) if recorded.fsal else (ARRIVED, FIRST)
    words = {
        **{name: size * places[cell] for name, cell in recorded.places.items()},
        "WITHIN": _word(WITHIN),
        "W": width,
        "SAMPLE": size * recorded.samples,
        "STUCK": STUCK,
        "STOP": STOP,
        "placed": NAMES[short[0]],
        "first_placed": NAMES[short[1]],
    }
    out += texts[0].declarations
    return [*out, ADVANCE.format(**words)]


def _in_turn(name: str, functions: Sequence[int], first: str) -> str:
    """An operation, of functions one after the other; the last one writes a sample, if any does."""
    calls, last = [], "0"
    for k, function in enumerate(functions):
        calls.append(f"  %off{k} = call i64 @part{function}(ptr %cells, ptr %out, double %t, double %t)")
        calls.append(f"  %bad{k} = or i64 {last}, %off{k}")
        last = f"%bad{k}"
    return OPERATION.format(name=name, first=first, calls="\n".join(calls), last=last)


def new_words(stop: int = STUCK) -> NDArray[np.int64]:
    """Those of a run at its start. stop : steps after which it ends before it has all samples."""
    words = np.zeros(WORDS, dtype=np.int64)
    words[STOP] = stop
    return words


def _word(x: float) -> str:
    return "0x" + struct.pack(">d", x).hex().upper()


class AdaptiveCode:
    """Compiled functions: start(cells, 0, time, 0), shown(cells, out, time, 0), and advance(cells, out, targets, count,
    words, sizes, known). They return not 0 where the course is left."""

    def __init__(self, functions: str) -> None:
        self._engine: Any = engine_of(functions)
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        once = ctypes.CFUNCTYPE(count, pointer, pointer, double, pointer)
        many = ctypes.CFUNCTYPE(count, pointer, pointer, pointer, count, pointer, pointer, count)
        self.start = once(self._engine.get_function_address("start"))
        self.shown = once(self._engine.get_function_address("shown"))
        self.advance = many(self._engine.get_function_address("advance"))


adaptive_code = LastFew(AdaptiveCode)
