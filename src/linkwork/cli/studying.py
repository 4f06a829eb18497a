"""What `compare` and `study` share: carrying a study out with a progress display, and delivering what it found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.cli import output
from linkwork.cli.progress import study_progress
from linkwork.errors import LinkworkError, RunInterruptedError

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism
    from linkwork.studies.comparison.comparison import Comparison
    from linkwork.studies.comparison.study import Study


def deliverable(report: Path | None, study: Path | None = None, *, force: bool) -> None:
    """See before any work is done that the files can be written at its end. Raises as writing them would."""
    from linkwork.io.results.atomic import check_target
    from linkwork.studies.comparison.writing import ending

    if report is not None:
        ending(report)
    for path in (report, study):
        if path is not None:
            check_target(path, force=force)


def carry_out(
    study: Study,
    mechanism: Mechanism,
    *,
    folder: Path | None,
    fresh: bool,
    workers: int | None,
    report: Path | None,
    every_run: bool,
    json: bool,
    force: bool,
    quiet: bool,
) -> int:
    """Run, write, tell; the exit status."""
    found, files, failure = carried_out(
        study, mechanism, folder=folder, report=report, force=force, fresh=fresh, workers=workers, quiet=quiet
    )
    if json:
        output.document(document_of(found, files, failure))
    else:
        show(found, every_run=every_run)
    if not quiet:
        tell_of(found, files)
    if failure is not None:
        output.fail(str(failure))
        return failure.exit_status
    return found.exit_status


def carried_out(
    study: Study,
    mechanism: Mechanism,
    *,
    folder: Path | None,
    report: Path | None = None,
    force: bool,
    fresh: bool,
    workers: int | None,
    quiet: bool,
) -> tuple[Comparison, dict[str, Path], LinkworkError | None]:
    """What a study found, the files it wrote, and the interrupt or the full disk that ended it.

    An interrupt before the first run replaces no file. Raises OutputExistsError, before anything runs, where an output
    would replace a file of somebody else.
    """
    from linkwork.studies.comparison.study_run import run_study
    from linkwork.studies.comparison.writing import check_all, save, save_all

    failure: LinkworkError | None = None
    if folder is not None:
        check_all(study, folder, force=force)
    try:
        with study_progress(quiet=quiet) as tell:
            found = run_study(study, mechanism, folder=folder, fresh=fresh, workers=workers, tell=tell)
    except RunInterruptedError as error:
        if error.result is None:
            raise
        failure, found = error, error.result
    files: dict[str, Path] = {}
    try:
        if folder is not None and found.rows:
            files = save_all(found, folder)
        if report is not None and found.rows:
            files["report"] = save(found, report, force=force)
    except LinkworkError as error:  # what was found is shown all the same
        failure = error
    return found, files, failure


def document_of(found: Comparison, files: dict[str, Path], failure: LinkworkError | None) -> dict[str, Any]:
    """A comparison as one JSON document."""
    document: dict[str, Any] = {**found.to_dict(), "files": files}
    return document if failure is None else {**document, "error": failure.to_dict()}


def show(found: Comparison, *, every_run: bool) -> None:
    """The table on standard output."""
    from linkwork.studies.comparison import words

    output.table(words.columns(found), words.table(found, every_run=every_run))


def tell_of(found: Comparison, files: dict[str, Path]) -> None:
    """What to know beside the table."""
    from linkwork.studies.comparison import words

    output.say(words.heading(found))
    for one in words.shortfalls(found):
        output.warn(str(one))
    for line in words.remarks(found):
        output.say(line)
    for what, path in files.items():
        output.say(f"{what}: {path}")
