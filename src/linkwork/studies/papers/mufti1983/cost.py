"""What an evaluation costs: microseconds per method and mechanism, all methods by turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.noise import BETWEEN, Answer, Ratio, all_of
from linkwork.studies.papers.mufti1983.methods import MECHANISMS, PUBLISHED, WAYS, mechanism, short
from linkwork.studies.runs import Runs
from linkwork.studies.timing import allowed

METHOD = "euler"  # one evaluation per step
STEP = 1e-5  # s: short, so that runs of many evaluations stay where they began
ROUND = 5000.0  # us that a timed run should take
STEPS = (3, 4000)
SHOWN = ("muller2013_spherical_double_pendulum", "stewart_platform", "chain of 10", "tree of 31", "chain of 50")
SLOWEST = ("null-space, svd", "null-space, partition")


def cost(runs: Runs) -> Finding:
    """All methods on all mechanisms."""
    found = measured(runs)
    names = list(MECHANISMS)
    fastest = {name: min(found[name], key=lambda way: found[name][way]) for name in names}
    counts = {way: sum(best == way for best in fastest.values()) for way in WAYS}
    slower = min(found[name]["null-space, svd"] / found[name]["null-space, qr"] for name in names)
    ratios = [found[name][way] / found[name][fastest[name]] for name in names for way in WAYS if way not in SLOWEST]
    ahead = ", ".join(f"{way} on {count}" for way, count in sorted(counts.items(), key=lambda one: -one[1]) if count)
    return Finding.judged(
        dearer([found[name]["null-space, svd"] / found[name]["null-space, qr"] for name in names]),
        otherwise=Verdict.PARTLY,
        **PUBLISHED["cost"].told,
        measured=f"Of {len(names)} mechanisms the fastest is {ahead}. Singular values take at least {slower:.2g} times "
        f"as long as QR. Leaving {' and '.join(SLOWEST)} out, a method takes 1 to {max(ratios):.2g} times as long as "
        "the "
        "fastest one.",
        why="An evaluation places the state and forms rows and right sides, the same for all, then factors and solves. "
        "Times are processor times, the least of some rounds in which all methods take turns. "
        "Where rows are redundant, finding them anew at every step is part of it, except for null-space with QR, "
        "singular values or a partition, and for penalty.",
        panels=(
            Panel(
                "an evaluation",
                "",
                "time [µs]",
                tuple(
                    Curve(
                        short(name),
                        np.arange(1.0, len(WAYS) + 1.0),
                        np.array([found[name][way] for way in WAYS]),
                        dots=True,
                    )
                    for name in SHOWN
                ),
                log="y",
                names=tuple(WAYS),
            ),
        ),
        numbers={f"{name}, {way} [us]": found[name][way] for name in names for way in WAYS},
        table=columns(
            ("mechanism [us]", *WAYS), [(short(name), *(round(found[name][way], 2) for way in WAYS)) for name in names]
        ),
    )


def dearer(ratios: Sequence[float]) -> Answer:
    """Whether singular values take longer than QR on every mechanism, by the ratios of their least times."""
    return all_of(Ratio(r, r / (1.0 + BETWEEN), r * (1.0 + BETWEEN)).above(1.0) for r in ratios)


def measured(runs: Runs) -> dict[str, dict[str, float]]:
    """Microseconds by mechanism and method."""
    return runs.once("mufti1983 cost", lambda: {name: timed(mechanism(runs, name), WAYS) for name in MECHANISMS})


def timed(made: Mechanism, routes: Iterable[str], rounds: int = 5) -> dict[str, float]:
    """Microseconds per evaluation by method, the least of some rounds in which all take turns.

    The first round finds out how many steps make a run that lasts; so short a one is mostly its call.
    """
    best = {way: float("inf") for way in routes}
    steps = dict.fromkeys(best, STEPS[0])
    for k in range(allowed(rounds)):
        for way, count in steps.items():
            result = simulate(made, count * STEP, STEP, integrator=METHOD, every=count, **WAYS[way])
            each = 1e6 * result.info["processor_seconds"] / count
            if k:
                best[way] = min(best[way], each)
            steps[way] = int(min(max(ROUND / each, STEPS[0]), STEPS[1]))
    return best
