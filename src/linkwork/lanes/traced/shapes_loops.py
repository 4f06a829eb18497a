"""The loops around pieces (`shapes_code`), as LLVM reads them: parts of steps and steps, forward and backwards.

What they work on stands in tables of addresses and counts: `FIELDS` of a part, `CONTEXT` of the run.
"""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.lanes.traced.reverse_code import TIMES

# of a part: its calls and how many, values, what it overwrites, cells written and from where, how many from values and
# from cells, and of how many values, the first, adjoints are wanted
PART = 8
BARS = 1  # which of the numbers of a context is the address of adjoints
LOOPS = """
define i64 @forwards(ptr %calls, i64 %n, ptr %cells, ptr %values) {
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
  %off = call i64 %f(ptr %cells, ptr %values, ptr %table)
  %with = or i64 %bad, %off
  %next = add i64 %i, 1
  br label %head
done:
  ret i64 %bad
}
define void @backwards(ptr %calls, i64 %n, ptr %cells, ptr %values, ptr %cellbars, ptr %valuebars) {
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
  call void %f(ptr %cells, ptr %values, ptr %cellbars, ptr %valuebars, ptr %table)
  br label %head
done:
  ret void
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
PARTS = """
define i64 @part_forward(ptr %part, ptr %cells, ptr %same) {
  FIELDS
  %bad = call i64 @forwards(ptr %calls, i64 %n, ptr %cells, ptr %values)
  %many = add i64 %nv, %nc
  %from = getelementptr i32, ptr %moves, i64 %many
  %cellfrom = getelementptr i32, ptr %from, i64 %nv
  %celldst = getelementptr i32, ptr %moves, i64 %nv
  %aside = getelementptr double, ptr %undo, i64 %many
  call void @copy(ptr %undo, ptr %same, ptr %cells, ptr %moves, i64 %many)
  call void @copy(ptr %aside, ptr %same, ptr %cells, ptr %cellfrom, i64 %nc)
  call void @copy(ptr %cells, ptr %moves, ptr %values, ptr %from, i64 %nv)
  call void @copy(ptr %cells, ptr %celldst, ptr %aside, ptr %same, i64 %nc)
  ret i64 %bad
}
define void @part_back(ptr %part, ptr %cells, ptr %cellbars, ptr %valuebars, ptr %same, ptr %room) {
  FIELDS
  %many = add i64 %nv, %nc
  %from = getelementptr i32, ptr %moves, i64 %many
  call void @copy(ptr %cells, ptr %moves, ptr %undo, ptr %same, i64 %many)
  call void @take(ptr %room, ptr %same, ptr %cellbars, ptr %moves, i64 %many)
  call void @give(ptr %cellbars, ptr %valuebars, ptr %room, ptr %same, ptr %from, i64 %nv, i64 %nc, i64 %nm)
  call void @backwards(ptr %calls, i64 %n, ptr %cells, ptr %values, ptr %cellbars, ptr %valuebars)
  ret void
}
define void @give(ptr %cellbars, ptr %valuebars, ptr %seeds, ptr %which, ptr %from, i64 %nv, i64 %nc, i64 %nm) {
  call void @add(ptr %valuebars, ptr %from, ptr %seeds, ptr %which, i64 %nm)
  %cellfrom = getelementptr i32, ptr %from, i64 %nv
  %cellwhich = getelementptr i32, ptr %which, i64 %nv
  call void @add(ptr %cellbars, ptr %cellfrom, ptr %seeds, ptr %cellwhich, i64 %nc)
  ret void
}
define void @sample_back(ptr %part, ptr %cells, ptr %cellbars, ptr %valuebars, ptr %seeds) {
  FIELDS
  %bad = call i64 @forwards(ptr %calls, i64 %n, ptr %cells, ptr %values)
  %many = add i64 %nv, %nc
  %from = getelementptr i32, ptr %moves, i64 %many
  call void @give(ptr %cellbars, ptr %valuebars, ptr %seeds, ptr %moves, ptr %from, i64 %nv, i64 %nc, i64 %nm)
  call void @backwards(ptr %calls, i64 %n, ptr %cells, ptr %values, ptr %cellbars, ptr %valuebars)
  ret void
}
define void @set_times(ptr %times, ptr %share, double %t, double %end, double %h) {
  %s = load double, ptr %share
  %off = fmul double %s, %h
  %later = fadd double %t, %off
  %last = fcmp olt double %s, 0.0
  %at = select i1 %last, double %end, double %later
  store double %at, ptr %times
  %behind = getelementptr double, ptr %times, i64 1
  store double %end, ptr %behind
  ret void
}
define i64 @step_forward(ptr %context, i64 %n, double %begin, double %h) {
entry:
  CONTEXT
  TIMES
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %bad = phi i64 [ 0, %entry ], [ %with, %body ]
  %go = icmp slt i64 %i, %parts
  br i1 %go, label %body, label %done
body:
  %share = getelementptr double, ptr %shares, i64 %i
  call void @set_times(ptr %times, ptr %share, double %t, double %tend, double %h)
  %p = mul i64 %i, PART
  %part = getelementptr i64, ptr %rows, i64 %p
  %off = call i64 @part_forward(ptr %part, ptr %cells, ptr %same)
  %with = or i64 %bad, %off
  %next = add i64 %i, 1
  br label %head
done:
  ret i64 %bad
}
define void @step_back(ptr %context, i64 %n, double %begin, double %h) {
entry:
  CONTEXT
  TIMES
  br label %head
head:
  %i = phi i64 [ %parts, %entry ], [ %next, %body ]
  %go = icmp sgt i64 %i, 0
  br i1 %go, label %body, label %done
body:
  %next = sub i64 %i, 1
  %share = getelementptr double, ptr %shares, i64 %next
  call void @set_times(ptr %times, ptr %share, double %t, double %tend, double %h)
  %p = mul i64 %next, PART
  %part = getelementptr i64, ptr %rows, i64 %p
  call void @part_back(ptr %part, ptr %cells, ptr %cellbars, ptr %valuebars, ptr %same, ptr %room)
  br label %head
done:
  ret void
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
  call void @copy(ptr %to, ptr %same, ptr %cells, ptr %state, i64 %states)
  %k = add i64 %first, %s
  %off = call i64 @step_forward(ptr %context, i64 %k, double %begin, double %h)
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
  call void @copy(ptr %cells, ptr %state, ptr %begins, ptr %same, i64 %states)
  %k = add i64 %first, %next
  %off = call i64 @step_forward(ptr %context, i64 %k, double %begin, double %h)
  %with = or i64 %bad, %off
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
  %last = mul i64 %parts, PART
  %sample = getelementptr i64, ptr %rows, i64 %last
  call void @sample_back(ptr %sample, ptr %cells, ptr %cellbars, ptr %valuebars, ptr %from)
  br label %back
back:
  call void @step_back(ptr %context, i64 %k, double %begin, double %h)
  br label %head
done:
  ret i64 %bad
}
"""
FIELDS = (
    ("calls", "ptr"),
    ("n", "i64"),
    ("values", "ptr"),
    ("undo", "ptr"),
    ("moves", "ptr"),
    ("nv", "i64"),
    ("nc", "i64"),
    ("nm", "i64"),
)
CONTEXT = (
    ("cells", "ptr"), ("cellbars", "ptr"), ("valuebars", "ptr"), ("rows", "ptr"), ("parts", "i64"), ("shares", "ptr"),
    ("times", "ptr"), ("same", "ptr"), ("room", "ptr"), ("state", "ptr"), ("states", "i64"),
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
    text = (
        PARTS.replace("TIMES", TIMES)
        .replace("FIELDS", _fields("%part", FIELDS))
        .replace("CONTEXT", _fields("%context", CONTEXT))
    )
    return "\n".join((LOOPS, *out, text.replace("PART", str(PART)).replace("SAMPLE", str(lanes * sample))))
