"""`linkwork study`: carry out a study file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output
from linkwork.cli.compare import EveryRun, Fresh, Report, Workers
from linkwork.cli.parameter import Parameter
from linkwork.cli.several import carry_out_several
from linkwork.cli.studying import carry_out, deliverable
from linkwork.errors import UsageError


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
    from linkwork.studies.comparison.study_run import mechanism_of

    deliverable(report, force=force)
    found = load_study(file)
    mechanisms = {name: mechanism_of(part, file.parent) for name, part in found.parts().items()}
    for mechanism in mechanisms.values():
        output.notes(mechanism, quiet=quiet)
    folder = out if out is not None else file.with_name(f"{file.stem}-results")
    if not quiet:
        output.say(f"{file}: results go to {folder}")
    if len(mechanisms) > 1:
        if report is not None:
            raise UsageError("of several mechanisms each has a report in the study's folder; leave out --report.")
        return carry_out_several(
            found,
            mechanisms,
            folder=folder,
            fresh=fresh,
            workers=workers,
            every_run=every_run,
            json=json,
            force=force,
            quiet=quiet,
        )
    (part,) = found.parts().values()
    (mechanism,) = mechanisms.values()
    return carry_out(
        part,
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
