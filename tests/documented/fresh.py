"""Processes of their own: a command or a block, from nothing that another one has imported."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from documented.pages import ROOT, Step
from documented.shown import is_shown

BLOCK = Path(__file__).with_name("block.py")
LIMIT = 400.0  # s, of one process
ANNOUNCED = ("linkwork: compiling ", "linkwork: compiled ")


@dataclass(frozen=True)
class Outcome:
    """How a process ended, what it said, and the processor time that it took with all that it started."""

    what: str
    status: int
    out: str
    err: str
    seconds: float

    def complaint(self, shows: str = "") -> str | None:
        """What is wrong with it: a failure, or another output than the page shows."""
        tail = "".join(f"\n    {line}" for line in f"{self.out}\n{self.err}".strip().splitlines()[-15:])
        if self.status:
            return f"{self.what}\n    exit status {self.status}{tail}"
        err = "\n".join(line for line in self.err.splitlines() if not line.startswith(ANNOUNCED))
        if shows and not is_shown(shows, self.out, err, f"{self.out}{err}"):
            return f"{self.what}\n    prints something else than the page shows:{tail}"
        return None


def environment(**more: str) -> dict[str, str]:
    """A reader's own, without what a terminal or a test adds."""
    said = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return said | one | {"MPLBACKEND": "Agg", "NO_COLOR": "1", "LINKWORK_COMPILE_PROCESSES": "1"} | more


def process(what: str, words: Sequence[str], folder: Path, said: str = "", **variables: str) -> Outcome:
    """Start it in the folder and wait; past the limit it is ended with all that it started."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    child = subprocess.Popen(
        words,
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        out, err = child.communicate(said, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        err += f"\nended after {time.monotonic() - begun:.0f} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Outcome(what, child.returncode, out, err, seconds)


def linkwork(words: Sequence[str], folder: Path, **variables: str) -> Outcome:
    """`linkwork WORDS`."""
    said = shlex.join(["linkwork", *words])
    return process(said, [sys.executable, "-m", "linkwork", *words], folder, **variables)


def python(text: str, folder: Path, **variables: str) -> Outcome:
    """`python -c TEXT`."""
    return process(f"python -c {text!r}", [sys.executable, "-c", text], folder, **variables)


def take(step: Step, folder: Path, names: Path, **variables: str) -> Outcome:
    """Carry out one step of a page in the folder; `names` is where its Python blocks leave theirs."""
    said = f"{step.where}: {step.text if step.kind == 'command' else step.kind + ' ' + (step.name or 'block')}"
    if step.kind == "file":
        (folder / step.name).write_text(step.text, encoding="utf-8")
        return Outcome(said, 0, "", "", 0.0)
    if step.kind == "python":
        page = str(step.page.relative_to(ROOT))
        return process(
            said, [sys.executable, str(BLOCK), page, str(step.line), str(names)], folder, step.text, **variables
        )
    words = step.words
    if words[0] == "linkwork":
        words = [sys.executable, "-m", *words]
    elif words[0] == "python":
        words = [sys.executable, *words[1:]]
        folder = ROOT if "benchmarks" in words else folder
    else:
        words, folder = [str(ROOT / words[0]), *words[1:]], ROOT
    return process(said, words, folder, **variables)
