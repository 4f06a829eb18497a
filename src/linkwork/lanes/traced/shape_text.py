"""Shapes of `shapes` as functions that LLVM reads: forward, and backwards from the adjoints of what a piece leaves.

A piece computes its operations again before it goes backwards, so that no more is kept than what pieces leave. Each
value's adjoint is taken once, by the piece that left the value, and is zero again from then on.
"""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

from linkwork.lanes.traced.derivatives import moving_nodes
from linkwork.lanes.traced.machine_code import Text
from linkwork.lanes.traced.numbers import Graph, Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.shapes import CONSTANT, VALUE, Shape


class Columns:
    """Which columns of a shape's tables are the same in all pieces, and are left out of tables.

    rows : of each piece, the place of its first value, and of its sources. graph, pairs : the shape's, where columns
    that are alike in all pieces are one."""

    def __init__(self, shape: Shape, rows: list[list[int]]) -> None:
        self.shape, (first, *others) = shape, rows
        base, *places = first
        self._join(rows)
        self.fixed: dict[int, int] = {}  # the same place
        self.relative: dict[int, int] = {}  # as far from the piece's own first value
        for k, (kind, place) in enumerate(zip(shape.given, places, strict=True)):
            if all(row[1 + k] == place for row in others):
                self.fixed[k] = place
            elif kind == VALUE and all(row[1 + k] - row[0] == place - base for row in others):
                self.relative[k] = place - base
        told = [k for k in range(len(places)) if k not in self.fixed and k not in self.relative and k in self.used]
        self.words = {k: 1 + at for at, k in enumerate(told)}  # column -> word of a table
        self.tables = [[row[0], *(row[1 + k] for k in told)] for row in rows]

    def _join(self, rows: list[list[int]]) -> None:
        shape, graph = self.shape, Graph()
        inputs = {node[1]: k for k, node in enumerate(shape.graph.nodes) if node[0] == "in"}
        first: dict[Any, int] = {}
        now: dict[int, int] = {}  # nodes that are others now
        for column, told in enumerate(zip(*rows, strict=True)):
            if column:
                k = inputs[column - 1]
                now[k] = first.setdefault((shape.given[column - 1] == VALUE, told), k)
        graph.nodes = [
            node if node[0] == "in" else (node[0], *(now.get(x, x) for x in node[1:])) for node in shape.graph.nodes
        ]
        graph.guards = shape.graph.guards
        self.graph, self.used = graph, {graph.nodes[k][1] for k in now.values()}
        self.pairs = {k: (now.get(a, a), now.get(b, b), which) for k, (a, b, which) in shape.pairs.items()}


class _Placed(Text):
    """What both directions have in common: where inputs are."""

    columns: Columns
    literal: dict[int, str]

    def _begin(self) -> None:
        self.lines.append("  %w0 = load i32, ptr %table, align 4")
        self.lines.append("  %base = sext i32 %w0 to i64")

    def _at(self, kind: str, cells: str, values: str, column: int) -> str:
        """The address of an input's number, or adjoint."""
        columns = self.columns
        room = values if columns.shape.given[column] == VALUE else cells
        if column in columns.fixed:
            return self._new(f"getelementptr {kind}, ptr {room}, i64 {columns.fixed[column]}")
        if column in columns.relative:
            place = self._new(f"add i64 %base, {columns.relative[column]}")
        else:
            word = self._new(f"getelementptr i32, ptr %table, i64 {columns.words[column]}")
            place = self._new(f"sext i32 {self._new(f'load i32, ptr {word}, align 4')} to i64")
        return self._new(f"getelementptr {kind}, ptr {room}, i64 {place}")

    def _load(self, k: int, cell: int | str) -> None:
        assert isinstance(cell, int)
        if k not in self.literal:
            self._say(k, f"load {self.kind}, ptr {self._at(self.kind, '%cells', '%values', cell)}, align 8")

    def _value(self, key: Key) -> str:
        if isinstance(key, int) and key in self.literal:
            return self.literal[key]
        return super()._value(key)

    def _left(self, kind: str, room: str, place: int) -> str:
        """The address of a value that the piece leaves."""
        at = self._new(f"add i64 %base, {place}")
        return self._new(f"getelementptr {kind}, ptr {room}, i64 {at}")


class ShapeText(_Placed):
    """A shape forward."""

    def __init__(self, shape: Shape, columns: Columns, literal: dict[int, str]) -> None:
        super().__init__(Recording(columns.graph, {}), 1, {})
        self.shape, self.columns, self.literal = shape, columns, literal

    def forward(self, name: str) -> str:
        """The function: what it returns is not 0 where the course is left."""
        outputs, graph = self.shape.outputs, self.graph
        live = self.recording.live(outputs)
        uses = Counter(x for k in live if graph.nodes[k][0] != "in" for x in self._operands(k))
        uses.update([*outputs, *graph.guards])
        self._begin()
        self._nodes(live, self._fused(live, uses), outputs)
        failed = "zeroinitializer"
        for k, held in graph.guards.items():
            off = f"%n{k}"
            if held:
                off = self._new(f"xor {self.answers} {off}, {self._ones()}")
            failed = off if failed == "zeroinitializer" else self._new(f"or {self.answers} {failed}, {off}")
        for k, place in outputs.items():
            at = self._left(self.kind, "%values", place)
            self.lines.append(f"  store {self.kind} {self._value(k)}, ptr {at}, align 8")
        bits = self._new(f"bitcast {self.answers} {failed} to i1")
        word = self._new(f"zext i1 {bits} to i64")
        head = f"define i64 @{name}(ptr noalias %cells, ptr noalias %values, ptr noalias %table) {{"
        return "\n".join((head, *self.lines, f"  ret i64 {word}", "}"))


class ShapeReverse(_Placed, ReverseText):
    """A shape backwards."""

    def __init__(self, shape: Shape, columns: Columns, literal: dict[int, str], lanes: int) -> None:
        ReverseText.__init__(self, Recording(columns.graph, {}), {}, lanes)
        self.shape, self.columns, self.literal, self.pairs = shape, columns, literal, columns.pairs

    def back(self, name: str) -> str:
        """The function. Adds to adjoints of what the piece takes, and clears those of what it leaves."""
        shape, graph = self.shape, self.graph
        inputs = {node[1]: k for k, node in enumerate(graph.nodes) if node[0] == "in"}
        self.moving = moving_nodes(self.recording, {k for k, moves in enumerate(shape.moving) if moves})
        outputs = {k: place for k, place in shape.outputs.items() if k in self.moving}
        self._begin()
        if outputs:
            live = self.recording.live(outputs, self.pairs)
            uses = Counter(x for k in live if graph.nodes[k][0] != "in" for x in self._operands(k))
            uses.update([*outputs, *self.pairs])
            taken = self._fused(live, uses)
            for k in live:
                if k not in taken.values():
                    self._node(k, taken)
            for k, place in outputs.items():
                at = self._left(self.vector, "%valuebars", place)
                self._add(k, self._new(f"load {self.vector}, ptr {at}, align 8"))
                self.lines.append(f"  store {self.vector} zeroinitializer, ptr {at}, align 8")
            for k in reversed(live):
                if k in self.bars and graph.nodes[k][0] != "in":
                    self._back(k, self.bars[k])
            for column, k in sorted(inputs.items()):
                if k in self.bars:
                    at = self._at(self.vector, "%cellbars", "%valuebars", column)
                    sofar = self._new(f"load {self.vector}, ptr {at}, align 8")
                    total = self._new(f"fadd {self.vector} {sofar}, {self.bars[k]}")
                    self.lines.append(f"  store {self.vector} {total}, ptr {at}, align 8")
        head = (
            f"define void @{name}(ptr noalias %cells, ptr noalias %values, ptr noalias %cellbars, "
            "ptr noalias %valuebars, ptr noalias %table) {"
        )
        return "\n".join((head, *self.lines, "  ret void", "}"))


def literals(shape: Shape, columns: Columns, constants: dict[int, Any]) -> dict[int, str]:
    """Inputs of a shape that are the same constant in all pieces, as LLVM reads them. constants : place -> constant."""
    return {
        k: f"<double 0x{struct.pack('>d', constants[columns.fixed[node[1]]]).hex().upper()}>"
        for k, node in enumerate(shape.graph.nodes)
        if node[0] == "in" and shape.given[node[1]] == CONSTANT and node[1] in columns.fixed
    }
