"""Plants mistakes in a copy of the sources, one at a time, runs tests there, and says which test catches each.

    scripts/plant_mistakes                    all of them (hours from an empty cache)
    scripts/plant_mistakes --room io cli      those of some rooms
    scripts/plant_mistakes --name torsion     those with this in their names
    scripts/plant_mistakes --list             what there is
    scripts/plant_mistakes --write FILE       and keep what was found, a line per mistake

The lists are `tests/mistakes/*.toml`, one per room: file under src/linkwork, what stands there (exactly once), what is
planted instead, and the tests to run: of the same room, or laws. `survives` gives the reason why nothing catches it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
LIMIT = 900.0  # s that the tests of one mistake may take: a mistake may well make something run for ever
COPIED = ("src", "tests", "docs", "examples", "benchmarks", "scripts", "schema")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.nc", ".pytest_cache", ".hypothesis", "images")
CAUGHT, SURVIVED, HANGS, STALE, BROKEN = "caught", "SURVIVED", "hangs", "STALE", "BROKEN"


@dataclass(frozen=True)
class Mistake:
    """One mistake. right stands in `file` exactly once and becomes wrong. tests : what pytest is to run."""

    room: str
    name: str
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]
    survives: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a mistake. by : the first test that failed. seconds : that the tests took."""

    mistake: Mistake
    what: str
    by: str = ""
    seconds: float = 0.0

    @property
    def is_bad(self) -> bool:
        """Whether something is to be done: about the list, or about the tests."""
        return self.what in (STALE, BROKEN) or (self.what == SURVIVED and not self.mistake.survives)

    def __str__(self) -> str:
        """A line of the report."""
        reason = self.by or self.mistake.survives
        return f"{self.what:<9}{self.seconds:6.0f} s  {self.mistake.room}: {self.mistake.name}  [{reason or '-'}]"


def mistakes(folder: Path = HERE) -> list[Mistake]:
    """All that are listed, in order of file and place. Raises TypeError for a key that is missing or unknown."""
    return [
        Mistake(path.stem, **{**one, "tests": tuple(one["tests"])})
        for path in sorted(folder.glob("*.toml"))
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["mistake"]
    ]


def applies(mistake: Mistake, top: Path = TOP) -> bool:
    """Whether what it changes stands in the sources, once."""
    path = top / "src" / "linkwork" / mistake.file
    return path.is_file() and path.read_text(encoding="utf-8").count(mistake.right) == 1


@contextmanager
def planted(mistake: Mistake, top: Path) -> Iterator[None]:
    """The sources under `top` with the mistake in them."""
    path = top / "src" / "linkwork" / mistake.file
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace(mistake.right, mistake.wrong), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(right, encoding="utf-8")


def run_tests(top: Path, tests: Sequence[str], limit: float) -> tuple[int | None, str]:
    """Pytest's exit status on tests of the copy (None where it took too long), and the first test that failed."""
    more = {"PYTHONPATH": os.pathsep.join((str(top / "src"), str(top))), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--tb=no", *tests]
    process = subprocess.Popen(
        command, cwd=top, env={**os.environ, **more}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        text, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, ""
    found = re.search(r"^(?:FAILED|ERROR) (?:tests/)?(\S+)", text, re.MULTILINE)
    return process.returncode, found[1] if found else ""


def tried(mistake: Mistake, top: Path) -> Outcome:
    """Plant one mistake, run its tests, take it out again. What fails without it as well has caught nothing."""
    if not applies(mistake, top):
        return Outcome(mistake, STALE)
    began = time.monotonic()
    with planted(mistake, top):
        status, by = run_tests(top, mistake.tests, LIMIT)
    took = time.monotonic() - began
    what = {None: HANGS, 0: SURVIVED, 1: CAUGHT}.get(status, BROKEN)
    if status not in (None, 0) and not passes(top, by, mistake.tests):
        what, by = BROKEN, f"{by or mistake.tests[0]} fails without it"
    elif what == BROKEN and by:
        what = CAUGHT  # tests cannot even be collected with it
    return Outcome(mistake, what, by, took)


def passes(top: Path, by: str, tests: Sequence[str]) -> bool:
    """Whether the test that failed passes in the sources as they are; where none is known, all of them."""
    wanted = (f"tests/{by.partition('[')[0]}",) if by else tuple(tests)
    if (top, wanted) not in _passed:
        _passed[top, wanted] = run_tests(top, wanted, LIMIT)[0] == 0
    return _passed[top, wanted]


_passed: dict[tuple[Path, tuple[str, ...]], bool] = {}


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of what tests need, thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="mistakes-") as folder:
        top = Path(folder)
        for name in COPIED:
            if (TOP / name).exists():
                shutil.copytree(TOP / name, top / name, ignore=LEFT_OUT)
        for path in TOP.iterdir():
            if path.is_file() and not path.name.startswith("."):
                shutil.copy(path, top)
        yield top


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many were caught, and which were not."""
    planted = [one for one in outcomes if one.what not in (STALE, BROKEN)]
    caught = [one for one in planted if one.what in (CAUGHT, HANGS)]
    share = 100.0 * len(caught) / max(1, len(planted))
    lines = [f"{len(caught)} of {len(planted)} caught ({share:.0f} %)"]
    lines += [str(one) for one in outcomes if one.what not in (CAUGHT, HANGS)]
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """0 where every mistake is caught or survives with a reason; 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--room", nargs="+", default=[], help="rooms, the names of the lists")
    parser.add_argument("--name", nargs="+", default=[], help="parts of names")
    parser.add_argument("--list", action="store_true", help="only say what there is, and what is stale")
    parser.add_argument("--write", type=Path, help="append outcomes to this file, one JSON line each")
    given = parser.parse_args(words)
    chosen = [
        one
        for one in mistakes()
        if (not given.room or one.room in given.room)
        and (not given.name or any(part in one.name for part in given.name))
    ]
    if given.list:
        for one in chosen:
            print(f"{'' if applies(one) else STALE:<6}{one.room}: {one.name} ({one.file})")
        return 0
    outcomes = []
    with copied() as top:
        for mistake in chosen:
            outcomes.append(tried(mistake, top))
            print(outcomes[-1], flush=True)
            if given.write is not None:
                with given.write.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(outcomes[-1])) + "\n")
    print(summary(outcomes))
    return 1 if any(one.is_bad for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
