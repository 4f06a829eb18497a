"""The machine a benchmark ran on, and how it is kept quiet: one core, one thread."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
OWN_SECONDS = False  # whether `count_own_seconds` was called
PACKAGES = ("numpy", "scipy", "numba", "exudyn", "pin", "mujoco", "casadi")


def one_thread() -> None:
    """Ask libraries for one thread; only does something before they are imported."""
    for name in ONE_THREAD:
        os.environ[name] = "1"


def pin() -> int | None:
    """Stay on the last of the cores allowed; its number, or None where the system cannot do that."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def load() -> str:
    """How many processes wanted a core in the last minute: figures from a machine at work are not worth much."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def count_own_seconds() -> None:
    """Let `time.perf_counter` of this process stand still while others have the core, and count seconds of its
    children in the same way.

    linkwork and Exudyn compute in the thread that asks for the time, so that on a quiet machine both clocks agree.
    """
    global OWN_SECONDS
    time.perf_counter = time.thread_time
    OWN_SECONDS = True


def describe(core: int | None) -> dict[str, str]:
    """What the figures depend on, in words."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "pinned to core": "no" if core is None else str(core),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "linkwork": linkwork_version(),
        **{name: installed(name) for name in PACKAGES},
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def installed(name: str) -> str:
    """The version of a package, or a word that it is absent."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def linkwork_version() -> str:
    """The version and the hash of the sources that ran."""
    from linkwork.source import __version__, source_hash

    return f"{__version__} (sources {source_hash()})"
