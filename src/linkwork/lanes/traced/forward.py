"""Recorded steps with tangents, as straight-line code: each operation is followed by its derivatives,

    x_k' = sum_j (dx_k / dx_j) x_j'    [Griewank and Walther 2008, section 3.1].

Values are those of the code without tangents, bit by bit, the same in all lanes of a vector. Tangents by as many
numbers as a vector has lanes are one vector. In memory they stand behind the value. What does not move with any of the
numbers of a vector has no tangents there. Products and sums are fused in tangents as they are in values. Cosines and
sines, recorded as polynomials of a rounded angle, are differentiated as what they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from linkwork.lanes.traced.derivatives import moving_nodes, pairs_of
from linkwork.lanes.traced.machine_code import ONE, Text, all_of
from linkwork.lanes.traced.numbers import Key, NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.step import Recorded

Term = tuple[str | None, str]  # a factor, none where it is 1, and a tangent


class ForwardText(Text):
    """A function of vectors and their tangents.

    moving : of each vector of tangents, the cells that have some. A cell is 1 + len(moving) vectors, the value first.
    """

    def __init__(
        self, recording: Recording, width: int, places: Mapping[int, int], moving: Sequence[frozenset[int]]
    ) -> None:
        super().__init__(recording, width, places)
        self.cells, self.groups, self.size = moving, range(len(moving)), 1 + len(moving)
        self.pairs = pairs_of(recording)
        self.moving = [moving_nodes(recording, cells) for cells in moving]
        self.cell_at = {place: cell for cell, place in places.items()}
        self._followed: set[int] = set()
        self._factors: dict[tuple[str, int], str] = {}

    def _nodes(self, live: list[int], taken: Mapping[int, int], wanted: Iterable[Key]) -> None:
        inside, self._followed = set(taken.values()), self._with_tangents(wanted)
        # the cosine of a sine that nothing else asks for, and the other way round, with products that they share
        known = set(live)
        aside = set(self.recording.live([self.pairs[k][1] for k in self._followed if k in self.pairs], {})) - known
        inside -= {x for k in aside for x in self._operands(k)}
        done: set[int] = set()
        for k in sorted(known | aside):
            done.add(k)
            if k in inside:
                continue
            self._node(k, {} if k in aside else taken)
            for x in (k, self.pairs[k][1]) if k in self.pairs else (k,):
                if x in self._followed and (x not in self.pairs or {x, self.pairs[x][1]} <= done):
                    for group in self.groups:
                        if x in self.moving[group]:
                            self._follow(x, group, taken)

    def _with_tangents(self, wanted: Iterable[Key]) -> set[int]:
        """Nodes whose tangents are asked for."""
        moving: set[int] = set().union(*self.moving)
        found: set[int] = set()
        todo: list[Any] = list(wanted)
        while todo:
            k = todo.pop()
            if not isinstance(k, int) or k in found or k not in moving:
                continue
            found.add(k)
            operation, *operands = self.graph.nodes[k]
            if k in self.pairs:
                todo.append(self.pairs[k][0])
            elif operation != "in":
                todo += operands[1:] if operation == "select" else operands
        return found

    def _follow(self, k: int, group: int, taken: Mapping[int, int]) -> None:
        """The tangents of a node."""
        operation, *operands = self.graph.nodes[k]
        kind = self.kind
        if operation == "in":
            found = self._read(self.places[operands[0]], 1 + group)
        elif k in self.pairs:
            angle, other, which = self.pairs[k]
            less = which == "cosine"
            found = self._sum([(self._minus(self._value(other)) if less else self._value(other), f"%d{angle}_{group}")])
        elif operation == "select":
            first, a, b = operands
            found = self._new(f"select {self.answers} %n{first}, {self._pair(a, b, group)}")
        elif operation in ("max", "min"):
            a, b = operands
            sign = "ogt" if operation == "max" else "olt"
            beyond = self._factor("beyond", k, f"fcmp {sign} {kind} {self._value(b)}, {self._value(a)}")
            found = self._new(f"select {self.answers} {beyond}, {self._pair(b, a, group)}")
        elif operation == "abs":
            x, dx = self._value(operands[0]), self._tangent(operands[0], group)
            below = self._factor("below", k, f"fcmp olt {kind} {x}, zeroinitializer")
            found = self._new(f"select {self.answers} {below}, {kind} {self._minus(dx)}, {kind} {dx}")
        else:
            found = self._sum(self._terms(k, group, taken))
        self.lines.append(f"  %d{k}_{group} = bitcast {kind} {found} to {kind}")

    def _pair(self, a: Key, b: Key, group: int) -> str:
        return ", ".join(f"{self.kind} {self._tangent(x, group)}" for x in (a, b))

    def _moves(self, x: Key, group: int) -> bool:
        return isinstance(x, int) and x in self.moving[group]

    def _tangent(self, x: Key, group: int) -> str:
        return f"%d{x}_{group}" if self._moves(x, group) else "zeroinitializer"

    def _terms(self, k: int, group: int, taken: Mapping[int, int]) -> list[Term]:
        """Factors and tangents whose products add up to the tangent of a node."""
        operation, *operands = self.graph.nodes[k]
        if operation in ("+", "-"):
            found: list[Term] = []
            for x, less in zip(operands, (False, operation == "-"), strict=True):
                if not self._moves(x, group):
                    continue
                several = self._terms(x, group, {}) if taken.get(k) == x else [(None, self._tangent(x, group))]
                found += [(self._opposite(factor), d) for factor, d in several] if less else several
            return sorted(found, key=lambda term: term[0] is not None)
        if operation == "neg":
            return [(self._opposite(None), self._tangent(operands[0], group))]
        if operation == "*":
            a, b = operands
            pairs = ((self._value(b), a), (self._value(a), b))
            return [(factor, self._tangent(x, group)) for factor, x in pairs if self._moves(x, group)]
        return [
            (factor, self._tangent(x, group)) for x, factor in self._slopes(k, operation, operands, group)
            if self._moves(x, group)
        ]  # fmt: skip

    def _slopes(self, k: int, operation: str, operands: list[Any], group: int) -> list[tuple[Key, str]]:
        """Operands, and the derivatives by them, of functions."""
        kind, y, one = self.kind, f"%n{k}", self._value(1.0)
        if operation == "/":
            a, b = operands
            key = b if isinstance(b, int) else -1 - k
            over = self._factor("over", key, f"fdiv {kind} {one}, {self._value(b)}")
            found: list[tuple[Key, str]] = [(a, over)]
            if self._moves(b, group):
                found.append((b, self._minus(self._factor("ratio", k, f"fmul {kind} {y}, {over}"))))
            return found
        if operation == "sqrt":
            return [(operands[0], self._factor("root", k, f"fdiv {kind} {self._value(0.5)}, {y}"))]
        if operation in ONE:
            if ("slope", k) not in self._factors:
                self._factors["slope", k] = self._slope(operation, self._value(operands[0]), y)
            return [(operands[0], self._factors["slope", k])]
        if operation == "pow":
            return self._slopes_of_power(operands, y)
        if operation == "atan2":
            b, a = map(self._value, operands)
            squares = [self._factor(name, k, f"fmul {kind} {x}, {x}") for name, x in (("first", a), ("second", b))]
            whole = self._factor("whole", k, f"fadd {kind} {squares[0]}, {squares[1]}")
            to_b = self._factor("to first", k, f"fdiv {kind} {a}, {whole}")
            to_a = self._factor("to second", k, f"fdiv {kind} {b}, {whole}")
            return [(operands[0], to_b), (operands[1], self._minus(to_a))]
        raise NotTracedError(f"the derivative of {operation}")

    def _sum(self, terms: list[Term]) -> str:
        """The sum of factors times tangents, of one term at least."""
        kind = self.kind
        (factor, found), *others = terms
        if factor == "-":
            found = self._minus(found)
        elif factor is not None:
            found = self._new(f"fmul {kind} {factor}, {found}")
        for factor, d in others:
            if factor is None or factor == "-":
                found = self._new(f"{'fadd' if factor is None else 'fsub'} {kind} {found}, {d}")
            else:
                call = f"call {kind} @llvm.fmuladd.v{self.width}f64({kind} {factor}, {kind} {d}, {kind} {found})"
                found = self._new(call)
        return found

    def _opposite(self, factor: str | None) -> str | None:
        if factor is None:
            return "-"
        return None if factor == "-" else self._minus(factor)

    def _minus(self, x: str) -> str:
        return self._new(f"fneg {self.kind} {x}")

    def _factor(self, name: str, k: int, what: str) -> str:
        """What several tangents need, made once."""
        if (name, k) not in self._factors:
            self._factors[name, k] = self._new(what)
        return self._factors[name, k]

    def _read(self, place: int, vector: int) -> str:
        at = self._new(f"getelementptr {self.kind}, ptr %cells, i64 {place * self.size + vector}")
        return self._new(f"load {self.kind}, ptr {at}, align {8 * self.width}")

    def _load(self, k: int, cell: int | str) -> None:
        if isinstance(cell, str):
            super()._load(k, cell)
            return
        place = self._new(f"getelementptr {self.kind}, ptr %cells, i64 {self.places[cell] * self.size}")
        self._say(k, f"load {self.kind}, ptr {place}, align {8 * self.width}")

    def _store(self, base: str, place: int, key: Key) -> None:
        told = {0: self._value(key)}
        for group in self.groups:
            if base != "%cells" or self.cell_at[place] in self.cells[group]:
                told[1 + group] = self._tangent(key, group)
        for vector, what in told.items():
            to = self._new(f"getelementptr {self.kind}, ptr {base}, i64 {place * self.size + vector}")
            self.lines.append(f"  store {self.kind} {what}, ptr {to}, align {8 * self.width}")


def text_of(recorded: Recorded, width: int, moving: Sequence[frozenset[int]]) -> str:
    """All functions of a run with tangents. moving : of each vector of tangents, the cells that have some."""
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    size = width * (1 + len(moving))
    return "\n".join(all_of(recorded, lambda one: ForwardText(one, width, places, moving), size))
