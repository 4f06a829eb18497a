"""A bar that shows how far a run has come, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from linkwork.cli import output

Progress = Callable[[float, float], None]


@contextmanager
def progress(label: str, *, quiet: bool) -> Iterator[Progress | None]:
    """A function to be called with (time reached, end time) in s, or None where no bar is wanted."""
    if quiet or not sys.stderr.isatty():
        yield None
        return

    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Bars(*columns, console=output.console(), transient=True) as bars:
        task = bars.add_task(label, total=None)

        def report(done: float, t_end: float) -> None:
            bars.update(task, completed=done, total=t_end, description=f"{label}  t = {done:.3g} s")

        yield report
