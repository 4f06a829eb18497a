"""Vector code of what was recorded, made by llvmlite alone: nothing is left for an optimiser to do.

Products that one sum alone takes are fused with it. A guard that comes out otherwise sets the bit of its lane.
"""

from __future__ import annotations

import ctypes
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any, Generic, TypeVar

from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.step import Recorded

KEPT = 8  # recordings whose code is kept
OPERATIONS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
INSTRUCTIONS = {"abs": "fabs", "sqrt": "sqrt", "floor": "floor"}  # of one number
# comparisons of numbers that are numbers; whether they come out otherwise is asked of all
ONE = ("exp", "log", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
LIBRARY = {"atan2": 2, "pow": 2, **dict.fromkeys(ONE, 1)}  # functions of the C library, by how many numbers they take
COMPARED = {">": "ogt", "<": "olt", ">=": "oge", "<=": "ole", "==": "oeq", "!=": "une"}
T = TypeVar("T")
ADVANCE = """
define i64 @advance(ptr noalias %cells, ptr noalias %out, i64 %samples, i64 %every, i64 %first,
                    double %begin, double %h) {
entry:
  br label %next
next:
  %s = phi i64 [ 0, %entry ], [ %s1, %show ]
  %so_far = phi i64 [ 0, %entry ], [ %seen, %show ]
  %more = icmp slt i64 %s, %samples
  br i1 %more, label %steps, label %done
steps:
  %k = phi i64 [ 0, %next ], [ %k1, %steps ]
  %bad = phi i64 [ %so_far, %next ], [ %with, %steps ]
  %before = mul i64 %s, %every
  %within = add i64 %before, %k
  %n = add i64 %first, %within
  %n1 = add i64 %n, 1
  %nd = sitofp i64 %n to double
  %n1d = sitofp i64 %n1 to double
  %nh = fmul double %nd, %h
  %n1h = fmul double %n1d, %h
  %t = fadd double %begin, %nh
  %end = fadd double %begin, %n1h
CALLS
  %k1 = add i64 %k, 1
  %go = icmp slt i64 %k1, %every
  br i1 %go, label %steps, label %show
show:
  %place = mul i64 %s, SIZE
  %to = getelementptr double, ptr %out, i64 %place
  %none = call i64 @sample(ptr %cells, ptr %to, double %end, double %end)
  %seen = or i64 %with, %none
  %s1 = add i64 %s, 1
  br label %next
done:
  ret i64 %so_far
}
"""

# the head of a loop over samples and steps that are solved; LAST : what is known of strays after a sample
BEGIN_STEP = """
entry:
  br label %next
next:
  %s = phi i64 [ 0, %entry ], [ %s1, %show ]
  %so_far = phi i64 [ 0, %entry ], [ LAST, %show ]
  %more = icmp slt i64 %s, %samples
  br i1 %more, label %step, label %done
step:
  %k = phi i64 [ 0, %next ], [ %k1, %over ]
  %bad0 = phi i64 [ %so_far, %next ], [ %bad, %over ]
  %before = mul i64 %s, %every
  %within = add i64 %before, %k
  %n = add i64 %first, %within
  %n1 = add i64 %n, 1
  %n1d = sitofp i64 %n1 to double
  %n1h = fmul double %n1d, %h
  %t = fadd double %start, %n1h"""


class Text:
    """A function of vectors, as LLVM reads it."""

    def __init__(self, recording: Recording, width: int, places: Mapping[int, int]) -> None:
        self.recording, self.graph, self.width, self.places = recording, recording.graph, width, places
        self.kind, self.answers, self.suffix = f"<{width} x double>", f"<{width} x i1>", f"v{width}f64"
        self.lines: list[str] = []
        self._fresh = 0

    def function(self, name: str, stored: Mapping[int, Key], shown: Iterable[Key], live: list[int]) -> str:
        """stored : place in the cells -> what goes there; shown : what goes to `out`, in order."""
        shown = tuple(shown)
        uses = Counter(x for k in live if self.graph.nodes[k][0] != "in" for x in self._operands(k))
        wanted = (*stored.values(), *shown)
        uses.update(k for k in (*wanted, *self.graph.guards) if isinstance(k, int))
        self._nodes(live, self._fused(live, uses), wanted)
        failed = "zeroinitializer"
        for k, held in self.graph.guards.items():
            off = f"%n{k}"
            if held:
                off = self._new(f"xor {self.answers} {off}, {self._ones()}")
            failed = off if failed == "zeroinitializer" else self._new(f"or {self.answers} {failed}, {off}")
        for place, key in sorted(stored.items()):
            self._store("%cells", place, key)
        for place, key in enumerate(shown):
            self._store("%out", place, key)
        word = self._word(failed)
        head = f"define i64 @{name}(ptr noalias %cells, ptr noalias %out, double %t, double %end) {{"
        return "\n".join((head, *self.lines, f"  ret i64 {word}", "}"))

    def _word(self, failed: str) -> str:
        """A bit of each lane."""
        bits = self._new(f"bitcast {self.answers} {failed} to i{self.width}")
        return self._new(f"zext i{self.width} {bits} to i64")

    @property
    def declarations(self) -> list[str]:
        """Of the functions that this calls."""
        return declarations_of(self.kind, self.suffix)

    def _nodes(self, live: list[int], taken: Mapping[int, int], wanted: Iterable[Key]) -> None:
        """All operations, in order. taken : of sums that take a product along, which. wanted : what is asked for."""
        inside = set(taken.values())
        for k in live:
            if k not in inside:
                self._node(k, taken)

    def _operands(self, k: int) -> list[int]:
        return [x for x in self.graph.nodes[k][1:] if isinstance(x, int)]

    def _fused(self, live: list[int], uses: Counter[int]) -> dict[int, int]:
        """Of each sum that takes a product along: which."""
        taken: dict[int, int] = {}
        for k in live:
            operation, *operands = self.graph.nodes[k]
            if operation in ("+", "-"):
                for x in reversed(operands):
                    if isinstance(x, int) and self.graph.nodes[x][0] == "*" and uses[x] == 1:
                        taken[k] = x
                        break
        return taken

    def _node(self, k: int, taken: Mapping[int, int]) -> None:
        operation, *operands = self.graph.nodes[k]
        if operation == "in":
            self._load(k, operands[0])
        elif k in taken:
            self._fuse(k, taken[k])
        elif operation in OPERATIONS:
            a, b = map(self._value, operands)
            self._say(k, f"{OPERATIONS[operation]} {self.kind} {a}, {b}")
        elif operation == "neg":
            self._say(k, f"fneg {self.kind} {self._value(operands[0])}")
        elif operation in INSTRUCTIONS:
            name = f"llvm.{INSTRUCTIONS[operation]}.{self.suffix}"
            self._say(k, f"call {self.kind} @{name}({self.kind} {self._value(operands[0])})")
        elif operation in ("max", "min"):
            a, b = map(self._value, operands)
            beyond = self._new(f"fcmp {'ogt' if operation == 'max' else 'olt'} {self.kind} {b}, {a}")
            self._say(k, f"select {self.answers} {beyond}, {self.kind} {b}, {self.kind} {a}")
        elif operation in LIBRARY:
            self._say(k, self._lane_by_lane(operation, [self._value(x) for x in operands]))
        elif operation in COMPARED:
            a, b = map(self._value, operands)
            self._say(k, f"fcmp {COMPARED[operation]} {self.kind} {a}, {b}")
        elif operation in ("or", "and"):
            self._say(k, f"{operation} {self.answers} %n{operands[0]}, %n{operands[1]}")
        else:
            first, a, b = operands
            self._say(k, f"select {self.answers} %n{first}, {self.kind} {self._value(a)}, {self.kind} {self._value(b)}")

    def _fuse(self, k: int, product: int) -> None:
        operation, a, b = self.graph.nodes[k]
        x, y = map(self._value, self.graph.nodes[product][1:])
        if operation == "-" and product == b:
            x, z = self._new(f"fneg {self.kind} {x}"), self._value(a)
        elif operation == "-":
            z = self._new(f"fneg {self.kind} {self._value(b)}")
        else:
            z = self._value(a if product == b else b)
        self._say(k, f"call {self.kind} @llvm.fmuladd.{self.suffix}({self.kind} {x}, {self.kind} {y}, {self.kind} {z})")

    def _lane_by_lane(self, name: str, values: list[str]) -> str:
        """A function of the C library, of each lane: the operation that comes to its value."""
        found = what = "undef"
        for lane in range(self.width):
            given = [self._new(f"extractelement {self.kind} {x}, i32 {lane}") for x in values]
            one = self._new(f"call double @{name}({', '.join(f'double {x}' for x in given)})")
            what = f"insertelement {self.kind} {found}, double {one}, i32 {lane}"
            if lane < self.width - 1:
                found = self._new(what)
        return what

    def _load(self, k: int, cell: int | str) -> None:
        if isinstance(cell, str):
            one = self._new(f"insertelement {self.kind} undef, double %{cell}, i32 0")
            zeros = f"<{self.width} x i32> zeroinitializer"
            self._say(k, f"shufflevector {self.kind} {one}, {self.kind} undef, {zeros}")
        else:
            place = self._new(f"getelementptr {self.kind}, ptr %cells, i64 {self.places[cell]}")
            self._say(k, f"load {self.kind}, ptr {place}, align {8 * self.width}")

    def _store(self, base: str, place: int, key: Key) -> None:
        to = self._new(f"getelementptr {self.kind}, ptr {base}, i64 {place}")
        self.lines.append(f"  store {self.kind} {self._value(key)}, ptr {to}, align {8 * self.width}")

    def _say(self, k: int, what: str) -> None:
        self.lines.append(f"  %n{k} = {what}")

    def _new(self, what: str) -> str:
        self._fresh += 1
        self.lines.append(f"  %x{self._fresh} = {what}")
        return f"%x{self._fresh}"

    def _slope(self, operation: str, x: str, y: str) -> str:
        """The derivative by x of y = f(x), a function of one number."""
        kind, one = self.kind, self._value(1.0)
        if operation == "exp":
            return y
        if operation == "log":
            return self._new(f"fdiv {kind} {one}, {x}")
        if operation in ("sinh", "cosh"):
            return self._new(self._lane_by_lane("cosh" if operation == "sinh" else "sinh", [x]))
        of = y if operation in ("tan", "tanh") else x
        square = self._new(f"fmul {kind} {of}, {of}")
        found = self._new(f"{'fadd' if operation in ('tan', 'atan') else 'fsub'} {kind} {one}, {square}")
        if operation in ("tan", "tanh"):
            return found
        if operation == "atan":
            return self._new(f"fdiv {kind} {one}, {found}")
        root = self._new(f"call {kind} @llvm.sqrt.{self.suffix}({kind} {found})")
        return self._new(f"fdiv {kind} {self._value(1.0 if operation == 'asin' else -1.0)}, {root}")

    def _slopes_of_power(self, operands: list[Key], y: str) -> list[tuple[Key, str]]:
        """Those of both operands of y = x^c that are no constants, with the derivatives by them."""
        (x, c), kind, found = map(self._value, operands), self.kind, list[tuple[Key, str]]()
        if isinstance(operands[0], int):
            less = self._new(f"fsub {kind} {c}, {self._value(1.0)}")
            below = self._new(self._lane_by_lane("pow", [x, less]))
            found.append((operands[0], self._new(f"fmul {kind} {c}, {below}")))
        if isinstance(operands[1], int):
            log = self._new(self._lane_by_lane("log", [x]))
            found.append((operands[1], self._new(f"fmul {kind} {y}, {log}")))
        return found

    def _value(self, key: Key) -> str:
        if isinstance(key, int):
            return f"%n{key}"
        bits = struct.pack(">d", key).hex().upper()
        return "<" + ", ".join([f"double 0x{bits}"] * self.width) + ">"

    def _ones(self) -> str:
        return "<" + ", ".join(["i1 true"] * self.width) + ">"


def text_of(recorded: Recorded, width: int) -> str:
    """All functions."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    return "\n".join(all_of(recorded, lambda one: Text(one, width, places), width))


def all_of(recorded: Recorded, text: Callable[[Recording], Text], size: int) -> list[str]:
    """Start, parts of a step, sample, and a run of them.

    text : makes a function of a recording. size : doubles that a number of a sample takes."""
    functions = [text(recorded.start)]
    left = [set(recorded.start.found) & set(recorded.carried), *map(set, recorded.left)]
    functions += [text(one) for one in recorded.functions]
    names = ["start", *(f"part{k}" for k in range(len(recorded.functions)))]
    parts: list[str] = []
    for name, one, cells in zip(names, functions, left, strict=True):
        stored = {one.places[k]: one.recording.found[k] for k in cells}
        parts.append(one.function(name, stored, (), one.recording.live(stored.values())))
    sample = recorded.sample
    parts.append(text(sample).function("sample", {}, sample.samples, sample.live(sample.samples)))
    parts += functions[0].declarations
    parts.append(ADVANCE.replace("SIZE", str(size * len(sample.samples))).replace("CALLS", _calls(recorded)))
    return parts


def declarations(width: int) -> list[str]:
    """Of the functions that `Text` calls."""
    return declarations_of(f"<{width} x double>", f"v{width}f64")


def declarations_of(kind: str, suffix: str) -> list[str]:
    """The same for numbers of this kind, by what LLVM's names for functions of them end in."""
    found = [
        f"declare {kind} @llvm.{name}.{suffix}({', '.join([kind] * many)})"
        for name, many in (*((name, 1) for name in INSTRUCTIONS.values()), ("fmuladd", 3))
    ]
    return found + [f"declare double @{name}({', '.join(['double'] * many)})" for name, many in LIBRARY.items()]


def _calls(recorded: Recorded) -> str:
    """The parts of a step, one after the other."""
    lines, so_far = [], "%bad"
    for k, part in enumerate(recorded.step):
        time = "%end"
        if part.time is not None:
            share = struct.pack(">d", part.time).hex().upper()
            lines += [f"  %h{k} = fmul double 0x{share}, %h", f"  %t{k} = fadd double %t, %h{k}"]
            time = f"%t{k}"
        found = "%with" if k == len(recorded.step) - 1 else f"%bad{k}"
        lines.append(f"  %off{k} = call i64 @part{part.function}(ptr %cells, ptr null, double {time}, double %end)")
        lines.append(f"  {found} = or i64 {so_far}, %off{k}")
        so_far = found
    return "\n".join(lines)


class MachineCode:
    """Compiled functions of a recording: start, sample and advance."""

    def __init__(self, functions: str) -> None:
        self._engine: Any = engine_of(functions)
        pointer, count, double = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        once = ctypes.CFUNCTYPE(count, pointer, pointer, double, double)
        many = ctypes.CFUNCTYPE(count, pointer, pointer, count, count, count, double, double)
        self.start = once(self._engine.get_function_address("start"))
        self.sample = once(self._engine.get_function_address("sample"))
        self.advance = many(self._engine.get_function_address("advance"))


class LastFew(Generic[T]):
    """Compiled code by its text, made once in a process; the last few are kept."""

    def __init__(self, make: Callable[[str], T]) -> None:
        self.make, self.made, self.making = make, dict[str, T](), Lock()

    def __call__(self, text: str) -> T:
        """Of this text."""
        with self.making:
            if text not in self.made:
                while len(self.made) >= KEPT:
                    self.made.pop(next(iter(self.made)))
                self.made[text] = self.make(text)
            return self.made[text]


machine_code = LastFew(MachineCode)
