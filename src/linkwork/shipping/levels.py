"""The processors and systems that code is compiled for ahead of time."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """One kind of processor under one system. triple, cpu : as LLVM calls it. linking : as Zig does, with the oldest C
    library."""

    name: str
    triple: str
    cpu: str
    linking: str
    platform: str  # of the wheel
    suffix: str = ".so"
    system: str = ""  # how its name begins

    @property
    def code(self) -> str:
        """The level for Linux whose optimised code it takes: LLVM makes each system's instructions of the same."""
        return self.name.removeprefix(self.system)

    @property
    def file(self) -> str:
        """Of the library."""
        return f"linkwork-{self.name}{self.suffix}"


X86 = ("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64")
ARM = ("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64")
MAC_X86 = ("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "macosx_11_0_x86_64", ".dylib", "macos-")
MAC_ARM = ("arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "macosx_11_0_arm64", ".dylib", "macos-")
WINDOWS = ("x86_64-w64-windows-gnu", "x86_64-windows-gnu", "win_amd64", ".dll", "windows-")
LEVELS = {
    level.name: level
    for level in (
        Level("x86-64-v2", "x86_64-unknown-linux-gnu", "x86-64-v2", *X86),
        Level("x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", *X86),
        Level("x86-64-v4", "x86_64-unknown-linux-gnu", "x86-64-v4", *X86),
        Level("aarch64", "aarch64-unknown-linux-gnu", "generic", *ARM),
        Level("macos-aarch64", MAC_ARM[0], "apple-m1", *MAC_ARM[1:]),
        Level("macos-x86-64-v2", MAC_X86[0], "x86-64-v2", *MAC_X86[1:]),
        Level("macos-x86-64-v3", MAC_X86[0], "x86-64-v3", *MAC_X86[1:]),
        Level("windows-x86-64-v2", WINDOWS[0], "x86-64-v2", *WINDOWS[1:]),
        Level("windows-x86-64-v3", WINDOWS[0], "x86-64-v3", *WINDOWS[1:]),
    )
}
