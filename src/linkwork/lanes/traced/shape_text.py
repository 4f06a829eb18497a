"""Shapes of `shapes` as functions that LLVM reads: forward, and backwards from the adjoints of what a piece leaves.

Forward, so many steps go at once, each number a vector of as many lanes. Backwards goes one of them, a lane of these.

What a piece left is read again on the way back; its other operations are computed again, as far as slopes need them.
Each value's adjoint is taken once, by the piece that left the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.derivatives import moving_nodes
from linkwork.lanes.traced.machine_code import Text
from linkwork.lanes.traced.numbers import Graph, Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.shapes import CONSTANT, Shape

Ints = NDArray[np.int64]
WIDE = 4  # steps at once
ROOM = f"<{WIDE} x double>"  # what stands at a place


class Columns:
    """Which columns of a shape's tables are the same in all pieces, and are left out of tables.

    rows : (pieces, 1 + inputs), wherever a piece is called, the place of its first value, and of its sources. graph,
    pairs : the shape's, where columns that are alike in all pieces are one."""

    def __init__(self, shape: Shape, rows: Ints) -> None:
        self.shape, self.rows = shape, rows
        self._join()
        self.fixed: dict[int, int] = {}  # the same place
        self.relative: dict[int, int] = {}  # as far from the piece's own first value
        places = rows[:, 1:]
        apart = places - rows[:, :1]
        same, along = (np.all(one == one[:1], axis=0).tolist() for one in (places, apart))
        for k in range(places.shape[1]):
            if same[k]:
                self.fixed[k] = int(places[0, k])
            elif along[k]:
                self.relative[k] = int(apart[0, k])
        told = [k for k in range(places.shape[1]) if not same[k] and not along[k] and k in self.used]
        self.words = {k: 1 + at for at, k in enumerate(told)}  # column -> word of a table
        self.tables = np.ascontiguousarray(rows[:, [0, *(1 + k for k in told)]], dtype=np.int32)

    def _join(self) -> None:
        shape, graph = self.shape, Graph()
        self.inputs = {node[1]: k for k, node in enumerate(shape.graph.nodes) if node[0] == "in"}
        first: dict[Any, int] = {}
        now: dict[int, int] = {}  # nodes that are others now
        for column, told in enumerate(np.ascontiguousarray(self.rows[:, 1:].T)):
            k = self.inputs[column]
            now[k] = first.setdefault(told.tobytes(), k)
        graph.nodes = [
            node if node[0] == "in" else (node[0], *(now.get(x, x) for x in node[1:])) for node in shape.graph.nodes
        ]
        graph.guards = shape.graph.guards
        self.graph, self.used = graph, {graph.nodes[k][1] for k in now.values()}
        self.pairs = {k: (now.get(a, a), now.get(b, b), which) for k, (a, b, which) in shape.pairs.items()}


class _Placed(Text):
    """What both directions have in common: where numbers are."""

    columns: Columns
    literal: dict[int, float]

    def _begin(self) -> None:
        self.lines.append("  %w0 = load i32, ptr %table, align 4")
        self.lines.append("  %base = sext i32 %w0 to i64")

    def _at(self, kind: str, room: str, column: int) -> str:
        """The address of an input's number, or adjoint."""
        columns = self.columns
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
            self._say(k, f"load {self.kind}, ptr {self._at(ROOM, '%room', cell)}, align 8")

    def _value(self, key: Key) -> str:
        if isinstance(key, int) and key in self.literal:
            key = self.literal[key]
        return super()._value(key)

    def _left(self, kind: str, room: str, place: int) -> str:
        """The address of a value that the piece leaves."""
        at = self._new(f"add i64 %base, {place}")
        return self._new(f"getelementptr {kind}, ptr {room}, i64 {at}")


class ShapeText(_Placed):
    """A shape forward."""

    def __init__(self, shape: Shape, columns: Columns, literal: dict[int, float]) -> None:
        super().__init__(Recording(columns.graph, {}), WIDE, {})
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
            at = self._left(ROOM, "%room", place)
            self.lines.append(f"  store {self.kind} {self._value(k)}, ptr {at}, align 8")
        word = self._word(failed)
        head = f"define i64 @{name}(ptr noalias %room, ptr noalias %table) {{"
        return "\n".join((head, *self.lines, f"  ret i64 {word}", "}"))


class ShapeReverse(_Placed, ReverseText):
    """A shape backwards. touched : columns whose adjoints it adds to, in the order in which it does. left : of what the
    piece leaves, what it takes adjoints of, by place."""

    def __init__(self, shape: Shape, columns: Columns, literal: dict[int, float], lanes: int) -> None:
        ReverseText.__init__(self, Recording(columns.graph, {}), {}, lanes)
        self.shape, self.columns, self.literal, self.pairs = shape, columns, literal, columns.pairs
        self.moving = moving_nodes(self.recording, {k for k, moves in enumerate(shape.moving) if moves})
        self.left = {place: k for k, place in shape.outputs.items() if k in self.moving}
        self._begin()
        self._back_to_inputs()
        self.touched = [column for column, k in sorted(columns.inputs.items()) if k in self.bars]

    def _back_to_inputs(self) -> None:
        graph, outputs = self.graph, {k: place for place, k in self.left.items()}
        live = self.recording.live(outputs, self.pairs)
        uses = Counter(x for k in live if graph.nodes[k][0] != "in" for x in self._operands(k))
        uses.update([*outputs, *self.pairs])
        taken = self._fused(live, uses)
        inside = set(taken.values())
        for k in live:
            if k in self.shape.outputs:
                at = self._left(ROOM, "%room", self.shape.outputs[k])
                self._say(k, f"load {self.kind}, ptr {at}, align 8")
            elif k not in inside:
                self._node(k, taken)
        for k, place in outputs.items():
            self._add(k, self._new(f"load {self.vector}, ptr {self._left(self.vector, '%bars', place)}, align 8"))
        for k in reversed(live):
            if k in self.bars and graph.nodes[k][0] != "in":
                self._back(k, self.bars[k])

    def back(self, name: str, first: Set[int], cleared: Set[int]) -> str:
        """The function. first : columns whose adjoints nobody has added to before, in all pieces. cleared : places of
        what the piece leaves whose adjoints are zero from then on."""
        for place in sorted(self.left.keys() & cleared):
            at = self._left(self.vector, "%bars", place)
            self.lines.append(f"  store {self.vector} zeroinitializer, ptr {at}, align 8")
        for column in self.touched:
            at = self._at(self.vector, "%bars", column)
            total = self.bars[self.columns.inputs[column]]
            if column not in first:
                sofar = self._new(f"load {self.vector}, ptr {at}, align 8")
                total = self._new(f"fadd {self.vector} {sofar}, {total}")
            self.lines.append(f"  store {self.vector} {total}, ptr {at}, align 8")
        head = f"define void @{name}(ptr noalias %room, ptr noalias %bars, ptr noalias %table) {{"
        return "\n".join((head, *self.lines, "  ret void", "}"))


def literals(shape: Shape, columns: Columns, constants: dict[int, float]) -> dict[int, float]:
    """Inputs of a shape that are the same constant in all pieces. constants : place -> constant."""
    return {
        k: constants[columns.fixed[node[1]]]
        for k, node in enumerate(shape.graph.nodes)
        if node[0] == "in" and shape.given[node[1]] == CONSTANT and node[1] in columns.fixed
    }
