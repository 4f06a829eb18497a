"""How long is a first planned call, beside the default before runs were planned?

python -m benchmarks.first_planned [--mechanism NAME ...] [--rounds COUNT] [--before COMMIT] [--again]

Of every mechanism that was shipped then: `lw.simulate(mech, 3.0, step=0.01)`, planned, of these sources, beside
`lw.simulate(mech, 3.0, 1e-3)` of those of COMMIT, 22 November 2026, when that was `rA` with generalized-alpha in steps
of 1 ms and all 3001 samples. Either side has a process of its own, with this interpreter and its packages, whose code
is compiled and loaded. They call in turn, each time on a copy of the mechanism that has never run (with --again on one
that has), after a collection of garbage. Seconds of the processor; of all rounds that which one in five is below, since
the least of two sides may be of moments when the machine was quicker for one of them, and the least as well.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BEFORE = "09319311"  # the last commit of 22 November 2026
THEN, NOW = "lw.simulate(mech, 3.0, 1e-3)", "lw.simulate(mech, 3.0, step=0.01)"
ROUNDS, WARM = 75, 3  # calls that are measured, and calls before them
# a process that reads paths of models, plain data in JSON, and answers with seconds of one first call each
CALLS = """
import copy, gc, json, sys
from time import process_time
import linkwork as lw
known, mechs = {}, {}
for line in sys.stdin:
    path = line.rstrip("\\n")
    if path not in known:
        with open(path, encoding="utf-8") as file:
            known[path] = lw.Mechanism.from_dict(json.load(file))
        for _ in range(int(sys.argv[2])):
            mech = mechs[path] = copy.deepcopy(known[path])
            exec(sys.argv[1])
    mech = mechs[path] if sys.argv[3] == "again" else copy.deepcopy(known[path])
    gc.collect()
    began = process_time()
    exec(sys.argv[1])
    print(process_time() - began, flush=True)
"""


class Side:
    """A process that calls `lw.simulate` of the sources in a folder. Used in a `with` statement."""

    def __init__(self, sources: Path, call: str, which: str = "first") -> None:
        """which : "first" calls, or calls "again"."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", CALLS, call, str(WARM), which],
            env={**os.environ, "PYTHONPATH": str(sources)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process as process:
            process.kill()

    def seconds(self, model: Path) -> float:
        """Of one call. Raises RuntimeError where the process has ended, whose own words are on standard error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{model}\n")
            self._process.stdin.flush()
            told = self._process.stdout.readline()
        except BrokenPipeError:
            told = ""
        if not told:
            raise RuntimeError(f"the process that runs {model.name} has ended")
        return float(told)


@dataclass(frozen=True)
class Times:
    """Of one mechanism: seconds of each round then and now."""

    name: str
    then: Sequence[float]
    now: Sequence[float]

    def row(self) -> str:
        """A line of the table, in ms."""
        then, now = (np.quantile(each, [0.2, 0.0]) for each in (self.then, self.now))
        shares = " | ".join(f"{share:.2f}" for share in now / then)
        return f"| {self.name} | {1e3 * then[0]:.1f} | {1e3 * now[0]:.1f} | {shares} |"


def measured(then: Side, now: Side, models: Mapping[str, tuple[Path, Path]], rounds: int) -> Iterator[Times]:
    """Both sides in turn; models : by name, the file for then and for now."""
    for name, files in models.items():
        sides = list(zip((then, now), files, strict=True))
        for side, file in sides:
            side.seconds(file)
        found: list[list[float]] = [[], []]
        for k in range(rounds):
            for which in (0, 1) if k % 2 else (1, 0):  # neither is always the one after the other
                side, file = sides[which]
                found[which].append(side.seconds(file))
        yield Times(name, *found)


def sources_of(commit: str, folder: Path) -> Path:
    """The sources of a commit, written into a folder. Raises SystemExit where this is no clone that has it."""
    made = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=False)
    if made.returncode:
        raise SystemExit(f"no sources of {commit}: {made.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


def models_of(sources: Path, folder: Path) -> dict[str, tuple[Path, Path]]:
    """By name: what was shipped with old sources, and the mechanism of that name today. Both as JSON, since the package
    that read YAML for old sources is not one of today's."""
    from linkwork.io.formats.core_yaml import parse

    found = {}
    places = {side: each / "linkwork" / "mechanisms" for side, each in (("then", sources), ("now", ROOT / "src"))}
    for name in sorted(one.stem for one in places["then"].glob("*.yaml")):
        written = []
        for side, place in places.items():
            file, told = place / f"{name}.yaml", folder / f"{name} {side}.json"
            if file.is_file():
                told.write_text(json.dumps(parse(file.read_text(encoding="utf-8"), file)), encoding="utf-8")
                written.append(told)
        if len(written) == len(places):
            found[name] = (written[0], written[1])
    return found


def table(names: Sequence[str] | None, rounds: int, commit: str, which: str = "first") -> Iterator[str]:
    """Lines of Markdown, one by one as they are measured. names : None for all. which : as of `Side`."""
    yield "| mechanism | 1 ms then, ms | planned now, ms | share | share of the least ones |"
    yield "|---|---|---|---|---|"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="linkwork-bench-")))
        old = sources_of(commit, folder)
        models = {name: files for name, files in models_of(old, folder).items() if names is None or name in names}
        then = stack.enter_context(Side(old, THEN, which))
        now = stack.enter_context(Side(ROOT / "src", NOW, which))
        for one in measured(then, now, models, rounds):
            yield one.row()


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mechanism", action="append")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--again", action="store_true")
    said = parser.parse_args()
    for text in table(said.mechanism, said.rounds, said.before, "again" if said.again else "first"):
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
