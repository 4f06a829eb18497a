"""Several calls of machine code as one, each of the same arguments every time."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import NamedTuple

from linkwork.lanes.traced.engine import engine_of

MachineCall = tuple[int, Sequence[int]]  # address of a function, and its arguments: addresses and whole numbers


class Copy(NamedTuple):
    """So many bytes from one address to another."""

    target: int
    source: int
    size: int


class Off(NamedTuple):
    """`system.dense.within` of a value less what is prescribed, to the same bits; all are addresses."""

    value: int
    prescribed: int
    period: int
    found: int


class While(NamedTuple):
    """Operations as long as a whole number at an address is this one; the first time in any case."""

    address: int
    number: int
    operations: Sequence[MachineCall | Copy | Off]


class If(NamedTuple):
    """Operations if a whole number at an address is this one."""

    address: int
    number: int
    operations: Sequence[MachineCall | Copy | Off]


Operation = MachineCall | Copy | Off | While | If

DECLARED = (
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare double @llvm.fabs.f64(double)",
    "declare double @llvm.copysign.f64(double, double)",
)


class Several:
    """Operations one after the other. Whoever makes it keeps functions and arrays alive."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._lines, self._made = [*DECLARED, "define void @all() {", "entry:"], 0
        for one in operations:
            self._write(one)
        self._engine = engine_of("\n".join([*self._lines, "  ret void", "}"]), optimised=0)
        self._call = ctypes.CFUNCTYPE(None)(self._engine.get_function_address("all"))

    def __call__(self) -> None:
        self._call()

    def _write(self, one: Operation) -> None:
        self._made += 1
        lines, n = self._lines, self._made
        if isinstance(one, Copy):
            lines.append(
                f"  call void @llvm.memcpy.p0.p0.i64({at(one.target)}, {at(one.source)}, i64 {one.size}, i1 0)"
            )
        elif isinstance(one, Off):
            lines += off_lines(one, n)
        elif isinstance(one, (While, If)):
            again = isinstance(one, While)
            test = [
                f"  %s{n} = load i64, {at(one.address)}",
                f"  %c{n} = icmp eq i64 %s{n}, {one.number}",
                f"  br i1 %c{n}, label %do{n}, label %done{n}",
            ]
            lines += [*([f"  br label %do{n}"] if again else test), f"do{n}:"]
            for inner in one.operations:
                self._write(inner)
            lines += [*(test if again else [f"  br label %done{n}"]), f"done{n}:"]
        else:
            address, words = one
            kinds, given = ", ".join(["i64"] * len(words)), ", ".join(f"i64 {word}" for word in words)
            lines.append(f"  call void ({kinds}) inttoptr (i64 {address} to ptr)({given})")


def at(address: int) -> str:
    """A pointer."""
    return f"ptr inttoptr (i64 {address} to ptr)"


def off_lines(one: Off, n: int) -> list[str]:
    """`Off` as text; remainders have the sign of the period, as Python has them."""
    return [
        *(f"  %{name}{n} = load double, {at(where)}" for name, where in zip("vfp", one[:3], strict=True)),
        f"  %d{n} = fsub double %v{n}, %f{n}",
        f"  %h{n} = fmul double %p{n}, 0.5",
        f"  %a{n} = fadd double %d{n}, %h{n}",
        f"  %m{n} = frem double %a{n}, %p{n}",
        f"  %pn{n} = fcmp olt double %p{n}, 0.0",
        f"  %mn{n} = fcmp olt double %m{n}, 0.0",
        f"  %x{n} = xor i1 %pn{n}, %mn{n}",
        f"  %b{n} = fadd double %m{n}, %p{n}",
        f"  %k{n} = select i1 %x{n}, double %b{n}, double %m{n}",
        f"  %u{n} = fcmp une double %m{n}, 0.0",
        f"  %z{n} = call double @llvm.copysign.f64(double 0.0, double %p{n})",
        f"  %r{n} = select i1 %u{n}, double %k{n}, double %z{n}",
        f"  %w{n} = fsub double %r{n}, %h{n}",
        f"  %ap{n} = call double @llvm.fabs.f64(double %p{n})",
        f"  %i{n} = fcmp oeq double %ap{n}, 0x7FF0000000000000",
        f"  %o{n} = select i1 %i{n}, double %d{n}, double %w{n}",
        f"  store double %o{n}, {at(one.found)}",
    ]
