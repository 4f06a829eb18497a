"""`linkwork sweep`: run a mechanism many times, as a file says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter

SHOWN = 20  # runs of a kind that are named in a document


def sweep(
    file: Annotated[Path, Parameter(help="A sweep file (.yaml, .json); see docs/sweeps.md.")],
    /,
    *,
    out: Annotated[Path | None, Parameter(help="The data set, .nc. Default: what FILE says, or FILE.nc.")] = None,
    threads: Annotated[int | None, Parameter(help="Compute on so many threads.")] = None,
    processes: Annotated[int | None, Parameter(help="Compute on so many processes.")] = None,
    cluster: Annotated[str | None, Parameter(help="Compute on a Dask cluster, tcp://HOST:PORT.")] = None,
    plot: Annotated[Path | None, Parameter(help="Draw what was found into this picture.")] = None,
    kind: Annotated[
        str | None, Parameter(help="Which plot: bands, heat-map, parallel or pairs. Default: bands.")
    ] = None,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Run a mechanism many times with other numbers, or go on with a sweep that was interrupted.

    What is done stands beside the data set until all is done; the same command goes on with it. Exit status
    6: some runs failed; 7: some of those that were judged are wrong.
    """
    from linkwork.errors import UsageError
    from linkwork.plots import SWEEP_PLOTS
    from linkwork.sweeps.files import load_sweep
    from linkwork.sweeps.found import lanes_text, not_finite_texts, run_text
    from linkwork.sweeps.sweep import sweep as carry_out

    output.check_outputs(plot=plot, force=force)
    if plot is not None:
        SWEEP_PLOTS.load(kind or "bands")
    elif kind is not None:
        raise UsageError("--kind says which plot, and there is none.", remedy="--plot PATH")
    mech, asked = load_sweep(file)
    output.notes(mech, quiet=quiet)
    target = out if out is not None else asked["out"]
    asked |= {"out": target, "threads": threads, "processes": processes, "cluster": cluster, "force": force}
    with _bar(quiet) as report:
        found = carry_out(mech, progress=report, **asked)
    if plot is not None:
        found.plot(kind or "bands", plot, force=force)
    about: dict[str, Any] = {
        "out": str(target),
        "runs": found.runs,
        "failed": len(found.failed),
        "lanes": lanes_text(found),
        "judged": len(found.judged),
        "wrong": found.wrong.tolist()[:SHOWN],
        "doubtful": found.doubtful.tolist()[:SHOWN],
        "over": list(found.values),
        "kept": list(found.arrays),
        "not_finite": {name: {"runs": n, "first": k} for name, (n, k) in found.not_finite.items()},
        "messages": list(found.messages),
        "errors": {str(k): text for k, text in list(found.errors.items())[:SHOWN]},
    }
    if json:
        output.document(about)
    elif not quiet:
        lanes = f"{lanes_text(found)}, " if found.info.get("lanes") else ""
        output.say(
            f"{found.runs} runs, {len(found.failed)} failed, {lanes}{len(found.judged)} judged; saved as {target}"
        )
        for k, text in list(found.errors.items())[:5]:
            output.warn(f"{run_text(found, k)}: {text}")
        for text in (*found.messages, *not_finite_texts(found)):
            output.warn(f"{text}.")
        for severity, runs in (("wrong", found.wrong), ("doubtful", np.setdiff1d(found.doubtful, found.wrong))):
            if runs.size:
                output.warn(f"{len(runs)} judged {severity}, run {runs[0]} the first; run it alone to see why.")
    return 7 if found.wrong.size else 6 if found.failed.size else 0


def _bar(quiet: bool) -> Any:
    """How far it is and how long it will take, on a terminal only."""
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        if quiet or not sys.stderr.isatty():
            yield None
            return
        from rich.progress import Progress, TimeRemainingColumn

        with Progress(*Progress.get_default_columns()[:-1], TimeRemainingColumn(), console=output.console()) as bars:
            task = bars.add_task("runs", total=None)
            yield lambda done, runs, *_: bars.update(task, completed=done, total=runs)

    return bar()
