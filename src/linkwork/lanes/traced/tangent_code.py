"""Machine code of an implicit method's converged steps with tangents.

Values come from the run, step by step: a row of `tape` for each step's end has what stands in `kept`. Tangents of a
step's unknowns begin as those of the step before, and are corrected, z' <- z' - A^-1 (dF/dz z' + dF/dp p'), until a
correction is rounding alone. A is the matrix of Newton's method at the converged state, whose guards are not heard:
where it is not good enough, corrections do not settle, and that is told.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import BEGIN_STEP, LastFew, Text, declarations
from linkwork.lanes.traced.tangent_steps import SAMPLE, WITHOUT_TANGENTS, RecordedTangents
from linkwork.lanes.traced.tangent_text import Layout, StepText
from linkwork.lanes.traced.tape_code import COPY

MOST = 60  # corrections of a step
ADVANCE = """
define i64 @advance(ptr noalias %cells, ptr noalias %norms, ptr noalias %tape, ptr noalias %out, i64 %samples,
                    i64 %every, i64 %first, double %start, double %h) {
BEGIN
  %row1 = add i64 %within, 1
  %at = mul i64 %row1, KEPT
  %now = getelementptr double, ptr %tape, i64 %at
  SHARED
  %g0 = call i64 @begin(ptr %cells, ptr null, double %t, double %t)
  SHARES
  %bad1 = or i64 %bad0, %begun
  call void @take_unknowns(ptr %cells, ptr %now)
  UNSHARE
  br label %correct
correct:
  %i = phi i64 [ 0, %step ], [ %i1, %tail ]
  %g1 = call i64 @residual(ptr %cells, ptr null, double %t, double %t)
  %new = icmp eq i64 %i, 0
  br i1 %new, label %form, label %tail
form:
  %g2 = call i64 @matrix(ptr %cells, ptr null, double %t, double %t)
  br label %tail
tail:
  %g3 = call i64 @solve(ptr %cells, ptr null, double %t, double %t)
  %go = call i64 @correct(ptr %cells, ptr %norms, i64 %i)
  %i1 = add i64 %i, 1
  %goes = icmp ne i64 %go, 0
  %may = icmp slt i64 %i1, MOST
  %again = and i1 %goes, %may
  br i1 %again, label %correct, label %over
over:
  %bad2 = or i64 %bad1, %g1
  %bad3 = or i64 %bad2, %go
  %g4 = call i64 @end(ptr %cells, ptr null, double %t, double %t)
  %bad = or i64 %bad3, %g4
  call void @take(ptr %cells, ptr %now)
  %k1 = add i64 %k, 1
  %goes_on = icmp slt i64 %k1, %every
  br i1 %goes_on, label %step, label %show
show:
  %place = mul i64 %s, SIZE
  %to = getelementptr double, ptr %out, i64 %place
  %none = call i64 @sample(ptr %cells, ptr %to, double %t, double %t)
  %seen = or i64 %bad, %none
  %s1 = add i64 %s, 1
  br label %next
done:
  ret i64 %so_far
}
"""
# how rows depend on others: at the predicted pose, as the run found it
SHARED = "call void @take_shared(ptr %cells, ptr %now)"
SHARES = """%g5 = call i64 @rows(ptr %cells, ptr null, double %t, double %t)
  %g6 = call i64 @products(ptr %cells, ptr null, double %t, double %t)
  %g7 = call i64 @combine(ptr %cells, ptr null, double %t, double %t)
  %begun = or i64 %g0, %g6"""
UNSHARE = "%g8 = call i64 @unshare(ptr %cells, ptr null, double %t, double %t)"
COLUMNS = """
@NAME.places = private constant [COUNT x i64] [ PLACES ]
@NAME.columns = private constant [COUNT x i64] [ COLUMNS ]"""
FROM_ROW = """  %p = getelementptr i64, ptr @NAME.places, i64 %k
  %place = load i64, ptr %p
  %c = getelementptr i64, ptr @NAME.columns, i64 %k
  %column = load i64, ptr %c
  %from = getelementptr double, ptr %row, i64 %column
  %to = getelementptr double, ptr %cells, i64 %place"""


def take_text(recorded: RecordedTangents, places: Mapping[int, int]) -> list[str]:
    """Functions that read a row of what steps left: take, take_unknowns, take_shared."""
    parts, columns = list[str](), {cell: k for k, cell in enumerate(recorded.kept)}
    unknowns, shared = (one and one + recorded.contacts for one in (recorded.unknowns, recorded.shared))
    taken = {"take": recorded.kept, "take_unknowns": unknowns, "take_shared": shared}
    for name, cells in ((name, cells) for name, cells in taken.items() if cells):
        said = (COLUMNS + COPY.replace("WHERE", FROM_ROW)).replace("NAME", name).replace("COUNT", str(len(cells)))
        said = said.replace("PLACES", ", ".join(f"i64 {places[k]}" for k in cells))
        parts.append(said.replace("COLUMNS", ", ".join(f"i64 {columns[k]}" for k in cells)))
    return parts


def text_of(recorded: RecordedTangents, layout: Layout) -> str:
    """All functions."""
    places = layout.places
    parts: list[str] = []
    for name, one in recorded.parts.items():
        stored = {places[k]: one.found[k] for k in recorded.left[name]}
        text = Text(one, 1, places) if name in WITHOUT_TANGENTS else StepText(one, layout)
        parts.append(text.function(name, stored, one.samples, one.live((*stored.values(), *one.samples))))
    parts.append(StepText(recorded.parts["solve"], layout).correct(recorded))
    parts += take_text(recorded, places)
    parts += dict.fromkeys(line for width in {1, layout.width} for line in declarations(width))
    shown = len(recorded.parts[SAMPLE].samples) * (1 + len(layout.moving) * layout.width)
    loop = (
        ADVANCE.replace("BEGIN", BEGIN_STEP.replace("LAST", "%seen"))
        .replace("UNSHARE", UNSHARE if recorded.shared else "")
        .replace("SHARED", SHARED if recorded.shared else "")
        .replace("SHARES", SHARES if recorded.shared else "%begun = or i64 %g0, 0")
        .replace("MOST", str(MOST))
        .replace("SIZE", str(shown))
        .replace("KEPT", str(len(recorded.kept)))
    )
    return "\n".join((*parts, loop))


class RunCode:
    """Compiled functions of a run's steps: set_values(cells, row), and others by name."""

    def __init__(self, functions: str) -> None:
        self._engine: Any = engine_of(functions)
        self.set_values = self.function("take", None, ctypes.c_void_p, ctypes.c_void_p)

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """One of them, as Python calls it."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))


class TangentCode(RunCode):
    """Also sample(cells, out, t, t), and advance(cells, norms, tape, out, samples, every, first, start, h)."""

    def __init__(self, functions: str) -> None:
        super().__init__(functions)
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self.sample = self.function("sample", count, pointer, pointer, double, double)
        self.advance = self.function("advance", count, *[pointer] * 4, count, count, count, double, double)


tangent_code = LastFew(TangentCode)
