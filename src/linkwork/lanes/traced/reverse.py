"""The reverse of recorded steps as straight-line code: adjoints of what a part begins with, from those of its end.

A part is computed again from the numbers that it began with, and its operations are followed backwards,

    bar x_j += (dx_k / dx_j) bar x_k,

each into its operands [Griewank and Walther 2008, section 3.2]. Cosines and sines, which are recorded as polynomials
of a rounded angle, are differentiated as what they are. Values are single numbers, adjoints vectors: several functions
of a run at once.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

from linkwork.lanes.traced.derivatives import moving_nodes, pairs_of
from linkwork.lanes.traced.machine_code import COMPARED, ONE, Text
from linkwork.lanes.traced.numbers import Key, NotTracedError
from linkwork.lanes.traced.recording import Recording


class ReverseText(Text):
    """A function of a part's cells, as they were before it, and of adjoints, which it carries back.

    cells : those that adjoints are wanted of, where these are not all that the part reads."""

    def __init__(
        self, recording: Recording, places: Mapping[int, int], lanes: int, cells: Set[int] | None = None
    ) -> None:
        super().__init__(recording, 1, places)
        self.lanes, self.vector = lanes, f"<{lanes} x double>"
        self.bars: dict[int, str] = {}
        self._spread: dict[str, str] = {}
        self.moving: set[int] = set()
        self.cells = cells
        self.pairs = pairs_of(recording)

    def backward(self, name: str, stored: Mapping[int, Key], shown: Iterable[Key]) -> str:
        """stored : place of a cell -> what the part leaves there. shown : what seeds are of, in order."""
        shown, graph = tuple(shown), self.graph
        wanted = [*stored.values(), *shown]
        live = self.recording.live(wanted, self.pairs)
        uses = Counter(x for k in live if graph.nodes[k][0] != "in" for x in self._operands(k))
        uses.update(k for k in (*wanted, *self.pairs) if isinstance(k, int))
        taken = self._fused(live, uses)
        for k in live:
            if k not in taken.values():
                self._node(k, taken)
        read = self.recording.cells_read(live)
        self.moving = moving_nodes(self.recording, read if self.cells is None else read & self.cells) & set(live)
        for place, key in sorted(stored.items()):
            if isinstance(key, int) and key in self.moving:
                self._add(key, self._read("%bars", place))
        for place, key in enumerate(shown):
            if isinstance(key, int) and key in self.moving:
                self._add(key, self._read("%seeds", place))
        inputs = {}
        for k in reversed(live):
            if k in self.bars:
                if graph.nodes[k][0] == "in":
                    inputs[self.places[graph.nodes[k][1]]] = self.bars[k]
                else:
                    self._back(k, self.bars[k])
        for place in sorted({*stored, *inputs}):
            found = inputs.get(place, "zeroinitializer")
            if place not in stored:
                found = self._new(f"fadd {self.vector} {self._read('%bars', place)}, {found}")
            self._write(place, found)
        head = (
            f"define void @{name}(ptr noalias %cells, ptr noalias %bars, ptr noalias %seeds, double %t, double %end) {{"
        )
        return "\n".join((head, *self.lines, "  ret void", "}"))

    def _back(self, k: int, bar: str) -> None:
        """A node's adjoint goes on to its operands."""
        if k in self.pairs:
            angle, other, which = self.pairs[k]
            if angle in self.moving:
                self._along(angle, self._value(other), bar, less=which == "cosine")
            return
        operation, *operands = self.graph.nodes[k]
        if operation in COMPARED or operation in ("or", "and"):
            return
        if operation == "select":
            first, a, b = operands
            self._choose(f"%n{first}", a, b, bar)
        elif operation in ("max", "min"):
            a, b = operands
            beyond = f"fcmp {'ogt' if operation == 'max' else 'olt'} {self.kind} {self._value(b)}, {self._value(a)}"
            self._choose(self._new(beyond), b, a, bar)
        elif operation in ("+", "-"):
            a, b = operands
            self._give(a, bar)
            self._give(b, bar, less=operation == "-")
        elif operation == "neg":
            self._give(operands[0], bar, less=True)
        elif operation == "*":
            a, b = operands
            self._along(a, self._value(b), bar)
            self._along(b, self._value(a), bar)
        elif operation == "/":
            a, b = operands
            over = self._new(f"fdiv {self.kind} {self._one()}, {self._value(b)}")
            each = self._new(f"fmul {self.vector} {self._broad(over)}, {bar}")
            self._give(a, each)
            self._along(b, f"%n{k}", each, less=True)
        else:
            for x, slope in self._slopes(k, operation, operands):
                self._along(x, slope, bar)

    def _slopes(self, k: int, operation: str, operands: list[Any]) -> list[tuple[Key, str]]:
        """Operands, and the derivatives by them, of functions."""
        kind, y = self.kind, f"%n{k}"
        if operation == "abs":
            x = self._value(operands[0])
            below = self._new(f"fcmp olt {kind} {x}, zeroinitializer")
            return [
                (
                    operands[0],
                    self._new(f"select {self.answers} {below}, {kind} {self._constant(-1.0)}, {kind} {self._one()}"),
                )
            ]
        if operation == "sqrt":
            return [(operands[0], self._new(f"fdiv {kind} {self._constant(0.5)}, {y}"))]
        if operation in ONE:
            return [(operands[0], self._slope(operation, self._value(operands[0]), y))]
        if operation == "pow":
            return self._slopes_of_power(operands, y)
        if operation == "atan2":
            b, a = map(self._value, operands)
            squares = [self._new(f"fmul {kind} {x}, {x}") for x in (a, b)]
            whole = self._new(f"fadd {kind} {squares[0]}, {squares[1]}")
            less = self._new(f"fneg {kind} {b}")
            return [
                (operands[0], self._new(f"fdiv {kind} {a}, {whole}")),
                (operands[1], self._new(f"fdiv {kind} {less}, {whole}")),
            ]
        raise NotTracedError(f"the derivative of {operation}")

    def _choose(self, first: str, a: Key, b: Key, bar: str) -> None:
        """Of a where the condition is true, else of b."""
        condition = self._new(f"extractelement {self.answers} {first}, i32 0")
        for x, taken in ((a, True), (b, False)):
            if isinstance(x, int) and x in self.moving:
                both = (bar, "zeroinitializer") if taken else ("zeroinitializer", bar)
                part = f"select i1 {condition}, {self.vector} {both[0]}, {self.vector} {both[1]}"
                self._add(x, self._new(part))

    def _add(self, k: int, what: str) -> None:
        self.bars[k] = self._new(f"fadd {self.vector} {self.bars[k]}, {what}") if k in self.bars else what

    def _give(self, x: Key, bar: str, less: bool = False) -> None:
        """Slope 1 or -1."""
        if not isinstance(x, int) or x not in self.moving:
            return
        if not less:
            self._add(x, bar)
        elif x in self.bars:
            self.bars[x] = self._new(f"fsub {self.vector} {self.bars[x]}, {bar}")
        else:
            self.bars[x] = self._new(f"fneg {self.vector} {bar}")

    def _along(self, x: Key, slope: str, bar: str, less: bool = False) -> None:
        """Any slope."""
        if not isinstance(x, int) or x not in self.moving:
            return
        if less:
            bar = self._new(f"fneg {self.vector} {bar}")
        wide = self._broad(slope)
        if x in self.bars:
            kind = self.vector
            call = f"call {kind} @llvm.fmuladd.v{self.lanes}f64({kind} {wide}, {kind} {bar}, {kind} {self.bars[x]})"
            self.bars[x] = self._new(call)
        else:
            self.bars[x] = self._new(f"fmul {self.vector} {wide}, {bar}")

    def _broad(self, value: str) -> str:
        """A value in all lanes of an adjoint."""
        if self.lanes == 1:
            return value
        if value not in self._spread:
            zeros = f"<{self.lanes} x i32> zeroinitializer"
            self._spread[value] = self._new(f"shufflevector {self.kind} {value}, {self.kind} undef, {zeros}")
        return self._spread[value]

    def _one(self) -> str:
        return self._constant(1.0)

    def _constant(self, value: float) -> str:
        return f"<double 0x{struct.pack('>d', value).hex().upper()}>"

    def _read(self, base: str, place: int) -> str:
        at = self._new(f"getelementptr {self.vector}, ptr {base}, i64 {place}")
        return self._new(f"load {self.vector}, ptr {at}, align 8")

    def _write(self, place: int, what: str) -> None:
        at = self._new(f"getelementptr {self.vector}, ptr %bars, i64 {place}")
        self.lines.append(f"  store {self.vector} {what}, ptr {at}, align 8")
