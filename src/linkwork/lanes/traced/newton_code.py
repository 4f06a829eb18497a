"""Machine code of an implicit method's steps: parts that were recorded, and the loop of Newton's iterations.

The loop goes on until no lane is active. What a part comes to in a lane that has no need of it is not
kept, and makes no stray: so a lane does not depend on those beside it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import BEGIN_STEP, LastFew, Text
from linkwork.lanes.traced.newton import PLACES
from linkwork.lanes.traced.newton_step import RecordedNewton
from linkwork.lanes.traced.recording import Recording

LOOP = """
define i64 @advance(ptr noalias %cells, ptr noalias %out, i64 %samples, i64 %every, i64 %first,
                    double %start, double %h) {
BEGIN
  %g0 = call i64 @begin(ptr %cells, ptr null, double %t, double %t)
  %bad1 = or i64 %bad0, %g0
  %a0 = call i64 @active(ptr %cells)
  br label %head
head:
  %a = phi i64 [ %a0, %step ], [ %a1, %tail ]
  %fresh = phi i1 [ true, %step ], [ false, %tail ]
  %bad2 = phi i64 [ %bad1, %step ], [ %bad6, %tail ]
  %any = icmp ne i64 %a, 0
  br i1 %any, label %iterate, label %over
iterate:
  %g1 = call i64 @residual(ptr %cells, ptr null, double %t, double %t)
  %m1 = and i64 %g1, %a
  %bad7 = or i64 %bad2, %m1
  br i1 %fresh, label %detect, label %asked
detect:
SEARCH
  br label %asked
asked:
  %bad3 = phi i64 [ %bad7, %iterate ], [ %bad8, %detect ]
  %r0 = call i64 @renew(ptr %cells)
  %r = and i64 %r0, %a
  %renews = icmp ne i64 %r, 0
  br i1 %renews, label %matrix, label %correct
matrix:
  %g2 = call i64 @matrix(ptr %cells, ptr null, double %t, double %t)
  %m2 = and i64 %g2, %r
  %with = or i64 %bad3, %m2
  br label %correct
correct:
  %bad4 = phi i64 [ %bad3, %asked ], [ %with, %matrix ]
  %g3 = call i64 @correct(ptr %cells, ptr null, double %t, double %t)
  %m3 = and i64 %g3, %a
  %bad5 = or i64 %bad4, %m3
  %q = call i64 @ask(ptr %cells)
  %asks = icmp ne i64 %q, 0
  br i1 %asks, label %rounding, label %tail
rounding:
  %g4 = call i64 @rounding(ptr %cells, ptr null, double %t, double %t)
  br label %tail
tail:
  %bad6 = phi i64 [ %bad5, %correct ], [ %bad5, %rounding ]
  %a1 = call i64 @active(ptr %cells)
  br label %head
over:
  %g5 = call i64 @end(ptr %cells, ptr null, double %t, double %t)
  %l = call i64 @left(ptr %cells)
  %m5 = or i64 %g5, %l
  %bad = or i64 %bad2, %m5
  %k1 = add i64 %k, 1
  %go = icmp slt i64 %k1, %every
  br i1 %go, label %step, label %show
show:
  %place = mul i64 %s, SIZE
  %to = getelementptr double, ptr %out, i64 %place
  %none = call i64 @sample(ptr %cells, ptr %to, double %t, double %t)
  %s1 = add i64 %s, 1
  br label %next
done:
  ret i64 %so_far
}
"""
SEARCH = """
  %g6 = call i64 @detect(ptr %cells, ptr null, double %t, double %t)
  %m6 = and i64 %g6, %a
  %bad8 = or i64 %bad7, %m6
"""
NO_SEARCH = "  %bad8 = or i64 %bad7, 0"  # no rows may depend on others
ASKED = """
define i64 @NAME(ptr noalias %cells) alwaysinline {
  %p = getelementptr <W x double>, ptr %cells, i64 PLACE
  %v = load <W x double>, ptr %p, align ALIGN
  %y = fcmp ogt <W x double> %v, zeroinitializer
  %b = bitcast <W x i1> %y to iW
  %x = zext iW %b to i64
  ret i64 %x
}
"""
QUESTIONS = ("active", "left", "renew", "ask")


def text_of(recorded: RecordedNewton, width: int) -> str:
    """All functions."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    asked = ASKED.replace("ALIGN", str(8 * width)).replace("W", str(width))
    return "\n".join(all_of(recorded, lambda one: Text(one, width, places), width, asked))


def all_of(recorded: RecordedNewton, text: Callable[[Recording], Text], size: int, asked: str) -> list[str]:
    """Parts of a step, sample, questions, and a run of them.

    text : makes a function of a recording. size : doubles that a number of a sample takes. asked : a question."""
    sample = text(recorded.sample)
    places, shown = sample.places, recorded.sample.samples
    parts: list[str] = []
    for name, one in recorded.parts.items():
        stored = {places[k]: one.found[k] for k in recorded.left[name]}
        parts.append(text(one).function(name, stored, (), one.live(stored.values())))
    parts.append(sample.function("sample", {}, shown, recorded.sample.live(shown)))
    parts += sample.declarations
    for name in QUESTIONS:
        place = places[recorded.controls[PLACES[name]]]
        parts.append(asked.replace("NAME", name).replace("PLACE", str(place)))
    search = SEARCH if "detect" in recorded.parts else NO_SEARCH
    loop = LOOP.replace("SEARCH", search).replace("BEGIN", BEGIN_STEP.replace("LAST", "%bad"))
    parts.append(loop.replace("SIZE", str(size * len(shown))))
    return parts


class NewtonCode:
    """Compiled: advance(cells, out, samples, every, first, start, h), by so many samples, each after `every` steps."""

    def __init__(self, functions: str) -> None:
        self._engine: Any = engine_of(functions)
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        many = ctypes.CFUNCTYPE(count, pointer, pointer, count, count, count, double, double)
        self.advance = many(self._engine.get_function_address("advance"))


newton_code = LastFew(NewtonCode)
