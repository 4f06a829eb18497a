"""Whether what a sweep keeps fits, in memory and on the disk: asked before anything is run."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path

from linkwork.errors import UsageError
from linkwork.sweeps.store import folder_of

SHARE = 0.8  # of what is free that may be filled


def need_room(runs: int, each: int, names: int, ahead: int, out: Path | None) -> None:
    """Raise UsageError where what is kept does not fit.

    each : bytes of a run. names : numbers of the plan. ahead : runs under way at once. out : the file that all go to,
    shard by shard and then as a whole; None where they stay in memory, as shards and then as a whole.
    """
    plan = 16 * names * runs  # and a copy
    _need(runs, each, plan + (min(runs, ahead) * each if out is not None else 2 * runs * each), free_memory(), "memory")
    if out is not None:
        free = free_disk(out) + standing(folder_of(out))  # what is done goes on, or is thrown away
        _need(runs, each, 2 * runs * each, free, f"the disk of {str(out)!r}")


def _need(runs: int, each: int, wanted: int, free: float, where: str) -> None:
    if wanted > SHARE * free:
        lead = (
            f"{runs} runs of {each} bytes each take {wanted / 1e9:.3g} GB of {where}, and {free / 1e9:.3g} GB are free."
        )
        less = "Keep less (max(...), final(...)), or fewer samples"
        raise UsageError(lead, remedy=f"{less}, or give a file: out='sweep.nc'." if where == "memory" else f"{less}.")


def standing(folder: Path) -> int:
    """Bytes of the files in a folder, if there is one."""
    try:
        return sum(file.stat().st_size for file in folder.iterdir())
    except OSError:
        return 0


def free_memory() -> float:
    """Bytes of memory that are free; endless where that is not told."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return math.inf


def free_disk(path: Path) -> float:
    """Bytes that are free where a file is to be; endless where that is not told."""
    try:
        return float(shutil.disk_usage(path.resolve().parent).free)
    except OSError:
        return math.inf
