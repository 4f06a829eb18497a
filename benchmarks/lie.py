"""The Lie-group formulations of Müller 2013: time per step beside Exudyn, groups, stabilisation, chains, precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import startup
from benchmarks.build import as_mechanism
from benchmarks.lie_models import COMPARED_UNTIL, JOINTLESS, SHIPPED, ball_chain, shipped
from benchmarks.lie_precision import Point, curves
from benchmarks.lie_runs import STEP, Figures, Run, first_line, measure, ours, theirs
from benchmarks.lie_truth import Truth, truth_of
from benchmarks.models import ModelData
from benchmarks.timing import Spread, alternate, spread

Say = Callable[[str], None]
T_END = 5.0  # s, the paper's
GROUPS = ("lie-se3", "lie-product", "lie-mixed")
ALPHA = "generalized-alpha"
ALPHA_TOLERANCE = 1e-8  # of the mechanism's length: far below the method's own error at this step
STABILISED: dict[str, dict[str, Any]] = {
    "none": {},
    "baumgarte": {"stabilisation": "baumgarte"},
    "projection, every 10": {"stabilisation": "projection", "project_every": 10},
    "projection, every step": {"stabilisation": "projection", "project_every": 1},
}
TWINS = {"heun": "ExplicitMidpoint", "bs32": "RK33", "rk4": "RK44", "dp54": "DOPRI5"}  # Euler gains energy and fails
COUNTS, QUICK_COUNTS = (2, 8, 32, 100, 1000), (2, 32)
PRECISE = SHIPPED[:2]


@dataclass
class Agreement:
    """How far (m, rad) linkwork's dop853 at 1e-13 is from the reference made apart from it."""

    mechanism: str
    apart: float | None = None
    failure: str = ""


@dataclass
class Chain:
    """Microseconds per step and body of a chain of ball joints.

    ours, loop : rk4, whole call and compiled loop.   implicit : generalized-alpha, whole call.   peer : Exudyn's
    fastest.   apart : largest distance (m) between Exudyn's bodies and those of rk4 at the end.
    """

    bodies: int
    steps: int
    ours: Spread | None = None
    loop: Spread | None = None
    implicit: Spread | None = None
    peer: Spread | None = None
    settings: str = ""
    apart: float | None = None
    failure: str = ""


@dataclass
class Lie:
    """Everything measured."""

    joints: list[Figures] = field(default_factory=list)
    jointless: list[Figures] = field(default_factory=list)
    stabilised: list[Figures] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    precision: list[Point] = field(default_factory=list)
    startup: list[startup.StartUp] = field(default_factory=list)
    agreement: list[Agreement] = field(default_factory=list)


def peer_runs(model: ModelData, truth: Truth, t_end: float, quick: bool) -> list[Run]:
    """Exudyn on a mechanism with joints: its Lie-group nodes at the default tolerance and at their fastest, and
    whatever else it is fastest with."""
    from benchmarks.lie_peers import DEFAULT, LIE, LOOSE, NODES, choose

    wanted = (((LIE,), (DEFAULT,)), ((LIE,), (DEFAULT, *LOOSE)), (NODES[:2] if quick else NODES, (DEFAULT, *LOOSE)))
    found = [choose(model, truth, nodes, tolerances, t_end) for nodes, tolerances in wanted]
    distinct = list(dict.fromkeys(settings for settings in found if settings is not None))
    return [theirs(model, settings, t_end) for settings in distinct]


def with_joints(lw: Any, name: str, repetitions: int, peers: bool, quick: bool) -> list[Figures]:
    """The paper's examples: our groups with rk4, generalized-alpha, and Exudyn, in turn."""
    mechanism, model, truth = lw.load(name), shipped(lw, name), truth_of(name)
    runs = [ours(lw, mechanism, group, "rk4", T_END) for group in GROUPS]
    runs.append(ours(lw, mechanism, "lie-mixed", ALPHA, T_END, position_tolerance=ALPHA_TOLERANCE))
    if peers:
        runs += peer_runs(model, truth, T_END, quick)
    return measure(name, model, truth, runs, T_END, repetitions)


def without_joints(lw: Any, model: ModelData, repetitions: int, peers: bool) -> list[Figures]:
    """Explicit methods of the same order beside each other; once keeping every step, once only the last."""
    mechanism, truth = as_mechanism(lw, model), Truth(model, COMPARED_UNTIL)
    runs = []
    for integrator, twin in TWINS.items():
        for every in (1, round(T_END / STEP)):
            runs.append(ours(lw, mechanism, "lie-mixed", integrator, T_END, every))
            if peers:
                from benchmarks.lie_peers import LIE
                from benchmarks.peers_exudyn import Settings

                runs.append(theirs(model, Settings(LIE, twin), T_END, every))
    return measure(model.name, model, truth, runs, T_END, repetitions)


def stabilisation(lw: Any, name: str, repetitions: int) -> list[Figures]:
    """What it costs to stay on the constraints."""
    mechanism = lw.load(name)
    runs = []
    for words, options in STABILISED.items():
        run = ours(lw, mechanism, "lie-product", "rk4", T_END, **options)
        runs.append(Run(run.program, words, run.call))
    return measure(name, shipped(lw, name), truth_of(name), runs, T_END, repetitions)


def chain(lw: Any, count: int, repetitions: int, peers: bool) -> Chain:
    """One length; the number of steps shrinks with it so that the whole stays short."""
    model = ball_chain(count)
    made = Chain(count, steps=max(100, min(1000, 20_000 // count)))
    t_end, scale = made.steps * STEP, 1e6 / (made.steps * count)
    try:
        mechanism = as_mechanism(lw, model)
        runs = [ours(lw, mechanism, "lie-mixed", "rk4", t_end)]
        implicit = ours(lw, mechanism, "lie-mixed", ALPHA, t_end, position_tolerance=ALPHA_TOLERANCE)
        runs += [implicit] if works(implicit) else []
        peer = None
        if peers:
            peer = chain_peer(model, t_end)
            runs.append(theirs(model, peer, t_end))
        runs[0].call()
        found = alternate([run.call for run in runs], repetitions)
    except Exception as error:  # the other lengths still count
        made.failure = first_line(error)
        return made
    seconds = [spread([one.seconds for one in timed], scale) for timed in found]
    made.ours, made.loop = seconds[0], spread([one.loop for one in found[0]], scale)
    if implicit in runs:
        made.implicit = seconds[1]
    if peer is not None:
        made.peer, made.settings = seconds[-1], str(peer)
        ends = [timed[-1].kept["position"][-1] for timed in (found[0], found[-1])]
        made.apart = float(np.max(np.linalg.norm(ends[0] - ends[1], axis=-1)))
    return made


def works(run: Run) -> bool:
    """Whether a run succeeds."""
    try:
        run.call()
    except Exception:  # a method that cannot run this leaves its column empty
        return False
    return True


def chain_peer(model: ModelData, t_end: float) -> Any:
    """Exudyn's quickest settings for a chain at a Newton tolerance of 1e-4."""
    from benchmarks.lie_peers import LIE, SOLVERS
    from benchmarks.peers_exudyn import Settings

    linear = ("EXUdense", "EigenSparse") if len(model.bodies) <= 32 else ("EigenSparse",)
    found = {}
    for node in (LIE, "RotationEulerParameters"):
        for solver in SOLVERS:
            for name in linear:
                settings = Settings(node, solver, 1e-4, name)
                run = theirs(model, settings, t_end)
                if works(run):
                    found[settings] = run.call().seconds
    return min(found, key=lambda settings: found[settings])


def agreement(lw: Any, model: ModelData, truth: Truth) -> Agreement:
    """linkwork at its most exact beside the reference."""
    made = Agreement(model.name)
    try:
        options = {"rtol": 1e-13, "atol": 1e-13, "t_eval": truth.samples}
        result = lw.simulate(as_mechanism(lw, model), truth.until, 0.1, "lie-mixed", "dop853", **options)
        made.apart = truth.error(*(np.asarray(result[name]) for name in ("time", "position", "rotation")))
    except Exception as error:  # said in the table
        made.failure = first_line(error)
    return made


def start_up(say: Say, repetitions: int) -> list[startup.StartUp]:
    """The first run with an empty cache of compiled code, and the next process."""
    made = []
    for formulation, integrator in (("lie-se3", "rk4"), ("lie-mixed", ALPHA)):
        say(f"start-up, {formulation}, {integrator}")
        command = (*startup.LINKWORK, "run", SHIPPED[0], "--formulation", formulation, "--integrator", integrator)
        made += startup.first_and_again(f"linkwork run, {formulation}, {integrator}", command, repetitions)
    return made


def run(quick: bool, peers: bool = True, names: Sequence[str] = SHIPPED, say: Say = print) -> Lie:
    """Measure everything; `say` is told what is being timed."""
    import linkwork as lw
    from benchmarks.peers_exudyn import installed

    peers = peers and installed()
    repetitions = 3 if quick else 11
    made = Lie()
    for name in names:
        say(f"{name}, groups")
        made.joints += with_joints(lw, name, repetitions, peers, quick)
        say(f"{name}, stabilisation")
        made.stabilised += stabilisation(lw, name, repetitions)
    for build in JOINTLESS:
        model = build()
        say(f"{model.name}, explicit methods")
        made.jointless += without_joints(lw, model, repetitions, peers)
    for count in QUICK_COUNTS if quick else COUNTS:
        say(f"chain of {count} balls")
        made.chains.append(chain(lw, count, 3 if quick else 5, peers))
    for name in PRECISE:
        if not quick and name in names:
            say(f"{name}, work and precision")
            made.precision += curves(lw, name)
    known = [(shipped(lw, name), truth_of(name)) for name in names]
    known += [(model, Truth(model, COMPARED_UNTIL)) for model in (build() for build in JOINTLESS)]
    made.agreement = [agreement(lw, model, truth) for model, truth in known]
    if not quick:
        made.startup = start_up(say, 5)
    return made
