"""The loops around pieces (`shapes_code`), as LLVM reads them: steps forward and backwards.

What they work on stands in a table of addresses and counts, `CONTEXT`.
"""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.lanes.traced.reverse_code import TIMES

BARS = 1  # which of the numbers of a context is the address of adjoints
LOOPS = """
define i64 @forwards(ptr %calls, i64 %n, ptr %room) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %bad = phi i64 [ 0, %entry ], [ %with, %body ]
  %go = icmp slt i64 %i, %n
  br i1 %go, label %body, label %done
body:
  %at = mul i64 %i, 3
  %p = getelementptr i64, ptr %calls, i64 %at
  %f = load ptr, ptr %p
  %q = getelementptr i64, ptr %p, i64 2
  %table = load ptr, ptr %q
  %off = call i64 %f(ptr %room, ptr %table)
  %with = or i64 %bad, %off
  %next = add i64 %i, 1
  br label %head
done:
  ret i64 %bad
}
define i64 @backwards(ptr %calls, i64 %n, ptr %room, ptr %bars) {
entry:
  br label %head
head:
  %i = phi i64 [ %n, %entry ], [ %next, %body ]
  %go = icmp sgt i64 %i, 0
  br i1 %go, label %body, label %done
body:
  %next = sub i64 %i, 1
  %at = mul i64 %next, 3
  %p = getelementptr i64, ptr %calls, i64 %at
  %r = getelementptr i64, ptr %p, i64 1
  %f = load ptr, ptr %r
  %q = getelementptr i64, ptr %p, i64 2
  %table = load ptr, ptr %q
  call void %f(ptr %room, ptr %bars, ptr %table)
  br label %head
done:
  ret i64 0
}
"""
GATHER = """
define void @NAME(ptr %to, ptr %tos, ptr %from, ptr %froms, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %go = icmp slt i64 %i, %n
  br i1 %go, label %body, label %done
body:
  %a = getelementptr i32, ptr %tos, i64 %i
  %a0 = load i32, ptr %a
  %a1 = sext i32 %a0 to i64
  %b = getelementptr i32, ptr %froms, i64 %i
  %b0 = load i32, ptr %b
  %b1 = sext i32 %b0 to i64
  %t = getelementptr KIND, ptr %to, i64 %a1
  %f = getelementptr KIND, ptr %from, i64 %b1
  %x = load KIND, ptr %f, align 8
  DO
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""
COPY = "store KIND %x, ptr %t, align 8"
TAKE = """store KIND %x, ptr %t, align 8
  store KIND zeroinitializer, ptr %f, align 8"""
ADD = """%y = load KIND, ptr %t, align 8
  %z = fadd KIND %x, %y
  store KIND %z, ptr %t, align 8"""
STEPS = """
define i64 @step_forward(ptr %context, i64 %n, double %begin, double %h) {
entry:
  CONTEXT
  TIMES
  store double %tend, ptr %ends
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %go = icmp slt i64 %i, %many_shares
  br i1 %go, label %body, label %done
body:
  %share = getelementptr double, ptr %shares, i64 %i
  %s = load double, ptr %share
  %off = fmul double %s, %h
  %later = fadd double %t, %off
  %time = getelementptr double, ptr %times, i64 %i
  store double %later, ptr %time
  %next = add i64 %i, 1
  br label %head
done:
  %bad = call i64 @forwards(ptr %calls, i64 %many_calls, ptr %room)
  ret i64 %bad
}
define i64 @advance(ptr %context, ptr %kept, i64 %steps, i64 %first, double %begin, double %h) {
entry:
  CONTEXT
  br label %head
head:
  %s = phi i64 [ 0, %entry ], [ %next, %body ]
  %bad = phi i64 [ 0, %entry ], [ %with, %body ]
  %go = icmp slt i64 %s, %steps
  br i1 %go, label %body, label %done
body:
  %place = mul i64 %s, %states
  %to = getelementptr double, ptr %kept, i64 %place
  call void @copy(ptr %to, ptr %same, ptr %room, ptr %state, i64 %states)
  %k = add i64 %first, %s
  %off = call i64 @step_forward(ptr %context, i64 %k, double %begin, double %h)
  call void @copy(ptr %aside, ptr %same, ptr %room, ptr %step_whence, i64 %step_many)
  call void @copy(ptr %room, ptr %step_to, ptr %aside, ptr %same, i64 %step_many)
  %with = or i64 %bad, %off
  %next = add i64 %s, 1
  br label %head
done:
  ret i64 %bad
}
define i64 @reverse(ptr %context, ptr %kept, ptr %seeds, i64 %steps, i64 %every, i64 %first, double %begin, double %h) {
entry:
  CONTEXT
  %before = sdiv i64 %first, %every
  br label %head
head:
  %s = phi i64 [ %steps, %entry ], [ %next, %back ]
  %bad = phi i64 [ 0, %entry ], [ %with, %back ]
  %go = icmp sgt i64 %s, 0
  br i1 %go, label %body, label %done
body:
  %next = sub i64 %s, 1
  %place = mul i64 %next, %states
  %begins = getelementptr double, ptr %kept, i64 %place
  call void @copy(ptr %room, ptr %state, ptr %begins, ptr %same, i64 %states)
  %k = add i64 %first, %next
  %off = call i64 @step_forward(ptr %context, i64 %k, double %begin, double %h)
  %with = or i64 %bad, %off
  call void @take(ptr %aside, ptr %same, ptr %bars, ptr %back_to, i64 %back_many)
  call void @add(ptr %bars, ptr %back_whence, ptr %aside, ptr %same, i64 %back_moving)
  %k1 = add i64 %k, 1
  %over = srem i64 %k1, %every
  %due = icmp eq i64 %over, 0
  br i1 %due, label %show, label %back
show:
  %count = sdiv i64 %k1, %every
  %since = sub i64 %count, %before
  %row = sub i64 %since, 1
  %seed = mul i64 %row, SAMPLE
  %from = getelementptr double, ptr %seeds, i64 %seed
  %shown = call i64 @forwards(ptr %shown_calls, i64 %many_shown, ptr %room)
  call void @add(ptr %bars, ptr %shown_whence, ptr %from, ptr %shown_to, i64 %shown_moving)
  %none = call i64 @backwards(ptr %shown_calls, i64 %many_shown, ptr %room, ptr %bars)
  br label %back
back:
  %over_it = call i64 @backwards(ptr %calls, i64 %many_calls, ptr %room, ptr %bars)
  br label %head
done:
  ret i64 %bad
}
"""
MOVES = (("to", "ptr"), ("whence", "ptr"), ("many", "i64"), ("moving", "i64"))
CONTEXT = (
    ("room", "ptr"), ("bars", "ptr"), ("calls", "ptr"), ("many_calls", "i64"), ("shown_calls", "ptr"),
    ("many_shown", "i64"), *((f"{of}_{name}", kind) for of in ("step", "back", "shown") for name, kind in MOVES),
    ("shares", "ptr"), ("many_shares", "i64"), ("times", "ptr"), ("ends", "ptr"), ("same", "ptr"), ("aside", "ptr"),
    ("state", "ptr"), ("states", "i64"),
)  # fmt: skip


def _fields(base: str, fields: Iterable[tuple[str, str]]) -> str:
    lines = []
    for k, (name, kind) in enumerate(fields):
        lines += [f"%{name}.at = getelementptr i64, ptr {base}, i64 {k}", f"%{name} = load {kind}, ptr %{name}.at"]
    return "\n  ".join(lines)


def loops(lanes: int, sample: int) -> str:
    """The loops around shapes. sample : numbers of a sample."""
    wide = f"<{lanes} x double>"
    several = [("copy", COPY, "double"), ("take", TAKE, wide), ("add", ADD, wide)]
    out = [GATHER.replace("NAME", name).replace("DO", do).replace("KIND", kind) for name, do, kind in several]
    text = STEPS.replace("TIMES", TIMES).replace("CONTEXT", _fields("%context", CONTEXT))
    return "\n".join((LOOPS, *out, text.replace("SAMPLE", str(lanes * sample))))
