"""Does the first planned call of a mechanism take longer than the default did before there were plans?

python -m benchmarks.first_planned [--then FOLDER] [--mechanism NAME ...] [--calls N]

Until 23 November 2026 a run that named no method was `rA` with generalized-alpha, at the step that was given. Here
`lw.simulate(mech, 3.0, 1e-3)` of those sources stands beside `lw.simulate(mech, 3.0, step=0.01)` of these, in two
processes that are warm (every mechanism has run in them), in turn call by call, each on a copy of the mechanism and
after a collection of garbage: processor time that one call in five is below. FOLDER holds the old sources; left out,
they are taken from the history (`git worktree`). Their code is compiled first, into a cache of their own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from benchmarks.calibration import shipped_ones

HERE = Path(__file__).parents[1]
BEFORE_PLANS = "0c168c70~1"  # the last sources whose default has no plan
SPAN, STEP, INTERVAL, CALLS, BELOW = 3.0, 1e-3, 1e-2, 75, 0.2
# a process that runs the mechanism named on each line it reads, and answers with milliseconds
CALLER = """
import copy, gc, sys, time
import linkwork as lw
span, step = float(sys.argv[1]), float(sys.argv[2])
known = {}
for line in sys.stdin:
    name = line.strip()
    mech = copy.deepcopy(known.setdefault(name, lw.load(name)))
    gc.collect()
    start = time.process_time()
    try:
        lw.simulate(mech, span, step)
    except lw.errors.LinkworkError:
        pass  # what cannot be followed is told by its row
    print(1e3 * (time.process_time() - start), flush=True)
"""


class Caller:
    """A process with sources of linkwork."""

    def __init__(self, sources: Path, cache: Path | None, step: float, span: float) -> None:
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join((str(sources / "src"), str(sources))))
        if cache is not None:
            environment |= {"XDG_CACHE_HOME": str(cache)}
        command = (sys.executable, "-c", CALLER, str(span), str(step))
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def call(self, name: str) -> float:
        """Milliseconds of one call on a mechanism that is new. Raises RuntimeError where the process ended."""
        into, out = (self._end(end) for end in (self.process.stdin, self.process.stdout))
        into.write(f"{name}\n")
        into.flush()
        answer = out.readline()
        if not answer:
            raise RuntimeError(f"the process that ran {name!r} ended")
        return float(answer)

    @staticmethod
    def _end(end: IO[str] | None) -> IO[str]:
        assert end is not None
        return end

    def close(self) -> None:
        """End the process."""
        self._end(self.process.stdin).close()
        self.process.wait()


@contextmanager
def sources_before() -> Iterator[Path]:
    """A folder with the sources before there were plans, from the history."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "then"
        git = ("git", "-C", str(HERE), "worktree")
        subprocess.run((*git, "add", "--detach", str(place), BEFORE_PLANS), check=True, capture_output=True)
        try:
            yield place
        finally:
            subprocess.run((*git, "remove", "--force", str(place)), check=True, capture_output=True)


def measured(then: Path, names: Sequence[str], calls: int, span: float = SPAN) -> dict[str, tuple[float, float]]:
    """Mechanism -> milliseconds then and now."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        both = (Caller(then, None if then == HERE else Path(cache), STEP, span), Caller(HERE, None, INTERVAL, span))
        try:
            for name in (*names, *names):  # compiled, and loaded
                for caller in both:
                    caller.call(name)
            for name in names:
                times = np.array([[caller.call(name) for caller in both] for _ in range(calls)])
                before, now = np.quantile(times, BELOW, axis=0)
                found[name] = (float(before), float(now))
        finally:
            for caller in both:
                caller.close()
    return found


def table(found: dict[str, tuple[float, float]]) -> str:
    """Of `measured`, as Markdown."""
    lines = ["| mechanism | 1 ms then, ms | planned now, ms | share |", "|---|---|---|---|"]
    lines += [f"| {name} | {then:.1f} | {now:.1f} | {now / then:.2f} |" for name, (then, now) in found.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_planned", description=__doc__)
    parser.add_argument("--then", type=Path, help="folder of the older sources")
    parser.add_argument("--mechanism", nargs="+", default=[name for name, _, _ in shipped_ones()])
    parser.add_argument("--calls", type=int, default=CALLS)
    asked = parser.parse_args(arguments)
    if asked.then is not None:
        print(table(measured(asked.then, asked.mechanism, asked.calls)))
        return
    with sources_before() as then:
        print(table(measured(then, asked.mechanism, asked.calls)))


if __name__ == "__main__":
    main()
