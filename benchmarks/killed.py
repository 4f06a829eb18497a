"""A sweep that is killed twenty times at random moments, with all its processes, and gone on with: the same data set?

`python -m benchmarks.killed [--kills N] [--seed S]`: in lanes on two threads, and on two processes. Beside the random
kills there is one while the file is written, and one when it is written and its shards are not yet removed. Every bit
of the data set is compared with that of a sweep that nobody disturbed. Exit status 1 where one differs.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw

WAYS: dict[str, dict[str, Any]] = {
    "2 threads, in lanes": {"threads": 2, "lanes": True, "formulation": "articulated-body", "integrator": "rk4"},
    "2 processes": {"processes": 2, "formulation": "rA"},
}
RUNS = {"2 threads, in lanes": 40_000, "2 processes": 20_000}
KEEP = ["max(lower.position.x)", "final(upper.position)", "integral(lower.velocity.x**2)"]
SCRIPT = """
import json, os, sys
import linkwork as lw
from benchmarks.sweeps import double_pendulum
if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    if asked.pop("stop_before_discard", False):
        from linkwork.sweeps.store import Folder
        Folder.discard = lambda self: os.kill(os.getpid(), 9)
    lw.sweep(double_pendulum(), {"k": lw.uniform(1.0, 40.0)}, **asked)
"""


def begun(folder: Path, asked: dict[str, Any]) -> subprocess.Popen[bytes]:
    """The sweep in a process of its own, which leads a group."""
    script = folder / "swept.py"
    script.write_text(SCRIPT, "utf-8")
    root = str(Path(__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, str(script), json.dumps(asked)], start_new_session=True, env={**os.environ, "PYTHONPATH": root}
    )


def kill(process: subprocess.Popen[bytes]) -> bool:
    """End it and all that it started. False where it had ended by itself."""
    ended = process.poll() is not None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return not ended


def undisturbed(folder: Path, asked: dict[str, Any]) -> tuple[float, float]:
    """Seconds until the first shard was there, and until all was."""
    began = time.monotonic()
    process = begun(folder, asked)
    parts = Path(f"{asked['out']}.parts")
    while process.poll() is None and not any(parts.glob("0*.npz")):
        time.sleep(0.005)
    first = time.monotonic() - began
    if process.wait() != 0:
        raise SystemExit("the sweep failed")
    return first, time.monotonic() - began


def being_written(out: Path) -> bool:
    """Whether the file is made of the shards at this moment."""
    return Path(f"{out}.parts", "whole.nc").exists()


def the_same(one: Path, other: Path) -> bool:
    """Whether two data sets agree in every bit, statuses and errors included."""
    a, b = lw.open_sweep(one), lw.open_sweep(other)
    arrays = [(a[name], b[name]) for name in a.names] + [(a.time, b.time), (a.status, b.status)]
    return a.names == b.names and a.errors == b.errors and all(x.tobytes() == y.tobytes() for x, y in arrays)


def killed(way: str, runs: int, kills: int, seed: int) -> bool:
    """One way of computing. Says what it does."""
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        usual = {"runs": runs, "keep": KEEP, **WAYS[way]}
        first, whole = undisturbed(folder, usual | {"out": str(folder / "usual.nc")})
        print(f"{way}: {runs} runs, first shard after {first:.1f} s, all after {whole:.1f} s", flush=True)
        out = folder / "killed.nc"
        asked, done, attempts = usual | {"out": str(out)}, 0, 0
        parts = Path(f"{out}.parts")
        while done < kills:
            process = begun(folder, asked)
            time.sleep(random.uniform(0.0, first + 2.0 * (whole - first) / kills))
            attempts += 1
            if kill(process):
                done += 1
                print(f"  killed {done} times, {len(list(parts.glob('0*.npz')))} shards", flush=True)
            elif out.exists():  # it was through: again from the beginning
                print("  it was done before it was killed", flush=True)
                if not the_same(out, folder / "usual.nc"):
                    return False
                out.unlink()
        process = begun(folder, asked)
        while process.poll() is None and not being_written(out):
            time.sleep(0.0005)
        hit = kill(process) and not out.exists()
        print(f"  killed while the file was written: {hit}", flush=True)
        process = begun(folder, asked | {"stop_before_discard": True})
        process.wait()
        print(f"  killed before the shards were removed: {parts.exists() and out.exists()}", flush=True)
        if begun(folder, asked).wait() != 0:
            return False
        left = sorted(path.name for path in folder.iterdir() if "killed" in path.name)
        same = the_same(out, folder / "usual.nc")
        print(f"  after {done} kills at random moments: {'the same' if same else 'ANOTHER'} data set; left: {left}")
        return same


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser(description="Sweeps that are killed and gone on with.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    good = [killed(way, RUNS[way], asked.kills, asked.seed) for way in WAYS]
    raise SystemExit(not all(good))


if __name__ == "__main__":
    main()
