"""`linkwork study`: carry out a study file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from linkwork.cli import options, output
from linkwork.cli.compare import EveryRun, Fresh, Report, Workers
from linkwork.cli.studying import carry_out, deliverable


def study(
    file: Annotated[Path, Parameter(help="A study file (.yaml, .json); see docs/studies.md.")],
    /,
    *,
    out: Annotated[Path | None, Parameter(help="The study's folder. Default: FILE-results, beside the file.")] = None,
    report: Report = None,
    fresh: Fresh = False,
    workers: Workers = None,
    every_run: EveryRun = False,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Carry out a study, or go on with one that was interrupted.

    Finished runs are kept in the study's folder and reused as long as nothing that shapes them has changed. The
    outputs that the study names are written there.
    """
    from linkwork.studies.comparison.files import load_study
    from linkwork.studies.comparison.story import mechanism_of

    deliverable(report, None, force=force)
    found = load_study(file)
    mechanism = mechanism_of(found, file.parent)
    folder = out if out is not None else file.with_name(f"{file.stem}-results")
    if not quiet:
        output.say(f"{found.name}: in {folder}")
    return carry_out(
        found,
        mechanism,
        folder=folder,
        fresh=fresh,
        workers=workers,
        report=report,
        every_run=every_run,
        json=json,
        force=force,
        quiet=quiet,
    )
