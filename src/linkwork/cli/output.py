"""Where words go: data on standard output, text and progress on standard error."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import LinkworkError

if TYPE_CHECKING:
    from rich.console import Console

    from linkwork.mechanism import Mechanism


def console(*, stderr: bool = True) -> Console:
    """A console that colours on a terminal only, honours NO_COLOR, and breaks no lines elsewhere."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def say(text: str) -> None:
    """A line of text for the person at the terminal."""
    sys.stderr.write(f"{text}\n")


def warn(text: str) -> None:
    """Something that the person should know, while the command goes on."""
    _labelled("warning", "yellow", text)


def notes(mechanism: Mechanism, *, quiet: bool = False) -> None:
    """What is unusual about a model or was left out of it in reading, where no answer of the verb says so."""
    for note in () if quiet else mechanism.notes:
        warn(f"{note}.")


def fail(text: str) -> None:
    """Why the command did not succeed."""
    _labelled("error", "red", text)


def _labelled(label: str, colour: str, text: str) -> None:
    if not (sys.stderr.isatty() or os.environ.get("FORCE_COLOR")):  # without colours, which take a library
        say(f"{label}: {text}")
        return

    from rich.text import Text

    console().print(Text.assemble((f"{label}:", f"bold {colour}"), " ", text))


@contextmanager
def told_if_full() -> Iterator[None]:
    """Raise LinkworkError where standard output cannot be written, as to a full disk; BrokenPipeError stays."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"standard output cannot be written: {error.strerror or error}."
        raise LinkworkError(message, remedy="Check the disk that it goes to.") from error


@told_if_full()
def show(text: str) -> None:
    """What was asked for, as text, on standard output."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


@told_if_full()
def document(data: Any) -> None:
    """What was asked for, as one JSON document on standard output."""
    escaped = not (sys.stdout.encoding or "").lower().startswith("utf")  # a console may lack letters of names
    sys.stdout.write(json.dumps(plain(data), indent=2, ensure_ascii=escaped) + "\n")


def plain(data: Any) -> Any:
    """The data as JSON has it: numbers that are not finite become null, arrays become lists."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if hasattr(data, "tolist"):  # NumPy's arrays and scalars
        return plain(data.tolist())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return str(data) if isinstance(data, Path) else data


@told_if_full()
def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under headings on standard output; the last column takes what width is left."""
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout.isatty()
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in columns:
        grid.add_column(name, no_wrap=not (terminal and name == columns[-1]))
    for row in rows:
        grid.add_row(*row)
    if terminal:
        Console(highlight=False, markup=False).print(grid)
        return
    wide = Console(highlight=False, markup=False, width=1000)  # in a file or a pipe nothing is cut off
    with wide.capture() as text:
        wide.print(grid)
    show("\n".join(line.rstrip() for line in text.get().splitlines()))


def check_outputs(*, out: Path | None = None, plot: Path | None = None, force: bool) -> None:
    """See before any work is done that the files can be written at its end.

    Raises UsageError for an ending that names no format, OutputExistsError for a file that would be overwritten,
    ResultFileError for a folder that is not there or may not be written.
    """
    if out is not None:
        from linkwork.io.results import check_result

        check_result(out, force=force)
    if plot is not None:
        from linkwork.io.results.atomic import check_target
        from linkwork.plots import suffix

        suffix(plot)
        check_target(plot, force=force)
