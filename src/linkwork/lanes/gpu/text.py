"""Recorded steps as functions of one instance, and kernels in which each thread carries one.

Threads of a warp stand side by side in memory: number p of instance i is at [i // 32][p][i % 32], in cells as in
samples.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linkwork.lanes.gpu import functions as of_devices
from linkwork.lanes.traced import newton_code
from linkwork.lanes.traced.machine_code import Text, all_of
from linkwork.lanes.traced.newton_step import RecordedNewton
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.step import Recorded

WARP = 32
TARGET, PROCESSOR = "nvptx64-nvidia-cuda", "sm_75"  # the oldest that CUDA 13 knows; drivers translate for newer ones
SPACE = "ptr addrspace(1)"  # memory that all threads see

# What one instance does; %i : its number. BEGIN fills its cells, and finds the slope there. NUMBERS : cells of an
# instance; SIZE : numbers of a sample, times WARP.
BODIES = """
define internal ptr @own(ptr %all, i64 %each, i64 %i) alwaysinline {
  %warp = lshr i64 %i, 5
  %lane = and i64 %i, 31
  %first = mul i64 %warp, %each
  %at = add i64 %first, %lane
  %own = getelementptr double, ptr %all, i64 %at
  ret ptr %own
}

define internal void @one_begin(i64 %i, ptr %cells, ptr %marks, ptr %base, ptr %places, ptr %values, i64 %given,
                                i64 %many) {
entry:
  %own = call ptr @own(ptr %cells, i64 ROOM, i64 %i)
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %filled ]
  %all = icmp sge i64 %k, NUMBERS
  br i1 %all, label %differ, label %filled
filled:
  %from = getelementptr double, ptr %base, i64 %k
  %x = load double, ptr %from
  %to = getelementptr [32 x double], ptr %own, i64 %k
  store double %x, ptr %to
  %k1 = add i64 %k, 1
  br label %fill
differ:
  %j = phi i64 [ 0, %fill ], [ %j1, %written ]
  %no_more = icmp sge i64 %j, %given
  br i1 %no_more, label %start, label %written
written:
  %of = getelementptr i64, ptr %places, i64 %j
  %place = load i64, ptr %of
  %row = mul i64 %j, %many
  %which = add i64 %row, %i
  %value = getelementptr double, ptr %values, i64 %which
  %y = load double, ptr %value
  %there = getelementptr [32 x double], ptr %own, i64 %place
  store double %y, ptr %there
  %j1 = add i64 %j, 1
  br label %differ
start:
  STARTED
  %mark = getelementptr i64, ptr %marks, i64 %i
  store i64 %off, ptr %mark
  ret void
}

define internal void @one_sample(i64 %i, ptr %cells, ptr %marks, ptr %out) {
  %own = call ptr @own(ptr %cells, i64 ROOM, i64 %i)
  %shown = call ptr @own(ptr %out, i64 SIZE, i64 %i)
  %off = call i64 @sample(ptr %own, ptr %shown, double 0.0, double 0.0)
  call void @marked(ptr %marks, i64 %off, i64 %i)
  ret void
}

define internal void @one_advance(i64 %i, ptr %cells, ptr %marks, ptr %out, i64 %samples, i64 %every, i64 %first,
                                  double %begin, double %h) {
  %own = call ptr @own(ptr %cells, i64 ROOM, i64 %i)
  %each = mul i64 %samples, SIZE
  %shown = call ptr @own(ptr %out, i64 %each, i64 %i)
  %off = call i64 @advance(ptr %own, ptr %shown, i64 %samples, i64 %every, i64 %first, double %begin, double %h)
  call void @marked(ptr %marks, i64 %off, i64 %i)
  ret void
}

define internal void @marked(ptr %marks, i64 %off, i64 %i) alwaysinline {
  %mark = getelementptr i64, ptr %marks, i64 %i
  %before = load i64, ptr %mark
  %now = or i64 %before, %off
  store i64 %now, ptr %mark
  ret void
}

define internal void @one_gather(i64 %i, ptr %marks, ptr %out, ptr %columns, ptr %room, i64 %samples, i64 %chosen,
                                 i64 %many) {
entry:
  %each = mul i64 %samples, SIZE
  %own = call ptr @own(ptr %out, i64 %each, i64 %i)
  %all = mul i64 %samples, SHOWN
  br label %look
look:
  %k = phi i64 [ 0, %entry ], [ %k1, %seen ]
  %wrong = phi i1 [ false, %entry ], [ %wrong1, %seen ]
  %looked = icmp sge i64 %k, %all
  br i1 %looked, label %judge, label %seen
seen:
  %at = getelementptr [32 x double], ptr %own, i64 %k
  %x = load double, ptr %at
  %zero = fsub double %x, %x
  %not = fcmp uno double %zero, %zero
  %wrong1 = or i1 %wrong, %not
  %k1 = add i64 %k, 1
  br label %look
judge:
  %off = zext i1 %wrong to i64
  call void @marked(ptr %marks, i64 %off, i64 %i)
  br label %next
next:
  %s = phi i64 [ 0, %judge ], [ %s1, %over ]
  %more = icmp slt i64 %s, %samples
  br i1 %more, label %pick, label %done
pick:
  %c = phi i64 [ 0, %next ], [ %c1, %picked ]
  %rest = icmp slt i64 %c, %chosen
  br i1 %rest, label %picked, label %over
picked:
  %of = getelementptr i64, ptr %columns, i64 %c
  %column = load i64, ptr %of
  %first = mul i64 %s, SHOWN
  %which = add i64 %first, %column
  %from = getelementptr [32 x double], ptr %own, i64 %which
  %y = load double, ptr %from
  %before = mul i64 %s, %chosen
  %row = add i64 %before, %c
  %start = mul i64 %row, %many
  %place = add i64 %start, %i
  %to = getelementptr double, ptr %room, i64 %place
  store double %y, ptr %to
  %c1 = add i64 %c, 1
  br label %pick
over:
  %s1 = add i64 %s, 1
  br label %next
done:
  ret void
}
"""
NOTHING_STARTED = "%off = add i64 0, 0"
ASKED = """
define i64 @NAME(ptr noalias %cells) alwaysinline {
  %p = getelementptr [32 x double], ptr %cells, i64 PLACE
  %v = load double, ptr %p
  %y = fcmp ogt double %v, 0.0
  %x = zext i1 %y to i64
  ret i64 %x
}
"""
STARTED = "%off = call i64 @start(ptr %own, ptr null, double 0.0, double 0.0)"
KERNELS = {  # name -> types of what it takes behind the number of instances
    "begin": ("ptr", "ptr", "ptr", "ptr", "ptr", "i64", "i64"),
    "sample": ("ptr", "ptr", "ptr"),
    "advance": ("ptr", "ptr", "ptr", "i64", "i64", "i64", "double", "double"),
    "gather": ("ptr", "ptr", "ptr", "ptr", "i64", "i64", "i64"),
}
# each thread one instance
THREADS = """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
THREAD = """
define ptx_kernel void @all_NAME(i64 %n, TAKEN) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %thread
  %i = zext i32 %number to i64
  %one = icmp ult i64 %i, %n
  br i1 %one, label %does, label %done
does:
  call void @one_NAME(i64 %i, TAKEN)
  br label %done
done:
  ret void
}
"""
# the same on this processor: one after the other
ON_PROCESSOR = """
define void @all_NAME(i64 %n, TAKEN) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %does ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %does, label %done
does:
  call void @one_NAME(i64 %i, TAKEN)
  %i1 = add i64 %i, 1
  br label %next
done:
  ret void
}
"""


class OneText(Text):
    """A function of one number instead of several, which stands WARP numbers from the next."""

    def __init__(self, recording: Recording, places: Mapping[int, int]) -> None:
        super().__init__(recording, 1, places)
        self.kind, self.answers, self.suffix = "double", "i1", "f64"

    def _word(self, failed: str) -> str:
        return self._new(f"zext i1 {'false' if failed == 'zeroinitializer' else failed} to i64")

    def _lane_by_lane(self, name: str, values: list[str]) -> str:
        if name not in of_devices.FUNCTIONS:
            raise NotTracedError(f"{name}, for which devices have no function,")
        return f"call double @device_{name}({', '.join(f'double {x}' for x in values)})"

    def _load(self, k: int, cell: int | str) -> None:
        if isinstance(cell, str):
            self._say(k, f"bitcast double %{cell} to double")
        else:
            place = self._new(f"getelementptr [{WARP} x double], ptr %cells, i64 {self.places[cell]}")
            self._say(k, f"load double, ptr {place}")

    def _store(self, base: str, place: int, key: Any) -> None:
        to = self._new(f"getelementptr [{WARP} x double], ptr {base}, i64 {place}")
        self.lines.append(f"  store double {self._value(key)}, ptr {to}")

    def _value(self, key: Any) -> str:
        found = super()._value(key)
        return found.removeprefix("<double ").removesuffix(">") if found.startswith("<") else found

    def _ones(self) -> str:
        return "true"


def text_of(recorded: Recorded, shown: int) -> str:
    """Start, parts of a step, sample and `advance` of an explicit method, and what one instance does with them. shown :
    how many of a sample's numbers are asked for, the first ones."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    recorded = replace(recorded, sample=replace(recorded.sample, samples=recorded.sample.samples[:shown]))
    functions = all_of(recorded, lambda one: OneText(one, places), WARP)
    return "\n".join((*functions, bodies(len(places), shown, STARTED)))


def newton_text_of(recorded: RecordedNewton) -> str:
    """The same of an implicit method, whose instances stand behind their first steps when they begin."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    functions = newton_code.all_of(recorded, lambda one: OneText(one, places), WARP, ASKED)
    return "\n".join((*functions, bodies(len(places), len(recorded.sample.samples), NOTHING_STARTED)))


def bodies(numbers: int, shown: int, started: str) -> str:
    """numbers : cells of an instance. shown : numbers of a sample. started : how marks at the start are found."""
    found = BODIES.replace("STARTED", started).replace("NUMBERS", str(numbers)).replace("ROOM", str(numbers * WARP))
    return of_devices.text() + found.replace("SIZE", str(shown * WARP)).replace("SHOWN", str(shown))


def _around(frame: str) -> list[str]:
    """The kernels, or loops in their place."""
    return [
        frame.replace("NAME", name).replace("TAKEN", ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds)))
        for name, kinds in KERNELS.items()
    ]


def kernels_of(functions: str) -> str:
    """PTX, the assembler's text of NVIDIA's devices, of these functions and their kernels."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    text = re.sub(r"\bptr\b", SPACE, "\n".join((functions, THREADS, *_around(THREAD))))
    module = llvm.parse_assembly(f'target triple = "{TARGET}"\n{text}')
    module.verify()
    machine = llvm.Target.from_triple(TARGET).create_target_machine(cpu=PROCESSOR, opt=2)
    found: str = machine.emit_assembly(module)
    return found


def loops_of(functions: str) -> str:
    """LLVM's text for this processor: the same functions, one instance after the other."""
    return "\n".join((functions, *_around(ON_PROCESSOR)))
