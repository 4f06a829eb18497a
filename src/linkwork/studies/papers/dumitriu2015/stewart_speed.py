"""Ten seconds of the Stewart platform within a millijoule: how long do they take?"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import FORMULATION, largest
from linkwork.studies.papers.dumitriu2015.stewart import ALPHA, MODEL, distance, reference
from linkwork.studies.runs import Runs

SPAN, SAMPLES = 10.0, 500  # s; where energies are looked at
ALLOWED, AIM = 1e-3, 60.0  # J, of the energy; ms
EVERY = SPAN / SAMPLES
TIMES = np.linspace(0.0, SPAN, SAMPLES + 1)
LIE = "lie-mixed"
WAYS: dict[str, dict[str, Any]] = {
    f"{LIE}, dop853, 50 ms": {"formulation": LIE, "integrator": "dop853", "step": 0.05, "t_eval": TIMES},
    f"{LIE}, dop853, rtol 1e-5": {"formulation": LIE, "integrator": "dop853", "rtol": 1e-5, "step": EVERY},
    f"{LIE}, rk4, 5 ms": {"formulation": LIE, "integrator": "rk4", "step": 5e-3, "every": 4},
    f"{FORMULATION}, dop853, 50 ms": {
        "formulation": FORMULATION,
        "integrator": "dop853",
        "step": 0.05,
        "t_eval": TIMES,
    },
    f"{FORMULATION}, dop853, rtol 1e-5": {
        "formulation": FORMULATION,
        "integrator": "dop853",
        "rtol": 1e-5,
        "step": EVERY,
    },
    f"{FORMULATION}, rk4, 5 ms": {"formulation": FORMULATION, "integrator": "rk4", "step": 5e-3, "every": 4},
    "rA, generalized-alpha, 5 ms": {"formulation": "rA", "integrator": ALPHA, "step": 5e-3, "every": 4},
}
PEERS = {"Exudyn": 170.0, "Pinocchio": 180.0, "MuJoCo": 250.0}  # ms, of the same run on a 2-core machine, quoted
ROUNDS = 7


@dataclass(frozen=True)
class Sprint:
    """Milliseconds of the processor (whole call, compiled loop); energy's change [J]; platform off at worst [m]."""

    call: float
    loop: float
    energy: float
    off: float


def stewart_speed(runs: Runs) -> Finding:
    """Time, energy and end of each way."""
    exact = reference(runs, SPAN, SAMPLES)
    found = {way: sprint(runs, exact, options) for way, options in WAYS.items()}
    good = {way: one for way, one in found.items() if one.energy < ALLOWED}
    best = min(good, key=lambda way: good[way].call)
    ours = min((way for way in good if way.startswith(FORMULATION)), key=lambda way: good[way].call)
    x = np.arange(1.0, len(found) + 1.0)
    return Finding(
        claim=f"{SPAN:g} s of the platform with an energy error below {ALLOWED:g} J in at most {AIM:g} ms? "
        + ", ".join(f"{name} {ms:g}" for name, ms in PEERS.items())
        + " ms, measured elsewhere.",
        measured=f"{good[best].call:.3g} ms of the processor with {best} ({good[best].loop:.3g} in the compiled loop), "
        f"{good[best].energy:.2g} J off, the platform within {good[best].off:.2g} m; with rotation-matrix "
        f"{good[ours].call:.3g} ms ({ours}).",
        verdict=Verdict.OWN,
        panels=(
            Panel(
                f"{SPAN:g} s of the Stewart platform",
                "",
                "processor time [ms]",
                (
                    Curve("whole call", x, np.array([one.call for one in found.values()]), dots=True),
                    Curve("compiled loop", x, np.array([one.loop for one in found.values()]), dots=True),
                ),
                names=tuple(way.replace("d-a", "d-\na").replace("n-m", "n-\nm").replace(", ", "\n") for way in found),
            ),
        ),
        numbers={f"{way}, call [ms]": one.call for way, one in found.items()}
        | {f"{way}, energy [J]": one.energy for way, one in found.items()},
        table=columns(
            ("way", "call [ms]", "loop [ms]", "energy [J]", "platform off [m]"),
            [(way, round(one.call, 2), round(one.loop, 2), one.energy, one.off) for way, one in found.items()],
        ),
    )


def sprint(runs: Runs, exact: Result, options: dict[str, Any]) -> Sprint:
    """The least times of some runs, of the processor: other work on the machine hardly shows."""
    mechanism = runs.mechanism(MODEL)
    call = loop = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        result = simulate(mechanism, SPAN, **options)
        call = min(call, 1e3 * (time.process_time() - start))
        loop = min(loop, 1e3 * result.info["processor_seconds"])
    off = largest(distance(exact, result))
    return Sprint(call, loop, largest(result.energy - result.energy[0]), off)
