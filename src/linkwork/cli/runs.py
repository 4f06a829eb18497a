"""What `run` and `kinematics` share: the span of a run, carrying it out, and delivering what it came to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.cli import output
from linkwork.cli.pairs import numbers_of
from linkwork.cli.progress import Progress, progress
from linkwork.errors import (
    AccuracyNotReachedError,
    ConvergenceError,
    LinkworkError,
    NotConfirmedError,
    RunInterruptedError,
    UsageError,
    WrongResultError,
)
from linkwork.status import NOT_REACHED, TIME_UP, Status

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism
    from linkwork.result import Result

WRITTEN = {"out": "saved", "plot": "drawn", "view": "to be looked at"}


def span(mechanism: Mechanism, t_end: float | None, step: float | None) -> tuple[float, float]:
    """End time and step, s: as asked for, else the model's own. Raises UsageError if neither says."""
    t_end = mechanism.run.t_end if t_end is None else t_end
    step = mechanism.run.step if step is None else step
    if t_end is None or step is None:
        missing = " and ".join(name for name, value in (("--t-end", t_end), ("--step", step)) if value is None)
        raise UsageError(f"the model does not say how long to run; give {missing}.")
    return t_end, step


def carry_out(
    compute: Callable[[Progress | None], Result],
    label: str,
    *,
    mechanism: Mechanism | None = None,
    afterwards: Callable[[Result], object] | None = None,
    out: Path | None,
    plot: Path | None,
    view: Path | None = None,
    json: bool,
    force: bool,
    quiet: bool,
) -> int:
    """Compute with a progress bar, draw, tell, and return the exit status: 7 for a result that is judged wrong, 8 for
    one that its certificate does not confirm, 9 for one that is less accurate than was asked.

    A run that stops early keeps what there is: `compute` saves it, and it is drawn and told like a whole one.
    mechanism : whose notes may say why there is no result; a result tells them itself.
    afterwards : is done with a run that got through.
    """
    failure: LinkworkError | None = None
    try:
        with progress(label, quiet=quiet) as report:
            result = compute(report)
        if afterwards is not None:
            afterwards(result)
    except LinkworkError as error:
        if not isinstance(error, (ConvergenceError, RunInterruptedError)) or error.result is None:
            if mechanism is not None:
                output.notes(mechanism, quiet=quiet)
            raise
        failure, result = error, error.result

    if failure is None and result.status == Status.JUDGED_WRONG:
        failure = WrongResultError(f"the run is complete, but its result is judged wrong. {result.message}")

    if failure is None and result.status in (NOT_REACHED, TIME_UP):
        failure = AccuracyNotReachedError(result.message)

    certificate = result.info.get("certificate")
    if failure is None and certificate is not None and not certificate["confirmed"]:
        failure = NotConfirmedError(str(certificate["statement"]))

    files = {"out": str(out)} if out is not None else {}
    if plot is not None:
        result.plot(path=plot, force=force)
        files["plot"] = str(plot)
    if view is not None:
        result.view(view, force=force)
        files["view"] = str(view)
    if json:
        document = {**result.to_dict(), "files": files}
        output.document(document if failure is None else {**document, "error": failure.to_dict()})
    if not quiet:
        output.say(result.summary())
        for what, path in files.items():
            output.say(f"{WRITTEN[what]}: {path}")
    if failure is None:
        return 0
    output.fail(str(failure))
    return failure.exit_status


def page_path(view: bool, out: Path | None, model: str, *, force: bool) -> Path | None:
    """Where the page of a run goes: beside the saved run, else here under the model's name. Seen before the run."""
    if not view:
        return None
    from linkwork.cli.view import check_page

    path = out.with_suffix(".html") if out is not None else Path(f"{Path(model).stem}.html")
    check_page(path, force=force)
    return path


def limits_of(words: list[str] | None) -> dict[str, float] | None:
    """name -> number from NAME=VALUE words. Raises UsageError."""
    return numbers_of("--limit", words) or None
