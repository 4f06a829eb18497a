"""The rotation-matrix formulation: its two eliminations by mechanism and by length, and the Stewart platform.

`python -m benchmarks rotation-matrix` prints all of it; see docs/benchmarks.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from benchmarks.build import as_mechanism
from benchmarks.lie_models import ball_chain
from benchmarks.models import Array, ModelData
from benchmarks.tables import NONE, markdown, minimum, number, ratio
from benchmarks.timing import Spread, Timed, alternate, spread

Say = Callable[[str], None]
STEP = 1e-3  # s
COUNTS, QUICK_COUNTS = (1, 2, 5, 10, 20, 50), (1, 10)
WAYS: dict[str, dict[str, Any]] = {
    "two-step": {"formulation": "rotation-matrix", "matrix": "dense"},
    "one-shot": {"formulation": "rotation-matrix", "elimination": "one-shot", "matrix": "dense"},
    "two-step, sparse": {"formulation": "rotation-matrix"},
    "one-shot, sparse": {"formulation": "rotation-matrix", "elimination": "one-shot"},
    "held": {"formulation": "rotation-matrix", "multipliers": "step", "orthonormalise_every": 1},
    "lie-product": {"formulation": "lie-product"},
}
BUDGET = 2_000_000  # steps of a timed run times the square of the unknowns of the largest system
PLATFORM, LONG, SAMPLES, ALLOWED = "stewart_platform", 10.0, 500, 1e-3  # s; J
SPRINTS: dict[str, dict[str, Any]] = {
    "lie-mixed, dop853, 50 ms": {"formulation": "lie-mixed", "integrator": "dop853", "step": 0.05},
    "rotation-matrix, dop853, 50 ms": {"formulation": "rotation-matrix", "integrator": "dop853", "step": 0.05},
    "rotation-matrix, rk4, 5 ms": {"formulation": "rotation-matrix", "integrator": "rk4", "step": 5e-3},
    "rA, generalized-alpha, 5 ms": {"formulation": "rA", "integrator": "generalized-alpha", "step": 5e-3},
}
PEER_STEPS = (0.02, 0.01, 0.005)  # s, that Exudyn tries


@dataclass
class Size:
    """One mechanism: bodies, rows, microseconds per step of rk4 in the compiled loop by way.

    bodies + rows give the unknowns, rows with two steps and 6 bodies + rows at once.   failure : why not, by way.
    """

    name: str
    bodies: int
    rows: int
    loops: dict[str, Spread] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def least(self, way: str) -> float | None:
        """Microseconds."""
        return minimum(self.loops.get(way))


@dataclass
class Sprint:
    """10 s of the Stewart platform: milliseconds of the call (of Exudyn, of its solver's), the energy's change (J)."""

    way: str
    call: Spread
    energy: float


@dataclass
class Elimination:
    """Everything measured."""

    shipped: list[Size] = field(default_factory=list)
    chains: list[Size] = field(default_factory=list)
    sprints: list[Sprint] = field(default_factory=list)


def size_of(lw: Any, mechanism: Any, name: str, repetitions: int) -> Size:
    """All ways on a mechanism, in turn; the number of steps shrinks with the matrix so that the whole stays short."""
    lowered = mechanism.lower()
    made = Size(name, len(lowered.bodies), len(lowered.rows))
    steps = int(np.clip(BUDGET // (6 * made.bodies + made.rows) ** 2, 5, 500))
    calls = {}
    for way, options in WAYS.items():
        call = timed(lw, mechanism, steps, options)
        try:
            call()
            calls[way] = call
        except lw.errors.LinkworkError as error:
            made.failures[way] = error.message
    for way, found in zip(calls, alternate(list(calls.values()), repetitions), strict=True):
        made.loops[way] = spread([one.loop for one in found], 1e6 / steps)
    return made


def timed(lw: Any, mechanism: Any, steps: int, options: Mapping[str, Any]) -> Callable[[], Timed]:
    """A run of rk4 that keeps only its end."""

    def call() -> Timed:
        result = lw.simulate(mechanism, steps * STEP, STEP, integrator="rk4", every=steps, **options)
        seconds = float(result.info["run_seconds"])
        return Timed(seconds, seconds, None)

    return call


def sprints(lw: Any, peers: bool, repetitions: int) -> list[Sprint]:
    """The Stewart platform over 10 s by those of our ways and of Exudyn's that keep the energy, in turn."""
    from benchmarks.translate import translate

    mechanism = lw.load(PLATFORM)
    model = translate(mechanism)
    joints = tuple(replace(j, type={"prismatic": "translational"}.get(j.type, j.type)) for j in model.joints)
    model = replace(model, joints=joints)  # one joint under two names
    times = np.linspace(0.0, LONG, SAMPLES + 1)
    calls: dict[str, Callable[[], Timed]] = {}

    def ours(options: Mapping[str, Any]) -> Callable[[], Timed]:
        explicit = options["integrator"] != "generalized-alpha"
        sampled = {"t_eval": times} if explicit else {"every": round(times[1] / options["step"])}

        def call() -> Timed:
            start = time.perf_counter()
            result = lw.simulate(mechanism, LONG, **options, **sampled)
            return Timed(time.perf_counter() - start, np.nan, result)

        return call

    for way, options in SPRINTS.items():
        calls[way] = ours(options)
    if peers:
        calls |= peer_calls(model)
    good = {way: call for way, call in calls.items() if energy_change(model, call().kept) < ALLOWED}
    found = alternate(list(good.values()), repetitions)
    return [
        Sprint(way, spread([one.seconds for one in some], 1e3), energy_change(model, some[-1].kept))
        for way, some in zip(good, found, strict=True)
    ]


def peer_calls(model: ModelData) -> dict[str, Callable[[], Timed]]:
    """Exudyn with either of its solvers at a few steps."""
    from benchmarks.peers_exudyn import ExudynModel, Settings

    def theirs(settings: Settings, step: float) -> Callable[[], Timed]:
        def call() -> Timed:
            run = ExudynModel(model, settings).run(LONG, step, max(1, round(LONG / SAMPLES / step)))
            return Timed(run.seconds, np.nan, run.kept)

        return call

    chosen = [Settings(solver=solver) for solver in ("GeneralizedAlpha", "TrapezoidalIndex2")]
    return {f"Exudyn: {s}, {1e3 * h:g} ms": theirs(s, h) for s in chosen for h in PEER_STEPS}


def energy_change(model: ModelData, kept: Any) -> float:
    """The largest change of kinetic energy, weight and springs [J] over the samples, for either program."""
    r, A, v, w = (np.asarray(kept[name]) for name in ("position", "rotation", "velocity", "angular_velocity"))
    total = np.zeros(len(r))
    places: dict[str, tuple[Array, Array]] = {}
    for k, body in enumerate(model.bodies):
        spin = w[:, k] @ body.inertia
        total += 0.5 * body.mass * (v[:, k] ** 2).sum(1) + 0.5 * (spin * w[:, k]).sum(1)
        total -= body.mass * (r[:, k] @ np.array(model.gravity))
        places[body.name] = r[:, k], A[:, k].reshape(-1, 3, 3)
    for spring in model.springs:
        ends = []
        for name, point in ((spring.first, spring.on_first), (spring.second, spring.on_second)):
            centre, turn = places.get(name, (np.zeros((len(r), 3)), np.tile(np.eye(3), (len(r), 1, 1))))
            ends.append(centre + turn @ np.array(point))
        stretch = np.linalg.norm(ends[1] - ends[0], axis=1) - spring.length
        total += 0.5 * spring.stiffness * stretch**2
    return float(np.abs(total - total[0]).max())


def run(quick: bool, peers: bool = True, say: Say = print) -> Elimination:
    """Measure everything; `say` is told what is being timed."""
    import linkwork as lw
    from benchmarks.peers_exudyn import installed
    from linkwork.io.formats import shipped

    repetitions = 3 if quick else 15
    made = Elimination()
    for name in shipped():
        say(f"{name}, eliminations")
        made.shipped.append(size_of(lw, lw.load(name), name, repetitions))
    for count in QUICK_COUNTS if quick else COUNTS:
        say(f"chain of {count} balls, eliminations")
        made.chains.append(size_of(lw, as_mechanism(lw, ball_chain(count)), f"chain of {count} balls", repetitions))
    say(f"{PLATFORM}, {LONG:g} s")
    made.sprints = sprints(lw, peers and installed(), 3 if quick else 7)
    return made


def tables(made: Elimination) -> list[str]:
    """All of them, in reading order."""
    return [
        sizes_table("Rotation matrices: µs per step of rk4, shipped mechanisms", made.shipped),
        sizes_table("Rotation matrices: µs per step of rk4, chains of ball joints", made.chains),
        sprints_table(made.sprints),
    ]


def sizes_table(title: str, some: Sequence[Size]) -> str:
    """Size and time of every way; `dense` and `sparse` are one-shot over two-step."""
    rows = []
    for one in some:
        if not one.loops:
            continue
        us = {way: one.least(way) for way in WAYS}
        cells = [one.name, str(one.bodies), str(one.rows), str(6 * one.bodies + one.rows), *map(number, us.values())]
        dense, sparse = us["one-shot"], us["one-shot, sparse"]
        cells += [ratio(dense, us["two-step"]), ratio(sparse, us["two-step, sparse"])]
        rows.append([*cells, ratio(us["two-step, sparse"], us["lie-product"])])
    heads = ["mechanism", "bodies", "unknowns", "at once", *WAYS, "dense", "sparse", "over lie-product"]
    return markdown(title, heads, rows, notes(some))


def notes(some: Sequence[Size]) -> list[str]:
    """What did not run, and why: ways with the same reason together."""
    made = []
    for one in some:
        for reason in dict.fromkeys(one.failures.values()):
            ways = [way for way, failure in one.failures.items() if failure == reason]
            made.append(f"{one.name}, {', '.join(ways)}: {reason}")
    return made


def sprints_table(some: Sequence[Sprint]) -> str:
    """Milliseconds for 10 s within 1e-3 J."""
    peers = [one.call.minimum for one in some if one.way.startswith("Exudyn")]
    quickest = min(peers, default=None)
    rows = []
    for one in some:
        ahead = NONE if one.way.startswith("Exudyn") else ratio(quickest, one.call.minimum)
        rows.append([one.way, number(one.call.median), number(one.call.minimum), number(one.energy), ahead])
    heads = ["way", "ms", "minimum", "energy J", "Exudyn's fastest over it"]
    return markdown("Stewart platform: 10 s within 1e-3 J", heads, rows)
