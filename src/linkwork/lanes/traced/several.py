"""Several calls of machine code as one, each of the same arguments every time."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from linkwork.lanes.traced.engine import engine_of

MachineCall = tuple[int, Sequence[int]]  # address of a function, and its arguments: addresses and whole numbers


class Several:
    """Functions that return nothing, called one after the other. Whoever makes it keeps them and their arrays alive."""

    def __init__(self, calls: Sequence[MachineCall]) -> None:
        lines = ["define void @all() {"]
        for address, words in calls:
            kinds, given = ", ".join(["i64"] * len(words)), ", ".join(f"i64 {word}" for word in words)
            lines.append(f"  call void ({kinds}) inttoptr (i64 {address} to ptr)({given})")
        self._engine = engine_of("\n".join([*lines, "  ret void", "}"]), optimised=0)
        self._call = ctypes.CFUNCTYPE(None)(self._engine.get_function_address("all"))

    def __call__(self) -> None:
        self._call()
