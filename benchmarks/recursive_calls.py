"""One forward-dynamics evaluation, and steps of rk4, of a chain of pins: what is timed, program by program.

Work is done `count` times in a compiled loop, unless it is said that Python calls, and gives the seconds per time.
Models are read at run time: no program compiles code for the chain.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.pin_chains import PinChain, as_exudyn, as_mechanism, as_mujoco, as_pinocchio

STEP = 1e-3  # s
PINOCCHIO_MOST = 300  # links: its data take 62 n^3 bytes
MUJOCO_MOST = 1000  # n^3 operations


@dataclass
class Timed:
    """work(count) returns seconds per time.   result() : accelerations of the joints, or rotations at the end."""

    work: Callable[[int], float]
    result: Callable[[], Array]


def clocked(call: Callable[[], Any], count: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds per time of a call that does something `count` times."""
    start = clock()
    call()
    return (clock() - start) / count


# evaluations ---------------------------------------------------------------------------------------------------------


def ours(lw: Any, chain: PinChain, formulation: str) -> Timed:
    """Rates of the state: what a stage of an explicit method needs, by a formulation's own entries."""
    from benchmarks.evaluate import evaluations
    from linkwork.analysis.state import State
    from linkwork.run.matching import pair
    from linkwork.run.starting import new_run, started
    from linkwork.system import compile_mechanism

    chosen, method = pair(formulation, "rk4")
    compiled = State(*chain.placed()).within(compile_mechanism(as_mechanism(lw, chain).lower()))
    run = started(compiled, partial(new_run, chosen, method, step=1.0, t_end=1.0))
    loop, table = evaluations(), run._table

    def result() -> Array:
        loop(table, 0)
        return joint_accelerations(chain, run.problem.work.motion[:-1, 21:24])

    def work(count: int) -> float:
        return clocked(lambda: loop(table, count), count)

    return Timed(work, result)


def joint_accelerations(chain: PinChain, alpha: Array) -> Array:
    """Second derivatives of the angles from angular accelerations of the bodies, in body components."""
    _, A, _, w = chain.placed()
    out, before, spin = np.zeros(len(chain)), np.zeros(3), np.zeros(3)
    for k in range(len(chain)):
        axis = A[k] @ ([0.0, 0.0, 1.0] if chain.axis[k] == "z" else [1.0, 0.0, 0.0])
        now, omega = A[k] @ alpha[k], A[k] @ w[k]
        out[k] = axis @ (now - before - np.cross(spin, axis) * chain.v[k])
        before, spin = now, omega
    return out


def pinocchio_inside(chain: PinChain, call: bool = False) -> Timed:
    """Pinocchio's aba, its own loop in one thread; `call`: called from Python each time instead."""
    import pinocchio as pin

    model, tau = as_pinocchio(chain), np.zeros(len(chain))
    data = model.createData()
    if call:
        found: Array = np.zeros(len(chain))

        def one_by_one(count: int) -> float:
            def all_of_them() -> None:
                for _ in range(count):
                    pin.aba(model, data, chain.q, chain.v, tau, pin.Convention.WORLD)

            return clocked(all_of_them, count)

        return Timed(one_by_one, lambda: data.ddq.copy())
    batch = max(8, 20_000 // len(chain))
    pool = pin.ModelPool(model, 1)
    given = [np.asfortranarray(np.repeat(x[:, None], batch, 1)) for x in (chain.q, chain.v, tau)]
    found = np.asfortranarray(np.zeros((len(chain), batch)))

    def work(count: int) -> float:
        rounds = max(1, round(count / batch))

        def all_of_them() -> None:
            for _ in range(rounds):
                pin.abaInParallel(1, pool, *given, found)

        return clocked(all_of_them, rounds * batch)

    return Timed(work, lambda: found[:, -1].copy())


def mujoco_inside(chain: PinChain, call: bool = False) -> Timed:
    """MuJoCo's loop of semi-implicit Euler steps, one mj_forward each; `call`: mj_forward called from Python."""
    import mujoco

    model = as_mujoco(chain, 1e-12, "Euler")
    data = mujoco.MjData(model)

    def start() -> None:
        data.qpos[:], data.qvel[:] = chain.q, chain.v

    def result() -> Array:
        start()
        mujoco.mj_forward(model, data)
        return np.array(data.qacc)

    if call:

        def one_by_one(count: int) -> float:
            start()

            def all_of_them() -> None:
                for _ in range(count):
                    mujoco.mj_forward(model, data)

            return clocked(all_of_them, count)

        return Timed(one_by_one, result)

    def work(count: int) -> float:
        start()
        return clocked(lambda: mujoco.mj_step(model, data, count), count)

    return Timed(work, result)


# steps of rk4 --------------------------------------------------------------------------------------------------------


def our_steps(lw: Any, chain: PinChain, formulation: str, kept: bool) -> Timed:
    """The compiled loop of a run.   kept : every step is recorded, as a user has it by default; else the last."""
    mechanism = as_mechanism(lw, chain)
    last: list[Any] = []

    def work(count: int) -> float:
        found = lw.simulate(mechanism, count * STEP, STEP, formulation, "rk4", every=1 if kept else count)
        last[:] = [found]
        return float(found.info["run_seconds"]) / count

    return Timed(work, lambda: np.asarray(last[0]["rotation"][-1]).ravel())


def mujoco_steps(chain: PinChain) -> Timed:
    """MuJoCo's own loop; it keeps the last step."""
    import mujoco

    model = as_mujoco(chain, STEP, "RK4")
    data = mujoco.MjData(model)

    def work(count: int) -> float:
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = chain.q, chain.v
        return clocked(lambda: mujoco.mj_step(model, data, count), count)

    def result() -> Array:
        mujoco.mj_kinematics(model, data)
        return np.array(data.xmat[1:]).ravel()

    return Timed(work, result)


def exudyn_steps(chain: PinChain) -> Timed:
    """Exudyn's solver, writing nothing; its start-up, the time of one step, is taken off."""
    from benchmarks.peers_exudyn import exu

    container, system = as_exudyn(chain)

    def solve(count: int) -> float:
        settings = exu.SimulationSettings()
        settings.solution.file.write = False
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = count, count * STEP
        large = exu.LinearSolverType.EigenDense if len(chain) > 20 else exu.LinearSolverType.EXUdense
        settings.linearSolver.solverType = large
        return clocked(lambda: system.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44), 1)

    def work(count: int) -> float:
        start_up = min(solve(1) for _ in range(3))
        return max(solve(count) - start_up, 0.0) / (count - 1)

    def result() -> Array:
        current = exu.ConfigurationType.Current
        q = np.array(system.systemData.GetODE2Coordinates(configuration=current))
        assert container is not None
        return replace(chain, q=q).placed()[1].ravel()

    return Timed(work, result)
