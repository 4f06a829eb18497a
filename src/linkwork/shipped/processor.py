"""Which of the levels of compiled code this processor can run."""

from __future__ import annotations

import platform
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

# what each level adds to the one before, in the words of /proc/cpuinfo (System V ABI for x86-64)
X86 = {
    "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}
NUMPY = {
    "x86-64-v2": "popcnt sse41 sse42 ssse3",
    "x86-64-v3": "avx avx2 f16c fma3",
}  # in the words of NumPy, under systems without that file; processors with AVX2 and FMA3 have the rest of v3, too
SYSTEMS = {"linux": "", "darwin": "macos-", "win32": "windows-"}  # how names of levels begin
MACHINES = {"x86_64": "x86-64", "AMD64": "x86-64", "aarch64": "aarch64", "arm64": "aarch64"}
CPUINFO = Path("/proc/cpuinfo")


def levels() -> list[str]:
    """Levels that this processor can run, the best first; none where no code is shipped for this system."""
    machine = MACHINES.get(platform.machine(), "")
    if sys.platform not in SYSTEMS or not machine:
        return []
    features = X86 if sys.platform == "linux" else NUMPY
    found = ["aarch64"] if machine == "aarch64" else x86_levels(flags(), features)
    return [SYSTEMS[sys.platform] + level for level in found]


def x86_levels(has: Collection[str], features: Mapping[str, str] = X86) -> list[str]:
    """Of a processor that says it has these features; the lowest level if it says nothing. features : of each level."""
    if not has:
        return ["x86-64-v2"]
    found: list[str] = []
    for level, needed in features.items():
        if not set(needed.split()).issubset(has):
            break
        found.insert(0, level)
    return found


def flags() -> frozenset[str]:
    """Features of the first core, nothing if that is not to be learnt."""
    if sys.platform != "linux":
        return numpy_flags()
    try:
        with CPUINFO.open(encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith("flags"):
                    return frozenset(line.partition(":")[2].split())
    except OSError:
        pass
    return frozenset()


def numpy_flags() -> frozenset[str]:
    """Features that NumPy has found, in lower case."""
    try:
        from numpy._core._multiarray_umath import __cpu_features__ as found  # type: ignore[import-not-found]  # no types
    except ImportError:
        return frozenset()
    return frozenset(name.lower() for name, there in found.items() if there)
