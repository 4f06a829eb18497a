"""A study of several mechanisms: each carried out in a folder of its own, and a page that leads to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.cli import output
from linkwork.cli.studying import carried_out, document_of, show, tell_of
from linkwork.errors import LinkworkError, RunInterruptedError

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism
    from linkwork.studies.comparison.comparison import Comparison
    from linkwork.studies.comparison.study import Study

PAGE = "index.html"
SOME_FAILED = 6


def carry_out_several(
    study: Study,
    mechanisms: Mapping[str, Mechanism],
    *,
    folder: Path,
    fresh: bool,
    workers: int | None,
    every_run: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Run, write and tell of each mechanism, by the names of the study's parts.

    A mechanism that cannot be run stops no other. Exit status: 0, 6 where something failed, 130 after Ctrl-C.
    """
    from linkwork.reports.comparison.index import index
    from linkwork.reports.page import write

    outcomes: dict[str, Comparison | LinkworkError] = {}
    documents: dict[str, Any] = {}
    failure: LinkworkError | None = None
    for name, part in study.parts().items():
        if not quiet:
            output.say(f"{name}: mechanism {len(outcomes) + 1} of {len(mechanisms)}")
        try:
            found, files, failure = carried_out(
                part, mechanisms[name], folder / name, fresh=fresh, workers=workers, quiet=quiet
            )
        except RunInterruptedError:
            raise
        except LinkworkError as error:
            output.fail(f"{name}: {error}")
            outcomes[name], documents[name] = error, {"error": error.to_dict()}
            continue
        outcomes[name], documents[name] = found, document_of(found, files, failure)
        if not json:
            output.show(f"{name}:")
            show(found, every_run=every_run)
        if not quiet:
            tell_of(found, files)
        if found.rows:
            write(index(study, outcomes), folder / PAGE, force=True)
        if failure is not None:
            break
    if not quiet:
        output.say(f"index: {folder / PAGE}")
    if json:
        output.document({"study": study.to_dict(), "mechanisms": documents})
    if failure is not None:
        output.fail(str(failure))
        return failure.exit_status
    return SOME_FAILED if any(isinstance(one, LinkworkError) or one.exit_status for one in outcomes.values()) else 0
