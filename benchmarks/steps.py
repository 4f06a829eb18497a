"""Microseconds per step: linkwork's formulations and Exudyn on the same mechanisms in the same run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.kissel import MODELS
from benchmarks.linkwork_runs import STEP, T_END, OurRun, measure
from benchmarks.models import ModelData
from benchmarks.paper import DRIVEN, FORMULATIONS
from benchmarks.references import REFERENCES
from benchmarks.timing import Spread, spread
from benchmarks.translate import Untranslatable, translate

MECHANISMS = tuple(REFERENCES)
ENOUGH, AT_MOST = 1e-4, 0.2  # m, errors that always and that never count as the motion of a body of 0.1 to 12 m
KINEMATIC = (*DRIVEN, "planar_four_bar")  # the mechanisms that drivers determine


@dataclass
class PeerFigures:
    """Exudyn on one mechanism: microseconds per step of its solver's call alone, twice.

    fastest : with the settings that were fastest among those whose error stays within `allowed` (m).
    default : the same search at its default Newton tolerance.   failure : why there are none, or nothing.
    """

    mechanism: str
    allowed: float
    fastest: Spread | None = None
    fastest_settings: str = ""
    fastest_error: float | None = None
    default: Spread | None = None
    default_settings: str = ""
    default_error: float | None = None
    failure: str = ""


@dataclass
class Steps:
    """Everything measured."""

    ours: list[OurRun] = field(default_factory=list)
    peers: list[PeerFigures] = field(default_factory=list)


def peer_model(name: str) -> ModelData:
    """The mechanism as a peer gets it: written for it (Kissel's four), or translated from the shipped file."""
    if name in MODELS:
        return MODELS[name]()
    import linkwork as lw

    return translate(lw.load(name))


def measure_peer(name: str, allowed: float, repetitions: int, quick: bool) -> PeerFigures:
    """Choose Exudyn's settings on this mechanism, then time them `repetitions` times."""
    from benchmarks.peer_choice import DEFAULT_TOLERANCE, LOOSE, NODES, again, choose, fastest
    from benchmarks.peers_exudyn import installed

    made = PeerFigures(name, allowed)
    if not installed():
        made.failure = "Exudyn is not installed"
        return made
    try:
        model = peer_model(name)
    except Untranslatable as error:
        made.failure = f"no peer model: {error}"
        return made
    nodes = NODES[:2] if quick else NODES
    per_step = 1e6 / round(T_END / STEP)
    default = choose(name, model, T_END, STEP, allowed, (DEFAULT_TOLERANCE,), nodes)
    loose = choose(name, model, T_END, STEP, allowed, LOOSE, nodes)
    if default is not None:
        runs = again(model, default.settings, T_END, STEP, repetitions)
        made.default = spread([run.seconds for run in runs], per_step)
        made.default_settings, made.default_error = str(default.settings), default.error
    best = fastest([default, loose])
    if best is None:
        made.failure = "no settings gave the motion"
        return made
    runs = again(model, best.settings, T_END, STEP, repetitions)
    made.fastest = spread([run.seconds for run in runs], per_step)
    made.fastest_settings, made.fastest_error = str(best.settings), best.error
    return made


def allowance(errors: Sequence[float]) -> float:
    """How far off (m) a peer's run may be: as far as our first-order run is, if a loose tolerance makes it faster."""
    return min(max([ENOUGH, *errors]), AT_MOST)


def run(
    quick: bool,
    peers: bool = True,
    mechanisms: Sequence[str] = MECHANISMS,
    formulations: Sequence[str] = FORMULATIONS,
    say: Callable[[str], None] = print,
) -> Steps:
    """Measure everything asked for; `say` is told what is being timed."""
    import linkwork as lw

    repetitions = 3 if quick else 11
    made = Steps()
    for name in mechanisms:
        errors = []
        for kind in ("kinematics", "dynamics"):
            if kind == "kinematics" and name not in KINEMATIC:
                continue
            for formulation in formulations:
                say(f"{name}, {kind}, {formulation}")
                ours = measure(lw, name, kind, formulation, repetitions)
                made.ours.append(ours)
                if kind == "dynamics" and ours.error is not None:
                    errors.append(ours.error)
        if peers:
            say(f"{name}, Exudyn")
            made.peers.append(measure_peer(name, allowance(errors), repetitions, quick))
    return made
