"""Start-up: importing, asking for help, the first run with an empty cache of compiled code, and the next; and what a
call of `lw.simulate` takes before and after its steps."""

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
OTHER = ("run", MODEL, "--formulation", "lie-mixed")
WHEEL = "LINKWORK_WHEEL_PYTHON"  # names the interpreter of an environment with a wheel in it: its rows are made then
# s of one processor, the interpreter's own start left out
AIMS = {"import linkwork": 0.03, "linkwork check": 0.35, "linkwork run, rA": 0.45}
SET_UPS = ("rA", "lie-mixed")
CALLS = 200
# a process that prints seconds of calls with one step: of a mechanism that ran before, and of one that has changed
SET_UP = """
import sys, time
import linkwork as lw
clock = time.process_time if sys.argv[3] == "own" else time.perf_counter
mech = lw.load(sys.argv[1])
def call():
    start = clock()
    lw.simulate(mech, 1e-3, 1e-3, sys.argv[2])
    return clock() - start
for _ in range(5):
    call()
print(*(call() for _ in range(int(sys.argv[4]))))
found = []
for k in range(int(sys.argv[4]) // 4):
    mech.change(mech.bodies[0].name, mass=1.0 + k)
    found.append(call())
print(*found)
"""


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


def timed(arguments: Sequence[str], cache: str | None = None, python: str = "") -> tuple[float, str]:
    """Seconds of one fresh interpreter, and what went wrong in a few words (or nothing).

    python : of another environment; its home is the cache folder, and nothing of ours is on its path.
    """
    environment = dict(os.environ)
    if python:
        environment = {"PATH": os.defpath, "HOME": cache or "", "PYTHONNOUSERSITE": "1"}
    if cache is not None:
        environment["LINKWORK_CACHE_DIR"] = cache
    start = now()
    words = [python or sys.executable, *arguments]
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, cwd=cache if python else None
    )
    seconds = now() - start
    lines = done.stderr.strip().splitlines()
    return seconds, "" if done.returncode == 0 else f"exit status {done.returncode}: {lines[-1] if lines else ''}"


def several(
    name: str, arguments: Sequence[str], repetitions: int, cache: str, aim: float | None = None, python: str = ""
) -> StartUp:
    """The same command a few times."""
    runs = [timed(arguments, cache, python) for _ in range(repetitions)]
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
            made.append(several(name, arguments, repetitions, cache, AIMS.get(name)))
    for verb, formulation in RUNS[:1] if quick else RUNS:
        command = (*LINKWORK, verb, MODEL, "--formulation", formulation)
        name = f"linkwork {verb}, {formulation}"
        say(f"{name}, compiling and again")
        made += first_and_again(name, command, repetitions)
    made += of_wheel(os.environ.get(WHEEL, ""), repetitions, say)
    for formulation in SET_UPS:
        say(f"set-up of a call, {formulation}")
        made += set_up(formulation)
    return made


def of_wheel(python: str, repetitions: int, say: Callable[[str], None]) -> list[StartUp]:
    """The light commands and runs in the environment of another interpreter, with an empty home; none without one."""
    commands = {**LIGHT, "linkwork run, rA": (*LINKWORK, "run", MODEL), "linkwork run, lie-mixed": (*LINKWORK, *OTHER)}
    made = []
    for name, arguments in commands.items() if python else ():
        say(f"wheel: {name}")
        with tempfile.TemporaryDirectory(prefix="linkwork-bench-") as home:
            made.append(several(f"wheel: {name}", arguments, repetitions, home, AIMS.get(name), python))
    return made


def set_up(formulation: str, calls: int = CALLS) -> list[StartUp]:
    """What a call takes where there is one step to carry out; compiled code is in the usual cache."""
    clock = "own" if machine.OWN_SECONDS else "wall"
    arguments = [sys.executable, "-c", SET_UP, MODEL, formulation, clock, str(calls)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    name = f"lw.simulate with one step, {formulation}"
    if done.returncode:
        return [StartUp(name, spread([0.0]), failure=done.stderr.strip().splitlines()[-1])]
    again, changed = ([float(word) for word in line.split()] for line in done.stdout.splitlines()[-2:])
    return [
        StartUp(f"{name}: again", spread(again), 1.5e-3),
        StartUp(f"{name}: after a change of the mechanism", spread(changed)),
    ]
