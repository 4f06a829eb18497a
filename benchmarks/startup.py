"""Start-up: importing, asking for help, the first run with an empty cache of compiled code, and the next."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import machine
from benchmarks.timing import Spread, spread

MODEL = "kissel2021_slider_crank"
LINKWORK = ("-m", "linkwork")
RUNS = (("run", "rA"), ("run", "rp"), ("run", "re"), ("kinematics", "rA"))
LIGHT = {
    "python -c pass": ("-c", "pass"),
    "import linkwork": ("-c", "import linkwork"),
    "linkwork --help": (*LINKWORK, "--help"),
    "linkwork check": (*LINKWORK, "check", MODEL),
}


@dataclass
class StartUp:
    """Seconds of one command in a fresh process.   aim : what it should stay under, where there is such a figure."""

    command: str
    seconds: Spread
    aim: float | None = None
    failure: str = ""


def now() -> float:
    """Wall clock, or the seconds that processes ended so far have computed (`machine.count_own_seconds`)."""
    if not machine.OWN_SECONDS:
        return time.monotonic()
    spent = os.times()
    return spent.children_user + spent.children_system


def timed(arguments: Sequence[str], cache: str | None = None) -> tuple[float, str]:
    """Seconds of one fresh interpreter, and what went wrong in a few words (or nothing)."""
    environment = dict(os.environ)
    if cache is not None:
        environment["LINKWORK_CACHE_DIR"] = cache
    start = now()
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
    seconds = now() - start
    lines = done.stderr.strip().splitlines()
    return seconds, "" if done.returncode == 0 else f"exit status {done.returncode}: {lines[-1] if lines else ''}"


def several(name: str, arguments: Sequence[str], repetitions: int, cache: str, aim: float | None = None) -> StartUp:
    """The same command a few times."""
    runs = [timed(arguments, cache) for _ in range(repetitions)]
    return StartUp(name, spread([seconds for seconds, _ in runs]), aim, next((text for _, text in runs if text), ""))


def first_and_again(name: str, command: Sequence[str], repetitions: int) -> list[StartUp]:
    """The same command with an empty cache of compiled code, which compiles, and again with what that left."""
    with tempfile.TemporaryDirectory(prefix="linkwork-bench-") as cache:
        first = several(f"{name}, first (compiles)", command, 1, cache, 25.0)
        return [first, several(f"{name}, again", command, repetitions, cache, 2.0)]


def run(quick: bool, say: Callable[[str], None] = print) -> list[StartUp]:
    """Light commands, then cold and warm runs; every cold run has an empty cache folder of its own."""
    repetitions = 3 if quick else 7
    made = []
    with tempfile.TemporaryDirectory(prefix="linkwork-bench-") as cache:
        for name, arguments in LIGHT.items():
            say(name)
            aim = 0.3 if name == "import linkwork" else None
            made.append(several(name, arguments, repetitions, cache, aim))
    for verb, formulation in RUNS[:1] if quick else RUNS:
        command = (*LINKWORK, verb, MODEL, "--formulation", formulation)
        name = f"linkwork {verb}, {formulation}"
        say(f"{name}, compiling and again")
        made += first_and_again(name, command, repetitions)
    return made
