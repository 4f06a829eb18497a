"""The text of parts of converged steps with tangents, and of a correction of the unknowns' tangents."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.lanes.traced.forward import ForwardText
from linkwork.lanes.traced.numbers import Key
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.tangent_steps import RecordedTangents

# of the size of z': rounding; what the next correction may be; the first that shows how corrections contract
SMALL, NEXT, SHOWS = 1e-15, 1e-13, 1e-6
STALLED, NEARLY = 0.9, 1e-9  # contraction that is none, and near enough then
# from correction LATE on, contraction that never ends, of less than NOISE: rounding of rows, which is divided by h^2
LATE, CREEPING, NOISE = 3, 0.98, 1e-5
NORMS = 3  # numbers that a vector of tangents keeps of its corrections: the last one's norm, done or not, contraction


class Layout:
    """Where numbers stand in the memory of a run with tangents: values one after the other, behind them tangents.

    places : cell -> its value. vectors : of each vector of tangents, cell -> its own, in vectors from the beginning.
    size : of all, in numbers.
    """

    def __init__(self, recorded: RecordedTangents, width: int, moving: Sequence[frozenset[int]]) -> None:
        self.moving, self.width = moving, width
        self.places = {cell: k for k, cell in enumerate(recorded.carried)}
        at = -(-len(self.places) // width)
        self.vectors: list[dict[int, int]] = []
        for cells in moving:
            self.vectors.append({cell: at + k for k, cell in enumerate(sorted(cells))})
            at += len(cells)
        self.size = at * width


class StepText(ForwardText):
    """A part with tangents, for values that stand once, and tangents of what moves alone."""

    def __init__(self, recording: Recording, layout: Layout) -> None:
        super().__init__(recording, layout.width, layout.places, layout.moving)
        self.layout = layout

    def _read(self, place: int, vector: int) -> str:
        at = self._tangent_at(place, vector)
        return self._new(f"load {self.kind}, ptr {at}, align {8 * self.width}")

    def _tangent_at(self, place: int, vector: int) -> str:
        where = self.layout.vectors[vector - 1][self.cell_at[place]]
        return self._new(f"getelementptr {self.kind}, ptr %cells, i64 {where}")

    def _load(self, k: int, cell: int | str) -> None:
        if isinstance(cell, str):
            super()._load(k, cell)
        else:
            self._say(k, self._everywhere(cell))

    def _everywhere(self, cell: int) -> str:
        """What a cell holds, in all lanes."""
        place = self._new(f"getelementptr double, ptr %cells, i64 {self.places[cell]}")
        one = self._new(f"insertelement {self.kind} undef, double {self._new(f'load double, ptr {place}')}, i32 0")
        return f"shufflevector {self.kind} {one}, {self.kind} undef, <{self.width} x i32> zeroinitializer"

    def _store(self, base: str, place: int, key: Key) -> None:
        shown = base != "%cells"
        value = self._new(f"extractelement {self.kind} {self._value(key)}, i32 0")
        size = 1 + self.width * len(self.groups)
        to = self._new(f"getelementptr double, ptr {base}, i64 {place * size if shown else place}")
        self.lines.append(f"  store double {value}, ptr {to}")
        for group in self.groups:
            if shown:
                at = self._new(f"getelementptr double, ptr {base}, i64 {place * size + 1 + group * self.width}")
                self.lines.append(f"  store {self.kind} {self._tangent(key, group)}, ptr {at}, align 8")
            elif self.cell_at[place] in self.cells[group]:
                at = self._tangent_at(place, 1 + group)
                self.lines.append(f"  store {self.kind} {self._tangent(key, group)}, ptr {at}, align {8 * self.width}")

    def correct(self, recorded: RecordedTangents) -> str:
        """The correction of the unknowns' tangents, of all vectors; which lanes are to go on comes back.

        norms : NORMS of each vector, squares."""
        kind = self.kind
        going: list[str] = []
        for group in self.groups:
            if not set(recorded.corrections) & self.cells[group]:
                continue
            change = whole = "zeroinitializer"
            for z, delta, weight in zip(recorded.unknowns, recorded.corrections, recorded.weights, strict=True):
                if delta not in self.cells[group]:
                    continue
                d = self._read(self.places[delta], 1 + group)
                x = self._new(f"fsub {kind} {self._read(self.places[z], 1 + group)}, {d}")
                to = self._tangent_at(self.places[z], 1 + group)
                self.lines.append(f"  store {kind} {x}, ptr {to}, align {8 * self.width}")
                if weight >= 0:
                    by = self._new(self._everywhere(weight))
                    change, whole = (self._and_square(total, y, by) for total, y in ((change, d), (whole, x)))
            going.append(self._goes_on(group, change, whole))
        found = going[0] if going else "zeroinitializer"
        for one in going[1:]:
            found = self._new(f"or {self.answers} {found}, {one}")
        bits = self._new(f"bitcast {self.answers} {found} to i{self.width}")
        word = self._new(f"zext i{self.width} {bits} to i64")
        head = "define i64 @correct(ptr noalias %cells, ptr noalias %norms, i64 %i) {"
        first = [
            "  %first = icmp eq i64 %i, 0",
            f"  %one = insertelement {self.answers} undef, i1 %first, i32 0",
            f"  %new = shufflevector {self.answers} %one, {self.answers} undef, <{self.width} x i32> zeroinitializer",
            f"  %before = icmp slt i64 %i, {LATE}",
            f"  %two = insertelement {self.answers} undef, i1 %before, i32 0",
            f"  %early = shufflevector {self.answers} %two, {self.answers} undef, <{self.width} x i32> zeroinitializer",
        ]
        return "\n".join((head, *first, *self.lines, f"  ret i64 {word}", "}"))

    def _and_square(self, total: str, x: str, weight: str) -> str:
        """total + (weight x)^2."""
        y = self._new(f"fmul {self.kind} {x}, {weight}")
        if total == "zeroinitializer":
            return self._new(f"fmul {self.kind} {y}, {y}")
        call = f"call {self.kind} @llvm.fmuladd.v{self.width}f64({self.kind} {y}, {self.kind} {y}, {self.kind} {total})"
        return self._new(call)

    def _goes_on(self, group: int, change: str, whole: str) -> str:
        """Lanes that are not done: the next correction would be more than rounding, unless they shrink no more.

        Squares. A contraction is that of a step's first two corrections, if the first is large enough to show it; else
        the last that was seen. What is done stays so for the step: corrections by rounding alone come and go.
        """
        kind, answers, many = self.kind, self.answers, len(self.groups)
        before = self._norm(group, change)
        small = self._new(f"fmul {kind} {whole}, {self._value(SMALL**2)}")
        more = self._new(f"fcmp ogt {kind} {change}, {small}")
        shows = self._new(f"fcmp ogt {kind} {before}, {self._new(f'fmul {kind} {whole}, {self._value(SHOWS**2)}')}")
        known = self._new(f"xor {answers} %new, {self._ones()}")
        ratio = self._new(f"fdiv {kind} {change}, {before}")
        seen = self._norm(2 * many + group, None)
        seen = self._new(
            f"select {answers} {self._new(f'and {answers} {shows}, {known}')}, {kind} {ratio}, {kind} {seen}"
        )
        self._norm(2 * many + group, seen)
        expected, limit = (
            self._new(f"fmul {kind} {change}, {seen}"),
            self._new(f"fmul {kind} {whole}, {self._value(NEXT**2)}"),
        )
        goes = self._new(f"fcmp ogt {kind} {expected}, {limit}")
        stalled = self._new(f"fmul {kind} {before}, {self._value(STALLED**2)}")
        shrinks = self._new(f"fcmp ole {kind} {change}, {stalled}")
        far, rough = (
            self._new(f"fcmp oge {kind} {change}, {self._new(f'fmul {kind} {whole}, {self._value(most**2)}')}")
            for most in (NEARLY, NOISE)
        )
        creeping = self._new(f"fmul {kind} {before}, {self._value(CREEPING**2)}")
        falls = self._new(f"fcmp olt {kind} {change}, {creeping}")
        rough = self._new(f"or {answers} {rough}, {self._new(f'or {answers} {falls}, %early')}")
        far = self._new(f"and {answers} {far}, {rough}")
        later = self._new(f"and {answers} {goes}, {self._new(f'or {answers} {shrinks}, {far}')}")
        asked = self._new(f"and {answers} {more}, {self._new(f'or {answers} %new, {later}')}")
        ones, zeros = self._value(1.0), self._value(0.0)
        went = self._new(f"fcmp ogt {kind} {self._norm(many + group, None)}, {zeros}")
        found = self._new(f"and {answers} {asked}, {self._new(f'or {answers} %new, {went}')}")
        self._norm(many + group, self._new(f"select {answers} {found}, {kind} {ones}, {kind} {zeros}"))
        return found

    def _norm(self, place: int, now: str | None) -> str:
        """What stands at a place beside the corrections; `now` stands there from now on."""
        at = self._new(f"getelementptr {self.kind}, ptr %norms, i64 {place}")
        before = self._new(f"load {self.kind}, ptr {at}, align {8 * self.width}")
        if now is not None:
            self.lines.append(f"  store {self.kind} {now}, ptr {at}, align {8 * self.width}")
        return before
