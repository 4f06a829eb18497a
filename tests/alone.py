"""Run every test file in a process of its own, its tests in random order: python tests/alone.py [FILE ...]

A test that passes only where another file or test ran before fails here. The order follows from a seed, which is told;
LINKWORK_TEST_SEED gives one. The exit status is 1 where a file failed; what it printed is shown.
"""

# ruff: noqa: T201
from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
SLOWEST = 10
NOTHING = 5  # pytest's exit status where no test was chosen


def files() -> list[str]:
    """All test files but those of the documentation, which are processes of their own already."""
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in found if "documented" not in path.parts]


def run(file: str, seed: int) -> tuple[str, float, bool]:
    """One file; a line about it, and all that it printed if it failed."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--shuffle", str(seed), file]
    begun = time.monotonic()
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    seconds, good = time.monotonic() - begun, done.returncode in (0, NOTHING)
    last = done.stdout.strip().splitlines()[-1:]
    print(f"{'' if good else 'FAILED '}{file}: {''.join(last)}", flush=True)
    if not good:
        print(done.stdout, done.stderr, flush=True)
    return file, seconds, good


def main(chosen: list[str]) -> int:
    """As many at once as there are cores, four at most."""
    seed = int(os.environ.get("LINKWORK_TEST_SEED") or random.randrange(10**6))
    print(f"tests in random order: LINKWORK_TEST_SEED={seed}", flush=True)
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        done = list(pool.map(lambda file: run(file, seed), chosen or files()))
    for file, seconds, _ in sorted(done, key=lambda one: -one[1])[:SLOWEST]:
        print(f"{seconds:8.1f} s  {file}")
    failed = [file for file, _, good in done if not good]
    print(f"{len(done)} files, {len(failed)} failed{''.join(f'{chr(10)}  {file}' for file in failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
