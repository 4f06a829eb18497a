"""A study from beginning to end: plan, run side by side, time one after the other, measure."""

from __future__ import annotations

import os
import platform
import tempfile
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

from linkwork.errors import RunInterruptedError, UsageError
from linkwork.io.results.lock import alone
from linkwork.mechanism import Mechanism
from linkwork.run.starting import prepare
from linkwork.source import __version__, source_hash
from linkwork.studies.comparison import reference as references
from linkwork.studies.comparison.comparison import Comparison
from linkwork.studies.comparison.concluding import conclude
from linkwork.studies.comparison.plan import Plan, plan_of
from linkwork.studies.comparison.scheduler import Scheduler, Tell, quiet
from linkwork.studies.comparison.store import Store
from linkwork.studies.comparison.study import Study
from linkwork.studies.comparison.workers import cores


def run_study(
    study: Study,
    mech: Mechanism | None = None,
    *,
    folder: str | PathLike[str] | None = None,
    base: str | PathLike[str] = ".",
    fresh: bool = False,
    workers: int | None = None,
    tell: Tell = quiet,
) -> Comparison:
    """Carry out a study.

    Parameters
    ----------
    study : its description.
    mech : the mechanism, where it is at hand; otherwise the study's own is loaded, paths relative to `base`.
    folder : where finished runs are kept, and reused by the next call; a temporary one if None.
    fresh : discard what the folder keeps.
    workers : processes that run side by side; as many as there are cores if None. Timing is never side by side.
    tell : told of what goes on.

    Returns the Comparison; runs that fail are rows of it. Raises ModelError and its kin for mechanisms that cannot
    run, AssemblyError, UsageError, ResultFileError; RunInterruptedError with the part that was done as `.result`.
    """
    if mech is None:
        mech = mechanism_of(study, base)
    plan = plan_of(study, mech)
    ready = prepare(mech, dynamics=True, accept_drivers=study.accept_drivers, accept_changes=study.accept_changes)
    ready.compiled.need_masses()
    count = workers or cores()
    with ExitStack() as stack:
        if folder is None:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        else:
            place = Path(folder)
            stack.enter_context(alone(place))
        scheduler = Scheduler(plan.setting, Store(place, fresh=fresh), count, tell)
        tried = references.cases(study, plan)
        interrupted = False
        try:
            scheduler.run([*tried, *plan.cases], "running")
            while further := references.more(study, plan, tried, [case for case in tried if scheduler.through(case)]):
                tried += further
                scheduler.run(further, "settling the reference")
            if study.repeats:
                scheduler.time(plan.cases, study.repeats, "timing")
        except KeyboardInterrupt:
            interrupted = True
        length = ready.compiled.extent
        found = conclude(study, plan, mech, scheduler, tried, length, facts_of(study, plan, count), not interrupted)
    if interrupted:
        done = f"{len(scheduler.said)} runs are done, those of the reference included"
        kept = f"; they are kept in {os.fspath(folder)!r}, and the same call goes on from there" if folder else ""
        raise RunInterruptedError(f"interrupted: {done}{kept}.", result=found)
    return found


def mechanism_of(study: Study, base: str | PathLike[str] = ".") -> Mechanism:
    """The mechanism that a study names (shipped, or a path relative to `base`) or holds. Raises ModelError."""
    from linkwork.io.formats import load

    if isinstance(study.mechanism, tuple):
        raise UsageError(
            f"{study.name!r} is a study of {len(study.mechanism)} mechanisms, and one is wanted.",
            remedy="study.parts() has a study of each.",
        )
    if not isinstance(study.mechanism, str):
        return Mechanism.from_dict(study.mechanism)
    near = Path(base) / study.mechanism
    side = None if study.side is None else Path(base) / study.side
    return load(near if near.exists() or near.suffix else study.mechanism, side=side)


def facts_of(study: Study, plan: Plan, workers: int) -> dict[str, Any]:
    """What it ran on, and how."""
    return {
        "linkwork": __version__,
        "source_hash": source_hash(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {cores()} cores",
        "processes": workers,
        "timing": "processor time, one run at a time after all others, the shortest of some repetitions, "
        f"{study.repeats} or more"
        if study.repeats
        else "none",
    }
