"""How much memory a process has held at most."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget_peak() -> None:
    """Let the peak begin at what is held now, where the system knows how (Linux)."""
    with contextlib.suppress(OSError):
        CLEAR.write_text("5")


def held() -> int | None:
    """Bytes of physical memory held now, None where the system does not say."""
    return _line("VmRSS:")


def peak() -> int | None:
    """The most bytes of physical memory held since `forget_peak`, or since the process began elsewhere."""
    found = _line("VmHWM:")
    if found is not None:
        return found
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most) if sys.platform == "darwin" else 1024 * int(most)


def _line(name: str) -> int | None:
    try:
        for line in STATUS.read_text().splitlines():
            if line.startswith(name):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return None
