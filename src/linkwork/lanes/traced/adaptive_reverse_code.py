"""The reverse of steps that find their own size, as machine code (`adaptive_code` forwards, `reverse` a part).

Forwards all cells are kept with which a step begins, and which operations follow. Backwards a step is taken again from
there, with all cells before each part, and its parts are followed from the last to the first.
"""

from __future__ import annotations

import ctypes
from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.adaptive_code import CODES, forwards
from linkwork.lanes.traced.adaptive_steps import LONGEST, SAMPLE, SHOWN, START, USUAL, AdaptiveRecord
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import Text
from linkwork.lanes.traced.reverse import ReverseText

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
SIZED = len(CODES)  # the code of a step that is as long as the run's
# what stands in `words` behind what `advance` has there: places in memory, and numbers
WORDS = {
    name: 3 + k
    for k, name in enumerate(("LOGGED", "LOG", "MOST_LOGGED", "ROWS", "ROW", "MOST_ROWS", "INDEX", "FIRST", "SAMPLES"))
}
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
  %room = icmp slt i64 %rows, %most
  br i1 %room, label %keep, label %kept
keep:
  %at_row = getelementptr i64, ptr %words, i64 AT_ROW
  %row_word = load i64, ptr %at_row
  %row_base = inttoptr i64 %row_word to ptr
  %row_place = mul i64 %rows, SIZE
  %row_to = getelementptr double, ptr %row_base, i64 %row_place
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %row_to, ptr align 8 %cells, i64 BYTES, i1 false)
  %at_logged0 = getelementptr i64, ptr %words, i64 AT_LOGGED
  %logged0 = load i64, ptr %at_logged0
  %at_index = getelementptr i64, ptr %words, i64 AT_INDEX
  %index_word = load i64, ptr %at_index
  %index_base = inttoptr i64 %index_word to ptr
  %index_to = getelementptr i64, ptr %index_base, i64 %rows
  store i64 %logged0, ptr %index_to
  %at_samples0 = getelementptr i64, ptr %words, i64 AT_SAMPLES
  %samples0 = load i64, ptr %at_samples0
  %at_first = getelementptr i64, ptr %words, i64 AT_FIRST
  %first_word = load i64, ptr %at_first
  %first_base = inttoptr i64 %first_word to ptr
  %first_to = getelementptr i64, ptr %first_base, i64 %rows
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
  %usual = icmp eq i64 %code, USUAL_CODE
  %longest = icmp eq i64 %code, LONGEST_CODE
  %any = or i1 %usual, %longest
  ret i1 %any
}
define void @sized(ptr noalias %at, double %size, ptr noalias %words) {
  store double %size, ptr %at
  call void @noted(ptr %at, ptr %words, i64 SIZED_CODE)
  ret void
}
"""
# work : (parts, 2) function, and sample or -1; buffer : (parts, SIZE) cells before each
BACK = """
define void @back(ptr noalias %rows, ptr noalias %log, ptr noalias %index, ptr noalias %first, i64 %from, i64 %steps,
                  i64 %logged, ptr noalias %cells, ptr noalias %buffer, ptr noalias %work, ptr noalias %bars,
                  ptr noalias %seeds, ptr noalias %times, ptr noalias %sizes, ptr noalias %out) {
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
  %is_sized = icmp eq i64 %code, SIZED_CODE
  br i1 %is_sized, label %sized, label %parts
sized:
  %at_size = getelementptr double, ptr %sizes, i64 %s
  %size = load double, ptr %at_size
  %at_step = getelementptr double, ptr %cells, i64 STEP_PLACE
  store double %size, ptr %at_step
  br label %taken
parts:
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
  %r_after = phi i64 [ %r, %sized ], [ %r_now, %operated ]
  %j_after = phi i64 [ %j, %sized ], [ %j_next, %operated ]
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
        "SAMPLE_CODE": CODES[SAMPLE], "USUAL_CODE": CODES[USUAL], "LONGEST_CODE": CODES[LONGEST], "SIZED_CODE": SIZED,
        "STEP_PLACE": places[recorded.places["step"]], "SEEDS": lanes * recorded.samples,
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


class AdaptiveReverse:
    """Compiled functions of a record, forwards, and backwards for `lanes` functions at once. moving : cells that
    move."""

    def __init__(self, recorded: AdaptiveRecord, lanes: int, moving: Set[int]) -> None:
        self._engine: Any = engine_of(text_of(recorded, lanes, moving))
        self.lanes, self.size, self.parts = lanes, len(recorded.carried), recorded.samples
        self._counts = np.array([len(recorded.operations.get(one, ())) for one in CODES] + [0])
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

        def function(name: str, result: Any, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

        once = count, pointer, pointer, double, pointer
        self._start, self._shown = function("start", *once), function("shown", *once)
        self._advance = function("advance", count, pointer, pointer, pointer, count, pointer, pointer, count)
        self._back = function("back", None, *[pointer] * 4, *[count] * 3, *[pointer] * 8)
        (start,), (shown,) = recorded.operations[START], recorded.operations[SHOWN]
        self._back_start, self._back_shown = (
            function(f"back{k}", None, pointer, pointer, pointer, double, double) for k in (start, shown)
        )

    def forwards(self, first: Array, run: Any, sizes: Array, most: tuple[int, int]) -> Taken | None:
        """The whole run from these cells; None where the course is left. most : steps and operations."""
        taken = Taken(self, first, run, sizes, most)
        return taken if taken.good else None


class Taken:
    """A run that was taken, with what its reverse needs. samples : (samples, numbers). good : whether it kept its
    course."""

    def __init__(self, code: AdaptiveReverse, first: Array, run: Any, sizes: Array, most: tuple[int, int]) -> None:
        self.code, self.first, self.sizes = code, first.copy(), np.ascontiguousarray(sizes)
        rows, logged = most
        limits = {"MOST_LOGGED": logged, "MOST_ROWS": rows}
        self.begun = len(run.times) - run.total
        self.times = np.ascontiguousarray(run.times[self.begun :])
        self.rows = aligned(rows * code.size, filled=False)
        self.log, self.index, self.of = (np.zeros(many, dtype=np.int64) for many in (logged, rows, rows))
        words = np.zeros(16, dtype=np.int64)
        kept = {"LOG": self.log, "ROW": self.rows, "INDEX": self.index, "FIRST": self.of}
        for name, value in ({name: one.ctypes.data for name, one in kept.items()} | limits).items():
            words[WORDS[name]] = value
        cells = aligned(code.size)
        cells[:] = first
        self.samples = np.empty((len(run.times), code.parts))
        left = code._start(cells.ctypes.data, 0, 0.0, words.ctypes.data)
        if self.begun:
            left |= code._shown(cells.ctypes.data, self.samples.ctypes.data, 0.0, words.ctypes.data)
        self.after = cells.copy()
        words[WORDS["LOGGED"]] = words[WORDS["SAMPLES"]] = 0
        if not left:
            out = self.samples[self.begun :]
            left = code._advance(
                cells.ctypes.data, out.ctypes.data, self.times.ctypes.data, len(self.times), words.ctypes.data,
                self.sizes.ctypes.data, len(self.sizes),
            )  # fmt: skip
        self.steps, self.logged = int(words[WORDS["ROWS"]]), int(words[WORDS["LOGGED"]])
        self.good = left == 0 and self.steps <= rows and self.logged <= logged

    def backwards(self, seeds: Array) -> Array:
        """(cells, lanes) derivatives by all cells before the start. seeds : (samples, numbers, lanes)."""
        code, steps = self.code, self.steps
        bars = aligned(code.size * code.lanes).reshape(code.size, code.lanes)
        cells, out = aligned(code.size), aligned(max(1, code.parts))
        counts = np.concatenate([[0], np.cumsum(code._counts[self.log[: self.logged]])])
        ends = np.append(self.index[1:steps], self.logged)
        most = int(np.max(counts[ends] - counts[self.index[:steps]], initial=1))
        buffer, work = aligned(most * code.size, filled=False), np.zeros((most, 2), dtype=np.int64)
        seeds = np.ascontiguousarray(seeds)
        within = seeds[self.begun :]
        several = (self.rows, self.log, self.index, self.of)
        further = (cells, buffer, work, bars, within, self.times, self.sizes, out)
        code._back(*(one.ctypes.data for one in several), 0, steps, self.logged, *(one.ctypes.data for one in further))
        if self.begun:
            code._back_shown(self.after.ctypes.data, bars.ctypes.data, seeds.ctypes.data, 0.0, 0.0)
        code._back_start(self.first.ctypes.data, bars.ctypes.data, 0, 0.0, 0.0)
        return bars
