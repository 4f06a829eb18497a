"""Many instances at once: linkwork in lanes and one by one, MuJoCo's rollout, C by CasADi; steps per second and thread.

Seconds of one thread are those that the processor spent (`time.thread_time`), so that a machine at work gives the same
figures; caches and clocks are still shared. Those of two threads, on all cores, are the slower one's, and beside them
seconds of the clock, the least of some: these are of use on a machine with nothing else to do. The global error is that
of the first instance: positions of bodies at the end, over the mechanism's length, against a run of the same
formulation with an eighth of the step; of peers against linkwork's `articulated-body` with an eighth of it, so that it
shows as well that they move the same thing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

import linkwork as lw
from benchmarks.peers_casadi import NotHere, casadi_chain
from benchmarks.pin_chains import LENGTH, PinChain, as_mechanism, as_mujoco, pin_chain
from linkwork.errors import UsageError
from linkwork.lanes.runner import Recorded
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.implicit import why_not_newton
from linkwork.lanes.traced.newton_batch import NewtonBatch

INSTANCES, STEPS, STEP, TRIES, LONG_ENOUGH = 4096, 1000, 1e-3, 5, 2.0
MOST = 64  # instances that are measured one by one
MUJOCO, CASADI = "MuJoCo rollout, RK4", "CasADi, C by gcc -O3"
SLIDER_CRANK = "kissel2021_slider_crank"
CHAINS = {"7-joint arm": 7, "double pendulum": 2}
MECHANISMS = (*CHAINS, "slider crank")


@dataclass
class Row:
    """steps : millions a second; None where `why` says why there are none. error : global, relative to the mechanism's
    length; None where not measured."""

    mechanism: str
    how: str
    instances: int
    steps: float | None
    error: float | None = None
    why: str = ""


def run(
    quick: bool,
    peers: bool,
    say: Callable[[str], None],
    mechanisms: Sequence[str] | None = None,
    formulations: Sequence[str] | None = None,
) -> list[Row]:
    """All rows; of ours only those of these mechanisms and formulations, if any are said. quick : 256 instances."""
    many, rows = (256 if quick else INSTANCES), []
    chosen = [name for name in MECHANISMS if name in (mechanisms or MECHANISMS)]
    for name in chosen:
        if name not in CHAINS:
            mech, ways = lw.load(SLIDER_CRANK), (("articulated-body", "rk4"), ("rA", "generalized-alpha"))
        else:
            chain = pin_chain(CHAINS[name])
            mech, ways = as_mechanism(lw, chain), (("articulated-body", "rk4"), ("canonical", "rk4"))
        for formulation, integrator in ways:
            if formulation in (formulations or (formulation,)):
                say(f"lanes: {name}, {formulation}")
                rows += ours(name, mech, formulation, integrator, many)
        if peers and name in CHAINS:
            say(f"lanes: {name}, peers")
            rows += peers_of(name, chain, mech, many)
    return rows


def peers_of(name: str, chain: PinChain, mech: lw.Mechanism, many: int) -> list[Row]:
    """MuJoCo and CasADi, against the same end."""
    fine = last(held(mech, "articulated-body", "rk4", STEP / 8, 8 * STEPS, started=True).advance(8 * STEPS)[1])[:, :3]

    def error(places: Any) -> float:
        return float(np.max(np.abs(places - fine))) / (len(chain) * LENGTH)

    if find_spec("mujoco") is None:
        rows = [Row(name, MUJOCO, many, None, why="mujoco is not installed")]
    else:
        rows = [mujoco(name, chain, many, error)]
    return [*rows, *casadi(name, chain, many, error)]


def kept(mech: lw.Mechanism, formulation: str, integrator: str, step: float = STEP, steps: int = STEPS) -> Any:
    """A held run, placed."""
    from linkwork.run.simulate import Call, held_of
    from linkwork.run.starting import prepare

    call = Call.of(mech, step * steps, step, formulation, integrator, lw.Samples(every=steps), None, {})
    return held_of(call, prepare(mech, dynamics=True))


def held(
    mech: lw.Mechanism,
    formulation: str,
    integrator: str,
    step: float = STEP,
    steps: int = STEPS,
    *,
    started: bool = False,
) -> Any:
    """A run that is placed; or at its start, its slope known."""
    one = kept(mech, formulation, integrator, step, steps)
    if started:
        assert one.run.initialise() == 0
    return one.run


def ours(name: str, mech: lw.Mechanism, formulation: str, integrator: str, many: int) -> list[Row]:
    """One by one; in lanes; in lanes on two threads."""
    from linkwork.lanes.batch import Batch, why_not

    one = held(mech, formulation, integrator, started=True)
    wanted = held(mech, formulation, integrator, STEP / 8, 8 * STEPS, started=True)
    length = wanted.problem.mechanism.length
    fine = last(wanted.advance(8 * STEPS)[1])
    how = f"{formulation} + {integrator}"

    def error(found: Any) -> float:
        return float(np.max(np.abs(found[:, :3] - fine[:, :3]))) / length

    first, alone = last(held(mech, formulation, integrator, started=True).advance(STEPS)[1]), []
    for _ in range(min(many, MOST)):
        start = time.thread_time()
        one.advance(STEPS)
        alone.append(time.thread_time() - start)
    rows = [Row(name, f"{how}, one by one", len(alone), STEPS / min(alone) / 1e6, error(first))]
    if why_not(one):
        if not why_not_newton(one):
            rows += recorded_rows(name, how, lambda: NewtonBatch(kept(mech, formulation, integrator), []), many, error)
        return rows
    rows += recorded_rows(name, how, lambda: TracedBatch(held(mech, formulation, integrator), []), many, error)
    batches = [Batch(held(mech, formulation, integrator, started=True)) for _ in range(2)]
    return [*rows, *lane_rows(name, f"{how}, {batches[0].width} lanes", batches, many, error)]


def recorded_rows(
    name: str, how: str, recorded: Callable[[], Recorded], many: int, error: Callable[[Any], float]
) -> list[Row]:
    """By recorded code, on one thread and on two; nothing where the run leaves the path it begins on."""
    try:
        batches = [recorded() for _ in range(2)]
    except UsageError:
        return []
    if not batches[0].keeps_its_path(np.zeros((1, 0)), STEPS):
        return []
    return lane_rows(name, f"{how}, {batches[0].width} lanes, recorded", batches, many, error)


def lane_rows(name: str, how: str, batches: Sequence[Any], many: int, error: Callable[[Any], float]) -> list[Row]:
    """Two batches with half of the instances each; starts are copies of one, which costs lanes nothing less. Starts of
    implicit methods, and their first steps, are taken one by one, and are not in the measure."""
    work = [partial(again, one, many // 2) for one in batches]
    found = in_turns([partial(stand, one) for one in batches], work)
    return thread_rows(name, how, many, found, error(end_of(batches[0])))


def again(batch: Any, many: int) -> None:
    """The steps of so many instances, from where the lanes stand."""
    for _ in range(many // batch.width):
        batch.begin(batch.width)
        if isinstance(batch, Recorded):
            batch.find_slopes()
        status, _ = batch.advance(STEPS)
        assert status == 0


def stand(batch: Any) -> None:
    """All lanes at the start of the same run."""
    if isinstance(batch, Recorded):
        batch.alter(np.zeros((batch.width, 0)))
        batch.begin(batch.width)
        batch.find_slopes()
        return
    batch.keep(0)
    batch.alter(np.zeros((batch.width, 0)), np.zeros(0, dtype=np.int64))
    batch.begin(batch.width)


def in_turns(ready: Sequence[Callable[[], None]], work: Sequence[Callable[[], None]]) -> tuple[float, float, float]:
    """Two pieces of work, by one thread and by two on all cores, in turns and for some seconds: processor seconds of
    the one thread, of the slower one of two, seconds of the clock of these; the least of each."""
    alone, spent, clock, began = list[float](), list[float](), list[float](), time.perf_counter()
    while len(alone) < TRIES or time.perf_counter() - began < LONG_ENOUGH:
        for one in ready:
            one()
        alone.append(sum(map(seconds_of, work)))
        for one in ready:
            one()
        with ThreadPoolExecutor(2) as pool, all_cores():
            start = time.perf_counter()
            spent.append(max(pool.map(seconds_of, work)))
            clock.append(time.perf_counter() - start)
    return min(alone), min(spent), min(clock)


def seconds_of(work: Callable[[], None]) -> float:
    """Processor seconds of this thread."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def thread_rows(name: str, how: str, many: int, found: tuple[float, float, float], error: float) -> list[Row]:
    """Of what `in_turns` found."""
    ways = (("", error), (", 2 threads", None), (", 2 threads by the clock", None))
    return [
        Row(name, f"{how}{way}", many, many * STEPS / seconds / 1e6, apart)
        for (way, apart), seconds in zip(ways, found, strict=True)
    ]


@contextmanager
def all_cores() -> Iterator[None]:
    """Benchmarks are pinned to one core; threads that are started here are not."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    pinned = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, pinned)


def end_of(batch: Any) -> Any:
    """Poses at the end, lane 0."""
    stand(batch)
    return last({name: value[..., 0] for name, value in batch.advance(STEPS)[1].items()})


def last(block: Any) -> Any:
    """Motion in the last sample."""
    return block["motion"][-1]


def mujoco(name: str, chain: PinChain, many: int, error: Callable[[Any], float]) -> Row:
    """MuJoCo's rollout on one thread."""
    import mujoco as mj
    from mujoco import rollout

    def ends(step: float, steps: int, count: int) -> tuple[Any, float]:
        model = as_mujoco(chain, step, "RK4")
        data = mj.MjData(model)
        data.qpos[:], data.qvel[:] = chain.q, chain.v
        state = np.zeros(mj.mj_stateSize(model, mj.mjtState.mjSTATE_FULLPHYSICS))
        mj.mj_getState(model, data, state, mj.mjtState.mjSTATE_FULLPHYSICS)
        start = time.process_time()
        found, _ = rollout.rollout(model, data, np.tile(state, (count, 1)), nstep=steps)
        spent = time.process_time() - start
        mj.mj_setState(model, data, found[0, -1], mj.mjtState.mjSTATE_FULLPHYSICS)
        mj.mj_forward(model, data)
        return data.xipos[1:].copy(), spent

    tried = [ends(STEP, STEPS, many) for _ in range(TRIES)]
    seconds, places = min(spent for _, spent in tried), tried[0][0]
    return Row(name, MUJOCO, many, many * STEPS / seconds / 1e6, error(places))


def casadi(name: str, chain: PinChain, many: int, error: Callable[[Any], float]) -> list[Row]:
    """Generated code, one instance after the other, on one thread and on two; or a row that says what is missing."""
    try:
        carry, way = casadi_chain(chain)
    except NotHere as error_:
        return [Row(name, CASADI, many, None, why=str(error_))]
    how, start = f"{CASADI}, {way}", np.array([chain.q, chain.v])
    states = [np.repeat(start[:, None], many // 2, axis=1) for _ in range(2)]

    def reset(state: Any) -> None:
        state[:] = start[:, None]

    ready = [partial(reset, state) for state in states]
    work = [partial(carry, *state, STEPS, STEP) for state in states]
    found = in_turns(ready, work)
    places = replace(chain, q=states[0][0, 0], v=states[0][1, 0]).placed()[0]
    return thread_rows(name, how, many, found, error(places))


def table(rows: list[Row]) -> str:
    """Markdown."""
    lines = [
        f"Many instances, {STEPS} steps of {STEP:g} s; processor time; of two threads the slower one's",
        "",
        "| mechanism | how | instances | M steps/s | us/step | global error |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        error = "" if row.error is None else f"{row.error:.1e}"
        speed = f"not run: {row.why} | " if row.steps is None else f"{row.steps:.3g} | {1 / row.steps:.3g}"
        lines.append(f"| {row.mechanism} | {row.how} | {row.instances} | {speed} | {error} |")
    return "\n".join(lines) + "\n"
