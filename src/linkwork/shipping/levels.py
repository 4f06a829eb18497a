"""The processors that code is compiled for ahead of time."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """One kind of processor. triple, cpu : as LLVM calls it. linking : as Zig does, with the oldest C library."""

    name: str
    triple: str
    cpu: str
    linking: str
    platform: str  # of the wheel


X86 = ("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64")
ARM = ("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64")
LEVELS = {
    level.name: level
    for level in (
        Level("x86-64-v2", "x86_64-unknown-linux-gnu", "x86-64-v2", *X86),
        Level("x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", *X86),
        Level("x86-64-v4", "x86_64-unknown-linux-gnu", "x86-64-v4", *X86),
        Level("aarch64", "aarch64-unknown-linux-gnu", "generic", *ARM),
    )
}
