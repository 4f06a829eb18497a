"""Speed of the machine code that comes in a wheel, level by level, against code compiled for the very processor: loops,
and recursions on trees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.tables import number, ratio
from benchmarks.timing import Spread, spread

ALLOWED = {"x86-64-v4": 1.05, "x86-64-v3": 1.15}  # of the seconds of tuned code
PROJECTED = {"project_every": 1}  # as in the benchmark of loops
CASES = (  # mechanism, formulation, integrator, step in s, end in s, options
    ("ladder(2, 'point-in-line')", "range-space", "dop853", 0.01, 2.0, PROJECTED),
    ("ladder(10, 'point-in-line')", "range-space", "dop853", 0.01, 2.0, PROJECTED),
    ("ladder(10, 'point-in-line')", "cut-joint", "dop853", 0.01, 2.0, PROJECTED),
    ("ladder(10, 'point-in-line')", "articulated-body", "dop853", 0.01, 2.0, PROJECTED),
    ("bricard()", "range-space", "dop853", 0.01, 2.0, PROJECTED),
    ("load('kissel2021_double_pendulum')", "articulated-body", "rk4", 1e-3, 3.0, {}),
    ("load('kissel2021_double_pendulum')", "canonical", "rk4", 1e-3, 3.0, {}),
    ("load('kissel2021_slider_crank')", "rA", "generalized-alpha", 1e-3, 3.0, {}),
)
# a process that prints the processor's seconds in compiled code of every round of every case
ROUNDS = """
import json, sys
from linkwork import load, simulate
from linkwork.studies.generated import bricard, ladder
cases, rounds = json.loads(sys.argv[1]), int(sys.argv[2])
found = []
for mechanism, formulation, integrator, step, t_end, options in cases:
    mech = eval(mechanism)
    run = lambda: simulate(mech, t_end, step, formulation, integrator, **options).info["processor_seconds"]
    run()
    found.append([run() for _ in range(rounds)])
print(json.dumps(found))
"""
LEVELS = """
import json
from linkwork.shipped.library import status
now = status()
print(json.dumps([level for level in now.get("levels", ()) if level in now["processor"]]))
"""


@dataclass
class Speed:
    """Seconds of one run, by code: a level, or ``tuned``."""

    case: str
    seconds: dict[str, Spread]


def printed(python: str, arguments: Sequence[str], home: str, more: Mapping[str, str]) -> str:
    """The last line of what a process prints."""
    own = python == sys.executable
    environment = dict(os.environ) if own else {"PATH": os.defpath, "HOME": home, "PYTHONNOUSERSITE": "1"}
    done = subprocess.run(
        [python, *arguments], env=environment | dict(more), cwd=None if own else home, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.splitlines()[-1]


def run(python: str, quick: bool, say: Callable[[str], None] = print) -> list[Speed]:
    """Of every level in the wheel that `python` has, that this processor can run; in turns, so that other work on the
    machine falls on all alike."""
    seconds: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory(prefix="linkwork-bench-") as home:
        levels: list[str] = json.loads(printed(python, ("-c", LEVELS), home, {}))
        codes = {level: (python, {"LINKWORK_LEVEL": level}) for level in levels}
        codes["tuned"] = (sys.executable, {"LINKWORK_SHIPPED": "0"})
        for turn in range(2 if quick else 4):
            for code, (interpreter, more) in codes.items():
                say(f"speed of {code}, turn {turn + 1}")
                line = printed(interpreter, ("-c", ROUNDS, json.dumps(CASES), "5"), home, more)
                for k, some in enumerate(json.loads(line)):
                    seconds.setdefault(code, [[] for _ in CASES])[k] += some
    return [
        Speed(f"{case[0]}, {case[1]}, {case[2]}", {code: spread(found[k]) for code, found in seconds.items()})
        for k, case in enumerate(CASES)
    ]


def table(some: Sequence[Speed]) -> str:
    """Least milliseconds of each, over those of tuned code."""
    from benchmarks.tables import markdown

    codes = list(some[0].seconds)
    rows = []
    for speed in some:
        tuned = speed.seconds["tuned"].minimum
        over = [ratio(each.minimum, tuned) for code, each in speed.seconds.items() if code != "tuned"]
        rows.append([speed.case, *(number(1e3 * speed.seconds[code].minimum) for code in codes), *over])
    heads = ["run", *(f"{code}, ms" for code in codes), *(f"{code} over tuned" for code in codes if code != "tuned")]
    asked = "".join(f"; {code} may take {most}" for code, most in ALLOWED.items() if code in codes)
    return markdown(
        f"Code that comes in a wheel against code for this processor, least of all rounds{asked}", heads, rows
    )
