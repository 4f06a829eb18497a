"""Instances on a graphics processor: linkwork there and in lanes beside it, and MuJoCo's MJX, in one run.

`python -m benchmarks.gpu [--no-peers]`, with the extra `gpu`; MJX where `mujoco-mjx` and JAX with CUDA are installed.
Seconds are those of the clock, the least of some: instances sent, 1000 steps, positions of all bodies at the end
fetched. What is compiled or translated the first time is a row of its own. The global error is that of the first
instance, relative to the mechanism's length, against the same formulation with an eighth of the step. "same bits": all
numbers of the last sample of 16 instances, by lanes of this processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

import linkwork as lw
from benchmarks.lanes import CHAINS, SLIDER_CRANK, STEP, STEPS, held, kept, last
from benchmarks.pin_chains import LENGTH, PinChain, as_mechanism, as_mujoco, pin_chain
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.lanes.gpu.batch import GpuBatch
from linkwork.lanes.gpu.device import device
from linkwork.lanes.gpu.newton_batch import NewtonGpuBatch
from linkwork.lanes.runner import Recorded
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.newton_batch import NewtonBatch

MANY, TRIES = (4096, 65536, 131072), 5
MOST_IMPLICIT = 4096  # whose starts are taken one by one
CASES = (
    ("7-joint arm", "articulated-body", "rk4"),
    ("7-joint arm", "canonical", "rk4"),
    ("double pendulum", "canonical", "rk4"),
    ("slider crank", "articulated-body", "rk4"),
    ("slider crank", "rA", "generalized-alpha"),
    ("7-joint arm", "rA", "generalized-alpha"),
)


def rows(peers: bool) -> None:
    """Print all."""
    on = device()
    print(f"{on.name}: {STEPS} steps of {STEP} s; millions of steps per second of the clock\n")
    print("| mechanism | how | instances | set up [s] | one call [s] | M steps/s | global error | same bits |")
    print("|---|---|---:|---:|---:|---:|---:|---|")
    for name, formulation, integrator in CASES:
        ours(name, formulation, integrator)
    for name in CHAINS if peers else ():
        mjx(name, pin_chain(CHAINS[name]), double=True)
        mjx(name, pin_chain(CHAINS[name]), double=False)


def ours(name: str, formulation: str, integrator: str) -> None:
    """One mechanism by one formulation."""
    mech = as_mechanism(lw, pin_chain(CHAINS[name])) if name in CHAINS else lw.load(SLIDER_CRANK)
    one = kept(mech, formulation, integrator, STEP, STEPS)
    wanted = held(mech, formulation, integrator, STEP / 8, 8 * STEPS, started=True)
    length, fine = wanted.problem.mechanism.length, last(wanted.advance(8 * STEPS)[1])
    began = time.perf_counter()
    implicit = isinstance(one.run, ImplicitRun)
    batch: Any = NewtonGpuBatch(device(), one, []) if implicit else GpuBatch(device(), one.run, [])
    carry: Callable[[int], Any] = (lambda n: implicit_end(batch, n)) if implicit else (lambda n: explicit_end(batch, n))
    first = carry(16)
    set_up = time.perf_counter() - began
    lanes: Recorded = (
        NewtonBatch(one, []) if implicit else TracedBatch(held(mech, formulation, integrator, STEP, STEPS), [])
    )
    same = np.array_equal(first, np.repeat(implicit_end(lanes, 1), first.shape[-1], axis=-1))
    error = float(np.max(np.abs(first[:, :3, 0] - fine[:, :3]))) / length
    for many in (MOST_IMPLICIT,) if implicit else MANY:
        once = partial(timed_implicit, batch, many) if implicit else partial(timed, partial(carry, many))
        taken = [once() for _ in range(TRIES)]
        say(name, f"{formulation} + {integrator}", many, set_up, min(taken), error, "yes" if same else "NO")


def timed(work: Callable[[], Any]) -> float:
    """Seconds of the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def explicit_end(batch: GpuBatch, many: int) -> Any:
    """All numbers (nb, 24, many) of the last sample where there are few instances; else positions alone."""
    nb = batch.run.problem.mechanism.nb
    columns = np.arange(24 * nb) if many <= 16 else np.add.outer(24 * np.arange(nb), np.arange(3)).reshape(-1)
    _, motion, _, strayed = batch.carry_out(np.zeros((many, 0)), STEPS, columns, 0)
    assert not strayed.any()
    return motion[-1].reshape(nb, -1, many)


def implicit_end(batch: Any, many: int) -> Any:
    """All numbers (nb, 24, many) of the last sample, of lanes and of implicit methods on a device."""
    batch.alter(np.zeros((many, 0)))
    batch.begin(many)
    batch.find_slopes()
    status, block = batch.advance(STEPS)
    assert status == 0
    assert not batch.strays
    return block["motion"][-1]


def timed_implicit(batch: NewtonGpuBatch, many: int) -> float:
    """Seconds of steps alone: starts and first steps are taken one by one, and are the same for all here."""
    batch.alter(np.zeros((1, 0)))
    batch._blocks *= many
    began = time.perf_counter()
    batch.begin(many)
    batch.advance(STEPS)
    return time.perf_counter() - began


def mjx(name: str, chain: PinChain, *, double: bool) -> None:
    """MuJoCo's model in JAX, on the same device: `jax.vmap` over instances, `lax.scan` over steps."""
    how = f"MJX, RK4, {'double' if double else 'single'} precision"
    if find_spec("mujoco.mjx") is None or find_spec("jax") is None:
        print(f"| {name} | {how} | | | | not installed | | |")
        return
    import jax
    from mujoco import mjx as mx

    jax.config.update("jax_enable_x64", double)
    model = mx.put_model(as_mujoco(chain, STEP, "RK4"))
    data = mx.make_data(model).replace(qpos=jax.numpy.array(chain.q), qvel=jax.numpy.array(chain.v))

    @jax.jit
    def end(all_q: Any) -> Any:
        def one(q: Any) -> Any:
            return jax.lax.scan(lambda d, _: (mx.step(model, d), None), data.replace(qpos=q), None, STEPS)[0].qpos

        return jax.vmap(one)(all_q)

    for many in MANY[:2]:
        sent = jax.numpy.tile(jax.numpy.array(chain.q), (many, 1))
        set_up = timed(lambda: end(sent).block_until_ready())  # noqa: B023
        seconds = min(timed(lambda: np.asarray(end(sent))) for _ in range(2))  # noqa: B023
        found = np.asarray(end(sent))[0]
        say(name, how, many, set_up, seconds, error_of(chain, found), "")


def error_of(chain: PinChain, q: Any) -> float:
    """Global error of coordinates at the end, in places of bodies over the length."""
    import mujoco

    model = as_mujoco(chain, STEP, "RK4")
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mech = as_mechanism(lw, chain)
    fine = last(held(mech, "articulated-body", "rk4", STEP / 8, 8 * STEPS, started=True).advance(8 * STEPS)[1])[:, :3]
    return float(np.max(np.abs(data.xipos[1:] - fine))) / (len(chain) * LENGTH)


def say(name: str, how: str, many: int, set_up: float, seconds: float, error: float, same: str) -> None:
    """A row."""
    speed = many * STEPS / seconds / 1e6
    print(
        f"| {name} | {how} | {many} | {set_up:.3g} | {seconds:.3g} | {speed:.4g} | {error:.2g} | {same} |", flush=True
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-peers", action="store_true", help="linkwork alone")
    rows(not parser.parse_args().no_peers)
