"""What `adaptive_reverse_code` is made of: recorded parts and their reverses (`reverse`), and the loops around them.

Forwards all cells are kept with which a step begins, and which operations follow. Backwards a step is taken again from
there, with all cells before each part, and its parts are followed from the last to the first.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.adaptive_code import CODES, STOP, forwards
from linkwork.lanes.traced.adaptive_steps import SAMPLE, STAGES, AdaptiveRecord
from linkwork.lanes.traced.machine_code import Text
from linkwork.lanes.traced.reverse import ReverseText

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
# what stands in `words` behind what `advance` has there: places in memory, and numbers
WORDS = {
    name: 3 + k
    for k, name in enumerate(("LOGGED", "LOG", "MOST_LOGGED", "ROWS", "ROW", "MOST_ROWS", "INDEX", "FIRST", "SAMPLES"))
}
WORDS["EVERY"] = STOP + 1
KEEP = """
define void @noted(ptr noalias %cells, ptr noalias %words, i64 %code) {
entry:
  %begins = call i1 @begins(i64 %code)
  br i1 %begins, label %row, label %told
row:
  %at_rows = getelementptr i64, ptr %words, i64 AT_ROWS
  %rows = load i64, ptr %at_rows
  %at_most = getelementptr i64, ptr %words, i64 AT_MOST_ROWS
  %most = load i64, ptr %at_most
  %at_every = getelementptr i64, ptr %words, i64 AT_EVERY
  %every = load i64, ptr %at_every
  %kept_rows = sdiv i64 %rows, %every
  %over_rows = srem i64 %rows, %every
  %due = icmp eq i64 %over_rows, 0
  %fits = icmp slt i64 %kept_rows, %most
  %room = and i1 %due, %fits
  br i1 %room, label %keep, label %kept
keep:
  %at_row = getelementptr i64, ptr %words, i64 AT_ROW
  %row_word = load i64, ptr %at_row
  %row_base = inttoptr i64 %row_word to ptr
  %row_place = mul i64 %kept_rows, SIZE
  %row_to = getelementptr double, ptr %row_base, i64 %row_place
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %row_to, ptr align 8 %cells, i64 BYTES, i1 false)
  %at_logged0 = getelementptr i64, ptr %words, i64 AT_LOGGED
  %logged0 = load i64, ptr %at_logged0
  %at_index = getelementptr i64, ptr %words, i64 AT_INDEX
  %index_word = load i64, ptr %at_index
  %index_base = inttoptr i64 %index_word to ptr
  %index_to = getelementptr i64, ptr %index_base, i64 %kept_rows
  store i64 %logged0, ptr %index_to
  %at_samples0 = getelementptr i64, ptr %words, i64 AT_SAMPLES
  %samples0 = load i64, ptr %at_samples0
  %at_first = getelementptr i64, ptr %words, i64 AT_FIRST
  %first_word = load i64, ptr %at_first
  %first_base = inttoptr i64 %first_word to ptr
  %first_to = getelementptr i64, ptr %first_base, i64 %kept_rows
  store i64 %samples0, ptr %first_to
  br label %kept
kept:
  %rows1 = add i64 %rows, 1
  store i64 %rows1, ptr %at_rows
  br label %told
told:
  %is_sample = icmp eq i64 %code, SAMPLE_CODE
  %one = zext i1 %is_sample to i64
  %at_samples = getelementptr i64, ptr %words, i64 AT_SAMPLES
  %samples = load i64, ptr %at_samples
  %samples1 = add i64 %samples, %one
  store i64 %samples1, ptr %at_samples
  %at_logged = getelementptr i64, ptr %words, i64 AT_LOGGED
  %logged = load i64, ptr %at_logged
  %at_most_logged = getelementptr i64, ptr %words, i64 AT_MOST_LOGGED
  %most_logged = load i64, ptr %at_most_logged
  %space = icmp slt i64 %logged, %most_logged
  br i1 %space, label %write, label %over
write:
  %at_log = getelementptr i64, ptr %words, i64 AT_LOG
  %log_word = load i64, ptr %at_log
  %log_base = inttoptr i64 %log_word to ptr
  %log_to = getelementptr i64, ptr %log_base, i64 %logged
  store i64 %code, ptr %log_to
  br label %over
over:
  %logged1 = add i64 %logged, 1
  store i64 %logged1, ptr %at_logged
  ret void
}
define i1 @begins(i64 %code) {
  %any = icmp eq i64 %code, STAGES_CODE
  ret i1 %any
}
"""
# work : (parts, 2) function, and sample or -1; buffer : (parts, SIZE) cells before each
BACK = """
define void @back(ptr noalias %rows, ptr noalias %log, ptr noalias %index, ptr noalias %first, i64 %from, i64 %steps,
                  i64 %logged, ptr noalias %cells, ptr noalias %buffer, ptr noalias %work, ptr noalias %bars,
                  ptr noalias %seeds, ptr noalias %times, ptr noalias %out) {
entry:
  br label %next
next:
  %s1 = phi i64 [ %steps, %entry ], [ %s, %followed ]
  %more = icmp sgt i64 %s1, %from
  br i1 %more, label %step, label %done
step:
  %s = sub i64 %s1, 1
  %row_place = mul i64 %s, SIZE
  %row = getelementptr double, ptr %rows, i64 %row_place
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %cells, ptr align 8 %row, i64 BYTES, i1 false)
  %at_begin = getelementptr i64, ptr %index, i64 %s
  %begin = load i64, ptr %at_begin
  %is_last = icmp eq i64 %s1, %steps
  br i1 %is_last, label %ended, label %within
within:
  %at_end = getelementptr i64, ptr %index, i64 %s1
  %its_end = load i64, ptr %at_end
  br label %ended
ended:
  %end = phi i64 [ %logged, %step ], [ %its_end, %within ]
  %at_first = getelementptr i64, ptr %first, i64 %s
  %j0 = load i64, ptr %at_first
  br label %again
again:
  %i = phi i64 [ %begin, %ended ], [ %i1, %taken ]
  %r = phi i64 [ 0, %ended ], [ %r_after, %taken ]
  %j = phi i64 [ %j0, %ended ], [ %j_after, %taken ]
  %some = icmp slt i64 %i, %end
  br i1 %some, label %operation, label %back
operation:
  %at_code = getelementptr i64, ptr %log, i64 %i
  %code = load i64, ptr %at_code
  %is_sample = icmp eq i64 %code, SAMPLE_CODE
  %at_time = getelementptr double, ptr %times, i64 %j
  br i1 %is_sample, label %timed, label %untimed
timed:
  %its_time = load double, ptr %at_time
  br label %each
untimed:
  br label %each
each:
  %t = phi double [ %its_time, %timed ], [ 0.0, %untimed ]
  %sample = phi i64 [ %j, %timed ], [ -1, %untimed ]
  %jump = phi i64 [ 1, %timed ], [ 0, %untimed ]
  %j_next = add i64 %j, %jump
  %at_op_first = getelementptr i64, ptr @op_first, i64 %code
  %op_first = load i64, ptr %at_op_first
  %at_op_count = getelementptr i64, ptr @op_count, i64 %code
  %op_count = load i64, ptr %at_op_count
  br label %part
part:
  %p = phi i64 [ 0, %each ], [ %p1, %called ]
  %r_now = phi i64 [ %r, %each ], [ %r1, %called ]
  %any = icmp slt i64 %p, %op_count
  br i1 %any, label %called, label %operated
called:
  %number = add i64 %op_first, %p
  %at_part = getelementptr i64, ptr @op_parts, i64 %number
  %function = load i64, ptr %at_part
  %buffer_place = mul i64 %r_now, SIZE
  %before = getelementptr double, ptr %buffer, i64 %buffer_place
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %before, ptr align 8 %cells, i64 BYTES, i1 false)
  %work_place = mul i64 %r_now, 2
  %at_work = getelementptr i64, ptr %work, i64 %work_place
  store i64 %function, ptr %at_work
  %at_sample = getelementptr i64, ptr %at_work, i64 1
  store i64 %sample, ptr %at_sample
  call void @call_part(i64 %function, ptr %cells, ptr %out, double %t)
  %p1 = add i64 %p, 1
  %r1 = add i64 %r_now, 1
  br label %part
operated:
  br label %taken
taken:
  %r_after = phi i64 [ %r_now, %operated ]
  %j_after = phi i64 [ %j_next, %operated ]
  %i1 = add i64 %i, 1
  br label %again
back:
  %q = phi i64 [ %r, %again ], [ %q0, %one_back ]
  %left = icmp sgt i64 %q, 0
  br i1 %left, label %one_back, label %followed
one_back:
  %q0 = sub i64 %q, 1
  %b_place = mul i64 %q0, SIZE
  %b_row = getelementptr double, ptr %buffer, i64 %b_place
  %b_work_place = mul i64 %q0, 2
  %b_work = getelementptr i64, ptr %work, i64 %b_work_place
  %b_function = load i64, ptr %b_work
  %b_at_sample = getelementptr i64, ptr %b_work, i64 1
  %b_sample = load i64, ptr %b_at_sample
  %b_is = icmp sge i64 %b_sample, 0
  %b_index = select i1 %b_is, i64 %b_sample, i64 0
  %b_at_time = getelementptr double, ptr %times, i64 %b_index
  %b_time = load double, ptr %b_at_time
  %b_seed_place = mul i64 %b_index, SEEDS
  %b_seeds = getelementptr double, ptr %seeds, i64 %b_seed_place
  call void @call_back(i64 %b_function, ptr %b_row, ptr %bars, ptr %b_seeds, double %b_time)
  br label %back
followed:
  br label %next
done:
  ret void
}
"""


def text_of(recorded: AdaptiveRecord, lanes: int, moving: Set[int]) -> str:
    """All functions, forwards and backwards for so many functions of the run at once. moving : cells that move."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    out = forwards(recorded, [Text(one, 1, places) for one in recorded.functions], 1, 1, log=True)
    for k, (one, left) in enumerate(zip(recorded.functions, recorded.left, strict=True)):
        stored = {places[cell]: one.found[cell] for cell in left}
        out.append(ReverseText(one, places, lanes, moving).backward(f"back{k}", stored, one.samples))
    many = range(len(recorded.functions))
    calls = [f"%r{k} = call i64 @part{k}(ptr %cells, ptr %out, double %t, double %t)" for k in many]
    out.append(_switch("call_part", "ptr %cells, ptr %out, double %t", calls))
    calls = [f"call void @back{k}(ptr %cells, ptr %bars, ptr %seeds, double %t, double %t)" for k in many]
    out.append(_switch("call_back", "ptr %cells, ptr %bars, ptr %seeds, double %t", calls))
    parts = [list(recorded.operations.get(operation, ())) for operation in CODES]
    out.append(_numbers("op_count", [len(one) for one in parts]))
    out.append(_numbers("op_first", np.cumsum([0, *(len(one) for one in parts)])[:-1].tolist()))
    out.append(_numbers("op_parts", [k for one in parts for k in one]))
    words = {
        **{f"AT_{name}": word for name, word in WORDS.items()},
        "SAMPLE_CODE": CODES[SAMPLE], "STAGES_CODE": CODES[STAGES],
        "SEEDS": lanes * recorded.samples,
        "BYTES": 8 * len(recorded.carried), "SIZE": len(recorded.carried),
    }  # fmt: skip
    for text in (KEEP, BACK):
        for word in sorted(words, key=len, reverse=True):
            text = text.replace(f" {word},", f" {words[word]},").replace(f" {word}\n", f" {words[word]}\n")
            text = text.replace(f" {word})", f" {words[word]})")
        out.append(text)
    out.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    if lanes > 1:
        kind = f"<{lanes} x double>"
        out.append(f"declare {kind} @llvm.fmuladd.v{lanes}f64({kind}, {kind}, {kind})")
    return "\n".join(out)


def _switch(name: str, arguments: str, calls: list[str]) -> str:
    """A function that does one of several things, by number."""
    cases = " ".join(f"i64 {k}, label %case{k}" for k in range(len(calls)))
    lines = [
        f"define void @{name}(i64 %which, {arguments}) {{",
        "entry:",
        f"  switch i64 %which, label %none [ {cases} ]",
    ]
    for k, call in enumerate(calls):
        lines += [f"case{k}:", f"  {call}", "  ret void"]
    return "\n".join([*lines, "none:", "  ret void", "}"])


def _numbers(name: str, several: list[int]) -> str:
    return f"@{name} = private constant [{len(several)} x i64] [{', '.join(f'i64 {x}' for x in several)}]"
