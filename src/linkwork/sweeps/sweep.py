"""`linkwork.sweep`: a plan, its runs handed out, what they gave kept, one data set in the end."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.arguments import duration, function, need_file_to_replace, whole_number, yes_or_no
from linkwork.attached import attached
from linkwork.errors import DeviceError, ResultFileError, RunInterruptedError, UsageError
from linkwork.header import Array
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.run.starting import span as span_of
from linkwork.sweeps import workers as hands
from linkwork.sweeps.clusters import LostError
from linkwork.sweeps.clusters import cluster as at_cluster
from linkwork.sweeps.found import NotFinite, Sweep, count_not_finite, joined
from linkwork.sweeps.kept import named
from linkwork.sweeps.lines import lines_of
from linkwork.sweeps.plans import described, points
from linkwork.sweeps.said import Said, count_said
from linkwork.sweeps.shards import Shard
from linkwork.sweeps.space import need_room
from linkwork.sweeps.store import Folder, Memory, held
from linkwork.sweeps.task import IN_LANES, Task, Work

Part = tuple[int, Mapping[str, Any], Any, Mapping[int, str]]  # first run, arrays, status, errors
Progress = Callable[[int, int, float, float], None]  # runs done, of so many, seconds so far, seconds left
LARGEST_SHARD, LEAST_SHARDS = 512, 64  # runs in one; parts of the plan, where it is long
LARGEST_ON_DEVICE = 1 << 16  # runs in one on a device
SHARD_BYTES = 64e6  # of what is kept of its runs, at most, where one run takes less
JUDGED = 100  # runs of a long sweep
PLANNED = frozenset(("accuracy", "effort", "time_limit", "verify"))  # of one run, which `simulate` plans


def sweep(
    mech: Mechanism,
    over: Mapping[str, Any],
    runs: int | None = None,
    keep: Iterable[str] | Mapping[str, str] | str = ("energy",),
    *,
    plan: str | None = None,
    seed: int | None = None,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str = "rA",
    integrator: str | None = None,
    judge: bool | None = None,
    lanes: bool = False,
    gpu: bool = False,
    threads: int | None = None,
    processes: int | None = None,
    cluster: Any = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Sweep:
    """Run a mechanism many times with other numbers.

    Parameters
    ----------
    over : name -> a list of numbers, or a distribution (`uniform`, `log_uniform`, `triangular`, `normal`). Names are
        parameters and inputs of the description, numbers of elements (``rod.mass``), coordinates and rates of joints at
        the start (``hip.angle``, ``hip.angle_rate``).
    plan : ``grid`` (every combination, usual for lists), ``list`` (side by side), ``random`` (usual for distributions),
        ``latin``, ``sobol``. runs : how many, where the plan does not say. seed : of random plans, 0 if
        nothing is said.
    keep : formulas of what is kept of each run, or names for them: "rod.position", "max(hip.angle)", "final(energy)",
        "integral(rod.velocity.x**2)" (docs/sweeps.md).
    t_end, step, formulation, integrator, **options : as in `linkwork.simulate`, names only.
    judge : keep also how far runs are to be believed, ``judgement``: 0 good, 1 doubtful, 2 wrong; of some hundred,
        evenly taken, if nothing is said; of all with True, which takes some milliseconds a run; of none with False.
    lanes : carry 4 or 8 instances at once in a thread, in vector registers, where the method allows (docs/lanes.md):
        several times faster, compiled once in half a minute. ``in_lanes`` says of each run whether it did (1) or went
        alone (0), and ``info["one_by_one"]`` why none did, where that is known beforehand. Numbers then are the same
        for any batch and restart, and may differ from those of `simulate` in their last digits.
    gpu : carry thousands of instances at once on a graphics processor of NVIDIA's (extra ``gpu``), where the method
        goes in lanes; to the same bits, but where steps take ``atan2`` or ``exp``, of which devices have functions of
        their own, within two units in the last place (docs/lanes.md). ``in_lanes`` is 2 of these; instances that it
        cannot carry go in lanes, as with ``lanes``. ``info["gpu"]`` names the device, ``info["off_device"]`` says why
        none went there, where that is known beforehand. Raises UsageError where there is no such device.
    threads, processes, cluster : who computes: so many threads of this process (as many as it has processors if nothing
        is said), so many processes, or the workers of a Dask cluster, given by address or `dask.distributed.Client`.
    out : a NetCDF file. What is done stands beside it until the sweep is over (NAME.parts); the same call goes on with
        it after an interruption. force : replace the file, and what is left of another sweep.
    progress : called as progress(runs done, runs, seconds so far, seconds left) now and then.

    Runs that fail are kept as such, with their error, and others go on; where a formula has no finite value in a run
    that went well, `Sweep.not_finite` says so, and `Sweep.messages` what all runs say of themselves. Results are the
    same to the last bit for any number of threads, processes, workers and restarts. Raises UsageError for what makes no
    sense, before anything is run; RunInterruptedError with `.result`, what was done before; DeviceError, likewise,
    where a graphics processor refuses something on the way.
    """
    values, task = _task(
        mech,
        over,
        runs,
        plan,
        seed,
        keep,
        (t_end, step),
        formulation,
        integrator,
        {"judge": judge, "lanes": lanes, "gpu": gpu, **options},
    )
    need_file_to_replace(yes_or_no("force", force), out)
    device = attached("device_name")() if task.gpu else ""
    function("progress", progress)
    who = _who(threads, processes, cluster, gpu=task.gpu)
    work = task.work
    shapes, dims = _shapes(work)
    runs, each = len(values), 8 * sum(math.prod(shape) for shape in shapes.values()) + 16
    largest, least = (LARGEST_ON_DEVICE, 1) if task.gpu else (LARGEST_SHARD, LEAST_SHARDS)
    size = max(1, min(largest, -(-runs // least), int(SHARD_BYTES / each)))
    need_room(runs, each, len(task.names), size * who.ahead, None if out is None else Path(out))
    columns = dict(zip(task.names, values.T.copy(), strict=True))
    info = {
        "model": mech.name, "over": described(over), "plan": plan or "", "seed": seed or 0, "runs": runs,
        "keep": list(shapes), "t_end": task.t_end, "step": task.step, "formulation": task.formulation,
        "integrator": task.integrator or "", "lanes": task.lanes, "gpu": device,
        "one_by_one": work.one_by_one, "off_device": work.off_device, "messages": work.messages,
        "options": dict(task.options), "digest": task.digest,
    }  # fmt: skip

    def carried_out(folder: Folder | None) -> Sweep:
        store = Memory() if folder is None else folder
        pieces = hands.pieces_of(values, size, store.known)
        done, began = runs - sum(len(piece[1]) for piece in pieces), clock.monotonic()
        first_done = done

        def keep_shard(shard: Shard) -> None:
            nonlocal done
            store.keep(shard)
            done += len(shard.status)
            if progress is not None:
                took = clock.monotonic() - began
                progress(done, runs, took, took / max(done - first_done, 1) * (runs - done))

        try:
            with ExitStack() as stack:
                hands.carry_out(task, pieces, keep_shard, stack.enter_context(who.at_work()))
        except (KeyboardInterrupt, DeviceError, BrokenExecutor) as error:
            text = f"after {done} of {runs} runs; "
            text += "the same call goes on from there." if out is not None else "what was computed before is kept."
            found = None if out is not None else joined(columns, store, dims, shapes, info)
            if isinstance(error, DeviceError):
                said = f"{error.message.removesuffix('.')}, {text}"
                raise type(error)(said, result=found, remedy=error.remedy) from error
            if isinstance(error, BrokenExecutor):
                lost, remedy = (
                    "a worker ended in the middle of its work (killed, or without memory)",
                    "Take fewer, where memory is short.",
                )
                if isinstance(error, LostError):
                    lost, remedy = str(error), error.remedy
                raise RunInterruptedError(f"{lost}, {text}", result=found, signal=9, remedy=remedy) from error
            raise RunInterruptedError(f"interrupted {text}", result=found) from None
        except UsageError:  # nobody is there to compute
            if folder is not None and not folder.known:
                folder.discard()
            raise
        if out is None or folder is None:
            return joined(columns, store, dims, shapes, info)
        time = next((shard.time for shard in store if np.isfinite(shard.time).all()), np.zeros(work.samples))
        info["not_finite"] = not_finite = NotFinite()
        info["said"] = others = Said()

        def parts() -> Iterator[Part]:
            for shard in store:
                count_not_finite(not_finite, shard.first, shard.arrays, shard.status)
                count_said(others, shard.said, work.messages)
                yield shard.first, shard.arrays, shard.status, shard.errors

        attached("Sweep.write")(out, columns, parts(), dims, shapes, time, info, force=force, part=folder.temporary)
        folder.discard()
        return open_sweep(out)

    if out is None:
        return carried_out(None)
    path, digest = Path(out), f"{task.digest} {_digest(values)}"
    if path.suffix.lower() != ".nc":
        raise UsageError(
            f"a sweep is written as NetCDF, not as {path.suffix or 'a file without ending'}.",
            remedy="Give out='NAME.nc'.",
        )
    written = Folder.holds(path, digest, size) and is_written(path, task.digest, columns)
    if not written:
        attached("Sweep.check")(path, force=force)
    with held(path):
        folder = Folder(path, digest, size, force=force)
        if not written:
            return carried_out(folder)
        folder.discard()  # it was interrupted when all was done
    return open_sweep(path)


def is_written(path: str | PathLike[str], digest: str, columns: Mapping[str, Array]) -> bool:
    """Whether a file holds the sweep of this digest over these numbers."""
    try:
        found = open_sweep(path)
    except ResultFileError:
        return False
    same = found.values.keys() == columns.keys() and found.info.get("digest") == digest
    return same and all(np.array_equal(found.values[name], column) for name, column in columns.items())


def open_sweep(path: str | PathLike[str]) -> Sweep:
    """A sweep from its file. Raises ResultFileError where there is none."""
    return Sweep(**attached("Sweep.read")(path))


def _task(
    mech: Mechanism, over: Any, runs: int | None, plan: str | None, seed: int | None, keep: Any,
    times: tuple[float | None, float | None], formulation: Any, integrator: Any, options: dict[str, Any],
) -> tuple[Array, Task]:  # fmt: skip
    need_mechanism(mech)
    if not isinstance(over, Mapping):
        raise UsageError(f"a sweep goes over numbers by name, not {over!r}.", remedy='over={"k": [1e4, 2e4]}')
    for option, said in (("formulation", formulation), ("integrator", integrator)):
        if said is not None and not isinstance(said, str):
            raise UsageError(f"a sweep's {option} is given by name.", remedy="Give its options as keywords.")
    if not PLANNED.isdisjoint(options):
        (first, *_) = sorted(PLANNED.intersection(options))
        raise UsageError(
            f"a sweep takes no {first}: its runs have one method and one tolerance.",
            remedy="Plan one run, result = lw.simulate(mech, t_end, accuracy=...), and give the sweep the formulation, "
            "integrator, rtol, atol and max_step of result.info, and stabilisation='projection'.",
        )
    values = points(over, plan, runs, seed)
    t_end, step = span_of(mech, *times)
    judge, lanes = options.pop("judge"), yes_or_no("lanes", options.pop("lanes"))
    gpu = yes_or_no("gpu", options.pop("gpu"))
    every = -(-len(values) // JUDGED) if judge is None else int(yes_or_no("judge", judge))
    document = mech.to_dict()
    task = Task(
        document,
        tuple(over),
        named(keep),
        duration("t_end", t_end),
        duration("step", step),
        formulation,
        integrator,
        options,
        every,
        lanes or gpu,
        gpu,
        file=mech.file,
        lines=lines_of(mech, document),
    )
    return values, task


def _shapes(work: Work) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[str, ...]]]:
    """Of what is kept, by name: the shape of one run's, and its dimensions."""
    shapes = {one.name: (*((work.samples,) if one.over_time else ()), *one.shape) for one in work.kept}
    dims = {one.name: one.dims for one in work.kept}
    if work.task.judge:
        shapes["judgement"], dims["judgement"] = (), ("run",)
    if work.task.lanes:
        shapes[IN_LANES], dims[IN_LANES] = (), ("run",)
    return shapes, dims


def _who(threads: int | None, processes: int | None, cluster: Any, *, gpu: bool) -> hands.Hands:
    """Who computes: with a device one thread, if nothing is said. Raises UsageError where several are said."""
    if sum(one is not None for one in (threads, processes, cluster)) > 1:
        raise UsageError("threads, processes and cluster exclude each other.")
    if cluster is not None:
        return hands.Hands(hands.processors(), partial(at_cluster, cluster))
    if processes is not None:
        count = whole_number("processes", processes, 1)
        return hands.Hands(count, partial(hands.processes, count))
    usual = 1 if gpu else hands.processors()
    count = whole_number("threads", threads, 1) if threads is not None else usual
    return hands.Hands(count, partial(hands.threads, count))


def _digest(values: Array) -> str:
    from hashlib import sha256

    return sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
