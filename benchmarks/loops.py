"""Closed chains over 10 s: the N-four-bar A02 through its singular positions, and Bricard A04; us, MuJoCo, Exudyn.

Each program takes the longest of a few steps with which the energy and the path end within what is allowed, and is
then timed, in turn with the others. References: the motion of one angle for A02, tabulated points for A04.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.elimination import energy_change
from benchmarks.models import Array, ModelData
from benchmarks.tables import markdown, number, ratio
from benchmarks.timing import Spread, Timed, alternate, spread
from benchmarks.translate import translate

T_END, SAMPLE = 10.0, 0.5  # s
COUNTS, QUICK_COUNTS = (2, 10, 40, 100, 400), (2, 10)
ALLOWED = {"ladder": (0.1, 1e-2), "bricard": (1e-3, 1e-3)}  # J, m
OUR_STEPS = (0.5, 0.4, 0.25, 0.2, 0.125, 0.1, 0.0625, 0.05, 0.025)  # s
MUJOCO_STEPS = (0.05, 0.025, 0.02, 0.0125, 0.01, 0.005, 0.0025, 0.00125)
EXUDYN_STEPS = (0.0125, 0.01, 0.005, 0.0025, 0.00125)
EXUDYN_MOST = {"ladder": 40, "bricard": 1}  # sizes beyond take minutes
OURS: dict[str, dict[str, Any]] = {
    "range-space": {"project_every": 1},
    "augmented": {"project_every": 1},
    "cut-joint": {"project_every": 1},
    "articulated-body": {"project_every": 1},
    "canonical": {},
}
MOST = {"cut-joint": 40, "articulated-body": 10, "canonical": 10}  # four-bars: closing joints are solved for densely
PINS = ("range-space", "augmented")  # on ladders of spatial pins, with 3 redundant rows per four-bar
BRICARD_END = (0.999730987, -0.999999964, -2.6898e-4)  # the pin between the second bar and the third, after 10 s


@dataclass
class Way:
    """One program, or one formulation, on one mechanism, with the longest of its steps that suffices.

    loop : seconds of the compiled loop (of MuJoCo and Exudyn: of the solver).   call : of the whole call, ours only.
    energy (J), path (m) : largest change, and error at the end.   sag : largest violation of a loop (m).
    """

    mechanism: str
    way: str
    step: float = 0.0
    loop: Spread | None = None
    call: float | None = None
    energy: float | None = None
    path: float | None = None
    sag: float | None = None
    failure: str = ""


@dataclass
class Case:
    """A mechanism, its peers' model, where the followed point is, and where it should end.

    alone : only these of our formulations, and no peer.
    """

    name: str
    kind: str
    size: int
    mechanism: Any
    model: ModelData
    cut: frozenset[str]
    body: int
    end: Array
    alone: tuple[str, ...] = ()


def pins_case(count: int) -> Case:
    """A02 with spatial pins throughout, which the peers cannot or need not hold."""
    from linkwork.studies.generated import ladder

    made, usual = ladder(count), ladder_case(count)
    return replace(usual, name=f"{made.name}, spatial pins", mechanism=made, alone=PINS)


def ladder_case(count: int) -> Case:
    """A02: the tip of the first crank."""
    from linkwork.studies.generated import ladder

    made = ladder(count, "point-in-line")
    cut = frozenset(f"C{k}" for k in range(count))
    model = translate(ladder(count))
    return Case(made.name, "ladder", count, made, replace(model, planar=cut), cut, 0, crank_tip(count))


def crank_tip(count: int) -> Array:
    """Of the first crank after T_END, all cranks parallel: theta'' = -c cos theta."""
    from scipy.integrate import solve_ivp

    c = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    theta = solve_ivp(
        lambda _, y: [y[1], -c * np.cos(y[0])], (0.0, T_END), [np.pi / 2, -1.0], "DOP853", rtol=1e-12, atol=1e-13
    ).y[0, -1]
    return np.array([np.cos(theta), np.sin(theta), 0.0])


def bricard_case() -> Case:
    """A04: the pin between the second bar and the third."""
    from linkwork.studies.generated import bricard

    made = bricard()
    return Case("Bricard", "bricard", 1, made, translate(made), frozenset(["P5"]), 1, np.array(BRICARD_END))


def judged(case: Case, kept: Any) -> tuple[float, float]:
    """Energy change (J) and error of the followed point at the end (m)."""
    end = kept["position"][-1, case.body] + np.asarray(kept["rotation"])[-1, case.body].reshape(3, 3)[:, 0] * 0.5
    return energy_change(case.model, kept), float(np.linalg.norm(np.asarray(end) - case.end))


def ours(lw: Any, case: Case, formulation: str) -> tuple[Way, Callable[[], Timed] | None]:
    """The formulation with dop853; with a projection after every step where it has something to project."""
    made = Way(case.name, formulation)

    def call_with(step: float) -> Callable[[], Timed]:
        def call() -> Timed:
            start = time.perf_counter()
            result = lw.simulate(case.mechanism, T_END, step, formulation, "dop853", **OURS[formulation])
            return Timed(time.perf_counter() - start, float(result.info["run_seconds"]), result)

        return call

    for step in OUR_STEPS:
        try:
            found = call_with(step)().kept
        except lw.errors.LinkworkError as error:
            made.failure = f"{error.message}"[:120]
            continue
        made.energy, made.path = judged(case, {k: np.asarray(found[k]) for k in KEPT})
        made.step, made.sag = step, float(np.max(np.asarray(found["position_violation"])))
        if enough(case, made):
            made.failure = ""
            return made, call_with(step)
    made.failure = made.failure or "no step suffices"
    return made, None


KEPT = ("position", "rotation", "velocity", "angular_velocity")


def enough(case: Case, way: Way) -> bool:
    """Whether energy and path are within what is allowed."""
    energy, path = ALLOWED[case.kind]
    return way.energy is not None and way.path is not None and way.energy <= energy and way.path <= path


def mujoco(case: Case) -> tuple[Way, Callable[[], Timed] | None]:
    """RK4 with the stiffest loop closure that its step allows."""
    from benchmarks.peers_mujoco import MujocoModel

    made = Way(case.name, "MuJoCo, RK4")
    for step in MUJOCO_STEPS:
        model = MujocoModel(case.model, case.cut, case.kind == "ladder", step)
        run = model.run(T_END, max(1, round(0.1 / step)))
        if not np.all(np.isfinite(run.kept["position"])):
            continue
        made.energy, made.path = judged(case, run.kept)
        made.step, made.sag = step, run.sag
        if enough(case, made):

            def call(model: Any = model) -> Timed:
                seconds = model.seconds(T_END)
                return Timed(seconds, seconds, None)

            return made, call
    made.failure = "no step suffices"
    return made, None


def exudyn(case: Case) -> tuple[Way, Callable[[], Timed] | None]:
    """Generalised alpha on Euler parameters, sparse; Bricard's last pin without the equation that others imply."""
    from benchmarks.peers_exudyn import ExudynModel, Settings

    made = Way(case.name, "Exudyn, generalised alpha")
    settings = Settings(solver="GeneralizedAlpha", relative_tolerance=1e-6, linear="EigenSparse")
    model = case.model
    if case.kind == "bricard":
        model = replace(
            model, joints=tuple(replace(j, type="cylindrical") if j.name in case.cut else j for j in model.joints)
        )
    for step in EXUDYN_STEPS:
        try:
            run = ExudynModel(model, settings).run(T_END, step, max(1, round(0.1 / step)))
        except RuntimeError as error:
            made.failure = str(error)
            continue
        made.energy, made.path = judged(case, run.kept)
        made.step = step
        if enough(case, made):
            made.failure = ""

            def call(step: float = step) -> Timed:
                one = ExudynModel(model, settings).run(T_END, step, round(T_END / step))
                return Timed(one.seconds, one.seconds, None)

            return made, call
    made.failure = made.failure or "no step suffices"
    return made, None


def measure(lw: Any, case: Case, repetitions: int, peers: bool) -> list[Way]:
    """All programs on one mechanism."""
    from benchmarks import peers_exudyn, peers_mujoco

    ways = case.alone or [name for name in OURS if case.size <= MOST.get(name, case.size)]
    found = [ours(lw, case, name) for name in ways]
    peers = peers and not case.alone
    if peers and peers_mujoco.installed():
        found.append(mujoco(case))
    if peers and peers_exudyn.installed() and case.size <= EXUDYN_MOST[case.kind]:
        found.append(exudyn(case))
    timed = [(way, call) for way, call in found if call is not None]
    for (way, _), some in zip(timed, alternate([call for _, call in timed], repetitions), strict=True):
        way.loop = spread([one.loop for one in some])
        if way.way in OURS:
            way.call = min(one.seconds for one in some)
    return [way for way, _ in found]


def run(quick: bool, peers: bool = True, say: Callable[[str], None] = print) -> list[Way]:
    """Everything."""
    import linkwork as lw

    made = []
    counts = QUICK_COUNTS if quick else COUNTS
    for case in [bricard_case(), *(of(n) for n in counts for of in (ladder_case, pins_case))]:
        say(f"{case.name}, {T_END:g} s")
        found = measure(lw, case, 3 if quick else 5, peers)
        for way in found:
            seconds = "-" if way.loop is None else f"{1e3 * way.loop.minimum:.3g} ms"
            say(f"  {way.way}: {seconds} with steps of {1e3 * way.step:g} ms {way.failure}")
        made += found
    return made


def table(some: Sequence[Way]) -> str:
    """Seconds, and how many times faster than MuJoCo."""
    peer = {way.mechanism: way.loop.minimum for way in some if way.way.startswith("MuJoCo") and way.loop}
    rows, notes = [], []
    for way in some:
        if way.loop is None:
            notes.append(f"{way.mechanism}, {way.way}: {way.failure}")
            continue
        ahead = ratio(peer.get(way.mechanism), way.loop.minimum)
        figures = (1e3 * way.loop.minimum, 1e3 * way.loop.median, None if way.call is None else 1e3 * way.call)
        rest = (way.energy, way.path, way.sag)
        cells = [f"{1e3 * way.step:g}", *map(number, figures), *(number(x, 2) for x in rest), ahead]
        rows.append([way.mechanism, way.way, *cells])
    heads = ["mechanism", "way", "step ms", "loop ms", "median", "call ms", "energy J", "end m", "loops open m"]
    return markdown("Closed chains over 10 s", [*heads, "MuJoCo's time over it"], rows, notes)
