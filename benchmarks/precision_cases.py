"""The mechanisms of `benchmarks.work_precision`, what a run on one comes to, and how errors and times are taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

import numpy as np

from benchmarks.models import Array, ModelData

SAMPLES = 20
RTOLS = tuple(10.0**-k for k in range(2, 14, 2))
LONGEST = 30.0  # s of computing: a way that takes as long twice is not asked for more
PATIENCE = 2  # such runs: a peer's coarsest steps, at which Newton's method hardly converges, can be the slowest
FLOOR, TRIES = 1e-12, 3
NAMES = ("Andrews' squeezer", "heavy top", "slider crank", "Stewart platform", "Bricard's loop", "chain of 100")


@dataclass(frozen=True)
class Case:
    """A mechanism, its span [s], ours for peers, and torques on bodies, in space [N m]. length : what errors are shares
    of [m]. cut : joints that close MuJoCo's loops."""

    name: str
    mechanism: Any
    span: float
    model: ModelData | None
    length: float
    torques: dict[str, Array]
    cut: tuple[str, ...] | None = None
    long: bool = False  # too many unknowns for matrices by differences


@dataclass
class Point:
    """One run. setting : rtol, accuracy, or step [s]. seconds : of processor time. count : evaluations, 0 unknown.
    failure : why there is none."""

    mechanism: str
    way: str
    setting: float
    error: float
    seconds: float
    count: int = 0
    failure: str = ""


def cases(quick: bool) -> Iterator[Case]:
    """All; quick : the two smallest."""
    import linkwork as lw
    from benchmarks import andrews
    from benchmarks.build import as_mechanism
    from benchmarks.sizes import chain
    from benchmarks.translate import translate
    from linkwork.studies.generated import bricard
    from linkwork.system import compile_mechanism

    def case(name: str, mech: Any, span: float, model: ModelData | None, **more: Any) -> Case:
        return Case(name, mech, span, model, compile_mechanism(mech.lower()).length, more.pop("torques", {}), **more)

    top, squeezer = lw.load("muller2013_heavy_top"), andrews.mechanism()
    said = squeezer.to_dict()
    said["forces"] = [force for force in said["forces"] if force["type"] == "spring"]
    undriven = translate(type(squeezer).from_dict(said))
    torque = {"K1": np.array([0.0, 0.0, andrews.TORQUE])}
    yield case("Andrews' squeezer", squeezer, andrews.T_END, undriven, torques=torque)
    yield case("heavy top", top, 1.0, translate(top))
    if quick:
        return
    crank, stewart, loop = lw.load("spatial_slider_crank_spring"), lw.load("stewart_platform"), bricard()
    yield case("slider crank", crank, 1.0, translate(crank))
    yield case("Stewart platform", stewart, 1.0, translate(stewart))
    yield case("Bricard's loop", loop, 2.0, translate(loop), cut=("P5",))
    bars = chain(100)
    yield case("chain of 100", as_mechanism(lw, bars), 0.5, bars, cut=(), long=True)


def error_of(case: Case, positions: Array, truth: Array) -> float:
    """Of centres of mass (n, nb, 3), as a share of the length; nan where samples are missing."""
    if positions.shape != truth.shape or not np.all(np.isfinite(positions)):
        return float("nan")
    return float(np.max(np.linalg.norm(positions - truth, axis=-1)) / case.length)


def interval(case: Case) -> float:
    """Between samples [s]."""
    return case.span / SAMPLES


def truth_of(case: Case) -> tuple[Array, float]:
    """Positions (n, nb, 3), and by how much two ways differ in them."""
    import linkwork as lw

    def run(formulation: str, integrator: str, rtol: float) -> Array:
        tight: dict[str, Any] = {"rtol": rtol, "atol": 1e-2 * rtol, "stabilisation": "projection"}
        found = lw.simulate(case.mechanism, case.span, interval(case), formulation, integrator, **tight)
        return np.asarray(found["position"])

    truth = run("lie-mixed", "dop853", 1e-13)
    return truth, error_of(case, run("articulated-body", "ts54", 1e-12), truth)


def timed(run: Callable[[], Any], tries: int = TRIES) -> tuple[Any, float]:
    """What it returns, and the least processor time of a few calls, two of a long one."""
    least, found = np.inf, None
    for k in range(tries):
        began = process_time()
        found = run()
        least = min(least, process_time() - began)
        if least > 1.0 and k > 0:  # the first one may have compiled something
            break
    return found, float(least)


def tried(case: Case, way: str, setting: float, run: Callable[[], Any], truth: Array, tries: int = TRIES) -> Point:
    """A point; positions, evaluations = run()."""
    began = process_time()
    try:
        (positions, count), seconds = timed(run, tries)
    except Exception as error:  # whatever a program raises, steps beyond stability among it
        words = str(error).splitlines()[0].partition(" [Python file")[0][:160] if str(error) else type(error).__name__
        return Point(case.name, way, setting, float("nan"), process_time() - began, failure=words)
    error = error_of(case, positions, truth)
    return Point(case.name, way, setting, error, seconds, count, "" if np.isfinite(error) else "ended early")


LATEST_LONG = 60.0  # s of computing, after which a run on a mechanism of many unknowns is ended, ours as well


def limited(
    case: Case, way: str, setting: float, run: Callable[[], Any], truth: Array, limit: float, tries: int
) -> Point:
    """As `tried`, in a process of its own, whose end stops whatever it is busy with."""
    late = Point(case.name, way, setting, float("nan"), limit, failure=f"longer than {limit:g} s")
    return killed_after(limit, lambda: tried(case, way, setting, run, truth, tries), late)


WAITING = 4.0  # times the limit on computing: a process that sleeps, or is kept waiting, is ended then


def killed_after(limit: float, point: Callable[[], Point], late: Point) -> Point:
    """The point, made in a process of its own that may compute for so long [s], and take WAITING times as long with
    what it waits for, whatever else can stop it; `late` where that is not enough."""
    import multiprocessing
    import resource

    apart = multiprocessing.get_context("fork")
    there, here = apart.Pipe(duplex=False)

    def work() -> None:
        most = math.ceil(process_time() + limit)  # the system counts whole seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        here.send(point())

    child = apart.Process(target=work)
    child.start()
    here.close()
    found = late
    try:
        if there.poll(WAITING * limit):
            found = there.recv()
    except EOFError:  # it is no more
        pass
    child.kill()  # one that has sent its point has nothing left to do
    child.join()
    there.close()
    return found


def ladder(points: Iterator[Point]) -> Iterator[Point]:
    """Until rounding or patience ends it; where patience does, a last point, without figures, says what was not
    reached."""
    long, least, spent = 0, np.inf, 0.0
    for point in points:
        yield point
        spent += point.seconds
        least = min(least, point.error if np.isfinite(point.error) else np.inf)
        long += point.seconds > LONGEST
        if point.error < FLOOR:
            return
        if long >= PATIENCE:
            yield replace(point, setting=float("nan"), error=float("nan"), seconds=0.0, failure=short_of(least, spent))
            return


def short_of(least: float, spent: float) -> str:
    """What a way did not reach in the time that it took: the next decade, every second of 1e-2 to 1e-12."""
    decade = next((rtol for rtol in RTOLS if rtol < least), RTOLS[-1])
    return f"did not reach {decade:.0e} within {spent:.0f} s"
