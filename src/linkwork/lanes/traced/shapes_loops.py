"""The loops around pieces (`shapes_code`), as LLVM reads them: steps forward and backwards.

Forward, several steps go at once, each in a lane of vectors. On the way back their states are known, so that none waits
for another; a tape is filled from several places of the run at once. Adjoints go from step to step.

What loops work on stands in a table of addresses and counts, `CONTEXT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from linkwork.lanes.traced.shape_text import ROOM, WIDE

BARS = 1  # which of the numbers of a context is the address of adjoints
FORWARDS = """
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
LOOP = """
define void @NAME(ARGUMENTS, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %go = icmp slt i64 %i, %n
  br i1 %go, label %body, label %done
body:
  BODY
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""
# from where and to where, by tables of places
GATHERED = "ptr %to, ptr %tos, ptr %from, ptr %froms"
COPY = "store KIND %x, ptr %t, align 8"
TAKE = """store KIND %x, ptr %t, align 8
  store KIND zeroinitializer, ptr %f, align 8"""
ADD = """%y = load KIND, ptr %t, align 8
  %z = fadd KIND %x, %y
  store KIND %z, ptr %t, align 8"""
LESS = ADD.replace("fadd KIND %x, %y", "fsub KIND %y, %x")
# numbers of the room, the lanes of which stand in rows `apart` doubles behind each other
ROWS = "ptr %room, ptr %places, ptr %rows, i64 %apart"
NUMBERS = """
define COUNTS @numbers(i64 %first, i64 %apart) {
  SPREAD_FIRST
  SPREAD_APART
  %along = mul COUNTS %aparts, LANES
  %n = add COUNTS %firsts, %along
  ret COUNTS %n
}
"""
# several steps while there are enough of them, else one
BLOCK = """%rest = srem i64 %last, WIDE
  %full = icmp eq i64 %rest, 0
  %many = select i1 %full, i64 WIDE, i64 1
  %unit = select i1 %full, i64 1, i64 0
  %b = sub i64 %last, %many"""
# behind a step, in its lane: adjoints of cells go to what they hold, and seeds are added where a sample is due
ONE_STEP = """%l = sub i64 %lane, 1
  %here = getelementptr double, ptr %room, i64 %l
  call void @take(ptr %aside, ptr %same, ptr %bars, ptr %MOVED_to, i64 %MOVED_many)
  call void @add(ptr %bars, ptr %MOVED_whence, ptr %aside, ptr %same, i64 %MOVED_moving)
  %k1 = add i64 %k, %lane
  %late = srem i64 %k1, %every
  %due = icmp eq i64 %late, 0
  br i1 %due, label %shown, label %back
shown:
  %count = sdiv i64 %k1, %every
  %since = sub i64 %count, %before
  %which = sub i64 %since, 1
  %seed = mul i64 %which, SAMPLE
  %from = getelementptr double, ptr %seeds, i64 %seed
  call void @add(ptr %bars, ptr %shown_whence, ptr %from, ptr %shown_to, i64 %shown_moving)
  %handed_on = call i64 @backwards(ptr %SEEN_CALLS, i64 %SEEN_MANY, ptr %here, ptr %bars)
  br label %back"""
STEPS = """
define i64 @step_forward(ptr %context, COUNTS %n, double %begin, double %h) {
entry:
  CONTEXT
  SPREAD_H
  SPREAD_BEGIN
  %n1 = add COUNTS %n, ONES
  %nd = sitofp COUNTS %n to VECTOR
  %n1d = sitofp COUNTS %n1 to VECTOR
  %nh = fmul VECTOR %nd, %hs
  %n1h = fmul VECTOR %n1d, %hs
  %t = fadd VECTOR %begins, %nh
  %tend = fadd VECTOR %begins, %n1h
  %ending = getelementptr VECTOR, ptr %room, i64 %ends
  store VECTOR %tend, ptr %ending, align 8
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %go = icmp slt i64 %i, %many_shares
  br i1 %go, label %body, label %done
body:
  %share = getelementptr double, ptr %shares, i64 %i
  %s = load double, ptr %share
  %off = fmul double %s, %h
  SPREAD_OFF
  %later = fadd VECTOR %t, %offs
  %which = add i64 %times, %i
  %time = getelementptr VECTOR, ptr %room, i64 %which
  store VECTOR %later, ptr %time, align 8
  %next = add i64 %i, 1
  br label %head
done:
  %bad = call i64 @forwards(ptr %calls, i64 %many_calls, ptr %room)
  ret i64 %bad
}
define i64 @advance(ptr %context, ptr %kept, ptr %begun, i64 %steps, i64 %far, i64 %first, double %begin, double %h) {
entry:
  CONTEXT
  call void @from_rows(ptr %room, ptr %same, ptr %begun, i64 %cells, i64 %cells)
  %apart = mul i64 %far, %states
  %n0 = call COUNTS @numbers(i64 %first, i64 %far)
  br label %head
head:
  %s = phi i64 [ 0, %entry ], [ %next, %body ]
  %n = phi COUNTS [ %n0, %entry ], [ %n1, %body ]
  %bad = phi i64 [ 0, %entry ], [ %with, %body ]
  %go = icmp slt i64 %s, %steps
  br i1 %go, label %body, label %done
body:
  %row = mul i64 %s, %states
  %to = getelementptr double, ptr %kept, i64 %row
  call void @to_rows(ptr %room, ptr %state, ptr %to, i64 %apart, i64 %states)
  %off = call i64 @step_forward(ptr %context, COUNTS %n, double %begin, double %h)
  call void @copy(ptr %aside, ptr %same, ptr %room, ptr %step_whence, i64 %step_many)
  call void @copy(ptr %room, ptr %step_to, ptr %aside, ptr %same, i64 %step_many)
  %with = or i64 %bad, %off
  %next = add i64 %s, 1
  %n1 = add COUNTS %n, ONES
  br label %head
done:
  call void @to_rows(ptr %room, ptr %same, ptr %begun, i64 %cells, i64 %cells)
  ret i64 %bad
}
define i64 @reverse(ptr %context, ptr %kept, ptr %seeds, i64 %steps, i64 %every, i64 %first, double %begin, double %h) {
entry:
  CONTEXT
  %before = sdiv i64 %first, %every
  br label %head
head:
  %last = phi i64 [ %steps, %entry ], [ %b, %back ]
  %bad = phi i64 [ 0, %entry ], [ %with, %back ]
  %go = icmp sgt i64 %last, 0
  br i1 %go, label %block, label %done
block:
  BLOCK
  %place = mul i64 %b, %states
  %rows = getelementptr double, ptr %kept, i64 %place
  %apart = mul i64 %unit, %states
  call void @from_rows(ptr %room, ptr %state, ptr %rows, i64 %apart, i64 %states)
  %k = add i64 %first, %b
  %n = call COUNTS @numbers(i64 %k, i64 %unit)
  %off = call i64 @step_forward(ptr %context, COUNTS %n, double %begin, double %h)
  %with = or i64 %bad, %off
  %behind = add i64 %k, %many
  %shown0 = sdiv i64 %k, %every
  %shown1 = sdiv i64 %behind, %every
  %some = icmp ne i64 %shown0, %shown1
  br i1 %some, label %show, label %lanes
show:
  %none = call i64 @forwards(ptr %shown_calls, i64 %many_shown, ptr %room)
  br label %lanes
lanes:
  %lane = phi i64 [ %many, %block ], [ %many, %show ], [ %l, %back ]
  ONE_STEP
back:
  %over_all = call i64 @backwards(ptr %calls, i64 %many_calls, ptr %here, ptr %bars)
  %again = icmp sgt i64 %l, 0
  br i1 %again, label %lanes, label %head
done:
  ret i64 %bad
}
"""
MOVES = (("to", "ptr"), ("whence", "ptr"), ("many", "i64"), ("moving", "i64"))
CONTEXT = (
    ("room", "ptr"), ("bars", "ptr"), ("calls", "ptr"), ("many_calls", "i64"), ("shown_calls", "ptr"),
    ("many_shown", "i64"), *((f"{of}_{name}", kind) for of in ("step", "back", "shown") for name, kind in MOVES),
    ("shares", "ptr"), ("many_shares", "i64"), ("times", "i64"), ("ends", "i64"), ("same", "ptr"), ("aside", "ptr"),
    ("state", "ptr"), ("states", "i64"), ("cells", "i64"),
)  # fmt: skip


def _fields(base: str, fields: Iterable[tuple[str, str]]) -> str:
    lines = []
    for k, (name, kind) in enumerate(fields):
        lines += [f"%{name}.at = getelementptr i64, ptr {base}, i64 {k}", f"%{name} = load {kind}, ptr %{name}.at"]
    return "\n  ".join(lines)


def _over_lanes(lines: str, behind: str = "") -> str:
    """These lines for each lane, LANE, and its next, and what stands behind them."""
    every = (lines.replace("NEXT", str(lane + 1)).replace("LANE", str(lane)) for lane in range(WIDE))
    return "\n  ".join((*every, behind))


def _spread(kind: str, name: str, value: str) -> str:
    """All lanes of a vector are this value."""
    vector = f"<{WIDE} x {kind}>"
    zeros = f"<{WIDE} x i32> zeroinitializer"
    return f"""%{name}.one = insertelement {vector} undef, {kind} {value}, i32 0
  %{name} = shufflevector {vector} %{name}.one, {vector} undef, {zeros}"""


def loop(name: str, arguments: str, *body: str) -> str:
    """A loop over n numbers."""
    text = LOOP.replace("NAME", name).replace("ARGUMENTS", arguments)
    return text.replace("BODY", "\n  ".join(body))


def _place(name: str, table: str, room: str, kind: str) -> str:
    """The address of what a table says."""
    return f"""%{name}.at = getelementptr i32, ptr %{table}, i64 %i
  %{name}.word = load i32, ptr %{name}.at
  %{name}.far = sext i32 %{name}.word to i64
  %{name} = getelementptr {kind}, ptr %{room}, i64 %{name}.far"""


def gathered(name: str, do: str, kind: str) -> str:
    """A loop that does this with each number."""
    load = f"%x = load {kind}, ptr %f, align 8"
    places = _place("t", "tos", "to", kind), _place("f", "froms", "from", kind)
    return loop(name, GATHERED, *places, load, do.replace("KIND", kind))


def one_lane(name: str) -> str:
    """A loop that takes one lane of numbers of the room, whose address it gets."""
    to = "%t = getelementptr double, ptr %to, i64 %i"
    do = "%x = load double, ptr %f, align 8", "store double %x, ptr %t, align 8"
    return loop(name, "ptr %to, ptr %from, ptr %froms", _place("f", "froms", "from", ROOM), to, *do)


def _rows() -> str:
    """Lanes of the room from rows, and into these."""
    into = """%x_LANE = load double, ptr %rowLANE, align 8
  %vNEXT = insertelement VECTOR %vLANE, double %x_LANE, i32 LANE
  %rowNEXT = getelementptr double, ptr %rowLANE, i64 %apart"""
    out = """%x_LANE = extractelement VECTOR %v, i32 LANE
  store double %x_LANE, ptr %rowLANE, align 8
  %rowNEXT = getelementptr double, ptr %rowLANE, i64 %apart"""
    head = _place("at", "places", "room", ROOM), "%row0 = getelementptr double, ptr %rows, i64 %i"
    stored = _over_lanes(into, f"store VECTOR %v{WIDE}, ptr %at, align 8").replace("%v0,", "undef,")
    taken = "%v = load VECTOR, ptr %at, align 8", _over_lanes(out)
    return loop("from_rows", ROWS, *head, stored) + loop("to_rows", ROWS, *head, *taken)


def loops(lanes: int, sample: int) -> str:
    """The loops around shapes. sample : numbers of a sample."""
    words = {"SAMPLE": str(lanes * sample), "MOVED": "back", "SEEN_CALLS": "shown_calls", "SEEN_MANY": "many_shown"}
    return placed(STEPS, CONTEXT, lanes, words)


def placed(steps: str, context: Iterable[tuple[str, str]], lanes: int, further: Mapping[str, str]) -> str:
    """Functions of steps behind those that they call. context : what the table has whose address they get. further :
    word in their text -> what it stands for."""
    bars = f"<{lanes} x double>"
    out = [gathered("copy", COPY, ROOM), gathered("take", TAKE, bars), gathered("add", ADD, bars)]
    several = {
        "ONE_STEP": ONE_STEP,
        **further,
        "CONTEXT": _fields("%context", context),
        "SPREAD_H": _spread("double", "hs", "%h"),
        "SPREAD_BEGIN": _spread("double", "begins", "%begin"),
        "SPREAD_OFF": _spread("double", "offs", "%off"),
        "SPREAD_FIRST": _spread("i64", "firsts", "%first"),
        "SPREAD_APART": _spread("i64", "aparts", "%apart"),
        "BLOCK": BLOCK,
        "ONES": f"<{', '.join(['i64 1'] * WIDE)}>",
        "LANES": f"<{', '.join(f'i64 {lane}' for lane in range(WIDE))}>",
        "COUNTS": f"<{WIDE} x i64>",
        "VECTOR": ROOM,
        "WIDE": str(WIDE),
    }
    text = "\n".join((FORWARDS, *out, _rows(), NUMBERS, steps))
    for name, what in several.items():
        text = text.replace(name, what)
    return text
