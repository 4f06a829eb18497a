"""The text of how w is corrected until it solves the transposed equations of a converged step.

See `traced.newton_reverse`. The right side z_bar + (dF/dz)^T w is measured in the norm of Newton's corrections, with
the inverse of its weights; multipliers that it leaves out, those of couplings, count as they are.
"""

from __future__ import annotations

import struct

from linkwork.lanes.traced.tangent_steps import SAMPLE, RecordedTangents
from linkwork.lanes.traced.tangent_text import NEARLY, STALLED

SMALL = 1e-15  # of the first right side: what may be left of it


def corrections_of(recorded: RecordedTangents, places: dict[int, int], lanes: int) -> str:
    """first(w): no corrections yet. hand(with, w): w goes to the adjoints of the residual. left(with, w, norms, cells,
    i): the right side, and whether it is more than rounding of the first. solved(bars): nothing is left to the
    unknowns, but to those that stay as they were predicted."""
    kind, answers = f"<{lanes} x double>", f"<{lanes} x i1>"
    zero = "zeroinitializer"
    first, hand, left, solved = (list[str]() for _ in range(4))
    fresh = 0

    def new(lines: list[str], what: str) -> str:
        nonlocal fresh
        fresh += 1
        lines.append(f"  %x{fresh} = {what}")
        return f"%x{fresh}"

    def at(lines: list[str], base: str, place: int) -> str:
        return new(lines, f"getelementptr {kind}, ptr {base}, i64 {place}")

    def broad(lines: list[str], place: int) -> str:
        value = new(lines, f"load double, ptr {new(lines, f'getelementptr double, ptr %cells, i64 {place}')}")
        one = new(lines, f"insertelement {kind} undef, double {value}, i32 0")
        return new(lines, f"shufflevector {kind} {one}, {kind} undef, <{lanes} x i32> zeroinitializer")

    def constant(value: float) -> str:
        bits = struct.pack(">d", value).hex().upper()
        return "<" + ", ".join([f"double 0x{bits}"] * lanes) + ">"

    for k in recorded.residual:
        if k in places:
            first.append(f"  store {kind} {zero}, ptr {at(first, '%w', places[k])}, align 8")
            found = new(hand, f"load {kind}, ptr {at(hand, '%w', places[k])}, align 8")
            hand.append(f"  store {kind} {found}, ptr {at(hand, '%with', places[k])}, align 8")
    sample = recorded.parts[SAMPLE]
    size, shown = zero, sample.cells_read(sample.samples)
    for z, delta, weight in zip(recorded.unknowns, recorded.corrections, recorded.weights, strict=True):
        if z in recorded.predicted:
            continue
        found = new(left, f"load {kind}, ptr {at(left, '%with', places[z])}, align 8")
        less = new(left, f"fneg {kind} {found}")
        left.append(f"  store {kind} {less}, ptr {at(left, '%w', places[delta])}, align 8")
        solved.append(f"  store {kind} {zero}, ptr {at(solved, '%bars', places[z])}, align 8")
        if weight >= 0 or z in shown:
            share = found if weight < 0 else new(left, f"fdiv {kind} {found}, {broad(left, places[weight])}")
            square = new(left, f"fmul {kind} {share}, {share}")
            size = new(left, f"fadd {kind} {size}, {square}")
    whole, last = at(left, "%norms", 0), at(left, "%norms", 1)
    begins = new(left, "icmp eq i64 %i, 0")
    before = new(left, f"load {kind}, ptr {last}, align 8")
    reference = new(left, f"load {kind}, ptr {whole}, align 8")
    of = new(left, f"select i1 {begins}, {kind} {size}, {kind} {reference}")
    left.append(f"  store {kind} {of}, ptr {whole}, align 8")
    left.append(f"  store {kind} {size}, ptr {last}, align 8")
    more = new(left, f"fcmp ogt {kind} {size}, {new(left, f'fmul {kind} {of}, {constant(SMALL**2)}')}")
    shrinks = new(left, f"fcmp ole {kind} {size}, {new(left, f'fmul {kind} {before}, {constant(STALLED**2)}')}")
    far = new(left, f"fcmp oge {kind} {size}, {new(left, f'fmul {kind} {of}, {constant(NEARLY**2)}')}")
    later = new(left, f"or {answers} {shrinks}, {far}")
    started = new(
        left, f"select i1 {begins}, {answers} {more}, {answers} {new(left, f'and {answers} {more}, {later}')}"
    )
    word = new(left, f"zext i{lanes} {new(left, f'bitcast {answers} {started} to i{lanes}')} to i64")
    functions = (
        ("define void @first(ptr noalias %w) {", first, "void"),
        ("define void @hand(ptr noalias %with, ptr noalias %w) {", hand, "void"),
        (
            "define i64 @left(ptr noalias %with, ptr noalias %w, ptr noalias %norms, ptr noalias %cells, i64 %i) {",
            left,
            f"i64 {word}",
        ),
        ("define void @solved(ptr noalias %bars) {", solved, "void"),
    )
    return "\n".join("\n".join((head, *lines, f"  ret {result}", "}")) for head, lines, result in functions)
