"""Other programs on the mechanisms of `benchmarks.work_precision`: IDA, scipy-dae's Radau, MuJoCo, Exudyn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np

from benchmarks.models import GROUND, Array, ModelData, unit
from benchmarks.precision_cases import (
    LATEST_LONG,
    LONGEST,
    RTOLS,
    SAMPLES,
    TRIES,
    Case,
    Point,
    interval,
    ladder,
    limited,
    tried,
)

IDA, RADAU, MUJOCO, EXUDYN = "scikit-sundae IDA", "scipy-dae Radau", "MuJoCo RK4", "Exudyn generalized-alpha"
LOOSE = 1e3  # atol of multipliers: their errors are of another index
TIGHTEST = 1e-11  # rtol
LATEST = 240.0  # s of computing, after which Exudyn is stopped


def peers(case: Case, truth: Array) -> Iterator[Point]:
    """IDA, scipy-dae's Radau, MuJoCo, Exudyn; what does not run says why."""
    none = float("nan")
    for way, module, make in ((IDA, "sksundae", ida), (RADAU, "scipy_dae", radau)):
        if find_spec(module) is None:
            yield Point(case.name, way, none, none, 0.0, failure="not installed")
        elif case.model is None:
            yield Point(case.name, way, none, none, 0.0, failure="its model here has no such joints")
        else:
            yield from ladder(
                (
                    limited(case, way, rtol, partial(make, case, rtol), truth, LATEST_LONG, 1)
                    if case.long
                    else tried(case, way, rtol, partial(make, case, rtol), truth, tries=1)
                )
                for rtol in RTOLS
                if rtol > TIGHTEST
            )
    if find_spec("mujoco") is None:
        yield Point(case.name, MUJOCO, none, none, 0.0, failure="not installed")
    elif case.model is None or case.cut is None:
        yield Point(case.name, MUJOCO, none, none, 0.0, failure="its model here is of revolute joints and weights only")
    else:
        yield from ladder(
            limited(case, MUJOCO, h, partial(mujoco, case, h), truth, LATEST_LONG, 1)
            if case.long
            else tried(case, MUJOCO, h, partial(mujoco, case, h), truth)
            for h in _steps(case)
        )
    if find_spec("exudyn") is None:
        yield Point(case.name, EXUDYN, none, none, 0.0, failure="not installed")
    elif case.model is None:
        yield Point(case.name, EXUDYN, none, none, 0.0, failure="its model here has no such joints")
    else:
        limit, tries = (LATEST_LONG, 1) if case.long else (LATEST, TRIES)
        yield from ladder(limited(case, EXUDYN, h, partial(exudyn, case, h), truth, limit, tries) for h in _steps(case))


def _steps(case: Case) -> list[float]:
    return [interval(case) / parts for parts in (10, 40, 160, 640, 2560)]


class TooLongError(Exception):
    """A peer took longer than it may."""


def residuals(case: Case) -> tuple[Any, Callable[[float, Array, Array], Array]]:
    """The equations, and their residual under a limit of time."""
    from benchmarks.absolute_dae import AbsoluteDae

    assert case.model is not None
    longest = LATEST_LONG if case.long else LONGEST
    dae, until = AbsoluteDae(case.model, case.torques), process_time() + longest

    def residual(t: float, y: Array, yp: Array) -> Array:
        if process_time() > until:
            raise TooLongError(f"longer than {longest:g} s")
        return dae.residual(t, y, yp)

    return dae, residual


def tolerances(dae: Any, rtol: float, y: Array) -> Array:
    """atol (ny,)."""
    atol = np.full(len(y), 1e-3 * rtol)
    atol[dae.algebraic] = LOOSE
    return atol


def ida(case: Case, rtol: float) -> tuple[Array, int]:
    """scikit-sundae's IDA. Its residuals cannot raise: beyond the limit they end the run by failing."""
    from sksundae.ida import IDA as Solver

    dae, residual = residuals(case)
    y, yp = dae.start()
    late: list[Exception] = []

    def res(t: float, y: Array, yp: Array, out: Array) -> None:
        try:
            out[:] = residual(t, y, yp)
        except TooLongError as error:
            late.append(error)
            out[:] = np.nan

    sparse = {"linsolver": "sparse", "sparsity": np.logical_or(*dae.patterns())} if case.long else {}
    solver = Solver(
        res, rtol=rtol, atol=tolerances(dae, rtol, y), algebraic_idx=dae.algebraic, max_num_steps=100_000, **sparse
    )  # fmt: skip
    found = solver.solve(np.linspace(0.0, case.span, SAMPLES + 1), y, yp)
    if late:
        raise late[0]
    return dae.positions(found.y), dae.count


def radau(case: Case, rtol: float) -> tuple[Array, int]:
    """scipy-dae's Radau IIA of order 5."""
    from scipy.sparse import csc_matrix
    from scipy_dae.integrate import solve_dae

    dae, residual = residuals(case)
    y, yp = dae.start()
    times = np.linspace(0.0, case.span, SAMPLES + 1)
    how: dict[str, Any] = {"method": "Radau", "rtol": rtol, "atol": tolerances(dae, rtol, y), "t_eval": times}
    how |= {"jac_sparsity": tuple(map(csc_matrix, dae.patterns()))} if case.long else {}
    found = solve_dae(residual, (0.0, case.span), y, yp, **how)
    if not found.success:
        raise ArithmeticError(f"ended at {found.t[-1]:.3g} s: {found.message}" if len(found.t) else str(found.message))
    return dae.positions(found.y.T), dae.count


def mujoco(case: Case, step: float) -> tuple[Array, int]:
    """Its RK4, loops closed as stiffly as the step allows; four evaluations a step."""
    from benchmarks.peers_mujoco import MujocoModel

    assert case.model is not None
    assert case.cut is not None
    model = MujocoModel(case.model, frozenset(case.cut), planar=False, step=step)
    run = model.run(case.span, round(interval(case) / step))
    return np.asarray(run.kept["position"]), 4 * round(case.span / step)


def exudyn(case: Case, step: float) -> tuple[Array, int]:
    """Its generalized-alpha on index 3 with Euler parameters; how often it evaluates is not told."""
    from benchmarks.peers_exudyn import ExudynModel, Settings

    assert case.model is not None
    model = replace(case.model, planar=frozenset(closing_planar(case.model)))
    dependent = bool(case.cut)  # a spatial loop of revolute joints
    linear = "EigenDense" if dependent else "EXUdense"  # its sparse solver took longer on the chain of 100, too
    peer = ExudynModel(model, Settings(linear=linear, dependent=dependent))
    peer.turn(case.torques)
    run = peer.run(case.span, step, round(interval(case) / step))
    return np.asarray(run.kept["position"]), 0


def closing_planar(model: ModelData) -> Iterator[str]:
    """Revolute joints that close loops in a plane, which repeat out of it what the others hold."""
    axes = np.array([unit(np.array(joint.axis)) for joint in model.joints])
    if any(joint.type != "revolute" for joint in model.joints) or np.ptp(np.abs(axes), axis=0).max() > 1e-9:
        return
    group = {GROUND: GROUND} | {body.name: body.name for body in model.bodies}
    for joint in model.joints:
        first, second = group[joint.first], group[joint.second]
        if first == second:
            yield joint.name
        group = {body: first if where == second else where for body, where in group.items()}
