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


def deliverable(*paths: Path | None, force: bool) -> None:
    """See before any work is done that files can be written. Raises as writing them would."""
    from linkwork.io.results.atomic import check_target

    for path in paths:
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
    from linkwork.studies.comparison.story import run_study
    from linkwork.studies.comparison.writing import save, save_all

    failure: LinkworkError | None = None
    try:
        with study_progress(quiet=quiet) as tell:
            found = run_study(study, mechanism, folder=folder, fresh=fresh, workers=workers, tell=tell)
    except RunInterruptedError as error:
        if error.result is None:
            raise
        failure, found = error, error.result
    worth = bool(found.rows)  # an interrupt before the first run replaces nothing
    files = save_all(found, folder) if folder is not None and worth else {}
    if report is not None and worth:
        files["report"] = save(found, report, force=force)
    if json:
        document: dict[str, Any] = {**found.to_dict(), "files": files}
        output.document(document if failure is None else {**document, "error": failure.to_dict()})
    else:
        _show(found, every_run=every_run)
    if not quiet:
        _tell(found, files)
    if failure is not None:
        output.fail(str(failure))
        return failure.exit_status
    return found.exit_status


def _show(found: Comparison, *, every_run: bool) -> None:
    """The table on standard output."""
    from linkwork.studies.comparison import words

    output.table(words.columns(found), words.table(found, every_run=every_run))


def _tell(found: Comparison, files: dict[str, Path]) -> None:
    """What to know beside the table."""
    from linkwork.studies.comparison import words

    output.say(words.heading(found))
    for one in words.shortfalls(found):
        output.warn(str(one))
    for line in words.remarks(found):
        output.say(line)
    for what, path in files.items():
        output.say(f"{what}: {path}")
