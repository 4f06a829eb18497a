"""The loop around the pieces of converged steps (`newton_shapes`), backwards, as LLVM reads it.

Several steps go forward at once, each in a lane of vectors, from the rows before them and the unknowns behind them.
Then each goes backwards alone, with

    p_bar + (dF/dp)^T w,        (dF/dz)^T w = -z_bar

(`newton_reverse`). Adjoints are sums: w is put together of corrections dw = -A^-T g, g being what is left of z_bar +
(dF/dz)^T w; each is handed on through the residual, whose reverse adds to g and to p_bar alike. A is factored, and
the equations of its transpose are solved, by kernels (`problems.transposed`).

From step to step w changes smoothly: it begins with what the steps behind say by a polynomial, the sum of w and its
backward differences there. What corrections are measured by, z_bar, is then g - A^T w. Where such a w is no better than
none, as behind a sample, differences begin anew. They stand behind the adjoints that they belong to.
"""

from __future__ import annotations

import struct

from linkwork.lanes.traced.adjoint_corrections import SMALL
from linkwork.lanes.traced.shapes_loops import COPY, LESS, MOVES, gathered, loop, one_lane, placed
from linkwork.lanes.traced.tangent_text import NEARLY, STALLED
from linkwork.status import Status

MOST = 60  # corrections of a step
DIFFERENCES = 6  # w of the step behind, and its differences there
FORWARD = ("before", "unheard", "behind", "shown")  # calls in a row, of two parts and more: `SEQUENCES` of each
BACKWARD = ("shown", "end", "residual", "solve", "begin")
STEPS = """
define BARS @square(ptr %bars, ptr %places, ptr %scales, ptr %more, double %times, i64 %n) {
entry:
  %one = insertelement BARS undef, double %times, i32 0
  %weight = shufflevector BARS %one, BARS undef, ZEROS
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi BARS [ zeroinitializer, %entry ], [ %with, %body ]
  %go = icmp slt i64 %i, %n
  br i1 %go, label %body, label %done
body:
  %p = getelementptr i32, ptr %places, i64 %i
  %word = load i32, ptr %p
  %far = sext i32 %word to i64
  %at = getelementptr BARS, ptr %bars, i64 %far
  %x = load BARS, ptr %at, align 8
  %m = getelementptr BARS, ptr %more, i64 %i
  %y = load BARS, ptr %m, align 8
  %z = fmul BARS %y, %weight
  %both = fadd BARS %x, %z
  %s = getelementptr BARS, ptr %scales, i64 %i
  %scale = load BARS, ptr %s, align 8
  %share = fmul BARS %both, %scale
  %of = fmul BARS %share, %both
  %with = fadd BARS %sum, %of
  %next = add i64 %i, 1
  br label %head
done:
  ret BARS %sum
}
define BARS @begin_w(ptr %context, ptr %here) {
entry:
  CONTEXT
  %order = load i64, ptr %known
  call void @predict(ptr %w, ptr %differences, i64 %order, i64 %many_corrections)
  %none = call i64 @backwards(ptr %back_end, i64 %many_back_end, ptr %here, ptr %bars)
  call void @less(ptr %bars, ptr %corrections, ptr %w, ptr %same, i64 %many_corrections)
  %solved = call i64 @backwards(ptr %back_solve, i64 %many_back_solve, ptr %here, ptr %bars)
  %also = call i64 @backwards(ptr %back_residual, i64 %many_back_residual, ptr %here, ptr %bars)
  %some = icmp sgt i64 %order, 0
  br i1 %some, label %product, label %done
product:
  call void @fill(ptr %right, i64 %many_unknowns)
  call void @hand(ptr %right, ptr %corrected, ptr %w, ptr %same, i64 %many_corrections)
  call void %multiply(ptr %results, i64 %table, i64 %words)
  br label %done
done:
  %given = phi double [ 0.0, %entry ], [ 1.0, %product ]
  %size = call BARS @square(ptr %bars, ptr %unknowns, ptr %scales, ptr %right, double %given, i64 %many_unknowns)
  ret BARS %size
}
define i64 @settle(ptr %context, ptr %here) {
entry:
  CONTEXT
  %of = call BARS @begin_w(ptr %context, ptr %here)
  %limit = fmul BARS %of, SMALL
  %near = fmul BARS %of, NEARLY
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %poor = phi i64 [ 0, %entry ], [ %poor_start, %again ]
  %last = phi BARS [ zeroinitializer, %entry ], [ %size, %again ]
  %size = call BARS @square(ptr %bars, ptr %unknowns, ptr %scales, ptr %right, double 0.0, i64 %many_unknowns)
  %begins = icmp eq i64 %i, 0
  %more = fcmp ogt BARS %size, %limit
  %before = fmul BARS %last, STALLED
  %shrinks = fcmp ole BARS %size, %before
  %far = fcmp oge BARS %size, %near
  %either = or ANSWERS %shrinks, %far
  %later = select i1 %begins, ANSWERS YES, ANSWERS %either
  %goes = and ANSWERS %more, %later
  %bits = bitcast ANSWERS %goes to BITS
  %go = icmp ne BITS %bits, 0
  %larger = fcmp ogt BARS %size, %of
  %worse = bitcast ANSWERS %larger to BITS
  %worse_start = icmp ne BITS %worse, 0
  %worse_word = zext i1 %worse_start to i64
  %poor_start = select i1 %begins, i64 %worse_word, i64 %poor
  %may = icmp slt i64 %i, MOST
  %both = and i1 %go, %may
  br i1 %both, label %again, label %done
again:
  call void @hand(ptr %right, ptr %same, ptr %bars, ptr %unknowns, i64 %many_unknowns)
  call void %solve(ptr %results, i64 %table, i64 %words)
  call void @add(ptr %w, ptr %same, ptr %right, ptr %corrected, i64 %many_corrections)
  call void @less(ptr %bars, ptr %corrections, ptr %right, ptr %corrected, i64 %many_corrections)
  %solved = call i64 @backwards(ptr %back_solve, i64 %many_back_solve, ptr %here, ptr %bars)
  %handed = call i64 @backwards(ptr %back_residual, i64 %many_back_residual, ptr %here, ptr %bars)
  %next = add i64 %i, 1
  br label %head
done:
  call void @differ(ptr %w, ptr %differences, i64 %many_corrections)
  %order = load i64, ptr %known
  %bad_start = icmp ne i64 %poor_start, 0
  %kept = select i1 %bad_start, i64 0, i64 %order
  %one_more = add i64 %kept, 1
  %full = icmp sgt i64 %one_more, DIFFERENCES
  %knows = select i1 %full, i64 DIFFERENCES, i64 %one_more
  store i64 %knows, ptr %known
  call void @take(ptr %aside, ptr %same, ptr %bars, ptr %unknowns, i64 %many_unknowns)
  %found = call i64 @backwards(ptr %back_begin, i64 %many_back_begin, ptr %here, ptr %bars)
  %left = zext i1 %go to i64
  ret i64 %left
}
define i64 @reverse(ptr %context, ptr %kept, ptr %seeds, i64 %steps, i64 %every, i64 %first, double %begin, double %h) {
entry:
  CONTEXT
  %before = sdiv i64 %first, %every
  SPREAD_H
  SPREAD_BEGIN
  br label %head
head:
  %last = phi i64 [ %steps, %entry ], [ %b, %over ]
  %bad = phi i64 [ 0, %entry ], [ %worse, %over ]
  %go = icmp sgt i64 %last, 0
  br i1 %go, label %block, label %done
block:
  BLOCK
  %place = mul i64 %b, %row
  %rows = getelementptr double, ptr %kept, i64 %place
  %apart = mul i64 %unit, %row
  call void @from_rows(ptr %room, ptr %state, ptr %rows, i64 %apart, i64 %row)
  %ends = getelementptr double, ptr %rows, i64 %row
  call void @from_rows(ptr %room, ptr %taken, ptr %ends, i64 %apart, i64 %many_taken)
  %k = add i64 %first, %b
  %n = call COUNTS @numbers(i64 %k, i64 %unit)
  %n1 = add COUNTS %n, ONES
  %n1d = sitofp COUNTS %n1 to VECTOR
  %n1h = fmul VECTOR %n1d, %hs
  %t = fadd VECTOR %begins, %n1h
  %time = getelementptr VECTOR, ptr %room, i64 %times
  store VECTOR %t, ptr %time, align 8
  %end = getelementptr VECTOR, ptr %time, i64 1
  store VECTOR %t, ptr %end, align 8
  %g0 = call i64 @forwards(ptr %before_calls, i64 %many_before, ptr %room)
  %g1 = call i64 @forwards(ptr %unheard_calls, i64 %many_unheard, ptr %room)
  %g2 = call i64 @forwards(ptr %behind_calls, i64 %many_behind, ptr %room)
  %next = add i64 %k, %many
  %shown0 = sdiv i64 %k, %every
  %shown1 = sdiv i64 %next, %every
  %some = icmp ne i64 %shown0, %shown1
  br i1 %some, label %show, label %lanes
show:
  %g = call i64 @forwards(ptr %shown_calls, i64 %many_shown, ptr %room)
  br label %lanes
lanes:
  %lane = phi i64 [ %many, %block ], [ %many, %show ], [ %l, %back ]
  %off = phi i64 [ 0, %block ], [ %g, %show ], [ %unsettled, %back ]
  ONE_STEP
back:
  call void @lane(ptr %values, ptr %here, ptr %matrix, i64 %entries)
  call void %factor(ptr %results, i64 %table, i64 %words)
  %status = load i64, ptr %results
  %failed = xor i64 %status, GOOD
  %left = call i64 @settle(ptr %context, ptr %here)
  %either = or i64 %off, %failed
  %unsettled = or i64 %either, %left
  %again = icmp sgt i64 %l, 0
  br i1 %again, label %lanes, label %over
over:
  %bad0 = or i64 %bad, %g0
  %bad1 = or i64 %bad0, %g2
  %worse = or i64 %bad1, %unsettled
  br label %head
done:
  ret i64 %bad
}
"""
CONTEXT = (
    ("room", "ptr"),
    ("bars", "ptr"),
    *(each for name in FORWARD for each in ((f"{name}_calls", "ptr"), (f"many_{name}", "i64"))),
    *(each for name in BACKWARD for each in ((f"back_{name}", "ptr"), (f"many_back_{name}", "i64"))),
    *((f"{of}_{name}", kind) for of in ("step", "shown") for name, kind in MOVES),
    ("unknowns", "ptr"),
    ("many_unknowns", "i64"),
    ("scales", "ptr"),
    ("corrections", "ptr"),
    ("corrected", "ptr"),
    ("many_corrections", "i64"),
    ("state", "ptr"),
    ("row", "i64"),
    ("taken", "ptr"),
    ("many_taken", "i64"),
    *((name, "ptr") for name in ("factor", "solve", "multiply", "results")),
    ("table", "i64"),
    ("words", "i64"),
    ("values", "ptr"),
    ("matrix", "ptr"),
    ("entries", "i64"),
    ("right", "ptr"),
    *((name, "ptr") for name in ("w", "differences", "known")),
    ("times", "i64"),
    ("same", "ptr"),
    ("aside", "ptr"),
)


WORDS = {name: k for k, (name, _) in enumerate(CONTEXT)}


def loops(lanes: int, sample: int) -> str:
    """All functions. sample : numbers of a sample."""

    def constant(value: float) -> str:
        return "<" + ", ".join([f"double 0x{struct.pack('>d', value).hex().upper()}"] * lanes) + ">"

    words = {
        "SAMPLE": str(lanes * sample), "BARS": f"<{lanes} x double>", "ANSWERS": f"<{lanes} x i1>",
        "BITS": f"i{lanes}", "YES": f"<{', '.join(['i1 1'] * lanes)}>", "SMALL": constant(SMALL**2),
        "STALLED": constant(STALLED**2), "NEARLY": constant(NEARLY**2), "MOST": str(MOST),
        "GOOD": str(int(Status.OK)), "MOVED": "step", "SEEN_CALLS": "back_shown",
        "SEEN_MANY": "many_back_shown", "DIFFERENCES": str(DIFFERENCES), "ZEROS": f"<{lanes} x i32> zeroinitializer",
    }  # fmt: skip
    bars = f"<{lanes} x double>"
    further = gathered("less", LESS, bars) + gathered("hand", COPY, bars) + one_lane("lane")
    return placed(further + _of_differences(bars) + STEPS, CONTEXT, lanes, words)


def _of_differences(bars: str) -> str:
    """predict(w, differences, order, n): the sum of the first so many. differ(w, differences, n): those of the next w.
    fill(right, n): zeros."""
    row = f"%d0 = getelementptr [{DIFFERENCES} x {bars}], ptr %differences, i64 %i"
    w = f"%w_at = getelementptr {bars}, ptr %w, i64 %i"
    predicted, differ = [w, row], [w, row, f"%x0 = load {bars}, ptr %w_at, align 8"]
    for k in range(DIFFERENCES):
        at = [f"%d{k}.at = getelementptr {bars}, ptr %d0, i64 {k}", f"%y{k} = load {bars}, ptr %d{k}.at, align 8"]
        before = f"%s{k - 1}" if k else "zeroinitializer"
        predicted += [*at, f"%given{k} = icmp sgt i64 %order, {k}"]
        predicted += [f"%t{k} = select i1 %given{k}, {bars} %y{k}, {bars} zeroinitializer"]
        predicted += [f"%s{k} = fadd {bars} {before}, %t{k}"]
        differ += [*at, f"store {bars} %x{k}, ptr %d{k}.at, align 8", f"%x{k + 1} = fsub {bars} %x{k}, %y{k}"]
    predicted.append(f"store {bars} %s{DIFFERENCES - 1}, ptr %w_at, align 8")
    to = f"%t = getelementptr {bars}, ptr %right, i64 %i"
    return (
        loop("predict", "ptr %w, ptr %differences, i64 %order", *predicted)
        + loop("differ", "ptr %w, ptr %differences", *differ)
        + loop("fill", "ptr %right", to, f"store {bars} zeroinitializer, ptr %t, align 8")
    )
