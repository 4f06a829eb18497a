"""Machine code that goes back through the converged steps of an implicit method.

A step's unknowns z solve F(z, p) = 0, p being the state before and the numbers of the mechanism. What follows from the
step hands adjoints to z and p; those of p are, by the implicit function theorem,

    p_bar + (dF/dp)^T w,        (dF/dz)^T w = -z_bar,

and w comes by corrections w <- w - A^-T (z_bar + (dF/dz)^T w), A being the matrix of Newton's method formed at the
converged state. Both transposes are the reverse of what was recorded: of the residual, and of the solution of the
linear equations.

Where rows depend on others (`traced.shared_reactions`), the multipliers of dropped rows are those that were predicted:
adjoints of theirs go to the prediction. How rows depend on each other, by which reactions are shared behind the step,
was found at the predicted pose, and is followed back to there.

Memory: `cells` has the numbers of a step four times, as they are before it, before the residual, before the linear
equations and behind them; with dependent rows twice more, before the rows at the predicted pose and behind these.
`bars` has three times as many adjoints: those so far, those with w handed on, and w itself where the residual stands,
with the right side in the place of the corrections; then two norms.
"""

from __future__ import annotations

import ctypes

from linkwork.lanes.traced.adjoint_corrections import corrections_of
from linkwork.lanes.traced.machine_code import LastFew, Text, declarations
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.tangent_code import SHARED, UNSHARE, RunCode, take_text
from linkwork.lanes.traced.tangent_steps import SAMPLE, RecordedTangents

COPIES, OF_SHARING, OF_BARS, NORMS = 4, 2, 3, 2
SHARING_PARTS = ("rows", "products", "combine", "unshare")
MOST = 60  # corrections of a step
BACKWARD = """
define i64 @backward(ptr noalias %cells, ptr noalias %bars, ptr noalias %tape, ptr noalias %seeds, ptr noalias %out,
                     i64 %steps, i64 %every, i64 %first, double %begin, double %h) {
entry:
  %before = sdiv i64 %first, %every
  %c1 = getelementptr double, ptr %cells, i64 SIZE
  %c2 = getelementptr double, ptr %c1, i64 SIZE
  %c3 = getelementptr double, ptr %c2, i64 SIZE
  %with = getelementptr double, ptr %bars, i64 BARS
  %w = getelementptr double, ptr %with, i64 BARS
  %norms = getelementptr double, ptr %w, i64 BARS
  br label %next
next:
  %s = phi i64 [ %steps, %entry ], [ %s0, %over ]
  %so_far = phi i64 [ 0, %entry ], [ %bad, %over ]
  %more = icmp sgt i64 %s, 0
  br i1 %more, label %step, label %done
step:
  %s0 = sub i64 %s, 1
  %n1 = add i64 %first, %s
  %n1d = sitofp i64 %n1 to double
  %n1h = fmul double %n1d, %h
  %t = fadd double %begin, %n1h
  %at = mul i64 %s, KEPT
  %now = getelementptr double, ptr %tape, i64 %at
  %at0 = mul i64 %s0, KEPT
  %then = getelementptr double, ptr %tape, i64 %at0
  %rest = srem i64 %n1, %every
  %due = icmp eq i64 %rest, 0
  br i1 %due, label %show, label %forth
show:
  %count = sdiv i64 %n1, %every
  %since = sub i64 %count, %before
  %row = sub i64 %since, 1
  %seed = mul i64 %row, SEEDS
  %from = getelementptr double, ptr %seeds, i64 %seed
  call void @take(ptr %c3, ptr %now)
  SAMPLE
  %shown = or i64 %so_far, %seen
  call void @back_sample(ptr %c3, ptr %bars, ptr %from, double %t, double %t)
  br label %forth
forth:
  %bad0 = phi i64 [ %so_far, %step ], [ %shown, %show ]
  call void @take(ptr %cells, ptr %then)
  SHARED
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c1, ptr align 8 %cells, i64 BYTES, i1 false)
  %g0 = call i64 @begin(ptr %c1, ptr null, double %t, double %t)
  DEPENDENCE
  call void @take_unknowns(ptr %c1, ptr %now)
  UNSHARE
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c2, ptr align 8 %c1, i64 BYTES, i1 false)
  %g1 = call i64 @residual(ptr %c2, ptr null, double %t, double %t)
  %g2 = call i64 @matrix(ptr %c2, ptr null, double %t, double %t)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c3, ptr align 8 %c2, i64 BYTES, i1 false)
  SOLVE
  call void @back_end(ptr %c3, ptr %bars, ptr null, double %t, double %t)
  END
  call void @first(ptr %w)
  br label %correct
correct:
  %i = phi i64 [ 0, %forth ], [ %i1, %again ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %with, ptr align 8 %bars, i64 BAR_BYTES, i1 false)
  call void @hand(ptr %with, ptr %w)
  call void @back_residual(ptr %c1, ptr %with, ptr null, double %t, double %t)
  %go = call i64 @left(ptr %with, ptr %w, ptr %norms, ptr %cells, i64 %i)
  %i1 = add i64 %i, 1
  %goes = icmp ne i64 %go, 0
  %may = icmp slt i64 %i1, MOST
  %both = and i1 %goes, %may
  br i1 %both, label %again, label %over
again:
  call void @back_solve(ptr %c2, ptr %w, ptr null, double %t, double %t)
  br label %correct
over:
  %bad1 = or i64 %bad0, %begun
  %bad2 = or i64 %bad1, %g1
  %bad3 = or i64 %bad2, %go
  %bad = or i64 %bad3, %g4
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %bars, ptr align 8 %with, i64 BAR_BYTES, i1 false)
  call void @solved(ptr %bars)
  BACK
  call void @back_begin(ptr %cells, ptr %bars, ptr null, double %t, double %t)
  br label %next
done:
  ret i64 %so_far
}
"""
# how rows depend on others, at the predicted pose: as tangents go through it, and backwards
SHARING = {
    "SHARED": SHARED,
    "DEPENDENCE": """%c4 = getelementptr double, ptr %c3, i64 SIZE
  %c5 = getelementptr double, ptr %c4, i64 SIZE
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c4, ptr align 8 %c1, i64 BYTES, i1 false)
  %g5 = call i64 @rows(ptr %c1, ptr null, double %t, double %t)
  %g6 = call i64 @products(ptr %c1, ptr null, double %t, double %t)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %c5, ptr align 8 %c1, i64 BYTES, i1 false)
  %g7 = call i64 @combine(ptr %c1, ptr null, double %t, double %t)
  %begun = or i64 %g0, %g6""",
    "UNSHARE": UNSHARE.replace("%cells", "%c1"),
    "BACK": """call void @back_combine(ptr %c5, ptr %bars, ptr null, double %t, double %t)
  call void @back_rows(ptr %c4, ptr %bars, ptr null, double %t, double %t)""",
}
ALONE = {"SHARED": "", "DEPENDENCE": "%begun = or i64 %g0, 0", "UNSHARE": "", "BACK": ""}


def copies_of(recorded: RecordedTangents) -> int:
    """How often `cells` has the numbers of a step."""
    return COPIES + (OF_SHARING if recorded.shared else 0)


def text_of(recorded: RecordedTangents, places: dict[int, int], moving: frozenset[int], lanes: int) -> str:
    """All functions.

    places : cell -> its number in `cells`, and its adjoint's in `bars`. moving : cells that move, in any step.
    lanes : functions at once."""
    parts, out = recorded.parts, list[str]()
    residual, aside = frozenset(recorded.residual), frozenset((*recorded.residual, *recorded.corrections))
    stored = {name: {places[k]: one.found[k] for k in recorded.left[name]} for name, one in parts.items()}
    calls = _calls_where_needed(recorded)
    nothing = {SAMPLE: "%seen = or i64 0, 0", "solve": "", "end": "%g4 = or i64 0, 0"}
    sharing, backwards = (SHARING_PARTS, ("rows", "combine")) if recorded.shared else ((), ())
    for name in ("begin", *sharing, "residual", "matrix", *(name for name, call in calls.items() if call)):
        one = parts[name]
        out.append(Text(one, 1, places).function(name, stored[name], (), one.live(stored[name].values())))
    for name in ("begin", *backwards, "residual", "end", SAMPLE):
        text = ReverseText(parts[name], places, lanes, moving - aside)
        out.append(text.backward(f"back_{name}", stored[name], parts[name].samples))
    corrections = {places[k]: parts["solve"].found[k] for k in recorded.corrections if k in recorded.left["solve"]}
    out.append(ReverseText(parts["solve"], places, lanes, residual).backward("back_solve", corrections, ()))
    out += [corrections_of(recorded, places, lanes), *take_text(recorded, places)]
    out.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    out += dict.fromkeys(line for width in {1, lanes} for line in declarations(width))
    size = len(places)
    several = {
        **(SHARING if recorded.shared else ALONE),
        **{name.upper(): call or nothing[name] for name, call in calls.items()},
        "SIZE": size, "BAR_BYTES": 8 * size * lanes, "BARS": size * lanes, "BYTES": 8 * size, "MOST": MOST,
        "KEPT": len(recorded.kept), "SEEDS": lanes * len(parts[SAMPLE].samples),
    }  # fmt: skip
    loop = BACKWARD
    for name, what in several.items():
        loop = loop.replace(name, str(what))
    return "\n".join((*out, loop))


def _calls_where_needed(recorded: RecordedTangents) -> dict[str, str]:
    """Parts that only some runs need: those whose guards are to be heard, and the linear equations' solution where
    something of it is read later."""
    end, sample, calls = recorded.parts["end"], recorded.parts[SAMPLE], dict.fromkeys((SAMPLE, "solve", "end"), "")
    if sample.graph.guards:
        calls[SAMPLE] = "%seen = call i64 @sample(ptr %c3, ptr %out, double %t, double %t)"
    if recorded.left["solve"] & end.cells_read(end.found[k] for k in recorded.left["end"]):
        calls["solve"] = "%g3 = call i64 @solve(ptr %c3, ptr null, double %t, double %t)"
    if end.graph.guards:
        calls["end"] = "%g4 = call i64 @end(ptr %c3, ptr null, double %t, double %t)"
    return calls


class NewtonReverse(RunCode):
    """Also back_sample(cells, bars, seeds, t, t), and
    backward(cells, bars, tape, seeds, out, steps, every, first, begin, h), which returns whether all went as
    recorded."""

    def __init__(self, functions: str) -> None:
        super().__init__(functions)
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self.back_sample = self.function("back_sample", None, *[pointer] * 3, double, double)
        self.backward = self.function("backward", count, *[pointer] * 5, *[count] * 3, double, double)


newton_reverse = LastFew(NewtonReverse)
